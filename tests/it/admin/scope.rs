//! An account that is limited to a part of what people sent: what lies outside is not there, wherever it is asked for.

use festival_core::admin::Role;

use super::browser::{Browser, hidden, named, person};
use crate::forms::sent::{Sent, message, patient, received, send_message};
use crate::support::{Database, TestApp};

on_both!(
    what_lies_outside_is_not_there,
    an_edition_is_a_limit_too,
    limits_are_set_by_owners_and_written_down,
    without_limits_everything_is_seen,
);

/// A site with films for two awards, about the same film and the same payment.
struct Desk {
    site: TestApp,
    /// Inside and outside: pages of films.
    own: String,
    other: String,
    /// Another one outside, in quarantine.
    apart: String,
    delegate: String,
}

async fn film(site: &TestApp, sent: Sent) -> String {
    let reference = received(&sent.to(site, "/api/changed/").await);
    format!("/admin/film-submissions/{}", site.id("film_submissions", &format!("reference = '{reference}'")).await)
}

impl Desk {
    async fn new(database: Database) -> Self {
        let site = TestApp::with(database, patient).await;
        let sent = |award: &str| Sent::film().with("award_category", award);
        let own = film(&site, sent("malayalam")).await;
        let other = film(&site, sent("asian").with("correspondence_email", "other@example.org")).await;
        let apart = film(&site, sent("asian").with("title_english", "Apart").with("website", "x")).await;
        let delegate = received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
        let delegate = site.id("delegates", &format!("reference = '{delegate}'")).await;
        assert_eq!(send_message(&site, &message()).await.status, 200);
        site.write("UPDATE film_submissions SET payment_transaction = 'UTR000111222'").await;
        Self { delegate: format!("/admin/delegates/{delegate}"), site, own, other, apart }
    }

    /// A browser of somebody with this role who is limited so, as an owner says it in the form.
    async fn limited(&self, role: Role, limits: &[(&str, &str)]) -> Browser<'_> {
        let owner = Browser::signed_in(&self.site, &person(&self.site, Role::Owner).await).await;
        let email = format!("limited-{}@example.org", role.key());
        let id = named(&self.site, &email, role).await;
        let mut fields = vec![("name", "Limited"), ("role", role.key())];
        fields.extend(limits);
        let saved = owner.post(&format!("/admin/accounts/{id}"), &fields).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        Browser::signed_in(&self.site, &email).await
    }

    fn id(page: &str) -> &str {
        page.rsplit('/').next().unwrap()
    }
}

async fn what_lies_outside_is_not_there(database: Database) {
    let desk = Desk::new(database).await;
    let (own, other) = (desk.own.as_str(), desk.other.as_str());
    for role in [Role::Desk, Role::Reviewer] {
        let limited = match role {
            Role::Desk => desk.limited(role, &[("scope.section", "malayalam")]).await,
            _ => {
                let id = named(&desk.site, "reviewer@example.org", role).await;
                desk.site
                    .write(&format!("UPDATE admin_accounts SET scope = 'section=malayalam' WHERE id = {id}"))
                    .await;
                Browser::signed_in(&desk.site, "reviewer@example.org").await
            }
        };
        let shown = limited.get(own).await;
        assert_eq!(shown.status, 200, "{role:?}");
        assert!(!shown.text().contains(other), "{role:?}: not even as the same film: {}", shown.text());
        assert!(!shown.text().contains("name the same payment"), "{role:?}: nor as the same payment");
        for page in [other, &desk.apart, &desk.delegate] {
            // Other roles than the desk may not open delegates at all.
            if role == Role::Reviewer && page == desk.delegate {
                continue;
            }
            for rest in ["", "/files/film_poster", "/files/film_poster/view", "/files/screenshot"] {
                assert_eq!(limited.get(&format!("{page}{rest}")).await.status, 404, "{role:?} {page}{rest}");
            }
            let note = limited.post(&format!("{page}/note"), &[("note", "Seen.")]).await;
            assert_eq!(note.status, 404, "{role:?} {page}");
            if role == Role::Desk {
                let all = [("mark", "0"), ("status", "selected"), ("award", "malayalam"), ("payment", "verified")];
                for what in ["status", "payment", "quarantine"] {
                    let mut fields = all.to_vec();
                    fields.push(("deed", "release"));
                    let answer = limited.post(&format!("{page}/{what}"), &fields).await;
                    assert_eq!(answer.status, 404, "{page}/{what}: {}", answer.text());
                }
            }
        }
        let list = limited.get("/admin/film-submissions").await.text();
        assert!(list.contains(own) && !list.contains(other) && list.contains("All <b>1</b>"), "{role:?}: {list}");
        let found = limited.get("/admin/film-submissions?award=asian").await.text();
        assert!(!found.contains(other), "{role:?}: {found}");
        let start = limited.get("/admin/").await.text();
        assert!(start.contains("1 film that nobody has looked at"), "{role:?}: {start}");
        for closed in
            ["Films: Asian", "in quarantine", "registration to confirm", "Messages</a> <b>1</b>", "/admin/mail"]
        {
            assert!(!start.contains(closed), "{role:?} {closed}: {start}");
        }
    }
    let limited = Browser::signed_in(&desk.site, "limited-desk@example.org").await;
    let (own_id, other_id) = (Desk::id(own), Desk::id(other));
    for sure in ["", "yes"] {
        let fields = [("row", own_id), ("row", other_id), ("status", "selected"), ("sure", sure)];
        let answer = limited.post("/admin/film-submissions/selected", &fields).await;
        assert_eq!(answer.status, 404, "{sure}: {}", answer.text());
    }
    assert_eq!(desk.site.number("SELECT count(*) FROM film_submissions WHERE status = 'selected'").await, 0);
    assert!(!limited.get("/admin/quarantine?all=1").await.text().contains(&desk.apart));
    assert!(!limited.get("/admin/delegates").await.text().contains(&desk.delegate));
    assert_eq!(limited.get("/admin/mail").await.status, 403, "letters are to people of every part");
    let csv = limited.post("/admin/film-submissions/export", &[("format", "csv")]).await.text();
    assert!(csv.contains("submitter@example.org") && !csv.contains("other@example.org"), "{csv}");
    let files = limited.post("/admin/film-submissions/export", &[("format", "files")]).await;
    assert_eq!(zip::ZipArchive::new(std::io::Cursor::new(files.body)).unwrap().len(), 6, "the files of one film");
    let csv = limited.post("/admin/delegates/export", &[("format", "csv")]).await.text();
    assert!(!csv.contains("delegate@example.org"), "{csv}");
    // Nor can something be moved out of sight.
    let mark = hidden(&limited.get(own).await, "mark").unwrap();
    let moved = [("mark", mark.as_str()), ("status", "new"), ("award", "asian")];
    assert_eq!(limited.post(&format!("{own}/status"), &moved).await.status, 422);
    let decided = [("mark", mark.as_str()), ("status", "shortlisted"), ("award", "malayalam")];
    assert_eq!(limited.post(&format!("{own}/status"), &decided).await.status, 303);
}

