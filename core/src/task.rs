//! What a module does by itself while the server runs: sweeping, sending, watching.

use std::sync::Arc;

use crate::app::App;

/// Work beside the requests.
#[rocket::async_trait]
pub trait Task: Send + Sync + 'static {
    /// Its name in the log.
    fn name(&self) -> &'static str;

    /// Works until it is dropped: when the server stops.
    async fn run(&self, app: Arc<App>);
}
