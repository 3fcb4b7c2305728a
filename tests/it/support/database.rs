//! A database for each test: a copy of one that is migrated and seeded once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use festival::modules;
use festival_cli::{Setup, server};
use festival_core::clock::Clock;
use festival_core::db;
use festival_core::seed::{self, Seed};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::app::{NOW, fixture_settings};
use super::fixture;

/// The database backend that a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// A database of one test; dropped with it.
#[derive(Default)]
pub(crate) struct TestDatabase {
    /// The name of the Postgres database; `None` for the SQLite file in the data directory.
    postgres: Option<String>,
}

/// The data directory of the fixtures with the SQLite database, and the Postgres database, both seeded.
static SQLITE: OnceCell<Arc<TempDir>> = OnceCell::const_new();
static POSTGRES: OnceCell<(Arc<TempDir>, String)> = OnceCell::const_new();

impl Database {
    /// Copies the seeded database, and its data directory to `directory`.
    pub(crate) async fn copy(self, directory: &Path) -> TestDatabase {
        match self {
            Self::Sqlite => {
                let template = SQLITE
                    .get_or_init(|| async {
                        let folder = tempfile::tempdir().unwrap();
                        seed_fixtures(folder.path(), &TestDatabase::default()).await;
                        Arc::new(folder)
                    })
                    .await;
                copy_folder(template.path(), directory);
                TestDatabase::default()
            }
            Self::Postgres => {
                let (template, name) = POSTGRES
                    .get_or_init(|| async {
                        let folder = tempfile::tempdir().unwrap();
                        let copy = self.empty().await;
                        seed_fixtures(folder.path(), &copy).await;
                        // The template lives as long as the test process; the next run drops it.
                        let name = copy.postgres.clone().unwrap();
                        std::mem::forget(copy);
                        (Arc::new(folder), name)
                    })
                    .await;
                copy_folder(template.path(), directory);
                TestDatabase { postgres: Some(create(Some(name)).await) }
            }
        }
    }

    /// Creates a database without tables.
    pub(crate) async fn empty(self) -> TestDatabase {
        match self {
            Self::Sqlite => TestDatabase::default(),
            Self::Postgres => TestDatabase { postgres: Some(create(None).await) },
        }
    }
}

impl TestDatabase {
    /// The database URL of a site whose data directory is `directory`.
    pub(crate) fn url(&self, directory: &Path) -> String {
        match &self.postgres {
            Some(name) => postgres_url(name),
            None => format!("sqlite://{}", directory.join("festival.db").display()),
        }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Some(name) = self.postgres.take() else { return };
        // In its own runtime, as the test's is about to end.
        let _ = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
            });
        })
        .join();
    }
}

/// Migrates and seeds with all modules enabled; 2025 becomes the current edition.
async fn seed_fixtures(directory: &Path, copy: &TestDatabase) {
    let mut settings = fixture_settings();
    settings.data_dir = directory.to_owned();
    let figment = server::figment(&settings).merge(("databases.festival.url", copy.url(directory)));
    let mut setup = Setup::new(settings, figment, &modules());
    setup.clock = Clock::fixed(NOW.parse().unwrap());
    let app = setup.open().await.unwrap();
    db::migrate(&app.db, &app.registry.all_migrations(), &app.clock).await.unwrap();
    for name in ["2025.toml", "2024.toml"] {
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let read = Box::new(|name: &str| std::fs::read(fixture(name)).ok());
        seed::seed(&app.records, &app.in_force, &Seed { text, read }, false)
            .await
            .unwrap_or_else(|e| panic!("{name}: {}", e.for_terminal()));
    }
    app.db.close().await;
}

fn server_url() -> String {
    std::env::var("FESTIVAL_TEST_POSTGRES").expect(
        "this test needs a Postgres server: run \"make test\", which starts one, or set FESTIVAL_TEST_POSTGRES to the \
         address of one that may be filled and emptied",
    )
}

fn postgres_url(database: &str) -> String {
    let url = server_url();
    let (server, _) = url.rsplit_once('/').expect("the address names a database");
    format!("{server}/{database}")
}

/// Creates a database, empty or as a copy of `template`, and returns its name.
async fn create(template: Option<&str>) -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    static SWEPT: OnceCell<()> = OnceCell::const_new();
    SWEPT.get_or_init(sweep).await;
    let name = format!("festival_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    execute(&format!("CREATE DATABASE {name} TEMPLATE {}", template.unwrap_or("template0"))).await;
    name
}

/// Drops databases of test processes that have ended.
async fn sweep() {
    let mut connection = PgConnection::connect(&server_url()).await.expect("FESTIVAL_TEST_POSTGRES answers");
    let names: Vec<String> =
        sqlx::query_scalar("SELECT datname::text FROM pg_database WHERE datname LIKE 'festival\\_test\\_%'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    for name in names {
        let process = name.split('_').nth(2).unwrap_or_default();
        if Path::new("/proc").exists() && !Path::new("/proc").join(process).exists() {
            execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        }
    }
}

async fn execute(sql: &str) {
    let mut connection = PgConnection::connect(&server_url()).await.expect("FESTIVAL_TEST_POSTGRES answers");
    connection.execute(AssertSqlSafe(sql.to_owned())).await.expect(sql);
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target: PathBuf = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
