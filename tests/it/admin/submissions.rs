//! Review of submissions: search, pages, decisions and files, each for the roles that may, and audited.

use festival_core::admin::OWNER;
use festival_core::entity::Kind;
use festival_forms::description::{CONTACT_MESSAGE, DELEGATE, FILM_SUBMISSION};
use festival_forms::{DESK, REVIEWER};
use festival_selection::CHAIR;
use jiff::SignedDuration;
use serde_json::json;

use super::browser::{Browser, count_audited, create_account, create_account_with_email, hidden_value};
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(
    film_submission_is_searched_viewed_and_decided,
    concurrent_decision_is_rejected_and_overwrites_nothing,
    payment_used_twice_is_flagged,
    submitted_files_are_served_to_authorised_roles_only,
    reviewers_see_films_without_personal_data,
    quarantined_submissions_are_released_or_kept,
    submitted_markup_is_escaped_everywhere,
    bulk_status_change_lists_rows_before_confirmation,
);

pub(super) async fn site(database: Database) -> TestApp {
    TestApp::with(database, lift_limits).await
}

/// Submits a film and returns the path of its page in the back office.
pub(super) async fn submit_film(site: &TestApp, request: &FormRequest) -> String {
    let reference = assert_received(&request.post(site, "/api/changed/").await);
    page_path(site, "film_submissions", &reference).await
}

async fn page_path(site: &TestApp, table: &str, reference: &str) -> String {
    let id = site.id(table, &format!("reference = '{reference}'")).await;
    format!("/admin/{}/{id}", table.replace('_', "-"))
}

pub(super) fn malayalam_film() -> FormRequest {
    FormRequest::film().with("award_category", "malayalam")
}

