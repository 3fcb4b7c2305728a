//! The mails about one person, for exports and erasures of personal data.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sqlx::AnyConnection;

use super::actions::StoredMail;
use festival_base::db::Write;
use festival_base::error::Result;

/// Rows read at a time.
const PAGE_SIZE: i64 = 500;

impl StoredMail {
    /// Whether `address`, in lower case, is the recipient's or the one for replies.
    pub fn involves(&self, address: &str) -> bool {
        let reply_to = self.reply_to_address.as_deref().unwrap_or_default();
        [self.to_address.as_str(), reply_to].iter().any(|other| other.trim().to_lowercase() == address)
    }
}

/// The mails that satisfy `predicate`, the oldest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn matching(
    connection: &mut AnyConnection,
    predicate: impl Fn(&StoredMail) -> bool,
) -> Result<Vec<StoredMail>> {
    let (mut matches, mut after) = (Vec::new(), 0);
    loop {
        let page: Vec<StoredMail> = sqlx::query_as(
            "SELECT id, kind, to_name, to_address, reply_to_address, subject, body_text, created_at, not_before, \
             attempts, last_error, is_held, sent_at FROM outbox WHERE id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after)
        .bind(PAGE_SIZE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = page.last() else { return Ok(matches) };
        after = last.id;
        matches.extend(page.into_iter().map(StoredMail::without_secrets).filter(|mail| predicate(mail)));
    }
}

/// Deletes mails from the outbox, sent or not.
///
/// # Errors
/// If the database cannot be written.
pub async fn delete(write: &mut Write, ids: &[i64]) -> Result<()> {
    for id in ids {
        sqlx::query("DELETE FROM outbox WHERE id = $1").bind(*id).execute(&mut **write).await?;
    }
    Ok(())
}

/// The files in `folder`, where sites without a mail server write mails to, that are mails with these ids or contain
/// `address`, given in lower case.
///
/// # Errors
/// If the folder or a file in it cannot be read; a missing folder is empty.
pub fn files(folder: &Path, ids: &[i64], address: &str) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut matches = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let has_listed_id = ids.iter().any(|id| name.ends_with(&format!("-{id}.eml")));
        if has_listed_id || (name.ends_with(".eml") && contains(&path, address)?) {
            matches.push(path);
        }
    }
    Ok(matches)
}

fn contains(path: &Path, address: &str) -> Result<bool> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).to_lowercase().contains(address))
}
