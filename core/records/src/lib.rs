//! Records are the rows that organisers edit: their descriptions, editing with history, scheduled publishing, imports
//! and seeds.
//!
//! Nothing here knows requests or screens. Functions take [`Records`] and a connection, so that the caller decides on
//! the transaction.

pub mod date_placeholder;
pub mod editing;
pub mod edition;
pub mod entity;
pub mod html;
pub mod identity;
pub mod importing;
pub mod pictures;
pub mod seed;
pub mod text;

use std::sync::Arc;

use entity::Entity;
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_files::media::Media;
use jiff::tz::TimeZone;

/// What functions on records work with. Cheap to clone.
#[derive(Clone)]
pub struct Records {
    /// The database.
    pub db: Db,
    /// The clock for timestamps of changes.
    pub clock: Clock,
    /// The festival's time zone, for times without an offset.
    pub time_zone: TimeZone,
    /// The stores of their files.
    pub media: Arc<Media>,
    /// Every entity with whether its module is switched on, in the order in which seeds write them.
    pub described: Arc<[(&'static Entity, bool)]>,
}

impl Records {
    /// All entities, also those of modules that are switched off, because their rows stay.
    pub fn entities(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().map(|(entity, _)| *entity)
    }

    /// The entities of modules that are switched on.
    pub fn enabled(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().filter(|(_, is_enabled)| *is_enabled).map(|(entity, _)| *entity)
    }

    /// Whether the module that describes `entity` is switched on.
    pub fn is_enabled(&self, entity: &Entity) -> bool {
        self.enabled().any(|other| other.table == entity.table)
    }
}
