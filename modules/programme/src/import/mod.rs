//! Lists of screenings as festivals have them: `Film, Venue, Date, Time`.
//!
//! `reader` reads the columns, `starts` when screenings begin, `matching` finds films, halls and stored screenings.

mod matching;
mod reader;
mod starts;

pub(crate) use reader::ScreeningLists;
