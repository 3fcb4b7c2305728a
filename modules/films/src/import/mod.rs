//! Imports of film lists: from a table in a file to films of an edition.
//!
//! `columns` finds the field of each column, `rows` reads the values with `cells` and its helpers, and `pairing` and
//! `near_matches` decide which film each row describes: none of them needs a database or HTTP. `picture_names` finds the posters and stills among
//! files, and `pictures` stores them. `stored` reads the films of an edition,
//! `recognition` and `matching` compare a list with them, `reader` is how the back office reads film lists, and `command` with
//! `arguments` and `summary` is the command line. Core writes the rows ([`festival_core::importing`]).

mod arguments;
mod cells;
mod columns;
mod command;
mod country;
mod duration;
mod error;
mod fields;
mod film_list;
mod header_words;
mod headers;
mod likeness;
mod matching;
mod near_matches;
mod pairing;
mod picture_names;
mod pictures;
mod reader;
mod recognition;
mod report;
mod rows;
mod sections;
mod stored;
mod summary;

#[cfg(test)]
mod tests;

pub(crate) use command::ImportFilms;
pub(crate) use festival_core::importing::likeness::fold;
pub(crate) use fields::FIELDS;
pub(crate) use reader::FilmLists;

use error::ImportError;
use festival_core::importing::Mapping;
use film_list::{FilmList, ReadOptions, read_films};
use report::{Ignored, Reason, Report, Understood, Warning};
