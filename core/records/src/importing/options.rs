//! How a table is read.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::mapping::Mapping;

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
    /// The day to which days without a year are near, such as the first of the edition; `None`: today.
    pub near: Option<Date>,
    /// Whether the outcome says what new rows will hold, not only their titles; not for long lists.
    pub describe_new: bool,
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
