//! A value between a row and the program.

/// A value as the database keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// Nothing was said.
    Null,
    /// Text, a date, a key of a picture.
    Text(String),
    /// A whole number, a flag (0 or 1).
    Integer(i64),
    /// The id of the row of another entity that has this text in its key.
    Reference(String),
}
