//! The site at work: settings, contents, database, memory, media and templates in one place.

mod contents;
mod facts;
mod own;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use rocket::http::Status;
use rust_embed::EmbeddedFile;
use sqlx::AnyConnection;

use crate::card::Cards;
use crate::endpoint::{Endpoint, RequestContext};
use crate::http::{Cache, CachedResponse, Expiries, Hosts};
use crate::metrics::{CacheOutcome, Metrics};
use crate::page::Templates;
use crate::pattern::Params;
use festival_base::clock::Clock;
use festival_base::db::{Db, Migration};
use festival_base::error::{Error, Result};
use festival_base::secrets::{Secrets, key_file};
use festival_base::settings::{InForce, Settings};
use festival_files::media::Media;
use festival_records::entity::Entity;
use festival_records::{Records, alternative_texts};

pub use contents::SiteContents;
pub use facts::{rupees, twenty_path};
pub use own::own;

/// The built frontend, `dist/`: embedded in the program, or read from disk in a development build.
#[derive(Clone, Copy)]
pub struct FrontendFiles {
    /// A file by its path in `dist/`.
    pub get: fn(&str) -> Option<EmbeddedFile>,
    /// The paths of all files.
    pub names: fn() -> Vec<String>,
}

/// What a site is put together from.
pub struct SiteParts {
    /// The settings of the file and the environment.
    pub settings: Settings,
    /// The same with what may be changed of them in the browser.
    pub in_force: InForce,
    /// What it serves.
    pub contents: SiteContents,
    /// The modules by name with whether they are on.
    pub modules: BTreeMap<&'static str, bool>,
    /// What organisers edit, each with whether its module is switched on.
    pub described: Arc<[(&'static Entity, bool)]>,
    /// The schema that the database has to have.
    pub migrations: Vec<Migration>,
    /// The database.
    pub db: Db,
    /// The clock.
    pub clock: Clock,
    /// The built frontend.
    pub frontend: FrontendFiles,
}

/// The site, without its back office.
pub struct Site {
    /// Its settings as the file and the environment have them. What organisers change in the browser is in
    /// [`Site::in_force`].
    pub settings: Settings,
    /// The settings in force: those of the file with what was changed in the browser.
    pub in_force: Arc<InForce>,
    /// What it serves, of all modules that are switched on.
    pub contents: Arc<SiteContents>,
    /// The modules by name with whether they are on.
    pub modules: BTreeMap<&'static str, bool>,
    /// The schema that its database has to have.
    pub(crate) migrations: Arc<[Migration]>,
    /// Its database.
    pub db: Db,
    /// What encrypts and decrypts the secrets in it.
    pub secrets: Secrets,
    /// Its clock.
    pub clock: Clock,
    /// The festival's time zone.
    pub time_zone: TimeZone,
    /// Answers in memory.
    pub cache: Cache,
    /// When answers stop being true by themselves.
    pub(crate) expiries: Expiries,
    /// What organisers edit.
    pub records: Records,
    /// Pictures and documents.
    pub media: Arc<Media>,
    /// The cards that were drawn.
    pub cards: Arc<Cards>,
    /// The pages' templates.
    pub templates: Arc<Templates>,
    /// The built frontend.
    pub frontend: FrontendFiles,
    /// The hosts that requests may name.
    pub hosts: Arc<Hosts>,
    /// Figures about it.
    pub metrics: Arc<Metrics>,
}

impl Site {
    /// Puts the site together; opens nothing but the media folders and the key file.
    ///
    /// # Errors
    /// If there is no time zone of the settings' name, or the media folders cannot be made; those of [`Secrets::open`].
    pub fn new(parts: SiteParts) -> Result<Arc<Self>> {
        let SiteParts { settings, in_force, contents, modules, described, migrations, db, clock, frontend } = parts;
        let time_zone = TimeZone::get(&settings.time_zone).map_err(Error::internal)?;
        let secrets = Secrets::open(&key_file(&settings.secret_key_file, &settings.data_dir))?;
        let media = Arc::new(Media::open(&settings.data_dir.join("media"))?);
        let records = Records {
            db: db.clone(),
            clock: clock.clone(),
            time_zone: time_zone.clone(),
            media: media.clone(),
            described,
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
            cache: Cache::new(settings.api.remember_answers),
            expiries: Expiries::default(),
            records,
            media,
            cards: Arc::new(Cards::new(settings.data_dir.join("cards"))),
            templates: Arc::new(Templates::new(frontend)),
            frontend,
            hosts: Arc::new(Hosts::new(&settings)),
            metrics: Arc::default(),
            settings,
        }))
    }

    /// The same site with another database, remembering no answers: what a draft looks like in it.
    pub fn on(&self, db: Db) -> Arc<Self> {
        Arc::new(Self {
            settings: self.settings.clone(),
            in_force: Arc::new(self.in_force.with_empty_cache()),
            contents: self.contents.clone(),
            modules: self.modules.clone(),
            migrations: self.migrations.clone(),
            records: Records { db: db.clone(), ..self.records.clone() },
            db,
            secrets: self.secrets.clone(),
            clock: self.clock.clone(),
            time_zone: self.time_zone.clone(),
            cache: Cache::new(false),
            expiries: Expiries::default(),
            media: self.media.clone(),
            cards: self.cards.clone(),
            templates: self.templates.clone(),
            frontend: self.frontend,
            hosts: self.hosts.clone(),
            metrics: Arc::default(), // A preview counts for nothing.
        })
    }

