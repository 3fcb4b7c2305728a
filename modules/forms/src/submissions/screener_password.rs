//! Passwords of screeners: encrypted in the table, decrypted when a submission is read.

use festival_core::Result;
use festival_core::entity::{Datum, Entity, Record};
use festival_core::secrets::{SecretColumn, Secrets};

use super::kind::SubmissionKind;

/// The column with the encrypted passwords.
pub(crate) static SCREENER_PASSWORDS: SecretColumn = SecretColumn {
    table: "film_submissions",
    column: "screener_link_password",
    row: "reference",
    what: "passwords of screeners",
    remedy: "Ask the senders for them again.",
};

/// Shown in place of a password that the site's keys do not decrypt.
const UNREADABLE: &str = "cannot be read, because the site's key has changed; ask the sender for it again";

/// Encrypts the password in a record that is about to be stored under this reference.
///
/// # Errors
/// As those of [`Secrets::encrypt`].
pub(crate) fn encrypt(secrets: &Secrets, entity: &Entity, reference: &str, record: &mut Record) -> Result<()> {
    let column = &SCREENER_PASSWORDS;
    let index = entity.position(column.column).filter(|_| entity.table == column.table);
    if let Some(Datum::Text(password)) = index.and_then(|index| record.get_mut(index)) {
        *password = secrets.encrypt(column, reference, password)?;
    }
    Ok(())
}

/// Decrypts the password in a row with the columns of `kind`.
pub(super) fn decrypt(secrets: &Secrets, kind: &SubmissionKind, values: &mut [Datum]) {
    let secret = &SCREENER_PASSWORDS;
    let index = |name: &str| kind.columns().position(|column| column == name);
    let (Some(row), Some(index)) = (index(secret.row), index(secret.column)) else { return };
    let Some(Datum::Text(reference)) = values.get(row).cloned() else { return };
    if let Some(Datum::Text(password)) = values.get_mut(index) {
        *password = secrets.decrypt(secret, &reference, password).unwrap_or_else(|| UNREADABLE.to_owned());
    }
}
