//! Records are the rows that organisers edit: their descriptions, editing with history, scheduled publishing, imports
//! and seeds.
//!
//! Nothing here knows about requests or screens. Functions take [`Records`] and a connection, so that the caller
//! decides on the transaction.

pub mod alphabet;
pub mod date_placeholder;
pub mod editing;
pub mod edition;
pub mod entity;
pub mod exporting;
pub mod html;
pub mod identity;
pub mod importing;
pub mod next_edition;
pub mod pictures;
pub mod search_key;
pub mod seed;
pub mod similar_words;

use std::sync::Arc;

use entity::Entity;
use festival_base::clock::Clock;
use festival_base::db::Db;
use festival_files::media::Media;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::Semaphore;

/// The context of functions on records. Cheap to clone.
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
    /// Every entity, in the order in which seeds write them.
    pub described: Arc<[Described]>,
    /// Held by the import that is planned or written.
    pub importing: Arc<Semaphore>,
}

/// An entity that a module registers.
#[derive(Clone, Copy)]
pub struct Described {
    /// The entity.
    pub entity: &'static Entity,
    /// Whether its module is switched on.
    pub is_enabled: bool,
    /// Whether the next edition starts with copies of its rows.
    pub is_carried_over: bool,
}

impl Records {
    /// Today, where the festival is.
    pub fn today(&self) -> Date {
        self.clock.now().to_zoned(self.time_zone.clone()).date()
    }

    /// The current year, where the festival is.
    pub fn this_year(&self) -> i64 {
        i64::from(self.today().year())
    }

    /// All entities, also those of modules that are switched off, because their rows stay.
    pub fn entities(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().map(|described| described.entity)
    }

    /// The entities of modules that are switched on.
    pub fn enabled(&self) -> impl Iterator<Item = &'static Entity> {
        self.described.iter().filter(|described| described.is_enabled).map(|described| described.entity)
    }

    /// Whether the module that describes `entity` is switched on.
    pub fn is_enabled(&self, entity: &Entity) -> bool {
        self.enabled().any(|other| other.table == entity.table)
    }
}
