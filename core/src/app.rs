//! The site at work: settings, registry, database, memory, media and templates in one place.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use rust_embed::EmbeddedFile;
use sqlx::AnyConnection;

use crate::admin::Admin;
use crate::card::Cards;
use crate::clock::Clock;
use crate::db::Db;
use crate::endpoint::{Ask, Endpoint};
use crate::error::{Error, Result};
use crate::http::{Answer, Cache, Hosts, Moments};
use crate::media::Media;
use crate::page::Templates;
use crate::pattern::Params;
use crate::registry::Registry;
use crate::settings::{InForce, Settings};
use festival_records::{Records, picture_words};

/// The built frontend, `dist/`: embedded in the program, or read from disk in a development build.
#[derive(Clone, Copy)]
pub struct FrontendFiles {
    /// A file by its path in `dist/`.
    pub get: fn(&str) -> Option<EmbeddedFile>,
    /// The paths of all files.
    pub names: fn() -> Vec<String>,
}

/// The site.
pub struct App {
    /// Its settings as the file and the environment have them. What organisers change in the browser is in
    /// [`App::in_force`].
    pub settings: Settings,
    /// The settings in force: those of the file with what was changed in the browser.
    pub in_force: Arc<InForce>,
    /// What the modules contribute.
    pub registry: Arc<Registry>,
    /// Its database.
    pub db: Db,
    /// Its clock.
    pub clock: Clock,
    /// The festival's time zone.
    pub time_zone: TimeZone,
    /// Answers in memory.
    pub cache: Cache,
    /// When answers stop being true by themselves.
    pub(crate) moments: Moments,
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
    /// What the back office keeps in memory.
    pub admin: Arc<Admin>,
    /// The hosts that requests may name.
    pub hosts: Arc<Hosts>,
}

impl App {
    /// Puts the site together; opens nothing but the media folders.
    pub fn new(
        settings: Settings,
        registry: Registry,
        db: Db,
        clock: Clock,
        frontend: FrontendFiles,
    ) -> Result<Arc<Self>> {
        let time_zone = TimeZone::get(&settings.time_zone).map_err(Error::internal)?;
        let media = Arc::new(Media::open(&settings.data_dir.join("media"))?);
        let described = registry.described();
        let records = Records {
            db: db.clone(),
            clock: clock.clone(),
            time_zone: time_zone.clone(),
            media: media.clone(),
            described,
        };
        let cards = Cards::new(settings.data_dir.join("cards"));
        let templates = Templates::new(frontend);
        let hosts = Hosts::new(&settings);
        let cache = Cache::new(settings.api.remember_answers);
        let admin = Admin::new(&settings, frontend);
        let in_force = Arc::new(registry.in_force());
        Ok(Arc::new(Self {
            settings,
            in_force,
            registry: Arc::new(registry),
            db,
            clock,
            time_zone,
            cache,
            moments: Moments::default(),
            records,
            media,
            cards: Arc::new(cards),
            templates: Arc::new(templates),
            frontend,
            admin: Arc::new(admin),
            hosts: Arc::new(hosts),
        }))
    }

    /// The same site with another database, remembering no answers: what a draft looks like in it.
    pub(crate) fn on(&self, db: Db) -> Arc<Self> {
        Arc::new(Self {
            settings: self.settings.clone(),
            in_force: Arc::new(self.registry.in_force()),
            registry: self.registry.clone(),
            records: Records { db: db.clone(), ..self.records.clone() },
            db,
            clock: self.clock.clone(),
            time_zone: self.time_zone.clone(),
            cache: Cache::new(false),
            moments: Moments::default(),
            media: self.media.clone(),
            cards: self.cards.clone(),
            templates: self.templates.clone(),
            frontend: self.frontend,
            admin: self.admin.clone(),
            hosts: self.hosts.clone(),
        })
    }

    /// The settings in force: those of the file with what was changed in the browser. From memory while the data is
    /// as it was.
    ///
    /// What cannot be changed in the browser is the same in [`App::settings`].
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
        self.media.has_room(&self.settings.uploads, bytes).await
    }

    /// What a remembered answer must have been computed from to be still true: it rises with every write, and with
    /// every moment that was noted with [`Ask::true_until`].
    pub fn generation(&self) -> u64 {
        self.db.generation() + self.moments.come(self.clock.now())
    }

    /// The endpoint at `path` (without the API's mount), with the values of its holes.
    pub fn endpoint_at(&self, path: &str) -> Option<(&Arc<Endpoint>, Params)> {
        self.registry.endpoints().find_map(|endpoint| Some((endpoint, endpoint.path.matches(path)?)))
    }

    /// The API's answer at `path`, from memory if it is still true. Pages and the API share it.
    pub async fn api(self: &Arc<Self>, path: &str, base_url: &Arc<str>) -> Result<Arc<Answer>> {
        let (endpoint, params) =
            self.endpoint_at(path).ok_or_else(|| Error::NotFound(format!("There is no {path} in this API.")))?;
        self.ask(endpoint, params, BTreeMap::new(), base_url).await
    }

    /// What `endpoint` answers, from memory if it is still true.
    pub async fn ask(
        self: &Arc<Self>,
        endpoint: &Endpoint,
        params: Params,
        query: BTreeMap<&'static str, String>,
        base_url: &Arc<str>,
    ) -> Result<Arc<Answer>> {
        let mut key = format!("api {base_url} {}", endpoint.path.fill(&params));
        for (name, value) in &query {
            key.push_str(&format!(" {name}={value}"));
        }
        let generation = self.generation();
        if let Some(answer) = self.cache.get(&key, generation) {
            return Ok(answer);
        }
        let ask = Ask { app: self.clone(), params, query, base_url: base_url.clone() };
        let json = picture_words::add(&self.db, endpoint.answer(ask).await?, base_url).await?;
        let answer = Arc::new(Answer::json(json));
        self.cache.put(key, generation, answer.clone());
        Ok(answer)
    }
}
