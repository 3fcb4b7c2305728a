//! The parts that a site is built from, and opening the site.

use std::path::Path;
use std::sync::Arc;

use festival_core::clock::Clock;
use festival_core::db::{self, Db};
use festival_core::settings::{Settings, SettingsError};
use festival_core::site::FrontendFiles;
use festival_core::{Error, Module, Program, Registry, Result, identity};
use rocket::figment::Figment;
use rocket_db_pools::Pool as _;

use crate::{embedded, server};

/// The parts that a site is built from.
pub struct Setup {
    /// The settings.
    pub settings: Settings,
    /// What the modules contribute.
    pub registry: Registry,
    /// Rocket's configuration, including the database's.
    pub figment: Figment,
    /// The clock.
    pub clock: Clock,
    /// The built frontend.
    pub frontend: FrontendFiles,
}

impl Setup {
    /// Loads the settings of the site in `directory`, and registers `modules`.
    ///
    /// # Errors
    /// If a setting is invalid.
    pub fn load(directory: &Path, modules: &[Box<dyn Module>]) -> Result<Self, SettingsError> {
        let sections = Registry::collect(&Settings::default(), modules).sections();
        let settings = festival_core::settings::load(directory, &sections)?;
        let figment = server::figment(&settings);
        Ok(Self::new(settings, figment, modules))
    }

    /// A setup with these settings, the system's clock, and the frontend that is built in.
    pub fn new(settings: Settings, figment: Figment, modules: &[Box<dyn Module>]) -> Self {
        let registry = Registry::collect(&settings, modules);
        Self { settings, registry, figment, clock: Clock::default(), frontend: embedded::FRONTEND }
    }

    /// Opens the database and builds the site. Does not apply migrations.
    ///
    /// # Errors
    /// If what the modules contribute is inconsistent, `data_dir` cannot be created, or the database cannot be opened.
    pub async fn open(self) -> Result<Arc<Program>> {
        let problems = self.registry.check(self.frontend);
        if !problems.is_empty() {
            let lines: Vec<_> =
                problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
            return Err(Error::BadRequest(lines.join("\n")));
        }
        std::fs::create_dir_all(&self.settings.data_dir).map_err(|error| {
            Error::BadRequest(format!("cannot create data_dir {}: {error}", self.settings.data_dir.display()))
        })?;
        let db = Db::init(&self.figment.focus("databases.festival")).await?;
        Program::new(self.settings, self.registry, db, self.clock, self.frontend)
    }

    /// Opens a site whose database is made, or brought up to date, first.
    ///
    /// # Errors
    /// If database and media folder belong to different sites.
    pub(crate) async fn open_and_migrate(self) -> Result<Arc<Program>> {
        let app = self.open().await?;
        identity::verify_before_migrating(&app.db, &app.media).await?;
        db::migrate(&app.db, &app.registry.all_migrations(), &app.clock).await?;
        identity::verify(&app.db, &app.media).await?;
        Ok(app)
    }

    /// Opens a site whose database is up to date.
    ///
    /// # Errors
    /// If there is no database, migrations are pending, or database and media folder belong to different sites.
    pub(crate) async fn open_migrated(self) -> Result<Arc<Program>> {
        let url = server::database_url(&self.figment)?;
        if let Some(file) = url.strip_prefix("sqlite://")
            && !Path::new(file).exists()
        {
            return Err(Error::BadRequest(format!(
                "there is no site here: {file} does not exist. Name the folder of the site with data_dir or FESTIVAL_DATA_DIR, \
                 or begin one with \"festival init\""
            )));
        }
        let app = self.open().await?;
        if let Some(pending) = db::pending(&app.db, &app.registry.all_migrations()).await?.first() {
            return Err(Error::BadRequest(format!(
                "the database is not up to date ({}_{} is pending); run \"festival migrate\" first",
                pending.version, pending.name
            )));
        }
        identity::verify(&app.db, &app.media).await?;
        Ok(app)
    }
}
