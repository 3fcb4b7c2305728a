//! The secrets in all tables of the site: encrypting them and finding those that no key decrypts.

use crate::app::App;
use crate::error::{Error, Result};

pub use festival_base::secrets::{KEY_FILE, SecretColumn, SecretCounts, Secrets, key_file};

/// A column with secrets, and how many of its values are encrypted with which key.
pub type Column = (&'static SecretColumn, SecretCounts);

/// Returns the state of each column with secrets.
///
/// # Errors
/// If the database cannot be read.
pub async fn inspect(app: &App, secrets: &Secrets) -> Result<Vec<Column>> {
    visit(app, secrets, false).await
}

/// Encrypts all values that are plain text or encrypted with an older key of `secrets`, and removes remains of plain text
/// from the database's files. Returns the state of each column before.
///
/// # Errors
/// If the database cannot be read or written.
pub async fn encrypt_all(app: &App, secrets: &Secrets) -> Result<Vec<Column>> {
    visit(app, secrets, true).await
}

async fn visit(app: &App, secrets: &Secrets, encrypts: bool) -> Result<Vec<Column>> {
    let mut columns = Vec::new();
    for column in &app.admin.contents.secrets {
        columns.push((*column, secrets.inspect_column(&app.db, column, encrypts).await?));
    }
    if encrypts && columns.iter().any(|(_, found)| found.plaintext > 0) {
        match app.db.purge().await {
            // Another connection reads the write-ahead log: the next checkpoint or erasure removes them.
            Err(Error::Unavailable(_)) => {}
            result => result?,
        }
    }
    Ok(columns)
}

/// A sentence for each column with values that no key decrypts.
pub fn undecryptable(secrets: &Secrets, columns: &[Column]) -> Vec<String> {
    let affected = columns.iter().filter(|(_, found)| found.undecryptable > 0);
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
    affected.map(sentence).collect()
}
