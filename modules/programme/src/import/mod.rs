//! Lists of screenings as festivals have them: `Film, Venue, Date, Time`.
//!
//! `reader` reads the columns, `matching` finds films, halls and stored screenings.

mod matching;
mod reader;

pub(crate) use reader::ScreeningLists;
