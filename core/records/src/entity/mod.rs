//! Descriptions of what organisers edit: names, fields and table of each entity.
//!
//! Forms, imports, exports and seeds share them: each provides text by field name ([`Values`]), [`Entity::parse`]
//! checks it, [`table`] writes the rows. The responses of the public API are written by hand in the modules.

mod field;
mod listing;
mod parse;
mod print;
pub mod table;

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

pub use festival_base::db::Datum;
pub use field::{Field, Kind};
pub use listing::{Choice, ListedRow, Listing, RowPage};
pub use parse::{too_long, trim};

/// The text of each field by its name, as in a submitted form or a row of a spreadsheet.
pub type Values = BTreeMap<String, String>;

/// The table of the festival's editions, which `edition_id` refers to.
pub(crate) const EDITIONS: &str = "editions";

/// Valid values, one for each field with a column, in the order of the fields.
pub type Record = Vec<Datum>;

/// A kind of thing that organisers edit.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The table, which is also the section of its rows in a seed file: "upcoming_events".
    pub table: &'static str,
    /// The noun for one row: "event".
    pub singular: &'static str,
    /// The noun for several rows: "upcoming events".
    pub plural: &'static str,
    /// The fields, in the order of forms and files.
    pub fields: &'static [Field],
    /// The names of the fields that identify a row within an edition: seeds and imports find rows by them.
    pub key: &'static [&'static str],
    /// Whether rows belong to an edition of the festival.
    pub per_edition: bool,
}

impl Entity {
    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The index of the field called `name` in a [`Record`].
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns().position(|field| field.name == name)
    }

    /// The fields that the table has a column for: all but files.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> + Clone {
        self.fields.iter().filter(|field| field.has_column())
    }

    /// The values of the key fields of `record`.
    pub fn key_of(&self, record: &[Datum]) -> Vec<Datum> {
        self.key.iter().filter_map(|name| Some(record.get(self.position(name)?)?.clone())).collect()
    }

    /// The name in URLs: "upcoming-events".
    pub fn slug(&self) -> String {
        self.table.replace('_', "-")
    }
}

/// A hash of values, in 32 hexadecimal digits. The table `seeds` stores such hashes.
pub(crate) fn hash<'a>(values: impl IntoIterator<Item = &'a Datum>) -> String {
    let mut hasher = Sha256::new();
    for value in values {
        match value {
            Datum::Null => hasher.update([0]),
            Datum::Text(text) | Datum::Reference(text) => {
                hasher.update([1]);
                hasher.update((text.len() as u64).to_le_bytes());
                hasher.update(text);
            }
            Datum::Integer(number) => {
                hasher.update([2]);
                hasher.update(number.to_le_bytes());
            }
        }
    }
    HEXLOWER.encode(&hasher.finalize()[..16])
}
