//! The status page: the secret link of the receipt, what it shows and changes.

use std::collections::BTreeSet;

use festival_core::admin::OWNER;
use festival_core::settings::Settings;
use jiff::SignedDuration;
use sha2::{Digest as _, Sha256};

use crate::admin::browser::{Browser, create_account, unescape_html, url_encode};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, Response, TestApp, switch_off};

on_both!(
    receipt_has_a_secret_link_of_which_only_the_hash_is_stored,
    undecided_and_unreleased_films_have_the_same_page,
    only_the_desk_applies_a_correction,
    withdrawal_needs_a_second_question,
    selected_film_is_confirmed_once_and_in_time,
    lost_link_is_answered_alike_for_known_and_unknown_addresses,
    opening_the_page_changes_nothing,
    without_the_module_there_is_no_page_and_no_link,
);

pub(crate) fn settings(settings: &mut Settings) {
    lift_limits(settings);
    settings.public_url = "http://localhost".into();
    // No server answers there, so that mails stay in the outbox with their links.
    settings.mail.host = "127.0.0.1".into();
    settings.mail.port = 1;
}

pub(super) async fn send_film(app: &TestApp, film: &FormRequest) -> String {
    let response = film.post(app, "/api/malayalam-form/").await;
    assert_received(&response);
    response.json()["reference"].as_str().unwrap().to_owned()
}

/// The path and query of the link in the newest mail of this kind: "/status?key=...".
pub(crate) async fn link(app: &TestApp, kind: &str) -> String {
    let bodies = app.texts(&format!("SELECT body_text FROM outbox WHERE kind = '{kind}' ORDER BY id DESC")).await;
    let body = bodies.first().unwrap();
    let start = body.find("http://localhost/status?key=").unwrap_or_else(|| panic!("no link in {body}"));
    body[start + "http://localhost".len()..].split_whitespace().next().unwrap().to_owned()
}

pub(crate) fn key(link: &str) -> &str {
    link.split_once("key=").unwrap().1
}

async fn post(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Response {
    let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin")];
    app.post(path, &headers, url_encode(fields)).await
}

async fn receipt_has_a_secret_link_of_which_only_the_hash_is_stored(database: Database) {
    let app = TestApp::with(database, settings).await;
    let reference = send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    assert_eq!(key(&link).len(), 32, "128 bits");
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(key(&link)));
    assert_eq!(app.texts("SELECT key_hash FROM selection_links").await, [hash]);
    let page = app.get(&link).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    for shown in
        [reference.as_str(), "A Light", "26 October 2025, 12:00 PM", "We have received your film.", "film_poster.png"]
    {
        assert!(text.contains(shown), "{shown} is missing: {text}");
    }
    assert_eq!(page.header("Cache-Control"), "no-store");
    assert_eq!(page.header("X-Robots-Tag"), "noindex, nofollow");
    assert_eq!(page.header("Referrer-Policy"), "strict-origin");
    assert_eq!((page.header("Set-Cookie"), page.header("ETag")), (String::new(), String::new()));
    // Everything that was sent, as a file.
    let archive = app.get(&format!("/status/sent?key={}", key(&link))).await;
    assert_eq!((archive.status, archive.header("Content-Type").as_str()), (200, "application/zip"));
    assert!(archive.body.windows(9).any(|part| part == b"sent.json"));
    // A registration has its own page.
    assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    let page = app.get(&self::link(&app, "delegate-receipt").await).await.text();
    assert!(page.contains("We have received your registration."), "{page}");
    assert!(page.contains("We have not checked the payment yet."), "{page}");
    assert!(!page.contains("Withdraw"), "{page}");
    app.write("UPDATE delegates SET status = 'confirmed', payment = 'verified'").await;
    let page = app.get(&self::link(&app, "delegate-receipt").await).await.text();
    assert!(
        page.contains("Your registration is confirmed.") && page.contains("We have received the payment."),
        "{page}"
    );
    // In the back office the mail has lost its secret.
    let desk = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let mail = app.id("outbox", "kind = 'film-receipt'").await;
    let mail = desk.get(&format!("/admin/mail/{mail}")).await.text();
    assert!(mail.contains("/status?key") && !mail.contains(key(&link)), "{mail}");
}