async fn film_submission_is_searched_viewed_and_decided(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let long = "word ".repeat(101);
    let page = submit_film(&site, &malayalam_film().with("synopsis_short", &long)).await;
    submit_film(
        &site,
        &malayalam_film().with("title_english", "Another").with("correspondence_email", "b@example.org"),
    )
    .await;
    for (query, is_listed) in [
        ("", true),
        ("?q=a+light+director", true),
        ("?q=submitter@example.org", true),
        ("?q=ML-2025-0001", true),
        ("?q=nobody", false),
        ("?award=malayalam&payment=unchecked&flag=over-long", true),
        ("?award=asian", false),
        ("?status=selected", false),
        ("?q=100%25", false),
    ] {
        let list = desk.get(&format!("/admin/film-submissions{query}")).await;
        assert_eq!(list.status, 200, "{query}: {}", list.text());
        assert_eq!(list.text().contains(&format!("href=\"{page}")), is_listed, "{query}: {}", list.text());
    }
    let shown = desk.get(&page).await;
    assert_eq!(shown.status, 200);
    let text = shown.text();
    for expected in [
        "Film Details",
        "Title of the film (original)",
        "ഒരു വെളിച്ചം",
        "mailto:submitter@example.org",
        "101 of 100 words",
        "These texts have more words than asked for: Short synopsis.",
        "It came after the deadline.",
        "₹5,000",
        &format!("src=\"{page}/files/screenshot\""),
        &format!("href=\"{page}/files/documentation\" download"),
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(count_audited(&site, "view").await, 1, "the view is audited");
    let version = hidden_value(&shown, "version").unwrap();
    let status = [("version", version.as_str()), ("status", "shortlisted"), ("award", "asian")];
    let saved = desk.post(&page, &status).await;
    assert_eq!((saved.status, saved.header("Location")), (303, page.clone()), "{}", saved.text());
    assert_eq!(desk.post(&page, &[("note", " ")]).await.status, 303);
    assert_eq!(count_audited(&site, "note").await, 0, "an empty note is none");
    assert_eq!(desk.post(&page, &[("note", "Seen twice.\r\nGood.")]).await.status, 303);
    let text = desk.get(&page).await.text();
    for expected in
        ["<del>Received</del> <ins>Shortlisted</ins>", "<ins>Asian Cinema</ins>", "Seen twice.\nGood.", "Test Desk"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let decided = "SELECT count(*) FROM film_submissions WHERE status = 'shortlisted' AND award_category = 'asian'";
    assert_eq!(site.number(decided).await, 1);
    for action in ["set status", "set award", "note"] {
        assert_eq!(count_audited(&site, action).await, 1, "{action}");
    }
    let private = "SELECT count(*) FROM admin_audit WHERE before_json LIKE '%@%' OR after_json LIKE '%Seen twice%'";
    assert_eq!(site.number(private).await, 0, "the audit log has no submitted data");
    let counts = desk.get("/admin/film-submissions").await.text();
    assert!(counts.contains("Shortlisted <b>1</b>") && counts.contains("All <b>2</b>"), "{counts}");
}

async fn concurrent_decision_is_rejected_and_overwrites_nothing(database: Database) {
    let site = site(database).await;
    create_account_with_email(&site, "other@example.org", &OWNER).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let other = Browser::signed_in(&site, "other@example.org").await;
    let page = submit_film(&site, &malayalam_film()).await;
    let version = hidden_value(&desk.get(&page).await, "version").unwrap();
    // A note is not a decision and does not make the open page outdated.
    assert_eq!(other.post(&page, &[("note", "Just so.")]).await.status, 303);
    let first = [
        ("version", version.as_str()),
        ("payment", "verified"),
        ("payment_transaction", "T-1"),
        ("payment_amount", "5000"),
    ];
    assert_eq!(other.post(&page, &first).await.status, 303);
    let outdated = [("version", version.as_str()), ("payment", "rejected"), ("payment_reason", "No such payment")];
    let conflict = desk.post(&page, &outdated).await;
    assert_eq!(conflict.status, 409);
    let text = conflict.text();
    assert!(text.contains("Test Owner decided something about this while you had it open."), "{text}");
    assert!(
        text.contains("since you opened this") && text.contains("Verified, transaction T-1, amount 5000"),
        "{text}"
    );
    assert!(text.contains("value=\"No such payment\""), "the input is kept: {text}");
    assert_eq!(site.number("SELECT count(*) FROM film_submissions WHERE payment = 'verified'").await, 1);
    let seen = hidden_value(&conflict, "version").unwrap();
    let again = [("version", seen.as_str()), ("payment", "rejected"), ("payment_reason", "No such payment")];
    assert_eq!(desk.post(&page, &again).await.status, 303);
    let status = [("version", version.as_str()), ("status", "selected"), ("award", "malayalam")];
    assert_eq!(desk.post(&page, &status).await.status, 409);
    assert_eq!(site.number("SELECT count(*) FROM submission_events").await, 3);
}

async fn payment_used_twice_is_flagged(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let one = assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let other =
        FormRequest::delegate().with("email", "other@example.org").with("transaction_details", "my utr: 000111222 !");
    let other = assert_received(&other.post(&site, "/api/delegate-form/").await);
    let page = page_path(&site, "delegates", &one).await;
    let text = desk.get(&page).await.text();
    assert!(text.contains("Other submissions name the same payment.") && text.contains(&other), "{text}");
    assert!(!text.contains("Perhaps the same as another registration"), "it is said once: {text}");
    assert!(text.contains("₹1,300 <small>for 20th Velicham Delegate</small>"), "{text}");
    // A film's transaction is entered by the organiser who checks the proof of payment.
    let film = submit_film(&site, &malayalam_film()).await;
    let shown = desk.get(&film).await;
    assert!(!shown.text().contains("name the same payment"));
    let version = hidden_value(&shown, "version").unwrap();
    let refused = desk.post(&film, &[("version", &version), ("payment", "rejected")]).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("Write why the payment is rejected."));
    let proof = [("version", version.as_str()), ("payment", "verified"), ("payment_transaction", "000111222")];
    assert_eq!(desk.post(&film, &proof).await.status, 303);
    let text = desk.get(&film).await.text();
    assert!(text.contains(&one) && text.contains(&other), "{text}");
    assert_eq!(count_audited(&site, "check payment").await, 1);
}

async fn submitted_files_are_served_to_authorised_roles_only(database: Database) {
    let site = site(database).await;
    let mut browsers = Vec::new();
    for role in site.app.admin.contents.roles.iter().copied() {
        browsers.push((role, Browser::signed_in(&site, &create_account(&site, role).await).await));
    }
    let film = submit_film(&site, &malayalam_film()).await;
    let delegate = assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let delegate = page_path(&site, "delegates", &delegate).await;
    let mut views = 0;
    for (page, entity) in [(&film, &FILM_SUBMISSION), (&delegate, &DELEGATE)] {
        for field in entity.fields.iter().filter(|field| matches!(field.kind, Kind::File { .. }) && field.required) {
            let path = format!("{page}/files/{}", field.name);
            assert_eq!(Browser::new(&site).get(&path).await.status, 404, "signed out: {path}");
            for (role, browser) in &browsers {
                let is_for_review =
                    matches!(field.name, "film_poster" | "director_photo") && [REVIEWER, CHAIR].contains(role);
                let may = [OWNER, DESK].contains(role) || is_for_review;
                let response = browser.get(&path).await;
                assert_eq!(response.status, if may { 200 } else { 404 }, "{role:?} {path}");
                if may {
                    let name = response.header("Content-Disposition");
                    assert!(
                        name.starts_with("attachment; filename=\"") && name.contains("filename*=UTF-8''"),
                        "{name}"
                    );
                    assert_eq!(
                        response.header("Content-Security-Policy"),
                        "sandbox; default-src 'none'; frame-ancestors 'none'"
                    );
                    assert_eq!(response.header("X-Content-Type-Options"), "nosniff");
                    assert_eq!(response.header("Cross-Origin-Resource-Policy"), "same-origin");
                    assert_eq!(response.header("Cache-Control"), "no-store");
                    assert!(["image/png", "application/pdf"].contains(&response.header("Content-Type").as_str()));
                    views += 1;
                }
            }
        }
    }
    assert_eq!(count_audited(&site, "view file").await, views);
    let owner = &browsers[0].1;
    for path in [
        format!("{film}/files/image"),
        format!("{film}/files/title_english"),
        "/admin/film-submissions/999999/files/screenshot".to_owned(),
        "/admin/film-submissions/x/files/screenshot".to_owned(),
        format!("{film}/files/film_poster/pages/1"),
        format!("{film}/files/documentation/pages/x"),
    ] {
        assert_eq!(owner.get(&path).await.status, 404, "{path}");
    }
    let view = owner.get(&format!("{film}/files/screenshot/view")).await;
    assert_eq!(view.status, 200);
    assert!(view.text().contains(&format!("src=\"{film}/files/screenshot\"")));
    let mut connection = site.app.db.read().await.unwrap();
    let keys: Vec<String> =
        sqlx::query_scalar("SELECT key FROM submission_files").fetch_all(&mut *connection).await.unwrap();
    for key in keys {
        assert_eq!(owner.get(&format!("/media/{key}")).await.status, 404, "{key}");
    }
}

async fn reviewers_see_films_without_personal_data(database: Database) {
    let site = site(database).await;
    let reviewer = Browser::signed_in(&site, &create_account(&site, &REVIEWER).await).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = submit_film(&site, &malayalam_film()).await;
    let version = hidden_value(&desk.get(&page).await, "version").unwrap();
    let paid = [("version", version.as_str()), ("payment", "verified"), ("payment_transaction", "PRIVATE-1")];
    assert_eq!(desk.post(&page, &paid).await.status, 303);
    let text = reviewer.get(&page).await.text();
    assert!(text.contains("A lamp is lit.") && text.contains("https://video.example.org/1") && text.contains("secret"));
    let list = reviewer.get("/admin/film-submissions").await.text();
    for private in
        ["@example.org", "98765", "123-4567", "S. Submitter", "PRIVATE-1", "screenshot", "signature", "Payment"]
    {
        assert!(!text.contains(private), "{private}: {text}");
        assert!(!list.contains(private), "{private}: {list}");
    }
    for query in ["?q=submitter@example.org", "?q=PRIVATE-1"] {
        let list = reviewer.get(&format!("/admin/film-submissions{query}")).await.text();
        assert!(!list.contains(&page), "{query} finds data that is not shown");
    }
    for (name, value) in [("status", "selected"), ("award", "asian"), ("payment", "rejected"), ("payment_amount", "1")]
    {
        let both = [("version", version.as_str()), (name, value), ("note", "Not by me.")];
        assert_eq!(reviewer.post(&page, &both).await.status, 403, "{name}");
    }
    assert_eq!(site.number("SELECT count(*) FROM submission_events WHERE who <> 'Test Desk'").await, 0);
    assert_eq!(reviewer.post(&format!("{page}/quarantine"), &[]).await.status, 403);
    assert_eq!(reviewer.get("/admin/film-submissions/export").await.status, 403);
    assert_eq!(reviewer.post(&page, &[("note", "Moving.")]).await.status, 303);
    let apart = submit_film(&site, &malayalam_film().with("title_english", "Apart").with("website", "x")).await;
    assert_eq!(reviewer.get(&apart).await.status, 404);
    assert_eq!(reviewer.post(&apart, &[("note", "Moving.")]).await.status, 404);
    assert_eq!(reviewer.get(&format!("{apart}/files/film_poster")).await.status, 404);
}

async fn quarantined_submissions_are_released_or_kept(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let one = submit_film(&site, &malayalam_film().with("website", "x")).await;
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(1));
    let mut trapped = message();
    trapped["website"] = json!("x");
    assert_eq!(send_message(&site, &trapped).await.status, 200);
    let message = format!("/admin/contact-messages/{}", site.id("contact_messages", "1 = 1").await);
    assert!(!desk.get("/admin/film-submissions").await.text().contains(&one), "not in the regular list");
    let list = desk.get("/admin/quarantine").await.text();
    assert!(list.contains(&one) && list.contains(&message), "{list}");
    assert!(list.find(&message) < list.find(&one), "the newest first: {list}");
    let mut connection = site.app.db.read().await.unwrap();
    let at = sqlx::query_scalar("SELECT created_at FROM contact_messages").fetch_one(&mut *connection);
    let at: String = at.await.unwrap();
    drop(connection);
    let older = desk.get(&format!("/admin/quarantine?before={at}")).await.text();
    assert!(older.contains(&one) && !older.contains(&message), "{older}");
    assert_eq!(site.number("SELECT count(*) FROM outbox").await, 0);
    assert_eq!(desk.post(&format!("{message}/quarantine"), &[("action", "keep")]).await.status, 303);
    assert_eq!(desk.post(&format!("{one}/quarantine"), &[("action", "release")]).await.status, 303);
    let list = desk.get("/admin/quarantine").await.text();
    assert!(!list.contains(&one) && !list.contains(&message), "{list}");
    assert!(desk.get("/admin/quarantine?all=1").await.text().contains(&message));
    assert!(desk.get("/admin/film-submissions").await.text().contains(&one));
    let receipts = "SELECT count(*) FROM outbox WHERE to_address = 'submitter@example.org' AND kind = 'film-receipt' \
                    AND body_text LIKE '%A Light%'";
    assert_eq!(site.number(receipts).await, 1, "the receipt is sent on release");
    assert_eq!(desk.post(&format!("{one}/quarantine"), &[("action", "release")]).await.status, 303);
    assert_eq!(site.number(receipts).await, 1, "the receipt is sent once");
    assert_eq!((count_audited(&site, "release").await, count_audited(&site, "keep apart").await), (1, 1));
}

