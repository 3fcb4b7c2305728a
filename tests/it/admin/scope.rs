//! Accounts with a scope: submissions outside it are hidden on every screen.

use festival_core::admin::{OWNER, Role};
use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, create_account, create_account_with_email, hidden_value};
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(
    submissions_outside_the_scope_are_hidden_everywhere,
    scope_can_be_an_edition,
    scope_is_set_by_owners_and_audited,
    account_without_scope_sees_everything,
);

/// A site with two submissions of the same film and payment, one inside and one outside the scope.
struct ScopeFixture {
    site: TestApp,
    /// Pages of a submission inside and one outside the scope.
    inside: String,
    outside: String,
    /// Another submission outside the scope, in quarantine.
    quarantined: String,
    delegate: String,
}

async fn submit_film(site: &TestApp, request: FormRequest) -> String {
    let reference = assert_received(&request.post(site, "/api/changed/").await);
    format!("/admin/film-submissions/{}", site.id("film_submissions", &format!("reference = '{reference}'")).await)
}

impl ScopeFixture {
    async fn new(database: Database) -> Self {
        let site = TestApp::with(database, lift_limits).await;
        let film = |award: &str| FormRequest::film().with("award_category", award);
        let inside = submit_film(&site, film("malayalam")).await;
        let outside = submit_film(&site, film("asian").with("correspondence_email", "other@example.org")).await;
        let quarantined = submit_film(&site, film("asian").with("title_english", "Apart").with("website", "x")).await;
        let delegate = assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
        let delegate = site.id("delegates", &format!("reference = '{delegate}'")).await;
        assert_eq!(send_message(&site, &message()).await.status, 200);
        site.write("UPDATE film_submissions SET payment_transaction = 'UTR000111222'").await;
        Self { delegate: format!("/admin/delegates/{delegate}"), site, inside, outside, quarantined }
    }

