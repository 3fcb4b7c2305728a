//! Migrations: plain SQL files, each applied once, in the order of their versions across all modules.

use std::time::Duration;

use sqlx::Row as _;

use super::{Backend, Db, checksum, copies, timestamp_text};
use crate::clock::Clock;
use crate::error::{Error, Result};

/// Declares a [`Migration`] from `migrations/{sqlite,postgres}/<module>/<version>_<name>.sql`.
///
/// The path is relative to a crate in `modules/`; other crates pass the path of the migrations folder first.
#[macro_export]
macro_rules! migration {
    ($module:literal, $version:literal, $name:literal) => {
        $crate::migration!("/../../migrations", $module, $version, $name)
    };
    ($root:literal, $module:literal, $version:literal, $name:literal) => {
        $crate::db::Migration {
            module: $module,
            version: $version,
            name: $name,
            sqlite: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                $root,
                "/sqlite/",
                $module,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
            postgres: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                $root,
                "/postgres/",
                $module,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
            works_with: None,
            earlier_checksums: &[],
        }
    };
}

/// A schema migration, in the SQL of both databases. Created by [`crate::migration!`].
#[must_use]
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
    /// The oldest version of the program that works with the schema afterwards. `None`: only programs that know it.
    pub works_with: Option<Version>,
    /// Checksums of earlier files with the same statements, of both databases.
    pub earlier_checksums: &'static [&'static str],
}

/// A version of the program: major, minor, patch.
pub type Version = (u64, u64, u64);

impl Migration {
    /// Declares that programs from this version on work with the schema afterwards, although they do not know the
    /// migration: it only adds what they can ignore, or removes what they no longer use.
    pub const fn works_with(mut self, version: Version) -> Self {
        self.works_with = Some(version);
        self
    }

    fn sql(&self, backend: Backend) -> &'static str {
        match backend {
            Backend::Sqlite => self.sqlite,
            Backend::Postgres => self.postgres,
        }
    }

    fn checksum(&self, backend: Backend) -> String {
        checksum::of_statements(self.sql(backend))
    }

    /// Accepts databases that were migrated by earlier files with the same statements, whose checksums included
    /// comments.
    pub const fn earlier_checksums(mut self, checksums: &'static [&'static str]) -> Self {
        self.earlier_checksums = checksums;
        self
    }

    /// Whether a database that stored `applied` has run these statements.
    fn is_applied_as(&self, applied: &str, backend: Backend) -> bool {
        applied == self.checksum(backend)
            || applied == checksum::of_text(self.sql(backend))
            || self.earlier_checksums.contains(&applied)
    }
}

/// This program's version.
fn own_version() -> Version {
    parse_version(env!("CARGO_PKG_VERSION")).unwrap_or_default()
}

fn parse_version(text: &str) -> Option<Version> {
    let mut numbers = text.split(['-', '+']).next()?.split('.').map(str::parse);
    match (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()) {
        (Ok(major), Ok(minor), Ok(patch), None) => Some((major, minor, patch)),
        _ => None,
    }
}

fn version_text((major, minor, patch): Version) -> String {
    format!("{major}.{minor}.{patch}")
}

