//! Mails: the outbox, the postman, the mail server in every mood.

mod commands;
mod delays;
mod once;
mod smtp;
mod texts;

use std::time::{Duration, Instant};

use festival_core::mail::{self, Mailbox, Message};
use festival_core::settings::{MailTls, Settings};

use crate::support::{Database, TestApp};
use smtp::SmtpServer;

/// Settings that lead to a mail server on this port, with little patience.
fn server_at(port: u16) -> impl FnOnce(&mut Settings) {
    move |settings| {
        settings.public_url = "https://festival.example".into();
        settings.mail.host = "127.0.0.1".into();
        settings.mail.port = port;
        settings.mail.tls = MailTls::None;
        settings.mail.timeout_seconds = 1;
    }
}

/// A site that sends its mails to `server`.
async fn site(database: Database, server: &SmtpServer) -> TestApp {
    TestApp::with(database, server_at(server.port)).await
}

/// A mail to `address`.
fn letter(app: &TestApp, address: &str) -> Message {
    Message {
        kind: "film-receipt",
        to: Mailbox::new("Anna", address),
        reply_to: None,
        subject: "We have your film".into(),
        body: "Thank you.\n".into(),
        created_at: app.clock.now(),
    }
}

async fn put(app: &TestApp, messages: &[Message]) -> Vec<i64> {
    let mut write = app.app.db.write().await.unwrap();
    let mut ids = Vec::new();
    for message in messages {
        ids.push(mail::enqueue(&mut write, message).await.unwrap());
    }
    write.commit().await.unwrap();
    ids
}

/// How many mails are sent.
async fn sent(app: &TestApp) -> i64 {
    app.number("SELECT count(*) FROM outbox WHERE sent_at IS NOT NULL").await
}

/// How many attempts there were at the mail, none of which is under way.
async fn attempts(app: &TestApp, id: i64) -> i64 {
    app.number(&format!("SELECT coalesce(max(attempts), 0) FROM outbox WHERE id = {id} AND claim IS NULL")).await
}

/// Waits until `condition` holds; a minute is for machines that do something else.
async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < Duration::from_secs(60), "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Long enough for the postman to look up twice.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(1200)).await;
}

fn minutes_later(app: &TestApp, minutes: i64) {
    app.clock.set(app.clock.now() + jiff::SignedDuration::from_mins(minutes));
}
