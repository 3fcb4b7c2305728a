//! Health checks: liveness and readiness for proxies and operators.

use jiff::SignedDuration;

use crate::support::{Database, TestApp};

on_both!(readiness_follows_the_database_and_reveals_nothing);

async fn readiness_follows_the_database_and_reveals_nothing(database: Database) {
    let app = TestApp::with(database, |settings| settings.public_url = "https://festival.example".into()).await;
    let assert_probe = async |path: &str, status: u16, text: &str| {
        // Probes come over http, from another machine, and address the server by IP.
        let response =
            app.request_from("10.1.2.3", rocket::http::Method::Get, path, &[("Host", "10.0.0.1:8000")]).await;
        assert_eq!((response.status, response.text().as_str()), (status, text), "{path}");
        assert_eq!(response.header("Cache-Control"), "no-store");
    };
    assert_probe("/healthz", 200, "ok\n").await;
    assert_probe("/readyz", 200, "ok\n").await;
    let before = app.app.db.changes();
    assert_probe("/readyz", 200, "ok\n").await;
    assert_eq!(app.app.db.changes(), before, "probes change nothing");

    let advance_a_second = || app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
    app.write("ALTER TABLE editions RENAME TO lost").await;
    assert_probe("/readyz", 200, "ok\n").await; // The result is cached for a moment.
    advance_a_second();
    assert_probe("/readyz", 503, "not ready\n").await;
    app.write("ALTER TABLE lost RENAME TO editions").await;
    advance_a_second();
    assert_probe("/readyz", 200, "ok\n").await;
    app.write("DELETE FROM migrations WHERE version = '0501'").await;
    advance_a_second();
    assert_probe("/readyz", 503, "not ready\n").await;
    app.app.db.close().await;
    advance_a_second();
    assert_probe("/readyz", 503, "not ready\n").await;
    assert_probe("/healthz", 200, "ok\n").await;
}

#[tokio::test]
async fn unwritable_store_is_not_ready_until_writable() {
    let app = TestApp::new(Database::Sqlite).await;
    let media = app.directory.path().join("media");
    for folder in ["staging", "private", "public"] {
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!(app.get("/readyz").await.status, 200, "{folder}");
        // A file in place of the folder cannot be written into by any user.
        std::fs::rename(media.join(folder), media.join("away")).unwrap();
        std::fs::write(media.join(folder), "").unwrap();
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!((app.get("/readyz").await.status, app.get("/healthz").await.status), (503, 200), "{folder}");
        std::fs::remove_file(media.join(folder)).unwrap();
        std::fs::rename(media.join("away"), media.join(folder)).unwrap();
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!(app.get("/readyz").await.status, 200, "{folder} is back");
        assert_eq!(std::fs::read_dir(media.join("staging")).unwrap().count(), 0, "the probe leaves no file");
    }
}

#[tokio::test]
async fn full_disk_is_not_ready() {
    let app = TestApp::with(Database::Sqlite, |settings| settings.uploads.keep_free_mib = u64::MAX >> 20).await;
    assert_eq!((app.get("/readyz").await.status, app.get("/healthz").await.status), (503, 200));
}