/// Returns the migrations that are not applied yet, in order. A newer program may have applied others, if it declared
/// that this one works with them.
///
/// # Errors
/// If the database has other migrations that this program does not know, or an applied migration was edited since.
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
    let (mut applied, mut unknown) = (std::collections::BTreeMap::new(), Vec::new());
    for row in rows {
        let version: String = row.try_get("version")?;
        let name: String = row.try_get("name")?;
        let checksum: String = row.try_get("checksum")?;
        if sorted.iter().any(|m| m.version == version) {
            applied.insert(version, checksum);
        } else {
            unknown.push((version, name));
        }
    }
    for (version, name) in unknown {
        let query = sqlx::query_scalar("SELECT works_with FROM migrations WHERE version = $1").bind(version.clone());
        let oldest: Option<String> = match query.fetch_one(&mut *connection).await {
            Err(sqlx::Error::Database(_)) => None, // From before the first release, without this column.
            found => found?,
        };
        if oldest.as_deref().and_then(parse_version).is_none_or(|oldest| own_version() < oldest) {
            let needs = oldest.map_or_else(String::new, |oldest| format!(" It needs version {oldest} or newer."));
            return Err(Error::internal(format!(
                "the database knows migration {version}_{name}, this program does not: it was changed by a newer \
                 program, or by one from before the first release.{needs} Start that one, or restore the backup from \
                 before the upgrade, or choose an empty data_dir."
            )));
        }
    }
    let mut pending = Vec::new();
    for migration in sorted {
        match applied.get(migration.version) {
            None => pending.push(migration),
            Some(checksum) if migration.is_applied_as(checksum, db.backend()) => {}
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

/// Applies all pending migrations, each in its own transaction together with its record, and returns them as module,
/// version and name: `films/0201_films`. An existing SQLite database is
/// copied first, to `festival.db.before-0201` for the first pending migration.
///
/// # Errors
/// Those of [`pending`]; if a migration fails, or the copy cannot be written.
pub async fn migrate(db: &Db, migrations: &[Migration], clock: &Clock) -> Result<Vec<String>> {
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
        let mut attempts = 0;
        loop {
            match apply(db, &migration, clock).await? {
                Step::Applied => applied.push(label(&migration)),
                Step::Known => {} // Another process applied it in the meantime.
                Step::InUse if attempts == LOCK_ATTEMPTS => {
                    let label = label(&migration);
                    return Err(Error::Unavailable(format!(
                        "migration {label}: a table has been in use for minutes, by a backup or an export perhaps; \
                         try again when it is done"
                    )));
                }
                Step::InUse => {
                    tracing::info!(migration = label(&migration), "a table is in use; trying again");
                    attempts += 1;
                    tokio::time::sleep(LOCK_PAUSE).await;
                    continue;
                }
            }
            break;
        }
    }
    Ok(applied)
}

/// Returns the names of the migrations that a newer program applied.
///
/// # Errors
/// If the database cannot be read.
pub async fn newer(db: &Db, migrations: &[Migration]) -> Result<Vec<String>> {
    let rows: Vec<(String, String, String)> =
        sqlx::query_as("SELECT version, module, name FROM migrations ORDER BY version")
            .fetch_all(&mut *db.read().await?)
            .await?;
    let unknown = rows.into_iter().filter(|(version, ..)| !migrations.iter().any(|m| m.version == version));
    Ok(unknown.map(|(version, module, name)| format!("{module}/{version}_{name}")).collect())
}

/// The SQLSTATE of Postgres for `lock_timeout`.
const LOCK_NOT_AVAILABLE: &str = "55P03";
/// Further attempts to get a table that others use.
const LOCK_ATTEMPTS: u32 = 60;
/// Time between two attempts, for those who waited behind the last one.
const LOCK_PAUSE: Duration = Duration::from_secs(1);

fn label(migration: &Migration) -> String {
    format!("{}/{}_{}", migration.module, migration.version, migration.name)
}

/// The outcome of a migration.
enum Step {
    Applied,
    /// It was applied before.
    Known,
    /// A table that it changes is in use. Nothing was done.
    InUse,
}

/// Applies a migration together with its record.
async fn apply(db: &Db, migration: &Migration, clock: &Clock) -> Result<Step> {
    let mut write = db.write_private().await?;
    lock_migrations_table(db, &mut write).await?;
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM migrations WHERE version = $1")
        .bind(migration.version)
        .fetch_one(&mut *write)
        .await?;
    if count > 0 {
        return Ok(Step::Known);
    }
    if db.backend() == Backend::Postgres {
        // Everybody else who needs the table waits behind the migration, so it does not wait long.
        sqlx::raw_sql("SET LOCAL lock_timeout = '2s'").execute(&mut *write).await?;
    }
    match sqlx::raw_sql(migration.sql(db.backend())).execute(&mut *write).await {
        Ok(_) => {}
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LOCK_NOT_AVAILABLE) => {
            return Ok(Step::InUse);
        }
        Err(error) => return Err(Error::internal(format!("migration {}: {error}", label(migration)))),
    }
    sqlx::query(
        "INSERT INTO migrations (version, module, name, checksum, applied_at, works_with) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(migration.version)
    .bind(migration.module)
    .bind(migration.name)
    .bind(migration.checksum(db.backend()))
    .bind(timestamp_text(clock.now()))
    .bind(migration.works_with.map(version_text))
    .execute(&mut *write)
    .await?;
    write.commit().await?;
    Ok(Step::Applied)
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
         checksum TEXT NOT NULL, applied_at TEXT NOT NULL, works_with TEXT)",
    )
    .execute(&mut *write)
    .await?;
    write.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(parse_version("0.10.0") > parse_version("0.9.3"));
        assert_eq!(parse_version("1.2.3-rc.1+linux"), Some((1, 2, 3)));
        for text in ["", "1.2", "1.2.3.4", "next"] {
            assert_eq!(parse_version(text), None, "{text}");
        }
        assert_eq!(parse_version(&version_text(own_version())), Some(own_version()));
    }
}
