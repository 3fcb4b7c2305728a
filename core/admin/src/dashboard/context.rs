//! The context that the widgets of the dashboard receive.

use std::sync::Arc;

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection};

use super::Days;
use crate::identity::scope::Scope;
use festival_base::error::Result;
use festival_records::edition::Edition;
use festival_web::site::Site;

/// Reads the time of the last backup, in the format of the database; `None` if there was none.
pub type LastBackup = fn(&mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>>;

/// What a widget gets to compute its content.
#[derive(Clone)]
pub struct DashboardContext {
    /// The site.
    pub site: Arc<Site>,
    /// The current edition, if there is one.
    pub edition: Option<Edition>,
    /// The last 30 days in the festival's time zone.
    pub days: Days,
    /// The part of the submissions that the user is limited to.
    pub scope: Scope,
    pub(super) last_backup: LastBackup,
}

impl DashboardContext {
    /// Acquires a connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }
}
