//! The films that are printed or packed, by section.

use festival_core::Result;
use festival_core::edition::Edition;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};

/// The films of an edition by section, in the order of the site.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) edition: Edition,
    pub(crate) sections: Vec<Section>,
}

/// A section and its films.
#[derive(Debug, Serialize)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) films: Vec<Film>,
}

/// A film as it is printed.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Film {
    pub(crate) category_id: i64,
    pub(crate) name: String,
    pub(crate) original_title: Option<String>,
    pub(crate) director_name: Option<String>,
    pub(crate) writer_name: Option<String>,
    pub(crate) producer_name: Option<String>,
    pub(crate) cast_details: Option<String>,
    pub(crate) crew_details: Option<String>,
    pub(crate) synopsis: Option<String>,
    pub(crate) year: Option<i64>,
    pub(crate) country: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) subtitle_language: Option<String>,
    pub(crate) duration_minutes: Option<i64>,
    pub(crate) poster: Option<String>,
    pub(crate) poster_alt: Option<String>,
    pub(crate) still_one: Option<String>,
    pub(crate) still_one_alt: Option<String>,
    pub(crate) still_two: Option<String>,
    pub(crate) still_two_alt: Option<String>,
}

impl Film {
    /// The stills that it has, with their alternative texts.
    pub(crate) fn stills(&self) -> impl Iterator<Item = (&str, &str)> {
        let stills = [(&self.still_one, &self.still_one_alt), (&self.still_two, &self.still_two_alt)];
        stills.into_iter().filter_map(|(key, alt)| Some((key.as_deref()?, alt.as_deref().unwrap_or_default())))
    }
}

impl Selection {
    /// Loads the films that the site shows; with `drafts`, all of the edition.
    pub(crate) async fn load(connection: &mut AnyConnection, edition: Edition, drafts: bool) -> Result<Self> {
        let least = i64::from(!drafts);
        let sections: Vec<(i64, String, Option<String>)> = sqlx::query_as(
            "SELECT id, name, description FROM categories WHERE edition_id = $1 AND is_published >= $2 \
             ORDER BY position, id",
        )
        .bind(edition.id)
        .bind(least)
        .fetch_all(&mut *connection)
        .await?;
        let films: Vec<Film> = sqlx::query_as(
            "SELECT f.category_id, f.name, f.original_title, f.director_name, f.writer_name, f.producer_name, \
             f.cast_details, f.crew_details, f.synopsis, f.year, f.country, f.language, f.subtitle_language, \
             f.duration_minutes, f.poster, f.poster_alt, f.still_one, f.still_one_alt, f.still_two, f.still_two_alt \
             FROM films f JOIN categories c ON c.id = f.category_id \
             WHERE c.edition_id = $1 AND f.is_published >= $2 ORDER BY f.position, f.id",
        )
        .bind(edition.id)
        .bind(least)
        .fetch_all(&mut *connection)
        .await?;
        let of = |section: i64| films.iter().filter(|film| film.category_id == section).cloned().collect();
        let sections = sections
            .into_iter()
            .map(|(id, name, description)| Section { name, description, films: of(id) })
            .filter(|section| !section.films.is_empty())
            .collect();
        Ok(Self { edition, sections })
    }

    /// How many films there are.
    pub(crate) fn count(&self) -> usize {
        self.sections.iter().map(|section| section.films.len()).sum()
    }
}
