//! An import: into what, by whom, and how its table is read.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::dates::Order;
use super::mapping::Mapping;
use super::question::Decisions;
use crate::Records;
use crate::editing::Editor;
use crate::entity::Entity;

/// An import into the rows of an entity.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// Database, media store and clock.
    pub records: &'a Records,
    /// The entity of the rows.
    pub entity: &'static Entity,
    /// The edition of the rows; `None` for an entity without editions.
    pub edition: Option<i64>,
    /// Who is named in the history.
    pub editor: &'a Editor,
    /// The name of the file.
    pub source: &'a str,
    /// How the table was read, and how its cells are handled.
    pub options: &'a ImportOptions,
    /// The decisions that only a person can make.
    pub decisions: &'a Decisions,
    /// Called with a number of rows when they are planned, and again when those with changes are written.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

/// How to read a table where its headers do not decide.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The field of each column, "" for one that is left out; `None`: the headers decide.
    pub columns: Option<Vec<String>>,
    /// The columns of single fields, whatever `columns` or the headers say.
    pub mappings: Vec<Mapping>,
    /// Values for rows with an empty or missing cell, by field.
    pub for_all: BTreeMap<&'static str, String>,
    /// The first row is not a header.
    pub no_header: bool,
    /// A cell that cannot be used is left empty where it may be, instead of leaving out its line.
    pub blank_invalid: bool,
    /// What an empty cell does to a stored value; `None`: those of exported lists clear it, those of others keep it.
    pub empty_cells: Option<EmptyCells>,
    /// The names of files that come with the table by their keys, whether they are stored yet or not.
    pub files: BTreeMap<String, String>,
    /// Whether new rows are published where the table does not say; `None`: as their entity does by default.
    pub publish_new: Option<bool>,
    /// The first and the last day of the edition: days without a year are near the first, and both decide about the order
    /// of day and month; `None`: today.
    pub days: Option<(Date, Date)>,
    /// The order of day and month in dates such as 3/4/2027; `None`: the list decides.
    pub order: Option<Order>,
    /// Whether the outcome says what new rows will hold, not only their titles; not for long lists.
    pub describe_new: bool,
}

impl ImportOptions {
    /// The first and the last day of the edition; without one, today.
    pub fn days(&self, records: &Records) -> (Date, Date) {
        self.days.unwrap_or_else(|| (records.today(), records.today()))
    }
}

/// What an empty cell does to a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyCells {
    /// The value stays.
    Keep,
    /// The value is removed, unless the field must be filled.
    Clear,
}

impl EmptyCells {
    /// The one with this name: "keep" or "clear".
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "keep" => Some(Self::Keep),
            "clear" => Some(Self::Clear),
            _ => None,
        }
    }
}
