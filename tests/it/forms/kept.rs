//! What was sent is kept once, whole, and answered the same.

use std::collections::BTreeSet;

use rocket::futures::future::join_all;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use super::sent::{Sent, files_kept, message, password, patient, picture, received, refused, send_message};
use crate::support::{Database, TestApp};

on_both!(
    fifty_equal_posts_with_a_key_are_one,
    fifty_equal_posts_without_a_key_are_one,
    a_hundred_different_posts_are_a_hundred,
    a_key_belongs_to_one_form,
    the_same_form_later_is_another,
    the_same_payment_is_marked,
    everything_that_was_sent_is_there,
    a_failure_leaves_nothing,
);

async fn fifty(app: &TestApp, headers: &[(&str, &str)]) {
    let film = Sent::film();
    let answers = join_all((0..50).map(|_| film.to_with(app, "/api/malayalam-form/", headers))).await;
    let references: BTreeSet<String> = answers.iter().map(received).collect();
    assert_eq!(references.into_iter().collect::<Vec<_>>(), ["ML-2025-0001"]);
    let texts: BTreeSet<String> = answers.iter().map(crate::support::Answer::text).collect();
    assert_eq!(texts.len(), 1, "all answers are equal");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 6);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 2);
    assert_eq!(files_kept(app), 6);
}

