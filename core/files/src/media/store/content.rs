//! The content of a stored file as it is read.

use std::io;

use tokio::io::AsyncRead;

use festival_base::error::Error;

/// The content of a stored file.
pub type Content = Box<dyn AsyncRead + Send + Unpin>;

/// Converts an error that ended a download, and logs the cause.
pub(super) fn unreadable(error: &io::Error) -> Error {
    tracing::warn!(%error, "reading from the file store was interrupted");
    Error::Unavailable("Files cannot be read at the moment. Please try again.".into())
}
