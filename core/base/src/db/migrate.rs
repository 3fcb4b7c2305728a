//! Migrations: plain SQL files, once each, in the order of their versions over all modules.

use sha2::{Digest, Sha256};
use sqlx::Row as _;

use super::{Backend, Db, copies, timestamp_text};
use crate::clock::Clock;
use crate::error::{Error, Result};

/// One step of the schema, the same for both databases in their own words. Made by [`crate::migration!`].
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The module's folder.
    pub module: &'static str,
    /// The order over all modules, as digits ("0201").
    pub version: &'static str,
    /// What it does, in snake_case.
    pub name: &'static str,
    /// The statements for SQLite.
    pub sqlite: &'static str,
    /// The statements for Postgres.
    pub postgres: &'static str,
}

impl Migration {
    fn sql(&self, backend: Backend) -> &'static str {
        match backend {
            Backend::Sqlite => self.sqlite,
            Backend::Postgres => self.postgres,
        }
    }

    fn checksum(&self, backend: Backend) -> String {
        hex(&Sha256::digest(self.sql(backend).as_bytes())[..16])
    }
}

/// What [`migrate`] did.
#[derive(Debug)]
pub struct Applied {
    /// `films/0201_films`.
    pub name: String,
}

/// The migrations that the database does not have yet, in order.
///
/// Refuses a database that a newer program has changed, and a migration that was edited after it ran.
pub async fn pending(db: &Db, migrations: &[Migration]) -> Result<Vec<Migration>> {
    let mut connection = db.read().await?;
    let exists = match db.backend() {
        Backend::Sqlite => "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
        Backend::Postgres => {
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'migrations'"
        }
    };
    let known: i64 = sqlx::query_scalar(exists).fetch_one(&mut *connection).await?;
    let mut sorted = migrations.to_vec();
    sorted.sort_by_key(|m| m.version);
    if known == 0 {
        return Ok(sorted);
    }
    let rows = sqlx::query("SELECT version, name, checksum FROM migrations").fetch_all(&mut *connection).await?;
    let mut applied = std::collections::BTreeMap::new();
    for row in rows {
        let version: String = row.try_get("version")?;
        let name: String = row.try_get("name")?;
        let checksum: String = row.try_get("checksum")?;
        if !sorted.iter().any(|m| m.version == version) {
            return Err(Error::internal(format!(
                "the database knows migration {version}_{name}, this program does not: it was changed by a newer \
                 program, or by one from before the first release. Start that one, or restore the backup from before \
                 the upgrade, or choose an empty data_dir."
            )));
        }
        applied.insert(version, checksum);
    }
    let mut open = Vec::new();
    for migration in sorted {
        match applied.get(migration.version) {
            None => open.push(migration),
            Some(checksum) if *checksum == migration.checksum(db.backend()) => {}
            Some(_) => {
                return Err(Error::internal(format!(
                    "migration {}/{}_{} was edited after it ran here. Put the old text back and add a new migration.",
                    migration.module, migration.version, migration.name
                )));
            }
        }
    }
    Ok(open)
}

/// Brings the schema up to date: every pending migration in a transaction of its own, together with its record. A SQLite
/// database that is upgraded is copied first: `festival.db.before-0201` is what it was before that migration.
///
/// # Errors
/// As [`pending`], and if a migration fails, or the disk has no room for the copy.
pub async fn migrate(db: &Db, migrations: &[Migration], clock: &Clock) -> Result<Vec<Applied>> {
    let mut done = Vec::new();
    create_ledger(db).await?;
    if pending(db, migrations).await?.is_empty() {
        return Ok(done);
    }
    let _turn = copies::turn(db).await?;
    let open = pending(db, migrations).await?;
    if let Some(first) = open.first().filter(|_| open.len() < migrations.len()) {
        copies::make(db, first.version).await?;
    }
    for migration in open {
        let label = format!("{}/{}_{}", migration.module, migration.version, migration.name);
        let mut write = db.write_private().await?;
        lock_ledger(db, &mut write).await?;
        let here: i64 = sqlx::query_scalar("SELECT count(*) FROM migrations WHERE version = $1")
            .bind(migration.version)
            .fetch_one(&mut *write)
            .await?;
        if here > 0 {
            continue; // Another process was quicker.
        }
        sqlx::raw_sql(migration.sql(db.backend()))
            .execute(&mut *write)
            .await
            .map_err(|e| Error::internal(format!("migration {label}: {e}")))?;
        sqlx::query("INSERT INTO migrations (version, module, name, checksum, applied_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(migration.version)
            .bind(migration.module)
            .bind(migration.name)
            .bind(migration.checksum(db.backend()))
            .bind(timestamp_text(clock.now()))
            .execute(&mut *write)
            .await?;
        write.commit().await?;
        done.push(Applied { name: label });
    }
    Ok(done)
}

/// Two processes that start at once on Postgres take turns; on SQLite the write lock already does it.
/// An advisory lock, because the first thing to be guarded is the creation of the first table: there `IF NOT EXISTS`
/// looks and creates in two steps, and the slower of two processes fails.
async fn lock_ledger(db: &Db, connection: &mut sqlx::AnyConnection) -> Result<()> {
    if db.backend() == Backend::Postgres {
        let wait = "DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('festival migrations')); END $$";
        sqlx::raw_sql(wait).execute(connection).await?;
    }
    Ok(())
}

async fn create_ledger(db: &Db) -> Result<()> {
    let mut write = db.write_private().await?;
    lock_ledger(db, &mut write).await?;
    sqlx::query(
        "CREATE TABLE IF NOT EXISTS migrations (version TEXT PRIMARY KEY, module TEXT NOT NULL, name TEXT NOT NULL, \
         checksum TEXT NOT NULL, applied_at TEXT NOT NULL)",
    )
    .execute(&mut *write)
    .await?;
    write.commit().await
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
