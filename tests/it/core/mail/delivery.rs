//! Delivery of each mail exactly once, except when the acknowledgement is lost.

use std::collections::BTreeSet;

use festival::modules;
use festival_core::mail;
use mail_parser::MessageParser;

use super::smtp::{Behaviour, Delivery, SmtpServer};
use super::{advance_minutes, count_sent, enqueue_all, mail_to, server_at, site, wait_for_two_polls, wait_until};
use crate::support::{Database, Server, TestApp};

on_both!(
    mail_of_a_killed_server_is_sent_again_with_the_same_message_id,
    rolled_back_transaction_sends_no_mail,
    link_to_choose_a_password_is_deleted_once_it_is_sent,
    sent_mails_are_deleted_after_the_retention_period,
);

/// The environment of a server on this database that uses this mail server.
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

/// Postgres only: on SQLite a second server on the same data folder is refused.
#[test]
fn two_servers_send_each_mail_once() {
    crate::support::run(send_with_two_servers(Database::Postgres));
}

async fn send_with_two_servers(database: Database) {
    let mail_server = SmtpServer::start(Behaviour::Accepts).await;
    // The test site's own mail sender must not take part: the mails are due tomorrow by its clock.
    let app = TestApp::new(database).await;
    let tomorrow = app.clock.now() + jiff::SignedDuration::from_hours(24);
    let messages: Vec<_> = (0..80)
        .map(|number| festival_core::mail::Message {
            created_at: tomorrow,
            ..mail_to(&app, &format!("person{number}@example.org"))
        })
        .collect();
    enqueue_all(&app, &messages).await;
    let (directory, copy) = app.stop().await;
    let url = copy.url(directory.path());
    let environment = environment(&url, directory.path(), mail_server.port);
    let elsewhere = tempfile::tempdir().unwrap();
    let servers = [0, 1].map(|_| Server::start(elsewhere.path(), &borrowed(&environment)));
    wait_until("all are sent", async || mail_server.deliveries().len() >= 80).await;
    wait_for_two_polls().await;
    let deliveries = mail_server.deliveries();
    let to: BTreeSet<&String> = deliveries.iter().flat_map(|delivery| &delivery.recipients).collect();
    assert_eq!((deliveries.len(), to.len()), (80, 80));
    assert_eq!(message_ids(&deliveries).into_iter().collect::<BTreeSet<_>>().len(), 80);
    drop(servers);
}

/// Postgres only: on SQLite an erasure and the mail sender write one after the other.
#[test]
fn mail_file_is_deleted_if_the_mail_was_erased_before_it_was_marked_as_sent() {
    crate::support::run(erase_before_the_mark(Database::Postgres));
}

async fn erase_before_the_mark(database: Database) {
    let app = TestApp::new(database).await;
    // The mail sender waits here, with the mail's file written, as long as the test holds the lock.
    for sql in [
        "CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END'",
        "CREATE TRIGGER wait_for_the_test BEFORE UPDATE OF sent_at ON outbox \
         FOR EACH STATEMENT EXECUTE FUNCTION wait_for_the_test()",
    ] {
        app.write(sql).await;
    }
    let mut lock = app.app.db.write_private().await.unwrap();
    sqlx::query("SELECT CAST(pg_advisory_xact_lock(7) AS TEXT)").execute(&mut *lock).await.unwrap();
    enqueue_all(&app, &[mail_to(&app, "anna@example.org")]).await;
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted";
    wait_until("the mail sender waits", async || app.number(waiting).await == 1).await;
    let folder = app.app.data_dir("mails");
    let files = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files(), 1);

    app.write("DELETE FROM outbox").await;
    lock.rollback().await.unwrap();
    wait_until("the file is deleted", async || files() == 0).await;
}

async fn mail_of_a_killed_server_is_sent_again_with_the_same_message_id(database: Database) {
    let mail_server = SmtpServer::start(Behaviour::NeverAcknowledges).await;
    let app = TestApp::new(database).await;
    let tomorrow = app.clock.now() + jiff::SignedDuration::from_hours(24);
    let message = festival_core::mail::Message { created_at: tomorrow, ..mail_to(&app, "anna@example.org") };
    enqueue_all(&app, &[message]).await;
    let (directory, copy) = app.stop().await;
    let url = copy.url(directory.path());
    let environment = environment(&url, directory.path(), mail_server.port);
    let elsewhere = tempfile::tempdir().unwrap();
    let server = Server::start(elsewhere.path(), &borrowed(&environment));
    wait_until("the mail server has it", async || mail_server.deliveries().len() == 1).await;
    drop(server); // Killed before it received the acknowledgement.
    mail_server.set(Behaviour::Accepts);
    let app = TestApp::on_database(directory, copy, &modules(), server_at(mail_server.port)).await;
    app.clock.set(jiff::Timestamp::now());
    wait_for_two_polls().await;
    assert_eq!(mail_server.deliveries().len(), 1, "the lease of the killed server has not expired");
    advance_minutes(&app, 11);
    wait_until("it is sent", async || count_sent(&app).await == 1).await;
    let ids = message_ids(&mail_server.deliveries());
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1], "both deliveries have the same Message-ID");
}

