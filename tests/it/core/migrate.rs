//! Migrations: applied once, checked against edits and newer schemas, rolled back on failure, safe to run concurrently.

use std::collections::BTreeMap;

use festival_core::clock::Clock;
use festival_core::db::{self, Db, Migration};
use sqlx::{AssertSqlSafe, Row as _};

use crate::support::{Database, TestApp, program_command, repository};

on_both!(
    second_migration_run_does_nothing,
    edited_migration_is_rejected,
    migration_with_edited_comments_is_accepted,
    newer_schema_is_rejected,
    concurrent_migrations_run_once,
    failed_migration_is_rolled_back,
    database_is_copied_before_an_upgrade
);

async fn empty_database(database: Database) -> (tempfile::TempDir, crate::support::TestDatabase, Db) {
    let directory = tempfile::tempdir().unwrap();
    let copy = database.empty().await;
    let db = Db::open(&copy.url(directory.path()), 4, std::time::Duration::from_secs(5)).await.unwrap();
    (directory, copy, db)
}

const FIRST: Migration = Migration {
    module: "lamps",
    version: "9001",
    name: "lamps",
    sqlite: "CREATE TABLE lamps (id INTEGER PRIMARY KEY);",
    postgres: "CREATE TABLE lamps (id BIGINT PRIMARY KEY);",
    works_with: None,
    earlier_checksums: &[],
};

async fn second_migration_run_does_nothing(database: Database) {
    let app = TestApp::new(database).await;
    let migrations = app.app.registry.all_migrations();
    assert!(db::migrate(&app.app.db, &migrations, &app.clock).await.unwrap().is_empty());
    assert!(db::pending(&app.app.db, &migrations).await.unwrap().is_empty());
    assert_eq!(app.number("SELECT count(*) FROM migrations").await, migrations.len() as i64);
}

async fn edited_migration_is_rejected(database: Database) {
    let (_directory, _copy, db) = empty_database(database).await;
    db::migrate(&db, &[FIRST], &Clock::default()).await.unwrap();
    let edited =
        Migration { sqlite: "CREATE TABLE lamps (a TEXT);", postgres: "CREATE TABLE lamps (a TEXT);", ..FIRST };
    for result in [
        db::migrate(&db, &[edited], &Clock::default()).await.map(|_| ()),
        db::pending(&db, &[edited]).await.map(|_| ()),
    ] {
        let message = result.expect_err("an edited migration").for_terminal();
        assert_eq!(
            message,
            "migration lamps/9001_lamps differs from the one that ran here. If it was released, restore its text and put \
             the change into a new migration; before the first release, fill a new data_dir or database."
        );
    }
    db.close().await;
}

async fn migration_with_edited_comments_is_accepted(database: Database) {
    let (_directory, _copy, db) = empty_database(database).await;
    db::migrate(&db, &[FIRST], &Clock::default()).await.unwrap();
    let sqlite = "-- Lamps.\nCREATE TABLE lamps (id INTEGER PRIMARY KEY);";
    let postgres = "-- Lamps.\nCREATE TABLE lamps (id BIGINT PRIMARY KEY);";
    let commented = Migration { sqlite, postgres, ..FIRST };
    assert!(db::pending(&db, &[commented]).await.unwrap().is_empty());
    // Earlier programs stored a checksum of the whole text.
    let mut write = db.write_private().await.unwrap();
    sqlx::query("UPDATE migrations SET checksum = 'of-another-text'").execute(&mut *write).await.unwrap();
    write.commit().await.unwrap();
    db::pending(&db, &[commented]).await.expect_err("an unknown checksum");
    assert!(db::pending(&db, &[commented.earlier_checksums(&["of-another-text"])]).await.unwrap().is_empty());
    db.close().await;
}

async fn newer_schema_is_rejected(database: Database) {
    let (_directory, _copy, db) = empty_database(database).await;
    db::migrate(&db, &[FIRST], &Clock::default()).await.unwrap();
    let message = db::migrate(&db, &[], &Clock::default()).await.expect_err("a newer schema").for_terminal();
    assert!(message.contains("9001_lamps") && message.contains("newer program"), "{message}");
    db.close().await;
}