async fn an_edition_is_a_limit_too(database: Database) {
    let desk = Desk::new(database).await;
    desk.site
        .write(
            "INSERT INTO editions (year, ordinal, name, starts_on, ends_on, created_at, updated_at) \
             VALUES (2031, 26, 'Later', '2031-10-24', '2031-10-31', '2025-10-26T06:30:00.000Z', '2025-10-26T06:30:00.000Z')",
        )
        .await;
    let (own, other) = (Desk::id(&desk.own), Desk::id(&desk.other));
    let later = desk.site.id("editions", "year = 2031").await;
    desk.site.write(&format!("UPDATE film_submissions SET edition_id = {later} WHERE id = {own}")).await;
    let limited = desk.limited(Role::Desk, &[("scope.edition", "2031")]).await;
    assert_eq!((limited.get(&desk.own).await.status, limited.get(&desk.other).await.status), (200, 404));
    assert_eq!(limited.get(&desk.delegate).await.status, 404);
    for query in ["", "?edition=2025"] {
        let list = limited.get(&format!("/admin/film-submissions{query}")).await.text();
        assert!(list.contains(&desk.own) && !list.contains(&desk.other), "{query}: {list}");
        assert!(!list.contains("name=\"edition\""), "there is nothing to choose: {list}");
    }
    let csv = limited.post("/admin/film-submissions/export?edition=2025", &[("format", "csv")]).await.text();
    assert!(!csv.contains("other@example.org"), "{csv}");
    let fields = [("row", other), ("status", "selected")];
    assert_eq!(limited.post("/admin/film-submissions/selected", &fields).await.status, 404);
    let start = limited.get("/admin/").await.text();
    assert!(!start.contains("that nobody has looked at"), "the current edition is another: {start}");
}

async fn limits_are_set_by_owners_and_written_down(database: Database) {
    let desk = Desk::new(database).await;
    let limited = desk.limited(Role::Reviewer, &[("scope.section", "asian"), ("scope.section", "indian")]).await;
    let logged = "SELECT count(*) FROM admin_audit WHERE action = 'change' AND object = 'account' \
                  AND before_json LIKE '%\"scope\":\"\"%' AND after_json LIKE '%\"scope\":\"section=asian,indian\"%'";
    assert_eq!(desk.site.number(logged).await, 1);
    assert!(limited.is_in().await);
    let owner = Browser::signed_in(&desk.site, "owner@example.org").await;
    let id = desk.site.id("admin_accounts", "email = 'limited-reviewer@example.org'").await;
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
    assert!(!limited.is_in().await, "other rights begin with a new sign-in");
    assert_eq!(desk.site.number("SELECT count(*) FROM admin_accounts WHERE scope <> ''").await, 0);
    let new = [("name", "New"), ("email", "new@example.org"), ("role", "desk"), ("scope.section", "contact")];
    assert_eq!(owner.post("/admin/accounts/new", &new).await.status, 200);
    assert_eq!(desk.site.number("SELECT count(*) FROM admin_accounts WHERE scope = 'section=contact'").await, 1);
}

async fn without_limits_everything_is_seen(database: Database) {
    let desk = Desk::new(database).await;
    let browser = Browser::signed_in(&desk.site, &person(&desk.site, Role::Desk).await).await;
    for page in [&desk.own, &desk.other, &desk.apart, &desk.delegate] {
        assert_eq!(browser.get(page).await.status, 200, "{page}");
    }
    let text = browser.get(&desk.own).await.text();
    assert!(text.contains(&desk.other) && text.contains("name the same payment"), "{text}");
    let start = browser.get("/admin/").await.text();
    assert!(start.contains("2 films that nobody has looked at") && start.contains("1 form in quarantine"), "{start}");
}
