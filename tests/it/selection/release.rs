//! Decisions: prepared for one or many, seen by nobody, then released with exactly one letter each.

use festival_core::admin::OWNER;
use festival_forms::DESK;

use super::{add_films, site};
use crate::admin::browser::{Browser, create_account, hidden_value};
use crate::support::{Database, TestApp};

on_both!(
    release_sends_each_film_exactly_one_letter_and_twice_changes_nothing,
    prepared_decisions_are_visible_nowhere_else,
    waiting_letters_are_held_and_recalled,
    films_move_up_from_the_waiting_list,
    unconfirmed_films_are_a_task_and_a_filter,
    section_with_the_name_of_the_award_is_proposed_for_its_films,
    selection_is_absent_while_its_module_is_off,
);

const RELEASE: &str = "/admin/selection-release";

/// Prepares an outcome for these films in the list.
pub(super) async fn prepare(chair: &Browser<'_>, outcome: &str, films: &[i64], day: &str) {
    let ids: Vec<String> = films.iter().map(i64::to_string).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("row", &**id)).collect();
    fields.push(("action", outcome));
    let asked = chair.post("/admin/selection/selected", &fields).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let mut fields = crate::admin::browser::hidden_inputs(&asked.text());
    fields.push(("confirm_by".to_owned(), day.to_owned()));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let done = chair.post("/admin/selection/selected", &fields).await;
    assert_eq!(done.status, 303, "{}", done.text());
}

