//! The running site: settings, contents, database, caches, media and templates in one value.

mod added_facts;
mod answers;
mod archive;
mod contents;
mod edition;
mod facts;
mod own;
mod public_urls;
mod request;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use sqlx::AnyConnection;
use tokio::sync::Semaphore;

use crate::cache::{Cache, Expiries, Replays};
use crate::card::Cards;
use crate::http::Hosts;
use crate::metrics::Metrics;
use crate::page::Templates;
use crate::pattern::Params;
use festival_base::clock::Clock;
use festival_base::db::{Db, Migration};
use festival_base::error::{Error, Result};
use festival_base::secrets::{Secrets, key_file};
use festival_base::settings::{InForce, Settings};
use festival_files::media::Media;
use festival_records::{Described, Records};

pub use crate::frontend_files::FrontendFiles;
pub use added_facts::AddedFacts;
pub use archive::{ARCHIVE, Archive};
pub use facts::{fact_names, fill_placeholders, left_out_of_menus};
pub use own::own_contents;

/// A GET endpoint of the API.
pub type Endpoint = crate::endpoint::Endpoint<RequestContext>;
/// A POST endpoint of the API.
pub type Post = crate::post::Post<Site>;
/// A page of the site.
pub type Page = crate::page::Page<RequestContext>;
/// A document at an address of its own, cached like an API response.
pub type Document = crate::document::Document<RequestContext>;
/// What one module contributes to the site, or all enabled modules together.
pub type SiteContents = contents::Contents<RequestContext, Site>;

/// The parts that a [`Site`] is built from.
pub struct SiteParts {
    /// The settings of the file and the environment.
    pub settings: Settings,
    /// The settings in force: those of the file with what was changed in the browser.
    pub in_force: InForce,
    /// What it serves.
    pub contents: SiteContents,
    /// Whether each module is enabled, by name.
    pub modules: BTreeMap<&'static str, bool>,
    /// The entities that organisers edit.
    pub described: Arc<[Described]>,
    /// The migrations that the database must have applied.
    pub migrations: Vec<Migration>,
    /// The database.
    pub db: Db,
    /// The clock.
    pub clock: Clock,
    /// The built frontend.
    pub frontend: FrontendFiles,
}

/// The site, without its back office.
#[derive(Clone)]
pub struct Site {
    /// Its settings from files and environment. What organisers change in the browser is in [`Site::in_force`].
    pub settings: Settings,
    /// The settings in force: those of the file with what was changed in the browser.
    pub in_force: Arc<InForce>,
    /// What it serves, from all enabled modules.
    pub contents: Arc<SiteContents>,
    /// Whether each module is enabled, by name.
    pub modules: BTreeMap<&'static str, bool>,
    /// The migrations that its database must have applied.
    pub(crate) migrations: Arc<[Migration]>,
    /// Its database.
    pub db: Db,
    /// Encrypts and decrypts the secrets in the database.
    pub secrets: Secrets,
    /// Its clock.
    pub clock: Clock,
    /// The festival's time zone.
    pub time_zone: TimeZone,
    /// Cached responses.
    pub cache: Arc<Cache>,
    /// What is known of cached responses, for their replay.
    pub(crate) replays: Arc<Replays>,
    /// When cached responses expire without a change of the data.
    pub(crate) expiries: Arc<Expiries>,
    /// What organisers edit.
    pub records: Records,
    /// Pictures and documents.
    pub media: Arc<Media>,
    /// The social cards.
    pub cards: Arc<Cards>,
    /// The pages' templates.
    pub templates: Arc<Templates>,
    /// The built frontend.
    pub frontend: FrontendFiles,
    /// The hosts that requests may name.
    pub hosts: Arc<Hosts>,
    /// Its metrics.
    pub metrics: Arc<Metrics>,
    /// The edition that it shows in place of the current one.
    pub archive: Option<Archive>,
}

