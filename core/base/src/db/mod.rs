//! The database: connection pool, migrations, read and write transactions, for SQLite and Postgres.

mod address;
mod checksum;
mod condition;
mod copies;
mod datum;
mod migrate;
mod pool;
mod preview;
mod rows;
mod select;
mod write;

pub use address::Backend;
pub use condition::{Conditions, Test, search_words};
pub use datum::{Datum, days_ago, time_before, timestamp_text};
pub use migrate::{Migration, Version, migrate, newer, pending};
pub use pool::{Db, FestivalDb, PoolSize, Usage};
pub use preview::PreviewTransaction;
pub use rows::{insert_row, insert_rows, insert_rows_with_ids, update_each, update_rows};
pub use select::{Order, Searched, Select, SelectedRow, snapshot};
pub(crate) use write::CHANNEL;
pub use write::{Write, data_version};
