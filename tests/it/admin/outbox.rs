//! The outbox in the back office: waiting mails are read, corrected, held, released and retried.

use festival_core::admin::OWNER;
use festival_core::mail::{self, Mailbox, Message};
use festival_forms::DESK;
use jiff::SignedDuration;

use super::browser::{Browser, count_audited, create_account, hidden_value};
use crate::support::{Database, TestApp};

on_both!(
    queued_mail_can_be_read_corrected_held_and_released,
    sent_or_sending_mail_cannot_be_changed,
    payment_notice_cannot_be_held_or_edited,
);

async fn enqueue_mail(site: &TestApp, address: &str) -> i64 {
    enqueue_mail_of_kind("film-receipt", site, address).await
}

async fn enqueue_mail_of_kind(kind: &'static str, site: &TestApp, address: &str) -> i64 {
    let mut write = site.app.db.write().await.unwrap();
    let message = Message {
        kind,
        to: Mailbox::new("Asha", address),
        reply_to: None,
        subject: "Your film <b>has</b> arrived".into(),
        body: "Dear Asha,\n<script>alert(1)</script>".into(),
        // The mail sender does not pick it up for an hour.
        created_at: site.app.clock.now() + SignedDuration::from_hours(1),
    };
    let id = mail::enqueue(&mut write, &message).await.unwrap();
    write.commit().await.unwrap();
    id
}

/// Whether the mail sender may send the mail or has sent it; the sender runs during every test.
async fn is_due_or_sent(site: &TestApp, id: i64) -> bool {
    let now = "2025-10-26T06:30:00.000Z";
    let free = format!("is_held = 0 AND (sent_at IS NOT NULL OR attempts > 0 OR not_before <= '{now}')");
    site.number(&format!("SELECT count(*) FROM outbox WHERE id = {id} AND {free}")).await == 1
}

async fn queued_mail_can_be_read_corrected_held_and_released(database: Database) {
    let site = TestApp::new(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let id = enqueue_mail(&site, "asha@exmaple.org").await;
    let path = format!("/admin/mail/{id}");
    let list = desk.get("/admin/mail").await.text();
    assert!(list.contains(&path) && list.contains("a***@exmaple.org") && list.contains("Waiting <b>1</b>"), "{list}");
    let page = desk.get(&path).await;
    assert!(
        page.text().contains("&lt;script&gt;alert(1)") && !page.text().contains("<script>alert"),
        "{}",
        page.text()
    );
    assert_eq!(count_audited(&site, "view").await, 1);

    let state = format!("{path}/state");
    assert_eq!(desk.post(&state, &[("action", "hold")]).await.status, 303);
    let mut write = site.app.db.write_private().await.unwrap();
    assert_eq!(mail::make_all_due(&mut write, site.app.clock.now()).await.unwrap(), 0);
    write.commit().await.unwrap();
    assert!(!is_due_or_sent(&site, id).await, "a held mail is not sent");
    assert!(desk.get("/admin/mail?part=held").await.text().contains(&path));

    let version = hidden_value(&page, "version").unwrap();
    let with = |address: &'static str, body: &'static str| {
        [
            ("version", version.clone()),
            ("to_address", address.into()),
            ("to_name", "Asha".into()),
            ("subject", "Right".into()),
            ("body", body.into()),
        ]
    };
    let refused = with("asha at example", "");
    let refused: Vec<(&str, &str)> = refused.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let refused = desk.post(&path, &refused).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("asha at example") && refused.text().contains("Write an e-mail address"));
    let right = with("asha@example.org", "Dear Asha,\r\nwelcome.");
    let right: Vec<(&str, &str)> = right.iter().map(|(name, text)| (*name, text.as_str())).collect();
    assert_eq!(desk.post(&path, &right).await.status, 303);
    let again = desk.post(&path, &right).await;
    assert_eq!(again.status, 409, "an outdated correction is rejected");
    assert!(again.text().contains("Somebody else corrected this mail meanwhile."), "{}", again.text());
    let corrected =
        "SELECT count(*) FROM outbox WHERE to_address = 'asha@example.org' AND subject = 'Right' AND is_held = 1";
    assert_eq!(site.number(corrected).await, 1, "the mail is still held");
    assert_eq!(desk.post(&state, &[("action", "release")]).await.status, 303);
    assert!(is_due_or_sent(&site, id).await);
    for action in ["hold", "correct", "release"] {
        assert_eq!(count_audited(&site, action).await, 1, "{action}");
    }
    let audited_correction = r#"SELECT count(*) FROM admin_audit WHERE action = 'correct'
        AND before_json = '{"to_address":"a***@exmaple.org"}'
        AND after_json LIKE '%"changed":["subject","body"]%' AND after_json LIKE '%"to_address":"a***@example.org"%'"#;
    assert_eq!(site.number(audited_correction).await, 1, "the audit entry names the fields without their text");
    let leaked = "SELECT count(*) FROM admin_audit WHERE after_json LIKE '%asha%' OR before_json LIKE '%asha%'";
    assert_eq!(site.number(leaked).await, 0);
}

