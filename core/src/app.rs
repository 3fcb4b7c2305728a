//! The whole application: the site, its back office, and the registry of what the modules contribute to both.

use std::ops::Deref;
use std::sync::Arc;

use futures::future::BoxFuture;
use rocket::{Build, Rocket};
use sqlx::AnyConnection;

use crate::backup;
use crate::gauges::Gauges;
use crate::registry::Registry;
use festival_admin::{self as admin, BackOffice};
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_base::error::Result;
use festival_base::settings::Settings;
use festival_web::http;
use festival_web::site::{Site, SiteParts};

pub use festival_web::site::FrontendFiles;

/// The site with its back office. Dereferences to [`Site`].
pub struct App {
    /// The site.
    pub site: Arc<Site>,
    /// Its back office.
    pub admin: Arc<BackOffice>,
    /// The contributions of the modules.
    pub registry: Registry,
    gauges: Gauges,
}

impl App {
    /// Builds the application. Opens nothing but the media folders.
    ///
    /// # Errors
    /// Those of [`Site::new`].
    pub fn new(
        settings: Settings,
        registry: Registry,
        db: Db,
        clock: Clock,
        frontend: FrontendFiles,
    ) -> Result<Arc<Self>> {
        let site = Site::new(SiteParts {
            settings,
            in_force: registry.in_force(),
            contents: registry.site_contents(),
            modules: registry.modules(),
            described: registry.described(),
            migrations: registry.all_migrations(),
            db,
            clock,
            frontend,
        })?;
        let admin = BackOffice::new(site.clone(), registry.back_office_contents(), last_backup);
        let gauges = Gauges::new(&site.metrics, &site);
        Ok(Arc::new(Self { site, admin: Arc::new(admin), registry, gauges }))
    }

    /// The current metrics of the site in the text format of OpenMetrics.
    ///
    /// # Errors
    /// If a metric cannot be written.
    pub async fn metrics_text(&self) -> Result<String> {
        self.gauges.refresh(&self.site).await;
        self.site.metrics.text()
    }

    /// Mounts the routes of the site and its back office.
    pub fn mount(&self, rocket: Rocket<Build>) -> Rocket<Build> {
        admin::mount(http::mount(rocket, &self.site), &self.admin)
    }
}

impl Deref for App {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

fn last_backup(connection: &mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>> {
    Box::pin(backup::last(connection))
}
