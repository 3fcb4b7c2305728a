//! Records: what organisers edit is described, written with its history, published, brought in and seeded.
//!
//! Nothing here knows of requests or screens. Functions take [`Records`] and a connection, so that their caller says
//! which transaction they belong to.

pub mod alternative_texts;
pub mod date_placeholder;
pub mod editing;
pub mod edition;
pub mod entity;
pub mod html;
pub mod identity;
pub mod importing;
pub mod seed;
pub mod text;

use std::sync::Arc;

use entity::Entity;
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_files::media::Media;
use jiff::tz::TimeZone;

/// What records stand on. Cheap to clone.
#[derive(Clone)]
pub struct Records {
    /// Where they are kept.
    pub db: Db,
    /// When something is done to them.
    pub clock: Clock,
    /// The festival's time zone: moments without an offset are read in it.
    pub time_zone: TimeZone,
    /// Where their files are kept.
    pub media: Arc<Media>,
    /// All that is described, each with whether its module is switched on, in the order in which seeds write them.
    pub described: Arc<[(&'static Entity, bool)]>,
}

impl Records {
    /// All entities, switched off or not: their rows stay.
    pub fn entities(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().map(|(entity, _)| *entity)
    }

    /// The entities of what is switched on.
    pub fn enabled(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().filter(|(_, is_enabled)| *is_enabled).map(|(entity, _)| *entity)
    }

    /// Whether the module that describes `entity` is switched on.
    pub fn is_enabled(&self, entity: &Entity) -> bool {
        self.enabled().any(|other| other.table == entity.table)
    }
}