    /// The settings in force: those of the file with what was changed in the browser. From memory while the data is
    /// as it was.
    ///
    /// What cannot be changed in the browser is the same in [`Site::settings`].
    pub async fn in_force(&self) -> Result<Arc<Settings>> {
        self.in_force.get(&self.db).await
    }

    /// The same for whoever holds a connection: nobody waits for a second one while holding the first.
    pub async fn in_force_on(&self, connection: &mut AnyConnection) -> Result<Arc<Settings>> {
        self.in_force.get_on(&self.db, connection).await
    }

    /// A folder under the data directory.
    pub fn data_dir(&self, name: &str) -> PathBuf {
        self.settings.data_dir.join(name)
    }

    /// An empty file without a name under the data directory: it is gone when it is closed.
    pub fn scratch(&self) -> Result<std::fs::File> {
        let folder = self.data_dir("tmp");
        std::fs::create_dir_all(&folder)?;
        Ok(tempfile::tempfile_in(folder)?)
    }

    /// Refuses to write so many bytes where the disk would have less room than the settings keep free.
    pub async fn has_room(&self, bytes: u64) -> Result<()> {
        self.media.check_free_space(&self.settings.uploads, bytes).await
    }

    /// The version of the data that a cached response must have been computed from to be still true: it rises with every
    /// write, and with every moment that was given to [`RequestContext::true_until`].
    pub fn cache_version(&self) -> u64 {
        self.db.data_version().unsigned_abs() + self.expiries.passed(self.clock.now())
    }

    /// The page or document of `key`, from memory if it is still true, else as `compute` makes it, which says also whether it
    /// lasts. While one visitor waits for a new one, the others are given the former one, and so is everybody while the
    /// database is away.
    ///
    /// Not for answers that others are made from: these would be remembered as new.
    pub(crate) async fn cached(
        &self,
        key: String,
        compute: impl Future<Output = Result<(Arc<CachedResponse>, bool)>> + Send,
    ) -> Result<Arc<CachedResponse>> {
        let version = self.cache_version();
        if let Some(answer) = self.cache.get(&key, version) {
            self.metrics.cache(CacheOutcome::Hit);
            return Ok(answer);
        }
        let former = self.cache.former(&key);
        let computing = self.cache.computing(&key);
        if let (None, Some(former)) = (&computing, &former) {
            self.metrics.cache(CacheOutcome::Stale);
            return Ok(former.clone());
        }
        let (outcome, answer) = match (compute.await, former) {
            (Ok((answer, true)), _) => {
                self.cache.put(key, version, answer.clone());
                (CacheOutcome::Miss, Ok(answer))
            }
            // Parts of the new one are missing.
            (Ok((answer, false)), Some(former)) if answer.status() == Status::Ok => (CacheOutcome::Stale, Ok(former)),
            (Ok((answer, false)), _) => (CacheOutcome::Miss, Ok(answer)),
            (Err(Error::Unavailable(_)), Some(former)) => (CacheOutcome::Stale, Ok(former)),
            (Err(error), _) => (CacheOutcome::Miss, Err(error)),
        };
        self.metrics.cache(outcome);
        answer
    }

    /// The API's answer at `path`, from memory if it is still true. Pages and the API share it.
    pub async fn api(self: &Arc<Self>, path: &str, base_url: &Arc<str>) -> Result<Arc<CachedResponse>> {
        let (endpoint, params) = self
            .contents
            .endpoint_at(path)
            .ok_or_else(|| Error::NotFound(format!("There is no {path} in this API.")))?;
        self.answer(endpoint, params, BTreeMap::new(), base_url).await
    }

    /// What `endpoint` answers, from memory if it is still true.
    pub async fn answer(
        self: &Arc<Self>,
        endpoint: &Endpoint,
        params: Params,
        query: BTreeMap<&'static str, String>,
        base_url: &Arc<str>,
    ) -> Result<Arc<CachedResponse>> {
        // Postgres takes none, and nothing is called so.
        if params.values().any(|value| value.contains('\0')) {
            return Err(Error::NotFound("There is nothing at this address.".into()));
        }
        let mut key = format!("api {base_url} {}", endpoint.path.fill(&params));
        for (name, value) in &query {
            key.push_str(&format!(" {name}={value}"));
        }
        let version = self.cache_version();
        if let Some(answer) = self.cache.get(&key, version) {
            self.metrics.cache(CacheOutcome::Hit);
            return Ok(answer);
        }
        self.metrics.cache(CacheOutcome::Miss);
        let request = RequestContext { site: self.clone(), params, query, base_url: base_url.clone() };
        let json = alternative_texts::add(&self.db, endpoint.answer(request).await?, base_url).await?;
        let answer = Arc::new(CachedResponse::json(json));
        self.cache.put(key, version, answer.clone());
        Ok(answer)
    }
}
