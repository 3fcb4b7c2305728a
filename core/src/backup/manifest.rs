//! The manifest of a backup, and the check of a backup against it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, AssertSqlSafe};

use crate::db::Backend;
use crate::durable::{self, Existing};
use crate::error::{Error, Result};
use crate::media::CopiedFile;
use crate::transfer::{self, Digest};

/// File name of the manifest in the folder of a backup.
const MANIFEST: &str = "manifest.json";

/// The contents of a backup, stored as `manifest.json` in its folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program that made it.
    pub version: String,
    /// The id of the site.
    pub site_id: String,
    /// When the backup was started, RFC 3339.
    pub made_at: String,
    /// "sqlite" or "postgres".
    pub database: String,
    /// The versions of the migrations that the database had.
    pub migrations: Vec<String>,
    /// The number of rows of each table.
    pub rows: BTreeMap<String, i64>,
    /// All files of the backup except the manifest.
    pub files: Vec<CopiedFile>,
}

/// The newest backup in a folder of backups, whose names begin with the same word and their time.
fn newest_in(folder: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.filter(|path| path.join(MANIFEST).is_file()).max()
}

impl Manifest {
    /// Reads the manifest of the backup in `folder`.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if there is none or it cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let text = fs::read_to_string(folder.join(MANIFEST)).map_err(|error| {
            let hint =
                newest_in(folder).map(|backup| format!("; it holds backups, the newest is {}", backup.display()));
            Error::BadRequest(format!(
                "{} is not a backup: {MANIFEST} cannot be read: {error}{}",
                folder.display(),
                hint.unwrap_or_default()
            ))
        })?;
        let damaged =
            |cause: &str| Error::BadRequest(format!("{MANIFEST} of {} is damaged: {cause}", folder.display()));
        let manifest: Self = serde_json::from_str(&text).map_err(|error| damaged(&error.to_string()))?;
        let is_below =
            |file: &CopiedFile| Path::new(&file.path).components().all(|part| matches!(part, Component::Normal(_)));
        match manifest.files.iter().find(|file| !is_below(file)) {
            Some(file) => Err(damaged(&format!("{} leads out of it", file.path))),
            None => Ok(manifest),
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        Ok(durable::write(&folder.join(MANIFEST), &serde_json::to_vec_pretty(self)?, Existing::Replace)?)
    }

    /// Compares the files in `folder` with the manifest, and returns a message for each that is missing or differs.
    ///
    /// # Errors
    /// If an existing file cannot be read.
    pub fn check(&self, folder: &Path) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for file in &self.files {
            match hash(&folder.join(&file.path)) {
                Ok(actual) if actual == file.digest => {}
                Ok(_) => problems.push(format!("{} is not what was copied", file.path)),
                Err(error) if error.kind() == ErrorKind::NotFound => problems.push(format!("{} is missing", file.path)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(problems)
    }
}

/// Returns length and hash of a file.
pub(super) fn hash(path: &Path) -> io::Result<Digest> {
    transfer::digest(&mut File::open(path)?, |_| Ok(()))
}

/// The number of rows of each table. `schema` is that of SQLite: `main` or an attached database.
pub(super) async fn count_rows(
    connection: &mut AnyConnection,
    backend: Backend,
    schema: &'static str,
) -> Result<BTreeMap<String, i64>> {
    let names = match backend {
        Backend::Sqlite => {
            format!("SELECT name FROM {schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        }
        Backend::Postgres => "SELECT CAST(table_name AS TEXT) FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
            .to_owned(),
    };
    let names: Vec<String> = sqlx::query_scalar(AssertSqlSafe(names)).fetch_all(&mut *connection).await?;
    let mut rows = BTreeMap::new();
    for name in names {
        let table = match backend {
            Backend::Sqlite => format!("{schema}.\"{name}\""),
            Backend::Postgres => format!("\"{name}\""),
        };
        let sql = format!("SELECT count(*) FROM {table}");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *connection).await?;
        rows.insert(name, count);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_paths_outside_the_backup_are_rejected() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let read = |path: &str| {
            let file = CopiedFile { path: path.to_owned(), digest: Digest { bytes: 1, sha256: String::new() } };
            let manifest = Manifest {
                version: String::new(),
                site_id: String::new(),
                made_at: String::new(),
                database: "sqlite".into(),
                migrations: Vec::new(),
                rows: BTreeMap::new(),
                files: vec![file],
            };
            manifest.write(folder.path()).and_then(|()| Manifest::read(folder.path()))
        };
        assert!(read("media/private/film/a.png").is_ok());
        for path in ["media/../../out", "/etc/passwd", "../out"] {
            assert!(read(path).is_err_and(|error| error.to_string().contains("leads out")), "{path}");
        }
    }
}
