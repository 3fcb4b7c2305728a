//! No mail is sent twice, but for the one window in which nobody can know.

use std::collections::BTreeSet;

use festival_cli::modules;
use festival_core::mail;
use mail_parser::MessageParser;

use super::smtp::{Delivery, Mood, SmtpServer};
use super::{a_moment, letter, minutes_later, put, sent, server_at, site, until};
use crate::support::{Database, Server, TestApp};

on_both!(
    a_mail_whose_sender_was_killed_is_sent_again_as_the_same_mail,
    a_transaction_that_is_given_up_sends_nothing,
    what_was_sent_long_ago_is_forgotten,
);

/// The environment of a program on this database that sends to this mail server.
fn environment(url: &str, directory: &std::path::Path, port: u16) -> Vec<(&'static str, String)> {
    vec![
        ("FESTIVAL_DATA_DIR", directory.to_str().unwrap().to_owned()),
        ("ROCKET_DATABASES", format!("{{festival={{url=\"{url}\"}}}}")),
        ("FESTIVAL_MAIL__HOST", "127.0.0.1".into()),
        ("FESTIVAL_MAIL__PORT", port.to_string()),
        ("FESTIVAL_MAIL__TLS", "none".into()),
        ("FESTIVAL_MAIL__FROM", "festival@example.org".into()),
    ]
}

fn borrowed<'a>(environment: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    environment.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

fn message_ids(deliveries: &[Delivery]) -> Vec<String> {
    let id = |delivery: &Delivery| {
        let mail = MessageParser::default().parse(delivery.text.as_bytes()).unwrap();
        mail.message_id().unwrap().to_owned()
    };
    deliveries.iter().map(id).collect()
}

/// On SQLite one server alone uses a data folder.
#[test]
fn two_servers_send_each_mail_once() {
    crate::support::run(send_with_two_servers(Database::Postgres));
}

async fn send_with_two_servers(database: Database) {
    let mail_server = SmtpServer::start(Mood::Takes).await;
    // Its own postman must not take part: he waits until tomorrow.
    let app = TestApp::new(database).await;
    let tomorrow = app.clock.now() + jiff::SignedDuration::from_hours(24);
    let messages: Vec<_> = (0..80)
        .map(|number| festival_core::mail::Message {
            created_at: tomorrow,
            ..letter(&app, &format!("person{number}@example.org"))
        })
        .collect();
    put(&app, &messages).await;
    let (directory, copy) = app.stop().await;
    let url = copy.url(directory.path());
    let environment = environment(&url, directory.path(), mail_server.port);
    let elsewhere = tempfile::tempdir().unwrap();
    let servers = [0, 1].map(|_| Server::start(elsewhere.path(), &borrowed(&environment)));
    until("all are sent", async || mail_server.deliveries().len() >= 80).await;
    a_moment().await;
    let deliveries = mail_server.deliveries();
    let to: BTreeSet<&String> = deliveries.iter().flat_map(|delivery| &delivery.recipients).collect();
    assert_eq!((deliveries.len(), to.len()), (80, 80));
    assert_eq!(message_ids(&deliveries).into_iter().collect::<BTreeSet<_>>().len(), 80);
    drop(servers);
}

async fn a_mail_whose_sender_was_killed_is_sent_again_as_the_same_mail(database: Database) {
    let mail_server = SmtpServer::start(Mood::TakesSilently).await;
    let app = TestApp::new(database).await;
    let tomorrow = app.clock.now() + jiff::SignedDuration::from_hours(24);
    let message = festival_core::mail::Message { created_at: tomorrow, ..letter(&app, "anna@example.org") };
    put(&app, &[message]).await;
    let (directory, copy) = app.stop().await;
    let url = copy.url(directory.path());
    let environment = environment(&url, directory.path(), mail_server.port);
    let elsewhere = tempfile::tempdir().unwrap();
    let server = Server::start(elsewhere.path(), &borrowed(&environment));
    until("the mail server has it", async || mail_server.deliveries().len() == 1).await;
    drop(server); // Killed before it could know.
    mail_server.set(Mood::Takes);
    let app = TestApp::on(directory, copy, &modules::modules(), server_at(mail_server.port)).await;
    app.clock.set(jiff::Timestamp::now());
    a_moment().await;
    assert_eq!(mail_server.deliveries().len(), 1, "until its lease ends it belongs to the one that was killed");
    minutes_later(&app, 11);
    until("it is sent", async || sent(&app).await == 1).await;
    let ids = message_ids(&mail_server.deliveries());
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1], "the recipient's mail program can tell that it is one mail");
}

async fn a_transaction_that_is_given_up_sends_nothing(database: Database) {
    let mail_server = SmtpServer::start(Mood::Takes).await;
    let app = site(database, &mail_server).await;
    let mut write = app.app.db.write().await.unwrap();
    festival_core::mail::enqueue(&mut write, &letter(&app, "anna@example.org")).await.unwrap();
    write.rollback().await.unwrap();
    a_moment().await;
    assert_eq!((app.number("SELECT count(*) FROM outbox").await, mail_server.connections()), (0, 0));
}

#[tokio::test]
async fn a_lost_answer_is_the_window_in_which_a_mail_comes_twice() {
    let mail_server = SmtpServer::start(Mood::TakesAndHangsUp).await;
    let app = site(Database::Sqlite, &mail_server).await;
    let ids = put(&app, &[letter(&app, "anna@example.org")]).await;
    until("it failed", async || super::attempts(&app, ids[0]).await == 1).await;
    mail_server.set(Mood::Takes);
    minutes_later(&app, 1);
    until("it is sent", async || sent(&app).await == 1).await;
    let ids = message_ids(&mail_server.deliveries());
    assert_eq!((ids.len(), &ids[0]), (2, &ids[1]));
}

#[tokio::test]
async fn a_server_that_is_stopped_finishes_the_mail_under_way() {
    let mail_server = SmtpServer::start(Mood::TakesSlowly).await;
    let app = site(Database::Sqlite, &mail_server).await;
    put(&app, &[letter(&app, "anna@example.org"), letter(&app, "ben@example.org")]).await;
    until("the first is on its way", async || mail_server.deliveries().len() == 1).await;
    let (directory, copy) = app.stop().await;
    let app = TestApp::on(directory, copy, &modules::modules(), server_at(mail_server.port)).await;
    until("both are sent", async || sent(&app).await == 2).await;
    assert_eq!(mail_server.deliveries().len(), 2);
}

/// Forgets what is old by now.
async fn forget_sent(app: &TestApp) -> festival_core::Result<u64> {
    mail::delete_sent(&app.app.db, app.clock.now(), app.app.settings.mail.keep_sent_days).await
}

async fn what_was_sent_long_ago_is_forgotten(database: Database) {
    let server = SmtpServer::start(Mood::Answers("ben", "450 later")).await;
    let app = site(database, &server).await;
    put(&app, &[letter(&app, "anna@example.org"), letter(&app, "ben@example.org")]).await;
    until("one is sent", async || sent(&app).await == 1).await;
    let days = |days: i64| jiff::SignedDuration::from_hours(24 * days);
    app.clock.set(app.clock.now() + days(89));
    assert_eq!(forget_sent(&app).await.unwrap(), 0);
    app.clock.set(app.clock.now() + days(2));
    assert_eq!(forget_sent(&app).await.unwrap(), 1);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 1, "what waits stays");
    assert_eq!(forget_sent(&app).await.unwrap(), 0);
}
