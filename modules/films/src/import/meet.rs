//! Which films and sections of an edition the rows of a list mean.

use std::collections::{HashMap, HashSet};

use festival_core::entity::Values;
use festival_core::importing::{Job, Row};
use festival_core::{Result, editing};
use sqlx::{AnyConnection, Row as _};

use super::{Action, ExistingFilm, Field, FilmRow, FilmValues, fold, plan};
use crate::category::CATEGORY;

/// What was found and made.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Sections that were new.
    pub(super) new_sections: Vec<String>,
    /// Films of the same section that may be meant by a row that is taken for a new one, by line.
    pub(super) like: HashMap<u64, i64>,
}

/// Says of each row which film it means, and makes the sections of new films that are not there.
pub(super) async fn meet(job: &mut Job<'_>, rows: &mut [Row]) -> Result<Met> {
    let films: Vec<FilmRow> =
        rows.iter().map(|row| FilmRow { line: row.line, values: FilmValues::of(&row.values) }).collect();
    let existing = existing_films(job.connection, job.edition).await?;
    let mut sections = Sections::load(job.connection, job.edition).await?;
    let mut met = Met::default();
    for (row, action) in rows.iter_mut().zip(plan(&existing, &films)) {
        match action {
            Action::Insert { like } => {
                let name = row.values.get(Field::Category.name()).cloned().unwrap_or_default();
                let slug = sections.find_or_create(job, &name).await?;
                row.values.insert(Field::Category.name().to_owned(), slug);
                met.like.extend(like.map(|film| (row.line, film)));
            }
            Action::Update(id) | Action::Unchanged(id) => {
                row.id = Some(id);
                // A film that is there stays in its section, however the list spells that.
                row.values.remove(Field::Category.name());
            }
        }
    }
    met.new_sections = sections.inserted;
    Ok(met)
}

async fn existing_films(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Vec<ExistingFilm>> {
    let rows = sqlx::query(
        "SELECT f.id, f.name, f.original_title, f.director_name, c.name AS category, f.country, f.year, \
           f.duration_minutes, f.language, f.synopsis, f.cast_details, f.crew_details, f.writer_name, f.producer_name \
         FROM films f JOIN categories c ON c.id = f.category_id WHERE f.edition_id = $1 ORDER BY f.id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ExistingFilm {
                id: row.try_get("id")?,
                values: FilmValues {
                    name: row.try_get("name")?,
                    original_title: row.try_get("original_title")?,
                    director_name: row.try_get("director_name")?,
                    category: row.try_get("category")?,
                    country: row.try_get("country")?,
                    year: row.try_get("year")?,
                    duration_minutes: row.try_get("duration_minutes")?,
                    language: row.try_get("language")?,
                    synopsis: row.try_get("synopsis")?,
                    cast_details: row.try_get("cast_details")?,
                    crew_details: row.try_get("crew_details")?,
                    writer_name: row.try_get("writer_name")?,
                    producer_name: row.try_get("producer_name")?,
                },
            })
        })
        .collect()
}

/// The sections of an edition by their folded names.
struct Sections {
    slug_of: HashMap<String, String>,
    slugs: HashSet<String>,
    position: i64,
    inserted: Vec<String>,
}

impl Sections {
    async fn load(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Self> {
        let rows = sqlx::query("SELECT name, slug, position FROM categories WHERE edition_id = $1 ORDER BY id DESC")
            .bind(edition)
            .fetch_all(connection)
            .await?;
        let mut sections = Self { slug_of: HashMap::new(), slugs: HashSet::new(), position: 0, inserted: Vec::new() };
        for row in rows {
            let slug: String = row.try_get("slug")?;
            sections.slug_of.insert(fold(row.try_get("name")?), slug.clone());
            sections.slugs.insert(slug);
            sections.position = sections.position.max(row.try_get("position")?);
        }
        Ok(sections)
    }

    /// The name in addresses of the section called `name`; a new one, after the others, where there is none.
    async fn find_or_create(&mut self, job: &mut Job<'_>, name: &str) -> Result<String> {
        if let Some(slug) = self.slug_of.get(&fold(name)) {
            return Ok(slug.clone());
        }
        self.position += 10;
        let slug = self.free_slug(name);
        let values = Values::from([
            ("slug".to_owned(), slug.clone()),
            ("name".to_owned(), name.to_owned()),
            ("position".to_owned(), self.position.to_string()),
        ]);
        editing::create(job.records, job.connection, &CATEGORY, job.edition, &values, job.editor).await?;
        self.slug_of.insert(fold(name), slug.clone());
        self.slugs.insert(slug.clone());
        self.inserted.push(name.to_owned());
        Ok(slug)
    }

    /// A name in addresses that no section has: "asian-cinema", "section-2" for a name without Latin letters.
    fn free_slug(&self, name: &str) -> String {
        let mut slug = String::new();
        for c in name.to_lowercase().chars() {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(80);
        let slug = slug.trim_end_matches('-');
        let slug = if slug.is_empty() { "section" } else { slug };
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        std::iter::once(slug.to_owned()).chain(numbered).find(|slug| !self.slugs.contains(slug)).unwrap_or_default()
    }
}
