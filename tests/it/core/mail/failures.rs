//! Failures of the mail server delay mails and affect nothing else.

use festival_core::mail;

use super::smtp::{Behaviour, SmtpServer};
use super::{
    advance_minutes, attempts, count_sent, enqueue_all, mail_to, server_at, site, wait_for_two_polls, wait_until,
};
use crate::support::{Database, TestApp};

on_both!(mail_server_outage_delays_mails_and_loses_none, refused_mail_is_marked_and_retried);

/// The number of finished attempts; zero while one is in progress.
const ENDED: &str = "SELECT CASE WHEN count(claim) > 0 THEN 0 ELSE CAST(sum(attempts) AS BIGINT) END FROM outbox";

async fn mail_server_outage_delays_mails_and_loses_none(database: Database) {
    let server = SmtpServer::start(Behaviour::Accepts).await;
    let port = server.port;
    drop(server);
    wait_for_two_polls().await;
    let app = TestApp::with(database, server_at(port)).await;
    let messages: Vec<_> = (0..5).map(|number| mail_to(&app, &format!("person{number}@example.org"))).collect();
    let ids = enqueue_all(&app, &messages).await;
    wait_until("one was tried", async || attempts(&app, ids[0]).await == 1).await;
    wait_for_two_polls().await;
    assert_eq!(app.number(ENDED).await, 1, "the other mails are not attempted");
    // Somebody asks for all mails: one finds out that the mail server is still away.
    app.clock.set(app.clock.now() + jiff::SignedDuration::from_secs(1));
    let mut write = app.app.db.write_private().await.unwrap();
    assert_eq!(mail::make_all_due(&mut write, app.clock.now()).await.unwrap(), 5);
    write.commit().await.unwrap();
    wait_until("one was tried at once", async || app.number(ENDED).await == 1).await;
    for minutes in [1, 1, 2, 4, 8, 16, 28] {
        let before = app.number(ENDED).await;
        advance_minutes(&app, minutes);
        assert_eq!(app.get("/api/site/").await.status, 200);
        wait_until("it is tried again", async || app.number(ENDED).await > before).await;
    }
    assert_eq!(count_sent(&app).await, 0);
    let server = SmtpServer::start_at(port, Behaviour::Accepts).await;
    advance_minutes(&app, 60);
    wait_until("all are sent", async || count_sent(&app).await == 5).await;
    advance_minutes(&app, 60 * 24);
    wait_for_two_polls().await;
    let mut to: Vec<String> = server.deliveries().into_iter().flat_map(|delivery| delivery.recipients).collect();
    to.sort();
    let expected: Vec<String> = (0..5).map(|number| format!("person{number}@example.org")).collect();
    assert_eq!(to, expected);
}

async fn refused_mail_is_marked_and_retried(database: Database) {
    let server =
        SmtpServer::start(Behaviour::AnswersRecipient("anna", "550 5.1.1 <anna@example.org>: no such user")).await;
    let app = site(database, &server).await;
    let ids = enqueue_all(&app, &[mail_to(&app, "anna@example.org"), mail_to(&app, "ben@example.org")]).await;
    wait_until("the other is sent", async || count_sent(&app).await == 1).await;
    let [refused] = mail::list(&app.app.db, app.clock.now(), false).await.unwrap().try_into().unwrap();
    assert_eq!((refused.id, &*refused.state, refused.attempts), (ids[0], "refused", 1));
    assert_eq!(refused.to, "a***@example.org");
    let error = refused.last_error.unwrap();
    assert!(error.contains("550") && error.contains("no such user") && !error.contains("anna"), "{error}");
    server.set(Behaviour::AnswersRecipient("anna", "451 try later"));
    advance_minutes(&app, 1);
    wait_until("it was tried again", async || attempts(&app, ids[0]).await == 2).await;
    let [delayed] = mail::list(&app.app.db, app.clock.now(), false).await.unwrap().try_into().unwrap();
    assert_eq!(delayed.state, "delayed");
    // After the second failure the pause is two minutes, minus at most a fifth.
    advance_minutes(&app, 1);
    wait_for_two_polls().await;
    assert_eq!(attempts(&app, ids[0]).await, 2);
    server.set(Behaviour::Accepts);
    advance_minutes(&app, 1);
    wait_until("it is sent", async || count_sent(&app).await == 2).await;
    assert_eq!(server.deliveries().len(), 2);
}

#[tokio::test]
async fn broken_mail_server_does_not_block_the_outbox() {
    for behaviour in [
        Behaviour::Silent,
        Behaviour::StallsAtText,
        Behaviour::DisconnectsInText,
        Behaviour::Greets("421 too busy"),
        Behaviour::Greets("554 not you"),
        Behaviour::Greets("this is no mail server"),
        Behaviour::Greets(""),
    ] {
        let server = SmtpServer::start(behaviour).await;
        let app = site(Database::Sqlite, &server).await;
        let ids = enqueue_all(&app, &[mail_to(&app, "anna@example.org"), mail_to(&app, "ben@example.org")]).await;
        wait_until("it was given up", async || attempts(&app, ids[0]).await == 1).await;
        wait_for_two_polls().await;
        assert_eq!(attempts(&app, ids[1]).await, 0, "{behaviour:?}: the second waits");
        server.set(Behaviour::Accepts);
        advance_minutes(&app, 1);
        wait_until("both are sent", async || count_sent(&app).await == 2).await;
        assert_eq!(server.deliveries().len(), 2, "{behaviour:?}");
    }
}

#[tokio::test]
async fn credentials_are_not_sent_without_starttls() {
    let server = SmtpServer::start(Behaviour::RequiresLogin).await;
    let port = server.port;
    let app = TestApp::with(Database::Sqlite, |settings| {
        server_at(port)(settings);
        settings.mail.tls = festival_core::settings::MailTls::Starttls;
        settings.mail.user = "office".into();
        settings.mail.password = "open sesame".into();
    })
    .await;
    let ids = enqueue_all(&app, &[mail_to(&app, "anna@example.org")]).await;
    wait_until("it was given up", async || attempts(&app, ids[0]).await == 1).await;
    assert!(server.commands().iter().all(|line| line.starts_with("EHLO")), "{:?}", server.commands());
    let [waits] = mail::list(&app.app.db, app.clock.now(), false).await.unwrap().try_into().unwrap();
    assert!(waits.last_error.unwrap().contains("does not offer STARTTLS"));
}

#[tokio::test]
async fn mail_sender_authenticates_when_a_user_is_set() {
    let server = SmtpServer::start(Behaviour::RequiresLogin).await;
    let port = server.port;
    let app = TestApp::with(Database::Sqlite, |settings| {
        server_at(port)(settings);
        settings.mail.user = "office".into();
        settings.mail.password = "open sesame".into();
    })
    .await;
    enqueue_all(&app, &[mail_to(&app, "anna@example.org")]).await;
    wait_until("it is sent", async || count_sent(&app).await == 1).await;
    // "\0office\0open sesame" in base64.
    assert!(server.commands().contains(&"AUTH PLAIN AG9mZmljZQBvcGVuIHNlc2FtZQ==".to_owned()));
    assert!(!format!("{:?}", app.app.settings).contains("sesame"));
    assert!(
        !festival_core::settings::manual(&app.app.settings, &app.app.registry.sections(), &Default::default())
            .unwrap()
            .contains("sesame")
    );
}
