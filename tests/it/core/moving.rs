//! `festival migrate --from`: a site's rows move from SQLite to Postgres, with the real program.

use std::collections::BTreeMap;

use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp, TestDatabase, festival};

/// The number of rows of each table but that of the migrations.
async fn counts(site: &TestApp, tables: &[String]) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for table in tables {
        counts.insert(table.clone(), site.number(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

#[test]
fn rows_move_from_sqlite_to_postgres() {
    crate::support::run(async {
        let site = TestApp::with(Database::Sqlite, lift_limits).await;
        assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
        site.write("UPDATE films SET original_title = 'രാത്രി \"\\ 夜', year = NULL WHERE id = 1").await;
        let tables =
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'";
        let tables = site.texts(tables).await;
        let before = counts(&site, &tables).await;
        assert!(before["films"] > 3 && before["delegates"] == 1 && before["outbox"] > 0, "{before:?}");
        let (films, title) =
            (site.get("/api/categories/1/films/").await.json(), "SELECT original_title FROM films WHERE id = 1");
        let last = "SELECT max(id) FROM films";
        let (stored, last_film) = (site.texts(title).await, site.number(last).await);
        let (directory, sqlite) = site.stop().await;

        let postgres: TestDatabase = Database::Postgres.empty().await;
        let (data, file) = (directory.path().to_str().unwrap(), directory.path().join("festival.db"));
        let databases = format!("{{festival={{url=\"{}\"}}}}", postgres.url(directory.path()));
        let run = |arguments: &[&str]| {
            festival(directory.path(), arguments, &[("ROCKET_DATABASES", &databases), ("FESTIVAL_DATA_DIR", data)])
        };
        let missing = run(&["migrate", "--from", "no-such-file.db"]);
        assert!(
            missing.code == 1 && missing.err.contains("there is no file no-such-file.db"),
            "{}",
            missing.transcript()
        );
        let moved = run(&["migrate", "--from", file.to_str().unwrap()]);
        let total: i64 = before.values().sum();
        assert!(moved.code == 0 && moved.out.contains(&format!("Moved {total} rows of ")), "{}", moved.transcript());
        let again = run(&["migrate", "--from", file.to_str().unwrap()]);
        assert!(again.code == 1 && again.err.contains("move into an empty database"), "{}", again.transcript());

        drop(sqlite);
        let site = TestApp::on_database(directory, postgres, &::festival::modules(), lift_limits).await;
        let after = counts(&site, &tables).await;
        let differs: Vec<_> = tables.iter().filter(|table| before[*table] != after[*table]).collect();
        assert!(differs.is_empty(), "{differs:?}: {before:?} {after:?}");
        assert_eq!(site.texts(title).await, stored);
        assert_eq!(site.get("/api/categories/1/films/").await.json(), films);
        site.write(
            "INSERT INTO films (edition_id, category_id, name, position, is_published, created_at, updated_at) \
             SELECT edition_id, id, 'River', 1, 1, '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z' \
             FROM categories WHERE id = 1",
        )
        .await;
        assert_eq!(site.number(last).await, last_film + 1, "new rows get new ids");
    });
}