/// Somebody who changes the payment details cannot hide it from the owners.
async fn payment_notice_cannot_be_held_or_edited(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let id = enqueue_mail_of_kind("payment-notice", &site, "owner@example.org").await;
    let path = format!("/admin/mail/{id}");
    let held = owner.post(&format!("{path}/state"), &[("action", "hold")]).await;
    assert_eq!(held.status, 409);
    let sentence = "This mail tells the owners that important settings were changed. It goes out as it is.";
    assert!(held.text().contains(sentence), "{}", held.text());
    site.write(&format!("UPDATE outbox SET claim = 'x', not_before = '2025-10-26T06:40:00.000Z' WHERE id = {id}"))
        .await;
    let held = owner.post(&format!("{path}/state"), &[("action", "hold")]).await;
    assert_eq!(held.status, 409, "while it is being sent, too");
    let page = owner.get(&path).await;
    assert!(!page.text().contains("Edit mail") && !page.text().contains("Put on hold"), "{}", page.text());
    let other =
        [("version", "whatever"), ("to_address", "me@example.org"), ("subject", "Nothing"), ("body", "Never mind.")];
    let corrected = owner.post(&path, &other).await;
    assert_eq!(corrected.status, 409);
    assert!(corrected.text().contains(sentence), "{}", corrected.text());
    let as_it_was = "SELECT count(*) FROM outbox WHERE to_address = 'owner@example.org' AND is_held = 0 \
                     AND kind = 'payment-notice' AND body_text LIKE 'Dear Asha%'";
    assert_eq!(site.number(as_it_was).await, 1);
    assert_eq!(count_audited(&site, "hold").await + count_audited(&site, "correct").await, 0);
}

async fn sent_or_sending_mail_cannot_be_changed(database: Database) {
    let site = TestApp::new(database).await;
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let (sent, sending, failed) = (
        enqueue_mail(&site, "a@x.org").await,
        enqueue_mail(&site, "b@x.org").await,
        enqueue_mail(&site, "c@x.org").await,
    );
    let later = "2025-10-26T06:40:00.000Z";
    site.write(&format!("UPDATE outbox SET sent_at = '2025-10-26T06:00:00.000Z' WHERE id = {sent}")).await;
    site.write(&format!("UPDATE outbox SET claim = 'x', not_before = '{later}' WHERE id = {sending}")).await;
    let error = "550 no such user";
    site.write(&format!(
        "UPDATE outbox SET attempts = 3, is_refused = 1, last_error = '{error}', not_before = '{later}' WHERE id = {failed}"
    ))
    .await;
    for id in [sent, sending] {
        let path = format!("/admin/mail/{id}");
        let version = hidden_value(&desk.get(&path).await, "version").unwrap_or_default();
        let fields = [("version", version.as_str()), ("to_address", "evil@x.org"), ("subject", "S"), ("body", "B")];
        assert_eq!(desk.post(&path, &fields).await.status, 303);
        for action in ["hold", "release", "retry"] {
            assert_eq!(desk.post(&format!("{path}/state"), &[("action", action)]).await.status, 303);
        }
    }
    assert_eq!(site.number("SELECT count(*) FROM outbox WHERE to_address = 'evil@x.org' OR is_held = 1").await, 0);
    assert_eq!(
        site.number(&format!("SELECT count(*) FROM outbox WHERE not_before = '{later}' AND claim = 'x'")).await,
        1
    );
    let list = desk.get("/admin/mail?part=failed").await.text();
    assert!(list.contains(error) && list.contains("Failed <b>1</b>") && list.contains("Sent <b>1</b>"), "{list}");
    assert_eq!(desk.post("/admin/mail/retry", &[]).await.status, 303);
    assert!(is_due_or_sent(&site, failed).await);
    assert_eq!(desk.get("/admin/mail/999999").await.status, 404);
    assert_eq!(desk.post("/admin/mail/999999/state", &[("action", "retry")]).await.status, 404);
}
