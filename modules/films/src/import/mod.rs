//! Imports of film lists: from a table in a file to films of an edition.
//!
//! `columns` finds the field of each column, `rows` reads the values with `cells` and its helpers, and `pairing` and
//! `near_matches` decide by its `identity` which film each row describes; none of them needs a database or HTTP.
//! `picture_names` finds the posters and stills among files. `stored` reads the films of an edition, `recognition` and
//! `matching` compare a list with them, and `reader` is what core uses to import film lists
//! ([`festival_core::importing`]).

mod cells;
mod codes;
mod columns;
mod country;
mod fields;
mod film_list;
mod header_words;
mod headers;
mod identity;
mod likeness;
mod matching;
mod near_matches;
mod pair;
mod pairing;
mod picture_names;
mod publication;
mod reader;
mod recognition;
mod rows;
mod sections;
mod stored;

#[cfg(test)]
mod tests;

pub(crate) use reader::FilmLists;