async fn database_is_copied_before_an_upgrade(database: Database) {
    let (directory, copy, db) = empty_database(database).await;
    let copies = || {
        let names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| name.contains("before"));
        names
    };
    let step = |version, sqlite, postgres| Migration { version, sqlite, postgres, ..FIRST };
    let broken = step("9002", "INSERT INTO oops VALUES (1);", "INSERT INTO oops VALUES (1);");
    let second = step("9002", "DELETE FROM lamps;", "DELETE FROM lamps;");
    let third = step("9003", "DROP TABLE lamps;", "DROP TABLE lamps;");
    let clock = Clock::default();
    db::migrate(&db, &[FIRST], &clock).await.unwrap();
    assert!(copies().is_empty(), "an empty database is not copied");
    let insert_lamp = async |id: i64| {
        let mut write = db.write_private().await.unwrap();
        sqlx::query("INSERT INTO lamps (id) VALUES ($1)").bind(id).execute(&mut *write).await.unwrap();
        write.commit().await.unwrap();
    };
    insert_lamp(1).await;
    db::migrate(&db, &[FIRST, broken], &clock).await.expect_err("a broken migration");
    // The old program kept running: the copy must include what was written meanwhile.
    insert_lamp(2).await;
    db::migrate(&db, &[FIRST, second], &clock).await.unwrap();
    if database == Database::Sqlite {
        assert_eq!(copies(), ["festival.db.before-9002"]);
        let url = copy.url(directory.path()) + ".before-9002";
        let before = Db::open(&url, 1, std::time::Duration::from_secs(5)).await.unwrap();
        let lamps: i64 = sqlx::query_scalar("SELECT count(*) FROM lamps")
            .fetch_one(&mut *before.read().await.unwrap())
            .await
            .unwrap();
        assert_eq!(lamps, 2);
        before.close().await;
    }
    db::migrate(&db, &[FIRST, second, third], &clock).await.unwrap();
    let expected: &[&str] = if database == Database::Sqlite { &["festival.db.before-9003"] } else { &[] };
    assert_eq!(copies(), expected, "only the latest copy is kept; Postgres has its own tools");
    db.purge().await.unwrap();
    assert!(copies().is_empty(), "purging deletes the copies");
    db.close().await;
}

async fn failed_migration_is_rolled_back(database: Database) {
    let (_directory, _copy, db) = empty_database(database).await;
    let broken = Migration {
        sqlite: "CREATE TABLE lamps (id INTEGER); CREATE TABLE oops (;",
        postgres: "CREATE TABLE lamps (id BIGINT); CREATE TABLE oops (;",
        ..FIRST
    };
    let message = db::migrate(&db, &[broken], &Clock::default()).await.expect_err("a broken migration").for_terminal();
    assert!(message.starts_with("migration lamps/9001_lamps:"), "{message}");
    assert_eq!(db::migrate(&db, &[FIRST], &Clock::default()).await.unwrap().len(), 1);
    db.close().await;
}

async fn concurrent_migrations_run_once(database: Database) {
    for round in 0..6 {
        let directory = tempfile::tempdir().unwrap();
        let copy = database.empty().await;
        let databases = format!("{{festival={{url=\"{}\"}}}}", copy.url(directory.path()));
        let environment = [("FESTIVAL_DATA_DIR", directory.path().to_str().unwrap()), ("ROCKET_DATABASES", &databases)];
        let children: Vec<_> = (0..4)
            .map(|_| {
                let mut command = program_command(directory.path(), &["migrate"], &environment);
                command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let mut applied = BTreeMap::new();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "round {round}: {}", String::from_utf8_lossy(&output.stderr));
            for line in String::from_utf8(output.stdout).unwrap().lines() {
                *applied.entry(line.to_owned()).or_insert(0) += 1;
            }
        }
        assert!(applied.len() >= 5 && applied.values().all(|times| *times == 1), "round {round}: {applied:?}");
    }
}

/// Names of tables and columns.
async fn schema(app: &TestApp, database: Database) -> BTreeMap<String, Vec<String>> {
    let sql = match database {
        Database::Sqlite => {
            "SELECT m.name AS t, c.name AS c FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        }
        Database::Postgres => {
            "SELECT table_name::text AS t, column_name::text AS c FROM information_schema.columns \
             WHERE table_schema = current_schema()"
        }
    };
    let mut connection = app.app.db.read().await.unwrap();
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut *connection).await.unwrap() {
        tables.entry(row.try_get("t").unwrap()).or_default().push(row.try_get("c").unwrap());
    }
    tables.values_mut().for_each(|columns| columns.sort());
    tables
}

#[test]
fn both_databases_have_the_same_tables_and_columns() {
    crate::support::run(async {
        let sqlite = TestApp::new(Database::Sqlite).await;
        let postgres = TestApp::new(Database::Postgres).await;
        let tables = schema(&sqlite, Database::Sqlite).await;
        assert_eq!(tables, schema(&postgres, Database::Postgres).await);
        for entity in sqlite.app.registry.contributions().iter().flat_map(|c| &c.entities) {
            let columns = tables.get(entity.table).expect(entity.table);
            for field in entity.fields {
                assert!(columns.contains(&field.column()), "{}.{}", entity.table, field.column());
            }
        }
    });
}

#[tokio::test]
async fn every_registered_migration_has_a_file_for_both_databases() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut named: Vec<String> = app
        .app
        .registry
        .all_migrations()
        .iter()
        .map(|m| format!("{}/{}_{}.sql", m.module, m.version, m.name))
        .collect();
    named.sort();
    for database in ["sqlite", "postgres"] {
        let mut files = Vec::new();
        let root = repository("migrations").join(database);
        for folder in std::fs::read_dir(&root).unwrap() {
            for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                files.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
            }
        }
        files.sort();
        assert_eq!(files, named, "{database}");
    }
}