async fn link_to_choose_a_password_is_deleted_once_it_is_sent(database: Database) {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let app = site(database, &server).await;
    let link =
        mail::Message { kind: mail::ACCOUNT_LINK, body: "token=secret".into(), ..mail_to(&app, "anna@example.org") };
    enqueue_all(&app, &[link, mail_to(&app, "ravi@example.org")]).await;
    wait_until("both are sent", async || count_sent(&app).await == 2).await;
    assert!(server.deliveries().iter().any(|delivery| delivery.text.contains("token=secret")));
    assert_eq!(app.texts("SELECT body_text FROM outbox ORDER BY id").await, ["", "Thank you.\n"]);
}

async fn rolled_back_transaction_sends_no_mail(database: Database) {
    let mail_server = SmtpServer::start(Behaviour::Accepts).await;
    let app = site(database, &mail_server).await;
    let mut write = app.app.db.write().await.unwrap();
    festival_core::mail::enqueue(&mut write, &mail_to(&app, "anna@example.org")).await.unwrap();
    write.rollback().await.unwrap();
    wait_for_two_polls().await;
    assert_eq!((app.number("SELECT count(*) FROM outbox").await, mail_server.connections()), (0, 0));
}

#[tokio::test]
async fn lost_smtp_reply_repeats_the_mail_with_the_same_message_id() {
    let mail_server = SmtpServer::start(Behaviour::DisconnectsAfterText).await;
    let app = site(Database::Sqlite, &mail_server).await;
    let ids = enqueue_all(&app, &[mail_to(&app, "anna@example.org")]).await;
    wait_until("it failed", async || super::attempts(&app, ids[0]).await == 1).await;
    mail_server.set(Behaviour::Accepts);
    advance_minutes(&app, 1);
    wait_until("it is sent", async || count_sent(&app).await == 1).await;
    let ids = message_ids(&mail_server.deliveries());
    assert_eq!((ids.len(), &ids[0]), (2, &ids[1]));
}

#[tokio::test]
async fn stopping_server_finishes_the_mail_in_flight() {
    let mail_server = SmtpServer::start(Behaviour::AcceptsSlowly).await;
    let app = site(Database::Sqlite, &mail_server).await;
    enqueue_all(&app, &[mail_to(&app, "anna@example.org"), mail_to(&app, "ben@example.org")]).await;
    wait_until("the first is on its way", async || mail_server.deliveries().len() == 1).await;
    let (directory, copy) = app.stop().await;
    let app = TestApp::on_database(directory, copy, &modules(), server_at(mail_server.port)).await;
    wait_until("both are sent", async || count_sent(&app).await == 2).await;
    assert_eq!(mail_server.deliveries().len(), 2);
}

/// Deletes sent mails past their retention period.
async fn forget_sent(app: &TestApp) -> festival_core::Result<u64> {
    mail::delete_sent(&app.app.db, app.clock.now(), app.app.settings.mail.keep_sent_days).await
}

async fn sent_mails_are_deleted_after_the_retention_period(database: Database) {
    let server = SmtpServer::start(Behaviour::AnswersRecipient("ben", "450 later")).await;
    let app = site(database, &server).await;
    enqueue_all(&app, &[mail_to(&app, "anna@example.org"), mail_to(&app, "ben@example.org")]).await;
    wait_until("one is sent", async || count_sent(&app).await == 1).await;
    let days = |days: i64| jiff::SignedDuration::from_hours(24 * days);
    app.clock.set(app.clock.now() + days(89));
    assert_eq!(forget_sent(&app).await.unwrap(), 0);
    app.clock.set(app.clock.now() + days(2));
    assert_eq!(forget_sent(&app).await.unwrap(), 1);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 1, "waiting mails are kept");
    assert_eq!(forget_sent(&app).await.unwrap(), 0);
}
