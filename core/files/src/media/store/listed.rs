//! Lists of stored files.

use std::time::SystemTime;

/// A file in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path in the store, `private/film/<name>`.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// When its content was last written.
    pub modified: SystemTime,
    /// When it came to its path; `None` if that is not known. On a disk it may be later than `modified`.
    pub(in super::super) stored_at: Option<SystemTime>,
}
