//! The stored films of an edition, with the properties by which a list recognises them.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use festival_core::Result;
use festival_core::importing::likeness::fold;
use sqlx::AnyConnection;

use super::fields::{IMDB_ID, REFERENCE};
use super::identity::Identity;

/// Number of films that are read at a time.
const PAGE_SIZE: i64 = 2_000;

/// A film in the database, with the properties by which a list can recognise it.
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
        let section = self.section.folded.clone();
        Identity::new(titles, self.director.as_deref(), self.year, section).with_id(Some(self.id))
    }

    /// A hash of the properties by which it is recognised, in exactly this spelling.
    pub(super) fn fingerprint(&self, state: &impl BuildHasher) -> u64 {
        let titles = [Some(&*self.name), self.original_title.as_deref()];
        fingerprint(state, &self.section.folded, titles, self.director.as_deref(), self.year)
    }
}

/// A hash of the properties by which a film is recognised: the folded name of its section, the rest as it is spelled.
pub(super) fn fingerprint(
    state: &impl BuildHasher,
    section: &str,
    titles: [Option<&str>; 2],
    director: Option<&str>,
    year: Option<i64>,
) -> u64 {
    state.hash_one((section, titles, director, year))
}

/// Reads the films of an edition.
pub(super) struct StoredFilms {
    edition: Option<i64>,
    sections: HashMap<i64, StoredSection>,
}

impl StoredFilms {
    pub(super) async fn of_edition(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Self> {
        let sections: Vec<(i64, String)> =
            sqlx::query_as("SELECT id, name FROM categories").fetch_all(connection).await?;
        let section = |(id, name): (i64, String)| (id, StoredSection { folded: fold(&name).into(), name: name.into() });
        Ok(Self { edition, sections: sections.into_iter().map(section).collect() })
    }

    /// The numbers of films, each with its field and the id of its film.
    pub(super) async fn numbers(&self, connection: &mut AnyConnection) -> Result<Vec<(&'static str, String, i64)>> {
        let films: Vec<(i64, Option<String>, Option<String>)> = sqlx::query_as(
            "SELECT id, reference, imdb_id FROM films \
             WHERE edition_id = $1 AND (reference IS NOT NULL OR imdb_id IS NOT NULL)",
        )
        .bind(self.edition)
        .fetch_all(connection)
        .await?;
        let numbers = films.into_iter().flat_map(|(id, reference, imdb_id)| {
            [(REFERENCE, reference, id), (IMDB_ID, imdb_id, id)]
                .into_iter()
                .filter_map(|(field, number, id)| Some((field, number?, id)))
        });
        Ok(numbers.collect())
    }

    /// Calls `see` with every film, in the order of their ids: one page of them is in memory at a time.
    pub(super) async fn each(&self, connection: &mut AnyConnection, mut see: impl FnMut(StoredFilm)) -> Result<()> {
        let mut last = 0;
        loop {
            type Columns = (i64, i64, String, Option<String>, Option<String>, Option<i64>);
            let page: Vec<Columns> = sqlx::query_as(
                "SELECT id, category_id, name, original_title, director_name, year FROM films \
                 WHERE edition_id = $1 AND id > $2 ORDER BY id LIMIT $3",
            )
            .bind(self.edition)
            .bind(last)
            .bind(PAGE_SIZE)
            .fetch_all(&mut *connection)
            .await?;
            let is_last = page.len() < PAGE_SIZE as usize;
            last = page.last().map_or(last, |film| film.0);
            for (id, section, name, original_title, director, year) in page {
                let section = self.sections.get(&section).cloned().unwrap_or_default();
                see(StoredFilm { id, name, original_title, director, year, section });
            }
            if is_last {
                return Ok(());
            }
        }
    }
}
