//! Storage of submissions: once, completely, and with the same response to repeated requests.

use std::collections::BTreeSet;

use festival_forms::DESK;
use rocket::futures::future::join_all;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use super::requests::{
    FormRequest, assert_received, assert_refused, count_stored_files, decrypt_password, lift_limits, message, picture,
    picture_number, send_message,
};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    fifty_identical_posts_with_a_key_store_one_submission,
    fifty_identical_posts_without_a_key_store_one_submission,
    hundred_different_posts_store_a_hundred_submissions,
    idempotency_key_belongs_to_one_form,
    identical_form_after_ten_minutes_is_a_new_submission,
    couple_with_one_payment_is_stored_twice_and_flagged,
    corrected_form_is_stored_and_flagged,
    submission_is_stored_completely,
    failed_submission_leaves_nothing,
);

async fn post_fifty_times(app: &TestApp, headers: &[(&str, &str)]) {
    let film = FormRequest::film();
    let responses = join_all((0..50).map(|_| film.post_with(app, "/api/malayalam-form/", headers))).await;
    let references: BTreeSet<String> = responses.iter().map(assert_received).collect();
    assert_eq!(references.into_iter().collect::<Vec<_>>(), ["ML-2025-0001"]);
    let texts: BTreeSet<String> = responses.iter().map(crate::support::Response::text).collect();
    assert_eq!(texts.len(), 1, "all responses are equal");
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 1);
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 6);
    assert_eq!(app.number("SELECT count(*) FROM outbox").await, 2);
    assert_eq!(count_stored_files(app), 6);
}

async fn fifty_identical_posts_with_a_key_store_one_submission(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    post_fifty_times(&app, &[("Idempotency-Key", "7f9c-1")]).await;
    // The time that the form was open may differ, and a new key for the same content stores nothing new.
    let film = FormRequest::film();
    let again = film.clone().with("elapsed_seconds", "75");
    let before = assert_received(&film.post_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-1")]).await);
    assert_eq!(
        assert_received(&again.post_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-1")]).await),
        before
    );
    assert_eq!(
        assert_received(&film.post_with(&app, "/api/malayalam-form/", &[("Idempotency-Key", "7f9c-2")]).await),
        before
    );
    assert_eq!(app.number("SELECT count(*) FROM submission_keys").await, 2);
    assert_eq!(count_stored_files(&app), 6);
}

async fn fifty_identical_posts_without_a_key_store_one_submission(database: Database) {
    post_fifty_times(&TestApp::with(database, lift_limits).await, &[]).await;
}

async fn hundred_different_posts_store_a_hundred_submissions(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let mut references = BTreeSet::new();
    for wave in 0..2_u32 {
        let delegate = |number: u32| {
            let delegate = FormRequest::delegate().with("transaction_details", &format!("UTR {wave} {number}"));
            delegate.with_own_files(wave * 50 + number)
        };
        let delegates: Vec<FormRequest> = (0..50).map(delegate).collect();
        let responses = join_all(delegates.iter().map(|delegate| delegate.post(&app, "/api/delegate-form/"))).await;
        references.extend(responses.iter().map(assert_received));
    }
    let expected: BTreeSet<String> = (1..=100).map(|number| format!("DL-2025-{number:04}")).collect();
    assert_eq!(references, expected, "a hundred numbers without a gap");
    assert_eq!(app.number("SELECT count(*) FROM delegates").await, 100);
    assert_eq!(app.number("SELECT count(*) FROM delegates WHERE is_possible_duplicate = 1").await, 0);
    assert_eq!(count_stored_files(&app), 200);
}

async fn idempotency_key_belongs_to_one_form(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let key = [("Idempotency-Key", "one")];
    assert_received(&FormRequest::delegate().post_with(&app, "/api/delegate-form/", &key).await);
    for other in [
        FormRequest::delegate().with("age", "34"),
        FormRequest::delegate().with_file("signature", "s.png", another_picture()),
    ] {
        assert_eq!(assert_refused(&other.post_with(&app, "/api/delegate-form/", &key).await).0, "Idempotency-Key");
    }
    let body = message().to_string();
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "one")];
    assert_eq!(app.post("/api/contact/", &headers, body).await.status, 422);
    for bad in ["", &"k".repeat(256)] {
        let response =
            FormRequest::delegate().post_with(&app, "/api/delegate-form/", &[("Idempotency-Key", bad)]).await;
        assert_eq!(response.status, 400, "{bad:.10}");
    }
    assert_eq!(app.number("SELECT count(*) FROM delegates").await, 1);
    assert_eq!(count_stored_files(&app), 2);
}

