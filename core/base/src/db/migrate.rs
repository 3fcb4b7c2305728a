//! Migrations: plain SQL files, each applied once, in the order of their versions across all modules.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use sqlx::Row as _;

use super::{Backend, Db, copies, timestamp_text};
use crate::clock::Clock;
use crate::error::{Error, Result};

/// A schema migration, in the SQL of both databases. Created by [`crate::migration!`].
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The module's name, which is also its folder in `migrations/`.
    pub module: &'static str,
    /// The version as digits ("0201"), unique across all modules.
    pub version: &'static str,
    /// A short description in snake_case.
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
        HEXLOWER.encode(&Sha256::digest(self.sql(backend).as_bytes())[..16])
    }
}

/// A migration that [`migrate`] applied.
#[derive(Debug)]
pub struct Applied {
    /// Module, version and name: `films/0201_films`.
    pub name: String,
}

/// Returns the migrations that are not applied yet, in order.
///
/// # Errors
/// If the database has migrations that this program does not know, or an applied migration was edited since.
pub async fn pending(db: &Db, migrations: &[Migration]) -> Result<Vec<Migration>> {
    let mut connection = db.read().await?;
    let exists = match db.backend() {
        Backend::Sqlite => "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
        Backend::Postgres => {
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'migrations'"
        }
    };
    let table_count: i64 = sqlx::query_scalar(exists).fetch_one(&mut *connection).await?;
    let mut sorted = migrations.to_vec();
    sorted.sort_by_key(|m| m.version);
    if table_count == 0 {
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
    let mut pending = Vec::new();
    for migration in sorted {
        match applied.get(migration.version) {
            None => pending.push(migration),
            Some(checksum) if *checksum == migration.checksum(db.backend()) => {}
            Some(_) => {
                return Err(Error::internal(format!(
                    "migration {}/{}_{} differs from the one that ran here. If it was released, restore its text and \
                     put the change into a new migration; before the first release, fill a new data_dir or database.",
                    migration.module, migration.version, migration.name
                )));
            }
        }
    }
    Ok(pending)
}

/// Applies all pending migrations, each in its own transaction together with its record. An existing SQLite database is
/// copied first, to `festival.db.before-0201` for the first pending migration.
///
/// # Errors
/// Those of [`pending`]; if a migration fails, or the copy cannot be written.
pub async fn migrate(db: &Db, migrations: &[Migration], clock: &Clock) -> Result<Vec<Applied>> {
    let mut applied = Vec::new();
    create_migrations_table(db).await?;
    if pending(db, migrations).await?.is_empty() {
        return Ok(applied);
    }
    let _lock = copies::lock_schema(db).await?;
    let pending = pending(db, migrations).await?;
    if let Some(first) = pending.first().filter(|_| pending.len() < migrations.len()) {
        copies::create(db, first.version).await?;
    }
    for migration in pending {
        let label = format!("{}/{}_{}", migration.module, migration.version, migration.name);
        let mut write = db.write_private().await?;
        lock_migrations_table(db, &mut write).await?;
        let count: i64 = sqlx::query_scalar("SELECT count(*) FROM migrations WHERE version = $1")
            .bind(migration.version)
            .fetch_one(&mut *write)
            .await?;
        if count > 0 {
            continue; // Another process applied it in the meantime.
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
        applied.push(Applied { name: label });
    }
    Ok(applied)
}

/// Serialises processes that start at the same time on Postgres; on SQLite the write lock does that.
/// An advisory lock, because it also has to guard the creation of the first table: `CREATE TABLE IF NOT EXISTS` checks
/// and creates in two steps, and the slower of two processes would fail.
async fn lock_migrations_table(db: &Db, connection: &mut sqlx::AnyConnection) -> Result<()> {
    if db.backend() == Backend::Postgres {
        let lock = "DO $$ BEGIN PERFORM pg_advisory_xact_lock(hashtext('festival migrations')); END $$";
        sqlx::raw_sql(lock).execute(connection).await?;
    }
    Ok(())
}

async fn create_migrations_table(db: &Db) -> Result<()> {
    let mut write = db.write_private().await?;
    lock_migrations_table(db, &mut write).await?;
    sqlx::query(
        "CREATE TABLE IF NOT EXISTS migrations (version TEXT PRIMARY KEY, module TEXT NOT NULL, name TEXT NOT NULL, \
         checksum TEXT NOT NULL, applied_at TEXT NOT NULL)",
    )
    .execute(&mut *write)
    .await?;
    write.commit().await
}
