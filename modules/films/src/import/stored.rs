//! The films of an edition by what a list recognises them by.

use std::collections::HashMap;
use std::sync::Arc;

use festival_core::Result;
use festival_core::importing::likeness::fold;
use sqlx::AnyConnection;

use super::pairing::Identity;

/// Films that are read at a time.
const PAGE_SIZE: i64 = 2_000;

/// What a list can recognise a film in the database by, as it is stored.
pub(super) struct StoredFilm {
    pub(super) id: i64,
    pub(super) name: String,
    original_title: Option<String>,
    pub(super) director: Option<String>,
    pub(super) year: Option<i64>,
    pub(super) section: StoredSection,
}

/// A section by its name.
#[derive(Clone, Default)]
pub(super) struct StoredSection {
    pub(super) name: Arc<str>,
    folded: Arc<str>,
}

impl StoredFilm {
    pub(super) fn identity(&self) -> Identity {
        let titles = [Some(&*self.name), self.original_title.as_deref()];
        let identity = Identity::new(titles, self.director.as_deref(), self.year, self.section.folded.clone());
        Identity { id: Some(self.id), ..identity }
    }
}

/// Loads the films of an edition in the order of their ids.
pub(super) async fn stored_films(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Vec<StoredFilm>> {
    let sections: Vec<(i64, String)> =
        sqlx::query_as("SELECT id, name FROM categories").fetch_all(&mut *connection).await?;
    let section = |(id, name): (i64, String)| (id, StoredSection { folded: fold(&name).into(), name: name.into() });
    let sections: HashMap<i64, StoredSection> = sections.into_iter().map(section).collect();
    let mut films: Vec<StoredFilm> = Vec::new();
    loop {
        type Columns = (i64, i64, String, Option<String>, Option<String>, Option<i64>);
        let page: Vec<Columns> = sqlx::query_as(
            "SELECT id, category_id, name, original_title, director_name, year FROM films \
             WHERE edition_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        )
        .bind(edition)
        .bind(films.last().map_or(0, |film| film.id))
        .bind(PAGE_SIZE)
        .fetch_all(&mut *connection)
        .await?;
        let is_last = page.len() < PAGE_SIZE as usize;
        films.extend(page.into_iter().map(|(id, section, name, original_title, director, year)| {
            let section = sections.get(&section).cloned().unwrap_or_default();
            StoredFilm { id, name, original_title, director, year, section }
        }));
        if is_last {
            return Ok(films);
        }
    }
}
