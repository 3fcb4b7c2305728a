//! What a module does by itself while the server runs: sweeping, sending, watching.

use std::sync::Arc;

use crate::app::App;
use crate::error::{Error, Result};

/// Work beside the requests.
#[rocket::async_trait]
pub trait Task: Send + Sync + 'static {
    /// Its name in the log.
    fn name(&self) -> &'static str;

    /// Works until it is dropped: when the server stops.
    async fn run(&self, app: Arc<App>);
}

/// Does work that keeps a thread busy, with a disk or with computing, away from the threads that answer requests.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