async fn identical_form_after_ten_minutes_is_a_new_submission(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let sent_at = app.app.clock.now();
    let first = assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    app.clock.set(sent_at + jiff::SignedDuration::from_secs(599));
    assert_eq!(assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await), first);
    app.clock.set(sent_at + jiff::SignedDuration::from_secs(601));
    assert_ne!(assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await), first);
}

/// Two people register with one address, one payment and one screenshot.
async fn couple_with_one_payment_is_stored_twice_and_flagged(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let (one, other) = (FormRequest::delegate().with("name", "Anu"), FormRequest::delegate().with("name", "Binu"));
    assert_eq!(assert_received(&one.post(&app, "/api/delegate-form/").await), "DL-2025-0001");
    assert_eq!(assert_received(&other.post(&app, "/api/delegate-form/").await), "DL-2025-0002");
    // Another transaction, but the same screenshot; with keys of their own.
    for (name, key, reference) in [("Chinnu", "key-3", "DL-2025-0003"), ("Devu", "key-4", "DL-2025-0004")] {
        let form = FormRequest::delegate().with("name", name).with("transaction_details", "see the screenshot");
        let form = form.with("email", &format!("{name}@example.org"));
        let response = form.post_with(&app, "/api/delegate-form/", &[("Idempotency-Key", key)]).await;
        assert_eq!(assert_received(&response), reference);
    }
    let flagged = "SELECT reference FROM delegates WHERE is_possible_duplicate = 1 ORDER BY id";
    assert_eq!(app.texts(flagged).await, ["DL-2025-0002", "DL-2025-0003", "DL-2025-0004"]);
    let stranger = FormRequest::delegate().with("transaction_details", "UTR 777").with_own_files(7);
    assert_eq!(assert_received(&stranger.post(&app, "/api/delegate-form/").await), "DL-2025-0005");
    assert_eq!(app.texts(flagged).await.len(), 3, "another payment by the same person is not flagged");
    assert_eq!(
        app.number("SELECT count(*) FROM outbox WHERE kind = 'delegate-receipt'").await,
        5,
        "each has a receipt"
    );
    // Each page leads to the other.
    let desk = Browser::signed_in(&app, &create_account(&app, &DESK).await).await;
    let id = app.id("delegates", "reference = 'DL-2025-0003'").await;
    let (first, page) = (app.id("delegates", "reference = 'DL-2025-0001'").await, format!("/admin/delegates/{id}"));
    let text = desk.get(&page).await.text();
    assert!(text.contains("Perhaps the same as another registration: both name one payment."), "{text}");
    assert!(text.contains(&format!("href=\"/admin/delegates/{first}\"")), "{text}");
    assert!(desk.get(&format!("/admin/delegates/{first}")).await.text().contains(&format!("href=\"{page}\"")));
}

/// A film-maker sends the form again with a correction, each of a field that the first flag was about.
async fn corrected_form_is_stored_and_flagged(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let path = "/api/malayalam-form/";
    assert_eq!(assert_received(&FormRequest::film().post(&app, path).await), "ML-2025-0001");
    let corrected = [
        FormRequest::film().with("title_english", "A Light, Corrected"),
        FormRequest::film().with_own_files(1),
        FormRequest::film().with("synopsis_short", "A lamp, corrected."),
        FormRequest::film().with_file("documentation", "right.png", picture_number(2)),
    ];
    for (form, number) in corrected.iter().zip(2..) {
        assert_eq!(assert_received(&form.post(&app, path).await), format!("ML-2025-000{number}"));
        assert_eq!(assert_received(&form.post(&app, path).await), format!("ML-2025-000{number}"), "sent twice");
    }
    let flagged = "SELECT reference FROM film_submissions WHERE is_possible_duplicate = 1 ORDER BY id";
    assert_eq!(app.texts(flagged).await, ["ML-2025-0002", "ML-2025-0003", "ML-2025-0004", "ML-2025-0005"]);
    let another = FormRequest::film().with("title_english", "Another Film").with_own_files(3);
    assert_eq!(assert_received(&another.post(&app, path).await), "ML-2025-0006");
    assert_eq!(app.texts(flagged).await.len(), 4, "another film of the same director is not flagged");
    // A corrected message is another message.
    for text in ["When does it begin?", "When does it begin, please?", "When does it begin, please?"] {
        let mut message = message();
        message["message"] = json!(text);
        assert_eq!(send_message(&app, &message).await.status, 200);
    }
    assert_eq!(app.number("SELECT count(*) FROM contact_messages").await, 2);
}

