//! The database: connection pool, migrations, read and write transactions, for SQLite and Postgres.

mod copies;
mod datum;
mod migrate;
mod pool;
mod preview;
mod rows;
mod select;
mod usage;
mod write;

pub use datum::Datum;
pub use migrate::{Migration, Version, migrate, newer, pending};
pub use pool::{Backend, Db, FestivalDb};
pub use preview::PreviewTransaction;
pub use rows::{insert_rows, update_rows};
pub use select::{Select, Test, snapshot};
pub use usage::{PoolSize, Usage};
pub(crate) use write::CHANNEL;
pub use write::{Write, data_version};

use jiff::Timestamp;

/// Formats a timestamp for storage: `2025-10-24T12:30:00.000Z`, of fixed width, so that text order is time order.
pub fn timestamp_text(timestamp: Timestamp) -> String {
    let millisecond = timestamp.as_millisecond();
    Timestamp::from_millisecond(millisecond).unwrap_or(timestamp).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// Declares a [`Migration`] from `migrations/{sqlite,postgres}/<module>/<version>_<name>.sql`.
///
/// The path is relative to a crate in `modules/`; other crates pass the path of the migrations folder first.
#[macro_export]
macro_rules! migration {
    ($module:literal, $version:literal, $name:literal) => {
        $crate::migration!("/../../migrations", $module, $version, $name)
    };
    ($root:literal, $module:literal, $version:literal, $name:literal) => {
        $crate::db::Migration {
            module: $module,
            version: $version,
            name: $name,
            sqlite: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                $root,
                "/sqlite/",
                $module,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
            postgres: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                $root,
                "/postgres/",
                $module,
                "/",
                $version,
                "_",
                $name,
                ".sql"
            )),
            works_with: None,
        }
    };
}
