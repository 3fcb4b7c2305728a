//! Blocking work on the runtime's blocking threads.

use crate::error::{Error, Result};

/// Runs blocking work (disk access, computing) on a thread that serves no requests.
///
/// # Errors
/// Those of `work`, and [`Error::Internal`] if it panics.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
