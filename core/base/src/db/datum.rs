//! A database value.

/// A value as it is stored in the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// No value (SQL NULL).
    Null,
    /// Text; also dates and media keys.
    Text(String),
    /// An integer; also booleans as 0 or 1.
    Integer(i64),
    /// A reference to the row of another entity whose key contains this text; stored as its id.
    Reference(String),
}
