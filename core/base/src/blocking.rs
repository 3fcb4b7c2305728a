//! Work away from the threads that answer requests.

use crate::error::{Error, Result};

/// Does work that keeps a thread busy, with a disk or with computing, away from the threads that answer requests.
///
/// # Errors
/// Those of `work`, and [`Error::Internal`] where it panicked.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
