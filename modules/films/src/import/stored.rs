//! The films of an edition as film lists describe them: what imports compare with, and what exports write.

use std::collections::HashMap;

use festival_core::Result;
use festival_core::db::Backend;
use festival_core::entity::{Choice, Datum, Listing, Values, table};
use sqlx::AnyConnection;

use super::fields;
use crate::category::CATEGORY;
use crate::film::FILM;

/// A film in the database.
pub(crate) struct StoredFilm {
    pub(super) id: i64,
    /// The slug of its category.
    pub(super) category_slug: String,
    /// Its values by field, the category by its name. A field without a value is missing.
    pub(crate) values: Values,
}

/// Loads the films of an edition in the order of the site: by category, then by position.
pub(crate) async fn stored_films(
    connection: &mut AnyConnection,
    backend: Backend,
    edition: Option<i64>,
) -> Result<Vec<StoredFilm>> {
    let categories = table::choices(connection, &CATEGORY, edition).await?;
    let places: HashMap<i64, usize> = categories.iter().enumerate().map(|(place, choice)| (choice.id, place)).collect();
    let listing = Listing { edition, ..Listing::first(i64::MAX) };
    let mut films = Vec::new();
    for row in table::list(connection, backend, &FILM, &listing).await?.rows {
        let mut film = StoredFilm { id: row.id, category_slug: String::new(), values: Values::new() };
        let mut place = None;
        for (field, datum) in FILM.columns().zip(row.record) {
            let value = match datum {
                Datum::Integer(id) if field.name == fields::CATEGORY => {
                    place = places.get(&id).copied();
                    row.names.get(field.name).cloned()
                }
                Datum::Integer(number) => Some(number.to_string()),
                Datum::Text(text) | Datum::Reference(text) => Some(text),
                Datum::Null => None,
            };
            film.values.extend(value.map(|value| (field.name.to_owned(), value)));
        }
        if let Some(Choice { key, .. }) = place.and_then(|place| categories.get(place)) {
            film.category_slug.clone_from(key);
        }
        films.push((place, film));
    }
    films.sort_by_key(|(place, _)| *place);
    Ok(films.into_iter().map(|(_, film)| film).collect())
}
