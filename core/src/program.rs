//! The whole program: the site, its back office, and the registry of what the modules contribute to both.

use std::ops::Deref;
use std::sync::Arc;

use futures::future::BoxFuture;
use rocket::{Build, Rocket};
use sqlx::AnyConnection;

use crate::app::App;
use crate::backup;
use crate::gauges::Gauges;
use crate::registry::Registry;
use festival_admin::{self as admin, BackOffice};
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_base::error::Result;
use festival_base::settings::Settings;
use festival_web::http;
use festival_web::site::{FrontendFiles, Site, SiteParts};

/// An [`App`] and what it was built from. Dereferences to the app.
pub struct Program {
    /// The site and its back office.
    pub app: Arc<App>,
    /// The contributions of the modules.
    pub registry: Registry,
    gauges: Gauges,
}

impl Program {
    /// Builds the program. Opens nothing but the media folders.
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
        let gauges = Gauges::new(&site.metrics, &site);
        let admin = Arc::new(BackOffice::new(site.clone(), registry.back_office_contents(), last_backup));
        Ok(Arc::new(Self { app: Arc::new(App { site, admin }), registry, gauges }))
    }

    /// The current metrics of the site in the text format of OpenMetrics.
    ///
    /// # Errors
    /// If a metric cannot be written.
    pub async fn metrics_text(&self) -> Result<String> {
        self.gauges.refresh(&self.site).await;
        self.metrics.text()
    }

    /// Mounts the routes of the site and its back office.
    pub fn mount(&self, rocket: Rocket<Build>) -> Rocket<Build> {
        admin::mount(http::mount(rocket, &self.site), &self.admin)
    }
}

impl Deref for Program {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}

fn last_backup(connection: &mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>> {
    Box::pin(backup::last(connection))
}
