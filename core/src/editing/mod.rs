//! What organisers do to rows of any entity: write, delete, bring back; and who did what when.
//!
//! Every change is one transaction: the row and its revision. Nothing is overwritten unseen: whoever changes a row
//! says what they saw ([`Current::mark`]), and is told when it is another by now. Nothing is gone: a deleted row
//! comes back from its last revision, with its id.
//!
//! Not here: who may do it, and the screens.

mod change;
mod publication;
mod revision;

pub(crate) use change::{add, taken, write};
pub use change::{change, create, delete, restore, set};
pub use publication::{Publish, SHOWN, due_before, plan, planned, plans, publish_due};
pub(crate) use revision::keep_json;
pub use revision::{Action, Revision, deleted, history, revision};

use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use crate::entity::{Datum, Entity, Record, table};
use crate::error::{Error, Result};

/// Who changes something.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The account; `None` for what the site does by itself.
    pub account: Option<i64>,
    /// The name, kept with what was done: accounts come and go.
    pub name: String,
}

/// A row as it is now.
#[derive(Clone, Debug)]
pub struct Current {
    /// Its id.
    pub id: i64,
    /// The edition that it belongs to.
    pub edition: Option<i64>,
    /// What it holds; references are ids.
    pub record: Record,
    /// What tells this state from any other: 32 hexadecimal digits.
    pub mark: String,
}

/// The row with this id as it is now.
pub async fn find(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    let Some(record) = table::fetch(connection, entity, id).await? else { return Ok(None) };
    let edition = table::edition_of(connection, entity, id).await?;
    Ok(Some(Current { id, edition, mark: mark_of(&record), record }))
}

/// The row with this id as it is now; where there is none, an error that says so.
pub async fn get(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    let found = find(connection, entity, id).await?;
    found.ok_or_else(|| Error::NotFound(format!("There is no such {}. Somebody may have deleted it.", entity.singular)))
}

/// The row with this id as it is now, for whoever will write it: nobody else does before the end of the transaction.
pub(crate) async fn find_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    table::lock(connection, entity, id).await?;
    find(connection, entity, id).await
}

async fn get_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    table::lock(connection, entity, id).await?;
    get(connection, entity, id).await
}

/// What people call a row.
pub fn title_of(entity: &Entity, record: &Record) -> String {
    let named =
        entity.columns().zip(record).find(|(field, datum)| field.name == entity.title().name && **datum != Datum::Null);
    named.map_or_else(|| entity.singular.to_owned(), |(field, datum)| field.print(datum, &TimeZone::UTC))
}

fn mark_of(record: &Record) -> String {
    let mut hash = Sha256::new();
    for datum in record {
        match datum {
            Datum::Null => hash.update([0]),
            Datum::Text(text) | Datum::Reference(text) => {
                hash.update([1]);
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
            Datum::Integer(number) => {
                hash.update([2]);
                hash.update(number.to_le_bytes());
            }
        }
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}
