//! What goes wrong with a mail server delays mails and nothing else.

use festival_core::mail::{self, State};

use super::smtp::{Mood, SmtpServer};
use super::{a_moment, attempts, letter, minutes_later, put, sent, server_at, site, until};
use crate::support::{Database, TestApp};

on_both!(an_hour_without_a_mail_server_delays_and_loses_nothing, a_refusal_is_marked_and_tried_again);

/// How many attempts have come to their end; zero while one is under way.
const ENDED: &str = "SELECT CASE WHEN count(claim) > 0 THEN 0 ELSE CAST(sum(attempts) AS BIGINT) END FROM outbox";

async fn an_hour_without_a_mail_server_delays_and_loses_nothing(database: Database) {
    let server = SmtpServer::start(Mood::Takes).await;
    let port = server.port;
    drop(server);
    a_moment().await;
    let app = TestApp::with(database, server_at(port)).await;
    let messages: Vec<_> = (0..5).map(|number| letter(&app, &format!("person{number}@example.org"))).collect();
    let ids = put(&app, &messages).await;
    until("one was tried", async || attempts(&app, ids[0]).await == 1).await;
    a_moment().await;
    assert_eq!(app.number(ENDED).await, 1, "the others wait for the server too");
    for minutes in [1, 1, 2, 4, 8, 16, 28] {
        let before = app.number(ENDED).await;
        minutes_later(&app, minutes);
        assert_eq!(app.get("/api/site/").await.status, 200);
        until("it is tried again", async || app.number(ENDED).await > before).await;
    }
    assert_eq!(sent(&app).await, 0);
    let server = SmtpServer::start_at(port, Mood::Takes).await;
    minutes_later(&app, 60);
    until("all are sent", async || sent(&app).await == 5).await;
    minutes_later(&app, 60 * 24);
    a_moment().await;
    let mut to: Vec<String> = server.deliveries().into_iter().flat_map(|delivery| delivery.recipients).collect();
    to.sort();
    let expected: Vec<String> = (0..5).map(|number| format!("person{number}@example.org")).collect();
    assert_eq!(to, expected);
}

async fn a_refusal_is_marked_and_tried_again(database: Database) {
    let server = SmtpServer::start(Mood::Answers("anna", "550 5.1.1 <anna@example.org>: no such user")).await;
    let app = site(database, &server).await;
    let ids = put(&app, &[letter(&app, "anna@example.org"), letter(&app, "ben@example.org")]).await;
    until("the other is sent", async || sent(&app).await == 1).await;
    let [refused] = mail::list(&app.app.db, app.clock.now(), false, 0, 10).await.unwrap().try_into().unwrap();
    assert_eq!((refused.id, refused.state, refused.attempts), (ids[0], State::Refused, 1));
    assert_eq!(refused.to, "a***@example.org");
    let error = refused.last_error.unwrap();
    assert!(error.contains("550") && error.contains("no such user") && !error.contains("anna"), "{error}");
    server.set(Mood::Answers("anna", "451 try later"));
    minutes_later(&app, 1);
    until("it was tried again", async || attempts(&app, ids[0]).await == 2).await;
    let [delayed] = mail::list(&app.app.db, app.clock.now(), false, 0, 10).await.unwrap().try_into().unwrap();
    assert_eq!(delayed.state, State::Delayed);
    // After the second failure the pause is two minutes, a fifth less at least.
    minutes_later(&app, 1);
    a_moment().await;
    assert_eq!(attempts(&app, ids[0]).await, 2);
    server.set(Mood::Takes);
    minutes_later(&app, 1);
    until("it is sent", async || sent(&app).await == 2).await;
    assert_eq!(server.deliveries().len(), 2);
}

#[tokio::test]
async fn a_mail_server_that_hangs_or_hangs_up_holds_nothing_up() {
    for mood in [
        Mood::SaysNothing,
        Mood::HangsAtText,
        Mood::HangsUpInText,
        Mood::Greets("421 too busy"),
        Mood::Greets("554 not you"),
        Mood::Greets("this is no mail server"),
        Mood::Greets(""),
    ] {
        let server = SmtpServer::start(mood).await;
        let app = site(Database::Sqlite, &server).await;
        let ids = put(&app, &[letter(&app, "anna@example.org"), letter(&app, "ben@example.org")]).await;
        until("it was given up", async || attempts(&app, ids[0]).await == 1).await;
        a_moment().await;
        assert_eq!(attempts(&app, ids[1]).await, 0, "{mood:?}: the second waits");
        server.set(Mood::Takes);
        minutes_later(&app, 1);
        until("both are sent", async || sent(&app).await == 2).await;
        assert_eq!(server.deliveries().len(), 2, "{mood:?}");
    }
}

#[tokio::test]
async fn nothing_is_said_in_the_open_that_should_be_secret() {
    let server = SmtpServer::start(Mood::WantsLogin).await;
    let port = server.port;
    let app = TestApp::with(Database::Sqlite, |settings| {
        server_at(port)(settings);
        settings.mail.tls = festival_core::settings::MailTls::Starttls;
        settings.mail.user = "office".into();
        settings.mail.password = "open sesame".into();
    })
    .await;
    let ids = put(&app, &[letter(&app, "anna@example.org")]).await;
    until("it was given up", async || attempts(&app, ids[0]).await == 1).await;
    assert!(server.commands().iter().all(|line| line.starts_with("EHLO")), "{:?}", server.commands());
    let [waits] = mail::list(&app.app.db, app.clock.now(), false, 0, 10).await.unwrap().try_into().unwrap();
    assert!(waits.last_error.unwrap().contains("does not offer STARTTLS"));
}

#[tokio::test]
async fn the_postman_logs_in_where_a_user_is_set() {
    let server = SmtpServer::start(Mood::WantsLogin).await;
    let port = server.port;
    let app = TestApp::with(Database::Sqlite, |settings| {
        server_at(port)(settings);
        settings.mail.user = "office".into();
        settings.mail.password = "open sesame".into();
    })
    .await;
    put(&app, &[letter(&app, "anna@example.org")]).await;
    until("it is sent", async || sent(&app).await == 1).await;
    // "\0office\0open sesame" in base64.
    assert!(server.commands().contains(&"AUTH PLAIN AG9mZmljZQBvcGVuIHNlc2FtZQ==".to_owned()));
    assert!(!format!("{:?}", app.app.settings).contains("sesame"));
    assert!(
        !festival_core::settings::manual(&app.app.settings, &app.app.registry.sections()).unwrap().contains("sesame")
    );
}