/// Presses the button, and returns the fingerprint that was sent.
pub(super) async fn release(chair: &Browser<'_>) -> String {
    let page = chair.get(RELEASE).await;
    let fingerprint = hidden_value(&page, "fingerprint").unwrap_or_else(|| panic!("{}", page.text()));
    let done = chair.post(RELEASE, &[("fingerprint", &fingerprint), ("then", "release")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    fingerprint
}

pub(super) async fn films(site: &TestApp, count: usize) -> Vec<i64> {
    add_films(site, count).await;
    let ids = site.texts("SELECT CAST(id AS TEXT) FROM film_submissions ORDER BY id").await;
    ids.iter().map(|id| id.parse().unwrap()).collect()
}

async fn letters(site: &TestApp) -> Vec<String> {
    site.texts("SELECT to_address || ': ' || subject FROM outbox WHERE kind = 'selection-letter' ORDER BY id").await
}

async fn release_sends_each_film_exactly_one_letter_and_twice_changes_nothing(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 5).await;
    prepare(&chair, "selected", &films[..2], "2025-11-05").await;
    prepare(&chair, "waiting", &films[2..3], "").await;
    prepare(&chair, "not_selected", &films[3..], "").await;
    let page = format!("/admin/selection/{}", films[0]);
    let words = [("outcome", "selected"), ("confirm_by", "2025-11-05"), ("message", "We loved the last scene.")];
    assert_eq!(chair.post(&page, &words).await.status, 303);
    assert!(chair.get(&page).await.text().contains("We loved the last scene."), "the letter is previewed");
    site.write(&format!("UPDATE film_submissions SET correspondence_email = '' WHERE id = {}", films[4])).await;
    let shown = chair.get(RELEASE).await.text();
    for expected in [
        "Selected: 2",
        "Waiting list: 1",
        "Not selected: 2",
        "Decided without a review",
        "Selected, and the payment is not verified",
        "No e-mail address: there will be no letter",
        "Release 5 decisions",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let fingerprint = release(&chair).await;
    let sent = letters(&site).await;
    assert_eq!(
        sent,
        [
            "sender1@example.org: Velicham 2025: your film has been selected",
            "sender2@example.org: Velicham 2025: നിങ്ങളുടെ ചിത്രം തിരഞ്ഞെടുക്കപ്പെട്ടു",
            "sender3@example.org: Velicham 2025: your film is on the waiting list",
            "sender4@example.org: Velicham 2025: about your film",
        ]
    );
    let body = site.texts("SELECT body_text FROM outbox WHERE to_address = 'sender1@example.org'").await;
    assert!(body[0].contains("We loved the last scene.\n") && body[0].contains("5 November 2025"), "{}", body[0]);
    let statuses = site.texts("SELECT status FROM film_submissions ORDER BY id").await;
    assert_eq!(statuses, ["selected", "selected", "shortlisted", "not-selected", "not-selected"]);
    // The same form again, and what the page offers now.
    let again = chair.post(RELEASE, &[("fingerprint", &fingerprint), ("then", "release")]).await;
    assert_eq!(again.status, 409);
    assert!(again.text().contains("Nothing is prepared that was not released already"), "{}", again.text());
    assert_eq!(letters(&site).await, sent);
    assert_eq!(site.number("SELECT count(*) FROM submission_events").await, 5);
    // A released decision stays.
    prepare(&chair, "not_selected", &films[..1], "").await;
    assert_eq!(
        site.texts("SELECT outcome FROM selection_decisions ORDER BY film_submission_id LIMIT 1").await,
        ["selected"]
    );
    let audited = site.number("SELECT count(*) FROM admin_audit WHERE action = 'release decision'").await;
    assert_eq!(audited, 5);
}

async fn prepared_decisions_are_visible_nowhere_else(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 2).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = format!("/admin/film-submissions/{}", films[0]);
    let paths = ["/admin/film-submissions", &page, "/admin/search?q=Film", "/admin/mail"];
    let mut before = Vec::new();
    for path in paths {
        before.push(desk.get(path).await.text());
    }
    prepare(&chair, "selected", &films, "2025-11-05").await;
    for (path, before) in paths.into_iter().zip(before) {
        assert_eq!(desk.get(path).await.text(), before, "{path}");
    }
    assert_eq!(site.number("SELECT count(*) FROM outbox").await, 0);
    assert_eq!(site.number("SELECT count(*) FROM film_submissions WHERE status <> 'new'").await, 0);
    assert_eq!(desk.get("/admin/selection").await.status, 403);
    // What was prepared meanwhile is not released unseen.
    let fingerprint = hidden_value(&chair.get(RELEASE).await, "fingerprint").unwrap();
    prepare(&chair, "not_selected", &films[..1], "").await;
    let refused = chair.post(RELEASE, &[("fingerprint", &fingerprint), ("then", "release")]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("has changed since you opened this page"), "{}", refused.text());
    assert_eq!(letters(&site).await, Vec::<String>::new());
    prepare(&chair, "none", &films, "").await;
    assert_eq!(site.number("SELECT count(*) FROM selection_decisions").await, 0);
}

async fn waiting_letters_are_held_and_recalled(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 3).await;
    prepare(&chair, "selected", &films, "2025-11-05").await;
    release(&chair).await;
    site.write("UPDATE outbox SET sent_at = '2025-10-26T07:00:00Z' WHERE to_address = 'sender1@example.org'").await;
    assert_eq!(chair.post(RELEASE, &[("then", "hold")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE is_held = 1").await, 2);
    assert!(
        chair
            .get(RELEASE)
            .await
            .text()
            .contains("2 letters have not left yet; 2 held back. They leave ten minutes after the release")
    );
    assert_eq!(chair.post(RELEASE, &[("then", "recall")]).await.status, 303);
    assert_eq!(letters(&site).await.len(), 1, "the letter that was sent");
    assert_eq!(site.texts("SELECT status FROM film_submissions ORDER BY id").await, ["selected", "new", "new"]);
    release(&chair).await;
    assert_eq!(letters(&site).await.len(), 3);
    assert_eq!(chair.post(RELEASE, &[("then", "hold")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE is_held = 1").await, 2);
    // From now on they may be sent at any moment.
    assert_eq!(chair.post(RELEASE, &[("then", "continue")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE is_held = 1").await, 0);
}

async fn films_move_up_from_the_waiting_list(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 2).await;
    prepare(&chair, "waiting", &films[..1], "").await;
    prepare(&chair, "not_selected", &films[1..], "").await;
    release(&chair).await;
    prepare(&chair, "move-up", &films, "2025-11-06").await;
    assert_eq!(site.texts("SELECT status FROM film_submissions ORDER BY id").await, ["selected", "not-selected"]);
    assert_eq!(letters(&site).await[2..], ["sender1@example.org: Velicham 2025: your film has been selected"]);
}

async fn unconfirmed_films_are_a_task_and_a_filter(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 3).await;
    prepare(&chair, "selected", &films[..2], "2025-11-05").await;
    assert!(!chair.get("/admin/").await.text().contains("not confirmed"), "nothing is released");
    assert!(chair.get(RELEASE).await.text().contains("public_url, the address of the site, is not set"));
    release(&chair).await;
    let list = "decision&#x3D;selected&amp;answer&#x3D;none";
    let start = chair.get("/admin/").await.text();
    assert!(start.contains("2 selected films are not confirmed") && start.contains(list), "{start}");
    let confirmed =
        format!("UPDATE selection_decisions SET answer = 'confirmed' WHERE film_submission_id = {}", films[0]);
    site.write(&confirmed).await;
    assert!(chair.get("/admin/").await.text().contains("1 selected film is not confirmed"));
    assert!(chair.get("/admin/selection?decision=selected&answer=none").await.text().contains("1 to 1 of 1"));
}

async fn section_with_the_name_of_the_award_is_proposed_for_its_films(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let films = films(&site, 3).await;
    site.write("UPDATE film_submissions SET award_category = 'indian', status = 'selected'").await;
    site.write(&format!("UPDATE film_submissions SET award_category = 'asian' WHERE id = {}", films[0])).await;
    let edition = site.id("editions", "year = 2025").await;
    for (slug, name) in [("kaleidoscope", "Kaleidoscope"), ("indian-cinema", "Indian Cinema")] {
        let columns = "edition_id, slug, name, position, created_at, updated_at";
        site.write(&format!("INSERT INTO categories ({columns}) VALUES ({edition}, '{slug}', '{name}', 900, '', '')"))
            .await;
    }
    let page = chair.get("/admin/selection/films").await.text();
    assert!(page.contains("<option value=\"indian-cinema\" selected>Indian Cinema</option>"), "{page}");
    // No section is called Asian Cinema: none is proposed.
    let asian = page.split("name=\"section-asian\"").nth(1).and_then(|rest| rest.split("</select>").next());
    let asian = asian.unwrap_or_else(|| panic!("{page}"));
    assert!(asian.contains("<option value=\"\">choose …</option>") && !asian.contains("selected"), "{asian}");
}

async fn selection_is_absent_while_its_module_is_off(database: Database) {
    let site = TestApp::without(database, "selection").await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    for path in ["/admin/selection", "/admin/pile", RELEASE, "/admin/selection-rounds"] {
        assert_eq!(owner.get(path).await.status, 404, "{path}");
    }
    let pages = [owner.get("/admin/").await.text(), owner.get("/admin/mail-texts").await.text()];
    for text in pages {
        assert!(!text.contains("selection-") && !text.contains("/admin/selection"), "{text}");
    }
}