async fn fifty_equal_posts_with_a_key_are_one(database: Database) {
    let app = TestApp::with(database, patient).await;
    fifty(&app, &[("Idempotency-Key", "7f9c-1")]).await;
    // The seconds that the form was open may differ; a new key for the same content changes nothing either.
    let film = Sent::film();
    let again = film.clone().with("elapsed_seconds", "75");
    let before = received(&film.to_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-1")]).await);
    assert_eq!(received(&again.to_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-1")]).await), before);
    assert_eq!(received(&film.to_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-2")]).await), before);
    assert_eq!(app.number("SELECT count(*) FROM submission_keys").await, 2);
    assert_eq!(files_kept(&app), 6);
}

async fn fifty_equal_posts_without_a_key_are_one(database: Database) {
    fifty(&TestApp::with(database, patient).await, &[]).await;
}

async fn a_hundred_different_posts_are_a_hundred(database: Database) {
    let app = TestApp::with(database, patient).await;
    let mut references = BTreeSet::new();
    for wave in 0..2 {
        let delegates: Vec<Sent> = (0..50)
            .map(|number| Sent::delegate().with("transaction_details", &format!("UTR {wave} {number}")))
            .collect();
        let answers = join_all(delegates.iter().map(|delegate| delegate.to(&app, "/api/delegate-form/"))).await;
        references.extend(answers.iter().map(received));
    }
    let expected: BTreeSet<String> = (1..=100).map(|number| format!("DL-2025-{number:04}")).collect();
    assert_eq!(references, expected, "a hundred numbers without a gap");
    assert_eq!(app.number("SELECT count(*) FROM delegates").await, 100);
    assert_eq!(app.number("SELECT count(*) FROM delegates WHERE is_possible_duplicate = 1").await, 0);
    assert_eq!(files_kept(&app), 200);
}

async fn a_key_belongs_to_one_form(database: Database) {
    let app = TestApp::with(database, patient).await;
    let key = [("Idempotency-Key", "one")];
    received(&Sent::delegate().to_with(&app, "/api/delegate-form/", &key).await);
    for other in
        [Sent::delegate().with("age", "34"), Sent::delegate().with_file("signature", "s.png", another_picture())]
    {
        assert_eq!(refused(&other.to_with(&app, "/api/delegate-form/", &key).await).0, "Idempotency-Key");
    }
    let body = message().to_string();
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "one")];
    assert_eq!(app.post("/api/contact/", &headers, body).await.status, 422);
    for bad in ["", &"k".repeat(256)] {
        let answer = Sent::delegate().to_with(&app, "/api/delegate-form/", &[("Idempotency-Key", bad)]).await;
        assert_eq!(answer.status, 400, "{bad:.10}");
    }
    assert_eq!(app.number("SELECT count(*) FROM delegates").await, 1);
    assert_eq!(files_kept(&app), 2);
}

async fn the_same_form_later_is_another(database: Database) {
    let app = TestApp::with(database, patient).await;
    let begun = app.app.clock.now();
    let first = received(&Sent::delegate().to(&app, "/api/delegate-form/").await);
    app.clock.set(begun + jiff::SignedDuration::from_secs(599));
    assert_eq!(received(&Sent::delegate().to(&app, "/api/delegate-form/").await), first);
    // Letters and blanks do not make another transaction, other files do.
    let same = Sent::delegate().with("transaction_details", "utr  000111222").with("email", "Delegate@Example.org");
    assert_eq!(received(&same.to(&app, "/api/delegate-form/").await), first);
    app.clock.set(begun + jiff::SignedDuration::from_secs(601));
    assert_ne!(received(&Sent::delegate().to(&app, "/api/delegate-form/").await), first);
}

async fn the_same_payment_is_marked(database: Database) {
    let app = TestApp::with(database, patient).await;
    received(&Sent::delegate().to(&app, "/api/delegate-form/").await);
    let other = received(&Sent::delegate().with("email", "other@example.org").to(&app, "/api/delegate-form/").await);
    assert_eq!(other, "DL-2025-0002");
    let marked = "SELECT count(*) FROM delegates WHERE is_possible_duplicate = 1 AND reference = 'DL-2025-0002'";
    assert_eq!(app.number(marked).await, 1);
    assert_eq!(app.number("SELECT count(*) FROM delegates WHERE is_possible_duplicate = 0").await, 1);
}

async fn everything_that_was_sent_is_there(database: Database) {
    let app = TestApp::with(database, patient).await;
    let film = Sent::film();
    let reference = received(&film.to(&app, "/api/changed/").await);
    let mut connection = app.app.db.read().await.unwrap();
    for (name, text) in &film.texts {
        let sql = format!("SELECT CAST({name} AS TEXT) FROM film_submissions WHERE reference = $1");
        let kept: String =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(&reference).fetch_one(&mut *connection).await.unwrap();
        let kept = match name.as_str() {
            "screener_link_password" => password(&app, &reference, &kept).unwrap(),
            _ => kept,
        };
        assert_eq!(kept, text.replace("\r\n", "\n"), "{name}");
    }
    let rows = sqlx::query(
        "SELECT f.field, f.key, f.name, f.mime, f.size, f.sha256 FROM submission_files f \
         JOIN film_submissions s ON s.id = f.film_submission_id ORDER BY f.field",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let (field, key, name): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let (mime, size, hash): (String, i64, String) = (row.get(3), row.get(4), row.get(5));
        let extension = if field.starts_with("producer") || field == "documentation" { "pdf" } else { "png" };
        assert_eq!(name, format!("{field}.{extension}"));
        assert_eq!(mime, if extension == "pdf" { "application/pdf" } else { "image/png" });
        assert!(key.starts_with("film-submissions/") && key.ends_with(extension) && !key.contains(&field), "{key}");
        let bytes = std::fs::read(app.directory.path().join("media/private").join(&key)).unwrap();
        assert_eq!(i64::try_from(bytes.len()).unwrap(), size);
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, hash);
        for path in [format!("/media/{key}"), format!("/media/private/{key}"), format!("/media/../private/{key}")] {
            assert_eq!(app.get(&path).await.status, 404, "{path}");
        }
    }
}

async fn a_failure_leaves_nothing(database: Database) {
    let app = TestApp::with(database, patient).await;
    app.write("DROP TABLE submission_files").await;
    let answer = Sent::film().to(&app, "/api/changed/").await;
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert!(!answer.text().contains("submission_files"), "{}", answer.text());
    for table in ["film_submissions", "submission_keys", "submission_counters", "outbox"] {
        assert_eq!(app.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(files_kept(&app), 0);
    let mut more = message();
    more["message"] = json!("No files, no trouble");
    assert_eq!(send_message(&app, &more).await.status, 200);
}

#[tokio::test]
async fn a_start_removes_what_nobody_names_and_keeps_the_rest() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    received(&Sent::film().to(&app, "/api/changed/").await);
    let (directory, copy) = app.stop().await;
    let orphan = directory.path().join("media/private/film-submissions/00112233445566778899aabbccddeeff.png");
    std::fs::write(&orphan, picture()).unwrap();
    std::fs::write(directory.path().join("media/staging/left-behind"), b"half").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    let app = TestApp::on(directory, copy, &festival_cli::modules::modules(), patient).await;
    let ended = std::time::Instant::now();
    while orphan.exists() || files_kept(&app) != 6 {
        assert!(ended.elapsed() < std::time::Duration::from_secs(60), "{} files", files_kept(&app));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // Sent again after the restart it is the same, and the numbers go on.
    assert_eq!(received(&Sent::film().to(&app, "/api/changed/").await), "FS-2025-0001");
    let other = Sent::film().with("title_english", "Other");
    assert_eq!(received(&other.to(&app, "/api/changed/").await), "FS-2025-0002");
}

/// By the site's own clock: known for a week, through restarts, and forgotten then.
#[tokio::test]
async fn a_key_is_known_for_a_week_and_then_forgotten() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let begun = app.app.clock.now();
    let send = async |app: &TestApp, form: Sent| {
        form.to_with(app, "/api/delegate-form/", &[("Idempotency-Key", "a week")]).await
    };
    let sweep = async |app: &TestApp| {
        let contributions = app.app.registry.contributions().iter();
        let mut commands = contributions.filter(|module| module.module == "forms").flat_map(|module| &module.commands);
        let sweep = commands.find(|command| command.clap().get_name() == "sweep").unwrap();
        let arguments = sweep.clap().get_matches_from(["sweep"]);
        sweep.run(app.app.clone(), &arguments).await.unwrap();
    };
    let first = received(&send(&app, Sent::delegate()).await);
    for hours in [24, 7 * 24] {
        app.clock.set(begun + jiff::SignedDuration::from_hours(hours));
        sweep(&app).await;
        assert_eq!(received(&send(&app, Sent::delegate()).await), first, "after {hours} hours");
        let other = Sent::delegate().with("age", "34");
        assert_eq!(refused(&send(&app, other).await).0, "Idempotency-Key", "after {hours} hours");
    }
    app.clock.set(begun + jiff::SignedDuration::from_hours(7 * 24) + jiff::SignedDuration::from_secs(1));
    sweep(&app).await;
    assert_eq!(app.number("SELECT count(*) FROM submission_keys").await, 0);
    assert_ne!(received(&send(&app, Sent::delegate()).await), first);
}

fn another_picture() -> Vec<u8> {
    std::fs::read(crate::support::fixture("pictures/cover.webp")).unwrap()
}