async fn submission_is_stored_completely(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let film = FormRequest::film();
    let reference = assert_received(&film.post(&app, "/api/changed/").await);
    let mut connection = app.app.db.read().await.unwrap();
    for (name, text) in &film.texts {
        let sql = format!("SELECT CAST({name} AS TEXT) FROM film_submissions WHERE reference = $1");
        let stored: String =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(&reference).fetch_one(&mut *connection).await.unwrap();
        let stored = match name.as_str() {
            "screener_link_password" => decrypt_password(&app, &reference, &stored).unwrap(),
            _ => stored,
        };
        assert_eq!(stored, text.replace("\r\n", "\n"), "{name}");
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

async fn failed_submission_leaves_nothing(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    // Renamed, not dropped: that would lock the table of submissions as well, and the site's own queries lock the two in
    // the other order.
    app.write("ALTER TABLE submission_files RENAME TO lost_files").await;
    let response = FormRequest::film().post(&app, "/api/changed/").await;
    assert_eq!(response.status, 500, "{}", response.text());
    assert!(!response.text().contains("submission_files"), "{}", response.text());
    for table in ["film_submissions", "submission_keys", "submission_counters", "outbox"] {
        assert_eq!(app.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(count_stored_files(&app), 0);
    let mut more = message();
    more["message"] = json!("No files, no trouble");
    assert_eq!(send_message(&app, &more).await.status, 200);
}

#[tokio::test]
async fn startup_removes_orphaned_files_only() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    assert_received(&FormRequest::film().post(&app, "/api/changed/").await);
    let (directory, copy) = app.stop().await;
    let orphan = directory.path().join("media/private/film-submissions/00112233445566778899aabbccddeeff.png");
    std::fs::write(&orphan, picture()).unwrap();
    let staged = directory.path().join("media/staging/left-behind");
    std::fs::write(&staged, b"half").unwrap();
    // From well before the site starts: the clock of a disk's files is a little behind that of the program.
    let earlier = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for file in [&orphan, &staged] {
        std::fs::File::options().write(true).open(file).unwrap().set_modified(earlier).unwrap();
    }
    let app = TestApp::on_database(directory, copy, &festival::modules(), lift_limits).await;
    let ended = std::time::Instant::now();
    while orphan.exists() || count_stored_files(&app) != 6 {
        assert!(ended.elapsed() < std::time::Duration::from_secs(60), "{} files", count_stored_files(&app));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // After the restart a repeated form is still recognised, and numbering continues.
    assert_eq!(assert_received(&FormRequest::film().post(&app, "/api/changed/").await), "FS-2025-0001");
    let other = FormRequest::film().with("title_english", "Other");
    assert_eq!(assert_received(&other.post(&app, "/api/changed/").await), "FS-2025-0002");
}

/// The expiry follows the site's clock and survives restarts.
#[tokio::test]
async fn idempotency_key_expires_after_a_week() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let sent_at = app.app.clock.now();
    let send = async |app: &TestApp, form: FormRequest| {
        form.post_with(app, "/api/delegate-form/", &[("Idempotency-Key", "a week")]).await
    };
    let sweep = async |app: &TestApp| {
        let contributions = app.app.registry.contributions().iter();
        let mut commands = contributions.filter(|module| module.module == "forms").flat_map(|module| &module.commands);
        let sweep = commands.find(|command| command.clap().get_name() == "sweep").unwrap();
        let arguments = sweep.clap().get_matches_from(["sweep"]);
        sweep.run(app.app.app.clone(), &arguments).await.unwrap();
    };
    let first = assert_received(&send(&app, FormRequest::delegate()).await);
    for hours in [24, 7 * 24] {
        app.clock.set(sent_at + jiff::SignedDuration::from_hours(hours));
        sweep(&app).await;
        assert_eq!(assert_received(&send(&app, FormRequest::delegate()).await), first, "after {hours} hours");
        let other = FormRequest::delegate().with("age", "34");
        assert_eq!(assert_refused(&send(&app, other).await).0, "Idempotency-Key", "after {hours} hours");
    }
    app.clock.set(sent_at + jiff::SignedDuration::from_hours(7 * 24) + jiff::SignedDuration::from_secs(1));
    sweep(&app).await;
    assert_eq!(app.number("SELECT count(*) FROM submission_keys").await, 0);
    assert_ne!(assert_received(&send(&app, FormRequest::delegate()).await), first);
}

fn another_picture() -> Vec<u8> {
    std::fs::read(crate::support::fixture("pictures/cover.webp")).unwrap()
}