async fn submitted_markup_is_escaped_everywhere(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let hostile = "\"><script>alert(1)</script>{{frame.csrf}}";
    let mut request = malayalam_film();
    for field in FILM_SUBMISSION.columns() {
        if matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. }) {
            request = request.with(field.name, hostile);
        }
    }
    for file in &mut request.files {
        file.1 = "<script>alert(1)</script>.png".into();
    }
    let page = submit_film(&site, &request).await;
    let mut delegate = FormRequest::delegate();
    for field in DELEGATE.columns() {
        if matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. }) && field.name != "category" {
            delegate = delegate.with(field.name, hostile);
        }
    }
    let delegate = assert_received(&delegate.post(&site, "/api/delegate-form/").await);
    let delegate = page_path(&site, "delegates", &delegate).await;
    let mut text = message();
    for field in CONTACT_MESSAGE.columns() {
        if matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. }) {
            text[field.name] = json!(hostile);
        }
    }
    assert_eq!(send_message(&site, &text).await.status, 200);
    let message = format!("/admin/contact-messages/{}", site.id("contact_messages", "1 = 1").await);
    assert_eq!(desk.post(&page, &[("note", hostile)]).await.status, 303);
    let look = format!("{page}/files/film_poster/view");
    let search = "/admin/film-submissions?q=%22%3E%3Cscript%3Ealert(1)".to_owned();
    let lists = ["/admin/film-submissions", "/admin/delegates", "/admin/contact-messages"].map(str::to_owned);
    for path in [page, delegate, message, look, search].into_iter().chain(lists) {
        let response = desk.get(&path).await;
        assert_eq!(response.status, 200, "{path}");
        assert!(!response.text().contains("<script>alert"), "{path}: {}", response.text());
        assert!(response.text().contains("&lt;script&gt;alert(1)"), "{path}: {}", response.text());
    }
}

