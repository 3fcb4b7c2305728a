//! Descriptions of what organisers edit: names, fields and table of each entity.
//!
//! Forms, imports, exports and seeds share them: each provides text by field name ([`Values`]), [`Entity::parse`]
//! checks it, [`table`] writes the rows. The responses of the public API are written by hand in the modules.

mod definition;
mod hash;
mod listing;
mod parse;
mod print;
pub mod table;

pub(crate) use definition::EDITIONS;
pub use definition::{Entity, Field, Kind, Reads, Record, Subject, Values};
pub use festival_base::db::Datum;
pub use festival_base::text::trim;
pub(crate) use hash::hash;
pub use listing::{Choice, ListedRow};
pub use parse::too_long;
