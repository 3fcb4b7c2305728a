//! Which films and sections of an edition the rows of a list mean.

use std::collections::{HashMap, HashSet};

use festival_core::Result;
use festival_core::entity::Values;
use festival_core::importing::{Matches, NewTarget, Row, RowMatch};
use sqlx::{AnyConnection, Row as _};

use super::{Action, ExistingFilm, Field, FilmRow, FilmValues, fold, plan};
use crate::category::CATEGORY;

/// Finds the film that each row means, and the sections that are to be created for new films.
pub(super) async fn match_rows(connection: &mut AnyConnection, edition: Option<i64>, rows: &[Row]) -> Result<Matches> {
    let films: Vec<FilmRow> =
        rows.iter().map(|row| FilmRow { line: row.line, values: FilmValues::of(&row.values) }).collect();
    let (existing, section_of) = existing_films(connection, edition).await?;
    let mut sections = Sections::load(connection, edition).await?;
    let mut matches = Matches::default();
    for (row, action) in films.iter().zip(plan(&existing, &films)) {
        let name = &row.values.name;
        let (id, section, similar) = match action {
            Action::Insert { like } => (None, sections.find_or_add(&row.values.category), like),
            // A film that is there stays in its section, however the list spells that.
            Action::Update(id) | Action::Unchanged(id) => {
                (Some(id), section_of.get(&id).cloned().unwrap_or_default(), None)
            }
        };
        matches
            .notes
            .extend(similar.map(|film| {
                format!("line {}: \"{name}\" is new, but looks like film {film} of its section", row.line)
            }));
        matches.rows.push(RowMatch { id, reference: Some((Field::Category.name(), section)), similar });
    }
    matches.new_targets = sections.added;
    Ok(matches)
}

/// The films of an edition, and the name in addresses of the section of each.
async fn existing_films(
    connection: &mut AnyConnection,
    edition: Option<i64>,
) -> Result<(Vec<ExistingFilm>, HashMap<i64, String>)> {
    let rows = sqlx::query(
        "SELECT f.id, f.name, f.original_title, f.director_name, c.name AS category, c.slug, f.country, f.year, \
           f.duration_minutes, f.language, f.synopsis, f.cast_details, f.crew_details, f.writer_name, f.producer_name \
         FROM films f JOIN categories c ON c.id = f.category_id WHERE f.edition_id = $1 ORDER BY f.id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?;
    let mut section_of = HashMap::with_capacity(rows.len());
    let mut films = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.try_get("id")?;
        section_of.insert(id, row.try_get("slug")?);
        films.push(ExistingFilm {
            id,
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
        });
    }
    Ok((films, section_of))
}

/// The sections of an edition by their folded names.
struct Sections {
    slug_of: HashMap<String, String>,
    slugs: HashSet<String>,
    position: i64,
    added: Vec<NewTarget>,
}

impl Sections {
    async fn load(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Self> {
        let rows = sqlx::query("SELECT name, slug, position FROM categories WHERE edition_id = $1 ORDER BY id DESC")
            .bind(edition)
            .fetch_all(connection)
            .await?;
        let mut sections = Self { slug_of: HashMap::new(), slugs: HashSet::new(), position: 0, added: Vec::new() };
        for row in rows {
            let slug: String = row.try_get("slug")?;
            sections.slug_of.insert(fold(row.try_get("name")?), slug.clone());
            sections.slugs.insert(slug);
            sections.position = sections.position.max(row.try_get("position")?);
        }
        Ok(sections)
    }

    /// The name in addresses of the section called `name`; where there is none, of a new one behind the others.
    fn find_or_add(&mut self, name: &str) -> String {
        if let Some(slug) = self.slug_of.get(&fold(name)) {
            return slug.clone();
        }
        self.position += 10;
        let slug = self.free_slug(name);
        let values = Values::from([
            ("slug".to_owned(), slug.clone()),
            ("name".to_owned(), name.to_owned()),
            ("position".to_owned(), self.position.to_string()),
        ]);
        self.slug_of.insert(fold(name), slug.clone());
        self.slugs.insert(slug.clone());
        self.added.push(NewTarget { entity: &CATEGORY, key: slug.clone(), values });
        slug
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
