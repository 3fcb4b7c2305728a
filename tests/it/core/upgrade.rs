//! A newer program changes the database while the earlier one is running.

use std::time::Duration;

use festival::modules;
use festival_core::clock::Clock;
use festival_core::db::{self, Backend, Db, Migration};
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{Database, TestApp, run};

on_both!(
    earlier_program_keeps_working_after_an_expanding_migration,
    program_that_is_too_old_says_which_version_it_needs
);

/// The migration of a next version: columns that the earlier one does not know.
const EXPAND: Migration = Migration {
    module: "films",
    version: "0299",
    name: "premiere",
    sqlite: "ALTER TABLE films ADD COLUMN premiere TEXT; \
             ALTER TABLE contact_messages ADD COLUMN origin TEXT NOT NULL DEFAULT 'site';",
    postgres: "ALTER TABLE films ADD COLUMN premiere TEXT; \
               ALTER TABLE contact_messages ADD COLUMN origin TEXT NOT NULL DEFAULT 'site';",
    works_with: Some((0, 1, 0)),
    earlier_checksums: &[],
};

/// Upgrades the site's database as a newer program does at startup.
async fn upgrade(app: &TestApp, migration: Migration) -> festival_core::Result<Vec<String>> {
    let url = app.database.url(app.directory.path());
    let db = Db::open(&url, 2, Duration::from_secs(5)).await.unwrap();
    let migrations: Vec<_> = app.app.registry.all_migrations().into_iter().chain([migration]).collect();
    let applied = db::migrate(&db, &migrations, &Clock::default()).await;
    db.close().await;
    applied
}

/// Reads uncached pages, and sends a form.
async fn work(app: &TestApp, category: i64) {
    let film = app.id("films", &format!("is_published = 1 AND category_id = {category}")).await;
    for address in ["films/".to_owned(), "films/parts/1/".to_owned(), format!("films/{film}/")] {
        app.write("UPDATE data_version SET version = version + 1").await;
        let response = app.get(&format!("/api/categories/{category}/{address}")).await;
        assert_eq!(response.status, 200, "{address}: {}", response.text());
    }
    let sent = app.number("SELECT count(*) FROM contact_messages").await;
    let message =
        json!({ "name": "Asha", "email": "asha@example.org", "contact": "1", "message": format!("Number {sent}") });
    let response = app.post("/api/contact/", &[("Content-Type", "application/json")], message.to_string()).await;
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(app.get("/readyz").await.status, 200);
}

async fn earlier_program_keeps_working_after_an_expanding_migration(database: Database) {
    let app = TestApp::new(database).await;
    let film = app.id("films", "is_published = 1 AND edition_id = (SELECT id FROM editions WHERE year = 2025)").await;
    let category = app.number(&format!("SELECT category_id FROM films WHERE id = {film}")).await;
    work(&app, category).await;
    assert_eq!(upgrade(&app, EXPAND).await.unwrap().len(), 1);
    app.clock.set(app.clock.now() + SignedDuration::from_secs(60)); // The cached result of /readyz has expired.
    work(&app, category).await;
    let migrations = app.app.registry.all_migrations();
    assert_eq!(db::newer(&app.app.db, &migrations).await.unwrap(), ["films/0299_premiere"]);
    assert_eq!(app.number("SELECT count(*) FROM contact_messages WHERE origin = 'site'").await, 2);
    // Rollback: the earlier program starts on the database of the newer one.
    let (directory, copy) = app.stop().await;
    let app = TestApp::on_database(directory, copy, &modules(), |_| {}).await;
    work(&app, category).await;
}

async fn program_that_is_too_old_says_which_version_it_needs(database: Database) {
    let app = TestApp::new(database).await;
    upgrade(&app, EXPAND.works_with((99, 0, 0))).await.unwrap();
    let message = db::pending(&app.app.db, &app.app.registry.all_migrations()).await.unwrap_err().for_terminal();
    assert!(message.contains("0299_premiere") && message.contains("It needs version 99.0.0 or newer."), "{message}");
    assert_eq!(app.get("/readyz").await.status, 503);
}

/// On Postgres, queries on a table queue behind a migration that is waiting for the table.
#[test]
fn readers_do_not_wait_for_a_blocked_migration() {
    run(async {
        let app = TestApp::new(Database::Postgres).await;
        let mut connection = app.app.db.read().await.unwrap();
        let mut export = db::snapshot(&mut connection, Backend::Postgres).await.unwrap();
        let count = "SELECT count(*) FROM films";
        sqlx::query_scalar::<_, i64>(count).fetch_one(&mut *export).await.unwrap();
        let (upgraded, ()) = tokio::join!(upgrade(&app, EXPAND), async {
            let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'films'::regclass";
            while app.number(waiting).await == 0 {
                tokio::task::yield_now().await;
            }
            app.number(count).await; // Returns although the export goes on.
            export.rollback().await.unwrap();
        });
        assert_eq!(upgraded.unwrap().len(), 1);
    });
}
