//! Passwords of screeners: encrypted in the table, plain for whoever may read the submission.

use festival_core::Result;
use festival_core::entity::{Datum, Entity, Record};
use festival_core::secrets::{SecretColumn, Secrets};

/// The passwords.
pub(crate) static SCREENER_PASSWORDS: SecretColumn = SecretColumn {
    table: "film_submissions",
    column: "screener_link_password",
    row: "reference",
    what: "passwords of screeners",
    remedy: "Ask the senders for them again.",
};

/// What stands in the place of a password that the site's keys do not open.
const CLOSED: &str = "cannot be read, because the site's key is another; ask the sender for it again";

/// Encrypts the password in a record that is about to be stored under this reference.
///
/// # Errors
/// As those of [`Secrets::encrypt`].
pub(crate) fn encrypt(secrets: &Secrets, entity: &Entity, reference: &str, record: &mut Record) -> Result<()> {
    let column = &SCREENER_PASSWORDS;
    let place = entity.position(column.column).filter(|_| entity.table == column.table);
    if let Some(Datum::Text(password)) = place.and_then(|place| record.get_mut(place)) {
        *password = secrets.encrypt(column, reference, password)?;
    }
    Ok(())
}

/// Decrypts the password in a row of these columns.
pub(super) fn decrypt(secrets: &Secrets, columns: &[&'static str], values: &mut [Datum]) {
    let column = &SCREENER_PASSWORDS;
    let place = |name: &str| columns.iter().position(|column| *column == name);
    let (Some(row), Some(place)) = (place(column.row), place(column.column)) else { return };
    let Some(Datum::Text(reference)) = values.get(row).cloned() else { return };
    if let Some(Datum::Text(password)) = values.get_mut(place) {
        *password = secrets.decrypt(column, &reference, password).unwrap_or_else(|| CLOSED.to_owned());
    }
}
