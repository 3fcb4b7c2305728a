//! The database: connection pool, migrations, read and write transactions, for SQLite and Postgres.

mod address;
mod backend;
mod checksum;
mod condition;
mod copies;
mod datum;
mod migrate;
mod pool;
mod preview;
mod purge;
mod rows;
mod select;
mod timestamp;
mod usage;
mod versions;
mod write;

pub use backend::Backend;
pub use condition::{Conditions, Test, search_words};
pub use datum::Datum;
pub use migrate::{Migration, Version, migrate, newer, pending};
pub use pool::{Db, FestivalDb};
pub use preview::PreviewTransaction;
pub use rows::{insert_rows, update_rows};
pub use select::{Order, Searched, Select, SelectedRow, snapshot};
pub use timestamp::timestamp_text;
pub use usage::{PoolSize, Usage};
pub(crate) use write::CHANNEL;
pub use write::{Write, data_version};
