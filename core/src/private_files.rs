//! Rows that refer to files of the private store.

/// A kind of row that refers to files of the private store.
#[derive(Debug)]
pub struct PrivateFiles {
    /// The folders of the store with these files.
    pub folders: fn() -> Vec<String>,
    /// SQL that selects the key of each file and a description of the row for people.
    pub query: &'static str,
}
