//! A film list: from a table file to films of an edition.
//!
//! `columns` finds out what the columns are, `cells` and its helpers read the values, `plan` compares the rows
//! with the films that are there: no database, no HTTP. `matching` asks the database which those are, `reader` is how core
//! reads film lists in the back office, `command` is what people type. Core writes ([`festival_core::importing`]).

mod cells;
mod columns;
mod command;
mod country;
mod duration;
mod error;
mod field;
mod film_list;
mod headers;
mod identity;
mod mapping;
mod matching;
mod plan;
mod reader;
mod report;
mod rows;
mod synonyms;

#[cfg(test)]
mod tests;

pub(crate) use command::ImportFilms;
pub use error::ImportError;
pub use festival_core::importing::CellError;
pub use field::{Field, FilmRow, FilmValues};
pub use film_list::{FilmList, Options, read_films};
pub use identity::{fold, match_key};
pub use mapping::{Mapping, Source};
pub use plan::{Action, ExistingFilm, plan};
pub(crate) use reader::FilmLists;
pub use report::{Ignored, Reason, Report, Understood, Warning};