    /// Signs in an account with this role and the scope that an owner sets in the form.
    async fn limited(&self, role: &'static Role, limits: &[(&str, &str)]) -> Browser<'_> {
        let owner = Browser::signed_in(&self.site, &create_account(&self.site, &OWNER).await).await;
        let email = format!("limited-{}@example.org", role.key);
        let id = create_account_with_email(&self.site, &email, role).await;
        let mut fields = vec![("name", "Limited"), ("role", role.key)];
        fields.extend(limits);
        let saved = owner.post(&format!("/admin/accounts/{id}"), &fields).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        Browser::signed_in(&self.site, &email).await
    }

    fn id(page: &str) -> &str {
        page.rsplit('/').next().unwrap()
    }
}

async fn submissions_outside_the_scope_are_hidden_everywhere(database: Database) {
    let fixture = ScopeFixture::new(database).await;
    let (inside, outside) = (fixture.inside.as_str(), fixture.outside.as_str());
    for role in [&DESK, &REVIEWER] {
        let limited = match *role == DESK {
            true => fixture.limited(role, &[("scope.section", "malayalam")]).await,
            false => {
                let id = create_account_with_email(&fixture.site, "reviewer@example.org", role).await;
                fixture
                    .site
                    .write(&format!("UPDATE admin_accounts SET scope = 'section=malayalam' WHERE id = {id}"))
                    .await;
                Browser::signed_in(&fixture.site, "reviewer@example.org").await
            }
        };
        let shown = limited.get(inside).await;
        assert_eq!(shown.status, 200, "{role:?}");
        assert!(!shown.text().contains(outside), "{role:?}: not as a duplicate of the film either: {}", shown.text());
        assert!(!shown.text().contains("name the same payment"), "{role:?}: not as the same payment either");
        for page in [outside, &fixture.quarantined, &fixture.delegate] {
            // Other roles than the desk may not open delegates at all.
            if role == &REVIEWER && page == fixture.delegate {
                continue;
            }
            for rest in ["", "/files/film_poster", "/files/film_poster/view", "/files/screenshot"] {
                assert_eq!(limited.get(&format!("{page}{rest}")).await.status, 404, "{role:?} {page}{rest}");
            }
            let note = limited.post(page, &[("note", "Seen.")]).await;
            assert_eq!(note.status, 404, "{role:?} {page}");
            if role == &DESK {
                let status = if page == fixture.delegate { "confirmed" } else { "selected" };
                for (path, name, value) in [
                    (page.to_owned(), "status", status),
                    (page.to_owned(), "payment", "verified"),
                    (format!("{page}/quarantine"), "action", "release"),
                ] {
                    let response = limited.post(&path, &[("version", "0"), (name, value)]).await;
                    assert_eq!(response.status, 404, "{path} {name}: {}", response.text());
                }
            }
        }
        let list = limited.get("/admin/film-submissions").await.text();
        assert!(list.contains(inside) && !list.contains(outside) && list.contains("All <b>1</b>"), "{role:?}: {list}");
        let found = limited.get("/admin/film-submissions?award=asian").await.text();
        assert!(!found.contains(outside), "{role:?}: {found}");
        let start = limited.get("/admin/").await.text();
        assert!(start.contains("1 film that nobody has looked at"), "{role:?}: {start}");
        for closed in
            ["Films: Asian", "in quarantine", "registration to confirm", "Messages</a> <b>1</b>", "/admin/mail"]
        {
            assert!(!start.contains(closed), "{role:?} {closed}: {start}");
        }
    }
    let limited = Browser::signed_in(&fixture.site, "limited-desk@example.org").await;
    let (inside_id, outside_id) = (ScopeFixture::id(inside), ScopeFixture::id(outside));
    for sure in ["", "yes"] {
        let fields = [("row", inside_id), ("row", outside_id), ("action", "status:selected"), ("sure", sure)];
        let response = limited.post("/admin/film-submissions/selected", &fields).await;
        assert_eq!(response.status, 404, "{sure}: {}", response.text());
    }
    assert_eq!(fixture.site.number("SELECT count(*) FROM film_submissions WHERE status = 'selected'").await, 0);
    assert!(!limited.get("/admin/quarantine?all=1").await.text().contains(&fixture.quarantined));
    assert!(!limited.get("/admin/delegates").await.text().contains(&fixture.delegate));
    assert_eq!(limited.get("/admin/mail").await.status, 403, "the outbox covers people outside the scope");
    let csv = limited.post("/admin/film-submissions/export", &[("format", "csv")]).await.text();
    assert!(csv.contains("submitter@example.org") && !csv.contains("other@example.org"), "{csv}");
    let files = limited.post("/admin/film-submissions/export", &[("format", "files")]).await;
    assert_eq!(zip::ZipArchive::new(std::io::Cursor::new(files.body)).unwrap().len(), 6, "only the files of one film");
    let csv = limited.post("/admin/delegates/export", &[("format", "csv")]).await.text();
    assert!(!csv.contains("delegate@example.org"), "{csv}");
    // A submission cannot be moved out of the scope either.
    let version = hidden_value(&limited.get(inside).await, "version").unwrap();
    let moved = [("version", version.as_str()), ("status", "new"), ("award", "asian")];
    assert_eq!(limited.post(inside, &moved).await.status, 422);
    let decided = [("version", version.as_str()), ("status", "shortlisted"), ("award", "malayalam")];
    assert_eq!(limited.post(inside, &decided).await.status, 303);
}

async fn scope_can_be_an_edition(database: Database) {
    let fixture = ScopeFixture::new(database).await;
    fixture.site
        .write(
            "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, created_at, updated_at) \
             VALUES (2031, 26, 'Later', '2031-10-24', '2031-10-31', '2025-10-26T06:30:00.000Z', '2025-10-26T06:30:00.000Z')",
        )
        .await;
    let (inside, outside) = (ScopeFixture::id(&fixture.inside), ScopeFixture::id(&fixture.outside));
    let later = fixture.site.id("editions", "year = 2031").await;
    fixture.site.write(&format!("UPDATE film_submissions SET edition_id = {later} WHERE id = {inside}")).await;
    let limited = fixture.limited(&DESK, &[("scope.edition", "2031")]).await;
    assert_eq!((limited.get(&fixture.inside).await.status, limited.get(&fixture.outside).await.status), (200, 404));
    assert_eq!(limited.get(&fixture.delegate).await.status, 404);
    for query in ["", "?edition=2025"] {
        let list = limited.get(&format!("/admin/film-submissions{query}")).await.text();
        assert!(list.contains(&fixture.inside) && !list.contains(&fixture.outside), "{query}: {list}");
        assert!(!list.contains("name=\"edition\""), "no filter by edition: {list}");
    }
    let csv = limited.post("/admin/film-submissions/export?edition=2025", &[("format", "csv")]).await.text();
    assert!(!csv.contains("other@example.org"), "{csv}");
    let fields = [("row", outside), ("action", "status:selected")];
    assert_eq!(limited.post("/admin/film-submissions/selected", &fields).await.status, 404);
    let start = limited.get("/admin/").await.text();
    assert!(!start.contains("that nobody has looked at"), "the current edition is outside the scope: {start}");
}

async fn scope_is_set_by_owners_and_audited(database: Database) {
    let fixture = ScopeFixture::new(database).await;
    let limited = fixture.limited(&REVIEWER, &[("scope.section", "asian"), ("scope.section", "indian")]).await;
    let logged = "SELECT count(*) FROM admin_audit WHERE action = 'change' AND object = 'account' \
                  AND before_json LIKE '%\"scope\":\"\"%' AND after_json LIKE '%\"scope\":\"section=asian,indian\"%'";
    assert_eq!(fixture.site.number(logged).await, 1);
    assert!(limited.is_signed_in().await);
    let owner = Browser::signed_in(&fixture.site, "owner@example.org").await;
    let id = fixture.site.id("admin_accounts", "email = 'limited-reviewer@example.org'").await;
    let path = format!("/admin/accounts/{id}");
    let form = owner.get(&path).await.text();
    assert!(form.contains("name=\"scope.section\" value=\"asian\" checked"), "{form}");
    assert!(form.contains("name=\"scope.section\" value=\"malayalam\">"), "{form}");
    assert!(owner.get("/admin/accounts").await.text().contains("only section&#x3D;asian,indian"));
    let wrong = [("name", "Limited"), ("role", "reviewer"), ("scope.section", "brazilian")];
    let refused = owner.post(&path, &wrong).await;
    assert!(refused.status == 422 && refused.text().contains("There is no section"), "{}", refused.text());
    let mighty = [("name", "Limited"), ("role", "owner"), ("scope.section", "asian")];
    let refused = owner.post(&path, &mighty).await;
    assert!(refused.status == 422 && refused.text().contains("Owners see everything."), "{}", refused.text());
    assert_eq!(owner.post(&path, &[("name", "Limited"), ("role", "reviewer")]).await.status, 303);
    assert!(!limited.is_signed_in().await, "changed rights require a new sign-in");
    assert_eq!(fixture.site.number("SELECT count(*) FROM admin_accounts WHERE scope <> ''").await, 0);
    let new = [("name", "New"), ("email", "new@example.org"), ("role", "desk"), ("scope.section", "contact")];
    assert_eq!(owner.post("/admin/accounts/new", &new).await.status, 200);
    assert_eq!(fixture.site.number("SELECT count(*) FROM admin_accounts WHERE scope = 'section=contact'").await, 1);
}

async fn account_without_scope_sees_everything(database: Database) {
    let fixture = ScopeFixture::new(database).await;
    let browser = Browser::signed_in(&fixture.site, &create_account(&fixture.site, &DESK).await).await;
    for page in [&fixture.inside, &fixture.outside, &fixture.quarantined, &fixture.delegate] {
        assert_eq!(browser.get(page).await.status, 200, "{page}");
    }
    let text = browser.get(&fixture.inside).await.text();
    assert!(text.contains(&fixture.outside) && text.contains("name the same payment"), "{text}");
    let start = browser.get("/admin/").await.text();
    assert!(start.contains("2 films that nobody has looked at") && start.contains("1 form in quarantine"), "{start}");
}
