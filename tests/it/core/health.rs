//! What tells a proxy and an operator that the server is alive, and that it can work.

use jiff::SignedDuration;

use crate::support::{Database, TestApp};

on_both!(it_says_whether_it_can_work_and_nothing_else);

async fn it_says_whether_it_can_work_and_nothing_else(database: Database) {
    let app = TestApp::with(database, |settings| settings.public_url = "https://festival.example".into()).await;
    let ask = async |path: &str, status: u16, words: &str| {
        // A probe comes in the clear, from another machine, and names the machine by its address.
        let answer = app.ask_from("10.1.2.3", rocket::http::Method::Get, path, &[("Host", "10.0.0.1:8000")]).await;
        assert_eq!((answer.status, answer.text().as_str()), (status, words), "{path}");
        assert_eq!(answer.header("Cache-Control"), "no-store");
    };
    ask("/healthz", 200, "ok\n").await;
    ask("/readyz", 200, "ok\n").await;
    let before = app.app.db.changes();
    ask("/readyz", 200, "ok\n").await;
    assert_eq!(app.app.db.changes(), before, "asking changes nothing");

    let wait = || app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
    app.write("ALTER TABLE editions RENAME TO lost").await;
    ask("/readyz", 200, "ok\n").await; // A moment ago it was.
    wait();
    ask("/readyz", 503, "not ready\n").await;
    app.write("ALTER TABLE lost RENAME TO editions").await;
    wait();
    ask("/readyz", 200, "ok\n").await;
    app.write("DELETE FROM migrations WHERE version = '0501'").await;
    wait();
    ask("/readyz", 503, "not ready\n").await;
    app.app.db.close().await;
    wait();
    ask("/readyz", 503, "not ready\n").await;
    ask("/healthz", 200, "ok\n").await;
}

#[tokio::test]
async fn a_store_that_cannot_be_written_is_not_ready_until_it_can() {
    let app = TestApp::new(Database::Sqlite).await;
    let media = app.directory.path().join("media");
    for folder in ["staging", "private", "public"] {
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!(app.get("/readyz").await.status, 200, "{folder}");
        // Nothing can be written into what is no folder, whoever tries.
        std::fs::rename(media.join(folder), media.join("away")).unwrap();
        std::fs::write(media.join(folder), "").unwrap();
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!((app.get("/readyz").await.status, app.get("/healthz").await.status), (503, 200), "{folder}");
        std::fs::remove_file(media.join(folder)).unwrap();
        std::fs::rename(media.join("away"), media.join(folder)).unwrap();
        app.clock.set(app.clock.now() + SignedDuration::from_secs(1));
        assert_eq!(app.get("/readyz").await.status, 200, "{folder} is back");
        assert_eq!(std::fs::read_dir(media.join("staging")).unwrap().count(), 0, "a look leaves nothing");
    }
}

#[tokio::test]
async fn without_room_for_files_it_is_not_ready() {
    let app = TestApp::with(Database::Sqlite, |settings| settings.uploads.keep_free_mib = u64::MAX >> 20).await;
    assert_eq!((app.get("/readyz").await.status, app.get("/healthz").await.status), (503, 200));
}
