//! Mails: the outbox, the mail sender, and mail servers that fail.

mod commands;
mod delivery;
mod failures;
mod smtp;
mod texts;

use std::time::{Duration, Instant};

use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::{MailTls, Settings};

use crate::support::{Database, TestApp};
use smtp::SmtpServer;

/// Settings for a mail server on this port, with a short timeout.
fn server_at(port: u16) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.public_url = "https://festival.example".into();
        settings.mail.host = "127.0.0.1".into();
        settings.mail.port = port;
        settings.mail.tls = MailTls::None;
        settings.mail.timeout_seconds = 1;
    }
}

/// A site that sends its mails through `server`.
async fn site(database: Database, server: &SmtpServer) -> TestApp {
    TestApp::with(database, server_at(server.port)).await
}

/// A mail to `address`.
fn mail_to(app: &TestApp, address: &str) -> Message {
    Message {
        kind: "film-receipt",
        to: Mailbox::new("Anna", address),
        reply_to: None,
        subject: "We have your film".into(),
        body: "Thank you.\n".into(),
        created_at: app.clock.now(),
    }
}

async fn enqueue_all(app: &TestApp, messages: &[Message]) -> Vec<i64> {
    let mut write = app.app.db.write().await.unwrap();
    let mut ids = Vec::new();
    for message in messages {
        ids.push(mail::enqueue(&mut write, message).await.unwrap());
    }
    write.commit().await.unwrap();
    ids
}

/// The number of sent mails.
async fn count_sent(app: &TestApp) -> i64 {
    app.number("SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL").await
}

/// The number of finished attempts to send the mail; zero while one is in progress.
async fn attempts(app: &TestApp, id: i64) -> i64 {
    app.number(&format!("SELECT coalesce(max(attempts), 0) FROM outbox WHERE id = {id} AND claim IS NULL")).await
}

/// Waits up to a minute until `condition` holds.
async fn wait_until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < Duration::from_secs(60), "timed out waiting until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits long enough for two polls of the mail sender.
async fn wait_for_two_polls() {
    tokio::time::sleep(Duration::from_millis(1200)).await;
}

fn advance_minutes(app: &TestApp, minutes: i64) {
    app.clock.set(app.clock.now() + jiff::SignedDuration::from_mins(minutes));
}
