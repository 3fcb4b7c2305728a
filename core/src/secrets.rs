//! The secrets of the whole site: encrypted where they are not yet, and looked through.

use crate::app::App;
use crate::error::{Error, Result};

pub use festival_base::secrets::{KEY_FILE, SecretColumn, SecretCounts, Secrets, key_file};

/// A column, and how it stands with the keys.
pub type Column = (&'static SecretColumn, SecretCounts);

/// Encrypts what is not encrypted yet, or only with an older one of `secrets`, and answers what it found. The remains of
/// plain texts are removed from the database's files.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn encrypt_all(app: &App, secrets: &Secrets) -> Result<Vec<Column>> {
    let mut found = look_through(app, secrets).await?;
    for (column, found) in &mut found {
        if found.plaintext + found.old_key > 0 {
            *found = secrets.encrypt_column(&app.db, column).await?;
        }
    }
    if found.iter().any(|(_, found)| found.plaintext > 0) {
        match app.db.purge().await {
            // Somebody reads the log: its next checkpoint, or an erasure, removes them.
            Err(Error::Unavailable(_)) => {}
            done => done?,
        }
    }
    Ok(found)
}

/// How every column with secrets stands with the keys.
///
/// # Errors
/// If the database cannot be read.
pub async fn look_through(app: &App, secrets: &Secrets) -> Result<Vec<Column>> {
    let mut found = Vec::new();
    for column in &app.admin.contents.secrets {
        found.push((*column, secrets.inspect_column(&app.db, column).await?));
    }
    Ok(found)
}

/// What is wrong, a sentence for each column with values that no key opens.
pub fn closed(secrets: &Secrets, found: &[Column]) -> Vec<String> {
    let closed = found.iter().filter(|(_, found)| found.undecryptable > 0);
    let sentence = |(column, found): &Column| {
        format!(
            "{} {} cannot be read: they are encrypted with a key that is not in {}. Put the site's key file back, or add its \
             line to this one, and start again. If it is lost: {}",
            found.undecryptable,
            column.what,
            secrets.file().display(),
            column.remedy
        )
    };
    closed.map(sentence).collect()
}
