//! Imports of film lists: from a table in a file to films of an edition.
//!
//! Core reads the columns and the cells of each field ([`festival_core::importing`]). `film_list` decides what is a list of
//! films, which title is shown and which rows repeat a film; `pairing` and `near_matches` decide by its `identity` which
//! film each row describes; none of them needs a database or HTTP. `picture_names` finds the posters and stills among
//! files. `stored` reads the films of an edition, `recognition` and `matching` compare a list with them, and `reader` is
//! what core uses to import film lists.

mod fields;
mod film_list;
mod identity;
mod matching;
mod near_matches;
mod pairing;
mod picture_names;
mod reader;
mod recognition;
mod stored;

#[cfg(test)]
mod tests;

pub(crate) use reader::FilmLists;
