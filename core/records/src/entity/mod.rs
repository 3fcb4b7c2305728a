//! One description per entity: what it is called, its fields, where its rows are.
//!
//! Forms, imports, exports and seeds share it: each turns names into text ([`Values`]), [`Entity::parse`]
//! holds all rules, [`table`] writes the rows. What the public API answers is written by hand elsewhere.

mod field;
mod listing;
mod parse;
mod print;
pub mod table;

use std::collections::BTreeMap;

pub use festival_base::db::Datum;
pub use field::{Field, Kind};
pub use listing::{Choice, Listed, Listing, Rows};
pub use parse::{too_long, trim};

/// What a form post and a row of a spreadsheet have in common: names to text.
pub type Values = BTreeMap<String, String>;

/// The table of the editions of the festival, which rows of a year name.
pub(crate) const EDITIONS: &str = "editions";

/// Values that passed all rules, one per field with a column, in the order of the fields.
pub type Record = Vec<Datum>;

/// A kind of thing that organisers edit.
#[derive(Debug)]
pub struct Entity {
    /// The table, and the name of its rows in a seed file: "upcoming_events".
    pub table: &'static str,
    /// One of them, for people: "event".
    pub singular: &'static str,
    /// Many of them, for people: "upcoming events".
    pub plural: &'static str,
    /// What is known of one.
    pub fields: &'static [Field],
    /// The fields that tell one from another within an edition: seeds and imports find rows by them.
    pub key: &'static [&'static str],
    /// Whether rows belong to an edition of the festival.
    pub per_edition: bool,
}

impl Entity {
    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The place of the field called `name` in a [`Record`].
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns().position(|field| field.name == name)
    }

    /// The fields that the table has a column for: all but files.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> + Clone {
        self.fields.iter().filter(|field| field.has_column())
    }

    /// What tells `record` from the others of its edition.
    pub fn key_of(&self, record: &[Datum]) -> Vec<Datum> {
        self.key.iter().filter_map(|name| Some(record[self.position(name)?].clone())).collect()
    }

    /// The name in addresses: "upcoming-events".
    pub fn slug(&self) -> String {
        self.table.replace('_', "-")
    }
}
