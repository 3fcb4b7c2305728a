//! Background tasks, which run as long as the server: sweeping, sending, watching.

use std::sync::Arc;

use crate::app::App;

/// A background task.
#[rocket::async_trait]
pub trait Task: Send + Sync + 'static {
    /// Its name in the log.
    fn name(&self) -> &'static str;

    /// Runs the task. The future is dropped when the server stops.
    async fn run(&self, app: Arc<App>);
}
