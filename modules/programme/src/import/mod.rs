//! Lists of screenings as festivals have them: `Film, Venue, Date, Time`.
//!
//! `columns` has the names of the columns, `reader` reads them, `starts` reads when screenings begin, `matching` finds films,
//! halls and stored screenings.

mod columns;
mod matching;
mod reader;
mod starts;

pub(crate) use reader::ScreeningLists;
