//! What a backup says of itself, and whether it is true.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::sync;
use crate::db::Backend;
use crate::error::{Error, Result};

/// The manifest's name in the folder of a backup.
const MANIFEST: &str = "manifest.json";

/// What a backup holds, `manifest.json` beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program that made it.
    pub version: String,
    /// The id of the site.
    pub site_id: String,
    /// When it was begun, RFC 3339.
    pub made_at: String,
    /// "sqlite" or "postgres".
    pub database: String,
    /// The versions of the migrations that the database has.
    pub migrations: Vec<String>,
    /// The rows of each table.
    pub rows: BTreeMap<String, i64>,
    /// Every file of the backup but this one.
    pub files: Vec<CopiedFile>,
}

/// A file of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFile {
    /// Its place below the backup's folder, with `/`.
    pub path: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// Reads the manifest of the backup in `folder`.
    ///
    /// # Errors
    /// [`Error::BadRequest`] where there is none, or one that cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let text = fs::read_to_string(folder.join(MANIFEST)).map_err(|error| {
            Error::BadRequest(format!("{} is no backup: {MANIFEST} cannot be read: {error}", folder.display()))
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
        let path = folder.join(MANIFEST);
        fs::write(&path, serde_json::to_string_pretty(self)?)?;
        Ok(sync(&path)?)
    }

    /// What is wrong with the files in `folder`: those that are missing or differ from what was copied. Empty: all of them
    /// are there as they were.
    ///
    /// # Errors
    /// If a file that is there cannot be read.
    pub fn check(&self, folder: &Path) -> Result<Vec<String>> {
        let mut wrong = Vec::new();
        for file in &self.files {
            match hash(&folder.join(&file.path)) {
                Ok(found) if found == (file.bytes, file.sha256.clone()) => {}
                Ok(_) => wrong.push(format!("{} is not what was copied", file.path)),
                Err(error) if error.kind() == ErrorKind::NotFound => wrong.push(format!("{} is missing", file.path)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(wrong)
    }
}

/// Copies a file, on to the disk, and answers how long it is and its hash as it was read.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<(u64, String)> {
    let (mut from, mut copy) = (File::open(from)?, File::create(to)?);
    let read = digest(&mut from, |part| copy.write_all(part))?;
    copy.sync_all()?;
    Ok(read)
}

/// The length in bytes of a file, and its SHA-256 in hexadecimal.
pub(super) fn hash(path: &Path) -> io::Result<(u64, String)> {
    digest(&mut File::open(path)?, |_| Ok(()))
}

fn digest(file: &mut File, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<(u64, String)> {
    let (mut hash, mut bytes, mut part) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let length = file.read(&mut part)?;
        if length == 0 {
            return Ok((bytes, data_encoding::HEXLOWER.encode(&hash.finalize())));
        }
        hash.update(&part[..length]);
        each(&part[..length])?;
        bytes += length as u64;
    }
}

/// How many rows each table has. `schema` is the one of SQLite that is counted.
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
        // The name is the database's own.
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
    fn a_path_that_leads_out_is_refused() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let read = |path: &str| {
            let file = CopiedFile { path: path.to_owned(), bytes: 1, sha256: String::new() };
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