/// A request to an endpoint, page or document: the parameters of its path and query, and the site.
#[derive(Clone)]
pub struct RequestContext {
    /// The site.
    pub site: Arc<Site>,
    /// The parameters of the path.
    pub params: Params,
    /// The declared query parameters that the request has.
    pub query: BTreeMap<&'static str, String>,
    /// The site's address without a trailing slash, to be put before every path: "https://festival.example", or
    /// "https://festival.example/archive/2024" in the archive.
    pub base_url: Arc<str>,
}

impl Site {
    /// Builds a site. Opens nothing but the media folders and the key file.
    ///
    /// # Errors
    /// If the time zone of the settings is unknown or the media folders cannot be created; if the settings of the
    /// bucket are wrong; those of [`Secrets::open`].
    pub fn new(parts: SiteParts) -> Result<Arc<Self>> {
        let SiteParts { settings, in_force, contents, modules, described, migrations, db, clock, frontend } = parts;
        let time_zone = TimeZone::get(&settings.time_zone).map_err(Error::internal)?;
        let secrets = Secrets::open(&key_file(&settings.secret_key_file, &settings.data_dir))?;
        let media = Arc::new(Media::open_configured(&settings.data_dir.join("media"), &settings.s3)?);
        let records = Records {
            db: db.clone(),
            clock: clock.clone(),
            time_zone: time_zone.clone(),
            media: media.clone(),
            described,
            importing: Arc::new(Semaphore::new(1)),
        };
        Ok(Arc::new(Self {
            in_force: Arc::new(in_force),
            contents: Arc::new(contents),
            modules,
            migrations: migrations.into(),
            db,
            secrets,
            clock,
            time_zone,
            cache: Arc::new(Cache::new(settings.api.remember_answers)),
            replays: Arc::default(),
            expiries: Arc::default(),
            records,
            media,
            cards: Arc::new(Cards::new(settings.data_dir.join("cards"))),
            templates: Arc::new(Templates::new(frontend)),
            frontend,
            hosts: Arc::new(Hosts::new(&settings)),
            metrics: Arc::default(),
            archive: None,
            settings,
        }))
    }

    /// Returns the same site with another database and without a cache, to preview a draft.
    pub fn with_database(&self, db: Db) -> Arc<Self> {
        Arc::new(Self {
            in_force: Arc::new(self.in_force.with_empty_cache()),
            records: Records { db: db.clone(), ..self.records.clone() },
            db,
            cache: Arc::new(Cache::new(false)),
            expiries: Arc::default(),
            metrics: Arc::default(), // Previews are not counted.
            ..self.clone()
        })
    }

    /// Returns the settings in force: those of the file with what was changed in the browser. They are cached until the
    /// data changes.
    ///
    /// Settings that cannot be changed in the browser are the same in [`Site::settings`].
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn in_force(&self) -> Result<Arc<Settings>> {
        self.in_force.get(&self.db).await
    }

    /// Like [`Site::in_force`], on a connection that the caller already holds. Waiting for a second connection while
    /// holding one could deadlock the pool.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn in_force_on(&self, connection: &mut AnyConnection) -> Result<Arc<Settings>> {
        self.in_force.get_on(&self.db, connection).await
    }

    /// Returns the path of a folder in the data directory.
    pub fn data_dir(&self, name: &str) -> PathBuf {
        self.settings.data_dir.join(name)
    }

    /// Creates an empty temporary file in the data directory, which is deleted when it is closed.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn scratch(&self) -> Result<std::fs::File> {
        let folder = self.data_dir("tmp");
        std::fs::create_dir_all(&folder)?;
        Ok(tempfile::tempfile_in(folder)?)
    }

    /// Checks that `bytes` can be written and the disk still has the space that the settings keep free.
    ///
    /// # Errors
    /// If it would not.
    pub async fn has_room(&self, bytes: u64) -> Result<()> {
        self.media.check_free_space(&self.settings.uploads, bytes).await
    }

    /// Returns the version of the data from which a cached response must have been computed to be up to date. It
    /// increases with every write, and at every time given to [`RequestContext::expire_at`].
    pub fn cache_version(&self) -> u64 {
        self.db.data_version().unsigned_abs() + self.expiries.passed(self.clock.now())
    }
}
