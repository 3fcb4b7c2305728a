//! Lists of screenings as festivals have them: `Film, Venue, Date, Time`.
//!
//! `cells` reads days and times, `reader` the columns, `matching` finds films, halls and stored screenings.

mod cells;
mod matching;
mod reader;

pub(crate) use reader::ScreeningLists;
