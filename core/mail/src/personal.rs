//! What the outbox holds about one person.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sqlx::AnyConnection;

use super::correct::Whole;
use festival_base::db::Write;
use festival_base::error::Result;

/// How many mails are read at a time.
const PAGE: i64 = 500;

impl Whole {
    /// Whether it goes to `address` or is answered there.
    pub fn is_with(&self, address: &str) -> bool {
        let reply_to = self.reply_to_address.as_deref().unwrap_or_default();
        [self.to_address.as_str(), reply_to].iter().any(|other| other.trim().to_lowercase() == address)
    }
}

/// The mails of which `wanted` says so, the oldest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn matching(connection: &mut AnyConnection, wanted: impl Fn(&Whole) -> bool) -> Result<Vec<Whole>> {
    let (mut found, mut after) = (Vec::new(), 0);
    loop {
        let page: Vec<Whole> = sqlx::query_as(
            "SELECT id, kind, to_name, to_address, reply_to_address, subject, body_text, created_at, not_before, \
             attempts, last_error, is_held, sent_at FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after)
        .bind(PAGE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = last.id;
        found.extend(page.into_iter().filter(|mail| wanted(mail)));
    }
}

/// Takes mails out of the outbox, sent or not.
///
/// # Errors
/// If the database cannot be written.
pub async fn delete(write: &mut Write, ids: &[i64]) -> Result<()> {
    for id in ids {
        sqlx::query("DELETE FROM outbox WHERE id = $1").bind(*id).execute(&mut **write).await?;
    }
    Ok(())
}

/// The files in `folder`, that of sites without a mail server, which are mails with these ids or name `address`.
///
/// # Errors
/// If the folder cannot be read.
pub fn files(folder: &Path, ids: &[i64], address: &str) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_ours = ids.iter().any(|id| name.ends_with(&format!("-{id}.eml")));
        if is_ours || (name.ends_with(".eml") && holds(&path, address)?) {
            found.push(path);
        }
    }
    Ok(found)
}

fn holds(path: &Path, address: &str) -> Result<bool> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).to_lowercase().contains(address))
}