/// Once it is sent, the link is in the mail alone.
#[tokio::test]
async fn sent_receipt_has_lost_its_secret_in_the_outbox() {
    let app = TestApp::with(Database::Sqlite, |all| {
        settings(all);
        all.mail.host.clear();
    })
    .await;
    send_film(&app, &FormRequest::film()).await;
    while app.number("SELECT count(*) FROM outbox WHERE kind = 'film-receipt' AND sent_at IS NOT NULL").await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let body = app.texts("SELECT body_text FROM outbox WHERE kind = 'film-receipt'").await.remove(0);
    assert!(body.contains("http://localhost/status?key=…\n"), "{body}");
}

/// Guesses find nothing, and are limited for each network.
#[tokio::test]
async fn guessed_links_find_nothing_and_are_limited() {
    let app = TestApp::with(Database::Sqlite, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let mut statuses = std::collections::BTreeMap::new();
    for number in 0..10_000_u32 {
        let status = app.get(&format!("/status?key={number:032x}")).await.status;
        *statuses.entry(status).or_insert(0) += 1;
    }
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [(404, 50), (429, 9_950)]);
    // Who has a link is not locked out by others in the same network.
    assert_eq!(app.get(&link(&app, "film-receipt").await).await.status, 200);
}

async fn decide(app: &TestApp, film: i64, outcome: &str, released_at: &str) {
    app.write(&format!(
        "INSERT INTO selection_decisions (edition_id, film_submission_id, outcome, award, message, prepared_at, \
         prepared_by, released_at, confirm_by) SELECT edition_id, id, '{outcome}', 'malayalam', 'The jury loved it.', \
         '2025-10-20T00:00:00.000Z', 'Chair', {released_at}, '2025-11-05' FROM film_submissions WHERE id = {film}"
    ))
    .await;
}

const RELEASED: &str = "'2025-10-26T06:00:00.000Z'";

