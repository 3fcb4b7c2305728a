//! Answers to messages: sent once, kept in the history, for the roles that handle messages, covered by privacy
//! requests.

use festival_core::admin::{EDITOR, OWNER, READER};
use festival_core::identity;
use festival_forms::{DESK, REVIEWER};
use serde_json::json;

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use crate::forms::requests::{lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(
    answer_is_mailed_and_kept_in_the_history,
    double_click_sends_one_answer,
    answer_needs_the_role_and_an_address,
    answers_are_exported_and_erased_with_their_person,
);

const PAGE: &str = "/admin/contact-messages/1";
const SENT: &str = "SELECT count(*) FROM outbox WHERE kind = 'reply'";
const ANSWER: &str = "Dear Visitor,\r\n\r\non 24 October, {{at}} six.";

async fn site_with_message(database: Database) -> TestApp {
    let site = TestApp::with(database, |settings| {
        lift_limits(settings);
        settings.mail.organisers = vec!["team@velicham.example".into()];
    })
    .await;
    let mut sent = message();
    sent["message"] = json!("When does it begin?\n\nAnd where?");
    assert_eq!(send_message(&site, &sent).await.status, 200);
    site
}

async fn answer_is_mailed_and_kept_in_the_history(database: Database) {
    let site = site_with_message(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let page = desk.get(PAGE).await;
    assert!(page.text().contains("Dear Visitor,\n\n</textarea>"), "{}", page.text());
    let version = hidden_value(&page, "version").unwrap();
    for empty in ["", " \n", "Dear Visitor,"] {
        let refused = desk.post(&format!("{PAGE}/answer"), &[("version", &version), ("answer", empty)]).await;
        assert!(refused.status == 422 && refused.text().contains("Write an answer."), "{}", refused.text());
    }
    let long = "x".repeat(10_001);
    assert_eq!(desk.post(&format!("{PAGE}/answer"), &[("version", &version), ("answer", &long)]).await.status, 422);
    assert_eq!(site.number(SENT).await, 0);
    let sent = desk.post(&format!("{PAGE}/answer"), &[("version", &version), ("answer", ANSWER)]).await;
    assert_eq!((sent.status, sent.header("Location").as_str()), (303, PAGE), "{}", sent.text());
    let mails: Vec<(String, String, Option<String>, String, String)> = sqlx::query_as(
        "SELECT to_name, to_address, reply_to_address, subject, body_text FROM outbox WHERE kind = 'reply'",
    )
    .fetch_all(&mut *site.app.db.read().await.unwrap())
    .await
    .unwrap();
    let [(name, address, reply_to, subject, body)] = mails.try_into().expect("one mail");
    assert_eq!((name.as_str(), address.as_str()), ("Visitor", "visitor@example.org"));
    assert_eq!(reply_to.as_deref(), Some("office@velicham.example"));
    assert_eq!(subject, "Re: Velicham 2025: your message (CM-2025-0001)");
    assert!(body.starts_with("Dear Visitor,\n\non 24 October, {{at}} six.\n\n"), "{body}");
    assert!(
        body.contains("(Asia/Kolkata, UTC+05:30), Visitor wrote:\n> When does it begin?\n>\n> And where?\n"),
        "{body}"
    );
    let shown = desk.get(PAGE).await.text();
    for expected in ["answered <small>", "{{at}} six.", "<span class=\"badge good\">Answered</span>", "Received"] {
        assert!(unescape_html(&shown).contains(expected), "{expected}: {shown}");
    }
    assert_eq!(count_audited(&site, "answer").await, 1);
    let logged = site.texts("SELECT coalesce(after_json, '') FROM admin_audit WHERE action = 'answer'").await;
    assert!(!logged[0].contains("six"), "the audit log, which is never erased, has no texts");
    let id = site.number("SELECT id FROM outbox WHERE kind = 'reply'").await;
    let mail = desk.get(&format!("/admin/mail/{id}")).await;
    assert!(mail.status == 200 && mail.text().contains("visitor@example.org"), "{}", mail.text());
}

async fn double_click_sends_one_answer(database: Database) {
    let site = site_with_message(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let version = hidden_value(&desk.get(PAGE).await, "version").unwrap();
    let path = format!("{PAGE}/answer");
    let fields = [("version", version.as_str()), ("answer", ANSWER)];
    let (one, two) = tokio::join!(desk.post(&path, &fields), desk.post(&path, &fields));
    assert_eq!((one.status, two.status), (303, 303), "{} {}", one.text(), two.text());
    assert_eq!(desk.post(&path, &fields).await.status, 303);
    assert_eq!(site.number(SENT).await, 1);
    // Another answer from the outdated page, or the same one from a colleague, is refused.
    let other = [("version", version.as_str()), ("answer", "Dear Visitor,\n\nin Kochi.")];
    let refused = desk.post(&path, &other).await;
    assert!(refused.status == 409 && refused.text().contains("in Kochi."), "{}", refused.text());
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert_eq!(owner.post(&path, &fields).await.status, 409);
    assert_eq!(site.number(SENT).await, 1);
    // From the current page it is sent, and the same text again if that is intended.
    for count in [2, 3] {
        let version = hidden_value(&desk.get(PAGE).await, "version").unwrap();
        assert_eq!(desk.post(&path, &[("version", &version), ("answer", ANSWER)]).await.status, 303);
        assert_eq!(site.number(SENT).await, count);
    }
}

async fn answer_needs_the_role_and_an_address(database: Database) {
    let site = site_with_message(database).await;
    let path = format!("{PAGE}/answer");
    for role in [&EDITOR, &REVIEWER, &READER] {
        let other = Browser::signed_in(&site, &create_account(&site, role).await).await;
        assert_eq!(other.post(&path, &[("version", "0"), ("answer", ANSWER)]).await.status, 403, "{role:?}");
    }
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    site.write("UPDATE contact_messages SET is_quarantined = 1").await;
    assert!(!desk.get(PAGE).await.text().contains("Send answer"));
    assert_eq!(desk.post(&path, &[("version", "0"), ("answer", ANSWER)]).await.status, 409);
    site.write("UPDATE contact_messages SET is_quarantined = 0, email = ''").await;
    assert!(!desk.get(PAGE).await.text().contains("Send answer"));
    assert_eq!(desk.post(&path, &[("version", "0"), ("answer", ANSWER)]).await.status, 422);
    assert_eq!(desk.post("/admin/film-submissions/1/answer", &[("answer", ANSWER)]).await.status, 404);
    assert_eq!(site.number(SENT).await, 0);
}

async fn answers_are_exported_and_erased_with_their_person(database: Database) {
    let site = site_with_message(database).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert_eq!(owner.post(&format!("{PAGE}/answer"), &[("version", "0"), ("answer", ANSWER)]).await.status, 303);
    let email = [("email", "visitor@example.org")];
    let exported = owner.post("/admin/privacy/export", &email).await;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(exported.body.clone())).unwrap();
    let mut texts = String::new();
    for index in 0..archive.len() {
        std::io::Read::read_to_string(&mut archive.by_index(index).unwrap(), &mut texts).unwrap();
    }
    // In the decisions about the message, and as a mail.
    assert_eq!(texts.matches("on 24 October, {{at}} six.").count(), 2, "{texts}");
    let confirmation = owner.post("/admin/privacy/erase/ask", &email).await;
    assert_eq!(owner.confirm(&confirmation, "/admin/privacy/erase").await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM submission_events").await, 0);
    assert_eq!(site.number(SENT).await, 0);
}