async fn bulk_status_change_lists_rows_before_confirmation(database: Database) {
    let site = site(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    submit_film(&site, &malayalam_film()).await;
    submit_film(&site, &malayalam_film().with("title_english", "Another")).await;
    let mut rows = Vec::new();
    for reference in ["ML-2025-0001", "ML-2025-0002"] {
        rows.push(site.id("film_submissions", &format!("reference = '{reference}'")).await.to_string());
    }
    let chosen = [("row", rows[0].as_str()), ("row", &rows[1]), ("action", "status:not-selected")];
    let confirmation = desk.post("/admin/film-submissions/selected", &chosen).await;
    assert_eq!(confirmation.status, 200);
    assert!(confirmation.text().contains("Set 2 film submissions to “Not selected”?"), "{}", confirmation.text());
    assert!(confirmation.text().contains("ML-2025-0002 Another"), "{}", confirmation.text());
    let decided = "SELECT count(*) FROM film_submissions WHERE status = 'not-selected'";
    assert_eq!(site.number(decided).await, 0, "nothing is changed before the confirmation");
    // Somebody else decides about one of the rows meanwhile: nothing is changed, and the page says which row it was.
    let path = format!("/admin/film-submissions/{}", rows[1]);
    let version = hidden_value(&desk.get(&path).await, "version").unwrap();
    let other = [("version", version.as_str()), ("status", "shortlisted"), ("award", "malayalam")];
    assert_eq!(desk.post(&path, &other).await.status, 303);
    let conflict = desk.confirm(&confirmation, "/admin/film-submissions/selected").await;
    assert_eq!((conflict.status, site.number(decided).await), (409, 0));
    let text = conflict.text();
    let (first, second) = text.split_once("ML-2025-0002").unwrap();
    assert!(!first.contains("changed in the meantime") && second.contains("changed in the meantime"), "{text}");
    site.write("DELETE FROM submission_events").await;
    site.write("UPDATE film_submissions SET status = 'received' WHERE status = 'shortlisted'").await;
    let conflict = desk.confirm(&conflict, "/admin/film-submissions/selected").await;
    assert_eq!(conflict.status, 409, "the event is gone: the row has changed again");
    assert_eq!(desk.confirm(&conflict, "/admin/film-submissions/selected").await.status, 303);
    assert_eq!(site.number(decided).await, 2);
    assert_eq!(
        (site.number("SELECT count(*) FROM submission_events").await, count_audited(&site, "set status").await),
        (2, 3),
        "one event was deleted above"
    );
}