async fn undecided_and_unreleased_films_have_the_same_page(database: Database) {
    let app = TestApp::with(database, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let film = app.id("film_submissions", "id > 0").await;
    let undecided = app.get(&link).await;
    for outcome in ["selected", "waiting", "not_selected"] {
        app.write("DELETE FROM selection_decisions").await;
        decide(&app, film, outcome, "NULL").await;
        // The desk's own status is no announcement either.
        for status in ["new", "in-review", "shortlisted", "selected", "not-selected"] {
            app.write(&format!("UPDATE film_submissions SET status = '{status}'")).await;
            let unreleased = app.get(&link).await;
            assert_eq!(unreleased.body, undecided.body, "{outcome}, {status}");
            let headers = |page: &Response| -> BTreeSet<(String, String)> {
                let all = page.headers().map(|(name, value)| (name.to_lowercase(), value.to_owned()));
                all.filter(|(name, _)| name != "x-request-id").collect()
            };
            assert_eq!(headers(&unreleased), headers(&undecided), "{outcome}, {status}");
        }
    }
    for (outcome, sentence) in [
        ("selected", "Your film is selected."),
        ("waiting", "Your film is on the waiting list."),
        ("not_selected", "Your film is not selected this year."),
    ] {
        app.write("DELETE FROM selection_decisions").await;
        decide(&app, film, outcome, RELEASED).await;
        let page = app.get(&link).await.text();
        assert!(page.contains(sentence) && page.contains("The jury loved it."), "{page}");
        assert_eq!(page.contains("by 5 November 2025"), outcome == "selected", "{page}");
    }
}

async fn only_the_desk_applies_a_correction(database: Database) {
    let app = TestApp::with(database, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let id = app.id("film_submissions", "id > 0").await;
    let propose = async |field: &str, text: &str| {
        post(&app, "/status/text", &[("key", key(&link)), ("field", field), ("text", text)]).await
    };
    assert_eq!(propose("synopsis_short", "A lamp in the rain.").await.status, 303);
    assert_eq!(propose("title_english", "A Second Light").await.status, 303);
    for (field, text) in [
        ("screener_link_password", "x"),
        ("correspondence_email", "b@example.org"),
        ("status", "selected"),
        ("synopsis_long", " "),
    ] {
        let refused = propose(field, text).await.status;
        assert!([400, 422].contains(&refused), "{field}: {refused}");
    }
    let short = "SELECT synopsis_short FROM film_submissions";
    assert_eq!(app.texts(short).await, ["A lamp."], "nothing is applied by itself");
    assert!(app.get(&link).await.text().contains("A lamp in the rain."));

    let desk = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let page = unescape_html(&desk.get(&format!("/admin/film-submissions/{id}")).await.text());
    let list = format!("/admin/selection/corrections?of=film-submissions/{id}");
    assert!(page.contains("Corrections by the sender") && page.contains(&list), "{page}");
    let page = desk.get(&list).await.text();
    assert!(page.contains("<del>A lamp.</del>") && page.contains("<ins>A lamp in the rain.</ins>"), "{page}");
    let correction = |field: &str| format!("SELECT id FROM selection_corrections WHERE field = '{field}'");
    for (field, decision) in [("synopsis_short", "decline"), ("title_english", "apply")] {
        let number = app.number(&correction(field)).await.to_string();
        let fields = [("correction", number.as_str()), ("decision", decision)];
        assert_eq!(desk.post("/admin/selection/corrections", &fields).await.status, 303);
    }
    assert_eq!(app.texts(short).await, ["A lamp."]);
    assert_eq!(app.texts("SELECT title_english FROM film_submissions").await, ["A Second Light"]);
    // What was sent stays known, and the search finds the new title.
    assert_eq!(app.texts("SELECT before_text FROM selection_corrections WHERE state = 'applied'").await, ["A Light"]);
    let found = desk.get("/admin/film-submissions?q=second+light").await.text();
    assert!(found.contains("A Second Light"), "{found}");
}

async fn withdrawal_needs_a_second_question(database: Database) {
    let app = TestApp::with(database, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let status = "SELECT status FROM film_submissions";
    let question = post(&app, "/status/withdraw", &[("key", key(&link))]).await;
    assert_eq!(question.status, 200);
    assert!(question.text().contains("Withdraw the film?"), "{}", question.text());
    assert_eq!(app.texts(status).await, ["new"]);
    let withdrawn = post(&app, "/status/withdraw", &[("key", key(&link)), ("sure", "yes")]).await;
    assert_eq!(withdrawn.status, 303, "{}", withdrawn.text());
    assert_eq!(app.texts(status).await, ["withdrawn"]);
    let page = app.get(&link).await.text();
    assert!(page.contains("You have withdrawn the film.") && !page.contains("Replace<"), "{page}");
    let again = post(&app, "/status/withdraw", &[("key", key(&link)), ("sure", "yes")]).await;
    assert_eq!(again.status, 409);
    assert_eq!(
        app.number("SELECT count(*) FROM submission_events WHERE kind = 'status' AND who = 'the sender'").await,
        1
    );
}

async fn selected_film_is_confirmed_once_and_in_time(database: Database) {
    let app = TestApp::with(database, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let film = app.id("film_submissions", "id > 0").await;
    let answer = async |answer: &str, sure: &str| {
        post(&app, "/status/answer", &[("key", key(&link)), ("answer", answer), ("sure", sure)]).await
    };
    let stored = "SELECT answer FROM selection_decisions";
    decide(&app, film, "selected", "NULL").await;
    assert_eq!(answer("confirmed", "").await.status, 409, "not released");
    assert_eq!(app.texts(stored).await, [""]);
    app.write(&format!("UPDATE selection_decisions SET released_at = {RELEASED}")).await;
    app.clock.set("2025-11-05T18:31:00Z".parse().unwrap());
    assert_eq!(answer("confirmed", "").await.status, 409, "a day late in Kerala");
    app.clock.set("2025-11-05T18:29:00Z".parse().unwrap());
    let question = answer("declined", "").await;
    assert!(question.status == 200 && question.text().contains("Decline the selection?"), "{}", question.text());
    assert_eq!(app.texts(stored).await, [""]);
    assert_eq!(answer("confirmed", "").await.status, 303);
    assert_eq!(app.texts(stored).await, ["confirmed"]);
    assert!(app.get(&link).await.text().contains("you have confirmed that it takes part"));
    assert_eq!(answer("declined", "yes").await.status, 409);
    // Who has confirmed can still withdraw.
    assert_eq!(post(&app, "/status/withdraw", &[("key", key(&link)), ("sure", "yes")]).await.status, 303);
    assert_eq!(app.texts(stored).await, ["withdrawn"]);
}

async fn lost_link_is_answered_alike_for_known_and_unknown_addresses(database: Database) {
    let app = TestApp::with(database, settings).await;
    let reference = send_film(&app, &FormRequest::film()).await;
    let old = link(&app, "film-receipt").await;
    app.clock.set(app.app.clock.now() + SignedDuration::from_mins(30));
    let ask = async |email: &str, reference: &str| {
        let answer = post(&app, "/status/lost", &[("email", email), ("reference", reference)]).await;
        (answer.status, answer.header("Location"), answer.body)
    };
    let known = ask("Submitter@example.org ", "").await;
    assert_eq!((known.0, known.1.as_str()), (303, "/status?sent"));
    assert_eq!(ask("nobody@example.org", "").await, known);
    assert_eq!(ask("submitter@example.org", "ML-2025-9999").await, known);
    assert!(app.get("/status?sent").await.text().contains("If something was sent to us with this address"));
    let mails = "SELECT count(*) FROM outbox WHERE kind = 'status-link'";
    assert_eq!(app.number(mails).await, 1);
    assert_eq!(app.texts("SELECT to_address FROM outbox WHERE kind = 'status-link'").await, ["submitter@example.org"]);
    assert_eq!(ask("submitter@example.org", &reference.to_lowercase()).await, known);
    assert_eq!(app.number(mails).await, 2);
    let new = link(&app, "status-link").await;
    assert_ne!(new, old);
    assert_eq!((app.get(&new).await.status, app.get(&old).await.status), (200, 200));
    // Three times for each address, whether it is known or not.
    assert_eq!(ask("nobody@example.org", "").await.0, 303);
    assert_eq!(ask("nobody@example.org", "").await.0, 303);
    assert_eq!(ask("nobody@example.org", "").await.0, 429);
    assert_eq!(ask("submitter@example.org", "").await.0, 429);
    assert_eq!(app.number(mails).await, 2);
}

async fn opening_the_page_changes_nothing(database: Database) {
    let app = TestApp::with(database, settings).await;
    send_film(&app, &FormRequest::film()).await;
    let link = link(&app, "film-receipt").await;
    let film = app.id("film_submissions", "id > 0").await;
    decide(&app, film, "selected", RELEASED).await;
    let mut state = Vec::new();
    for round in 0..2 {
        let mut rows = Vec::new();
        for table in [
            "film_submissions",
            "submission_files",
            "submission_events",
            "selection_decisions",
            "selection_links",
            "selection_corrections",
            "outbox",
            "admin_audit",
            "admin_failures",
        ] {
            rows.push(app.number(&format!("SELECT count(*) FROM {table}")).await);
        }
        rows.push(app.number("SELECT count(*) FROM selection_decisions WHERE answer = ''").await);
        rows.push(app.number("SELECT count(*) FROM film_submissions WHERE status = 'new'").await);
        state.push(rows);
        if round == 0 {
            for path in
                [link.clone(), format!("{link}&answer=confirmed&sure=yes"), format!("/status/sent?key={}", key(&link))]
            {
                assert_eq!(app.get(&path).await.status, 200, "{path}");
            }
            for path in ["/status/withdraw", "/status/answer", "/status/text", "/status/file", "/status/lost"] {
                let status = app.get(&format!("{path}?key={}&sure=yes&answer=confirmed", key(&link))).await.status;
                assert!([404, 405].contains(&status), "{path}: {status}");
            }
            // Nor does a form of another website.
            let foreign = [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "cross-site")];
            let fields = url_encode(&[("key", key(&link)), ("answer", "confirmed")]);
            assert_eq!(app.post("/status/answer", &foreign, fields).await.status, 403);
        }
    }
    assert_eq!(state[0], state[1]);
}

async fn without_the_module_there_is_no_page_and_no_link(database: Database) {
    let app = TestApp::with(database, |all| {
        settings(all);
        switch_off(all, "selection");
    })
    .await;
    send_film(&app, &FormRequest::film()).await;
    for path in ["/status", "/status?key=00000000000000000000000000000000", "/status/sent?key=1"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    assert_eq!(post(&app, "/status/lost", &[("email", "submitter@example.org")]).await.status, 404);
    let receipt = app.texts("SELECT body_text FROM outbox WHERE kind = 'film-receipt'").await.remove(0);
    assert!(!receipt.contains("/status") && !receipt.contains("\n\n\n"), "{receipt}");
    assert_eq!(app.number("SELECT count(*) FROM selection_links").await, 0);
}
