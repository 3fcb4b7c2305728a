//! The content of stored files as it is read, and lists of them.

use std::io;
use std::time::SystemTime;

use tokio::io::AsyncRead;

use festival_base::error::Error;

/// The content of a stored file.
pub type Content = Box<dyn AsyncRead + Send + Unpin>;

/// Converts an error that ended a download, and logs the cause.
pub(super) fn unreadable(error: &io::Error) -> Error {
    tracing::warn!(%error, "reading from the file store was interrupted");
    Error::Unavailable("Files cannot be read at the moment. Please try again.".into())
}

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
