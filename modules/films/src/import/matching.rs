//! Finds the films and categories of an edition that the rows of a list describe.

use std::collections::{HashMap, HashSet};

use festival_core::Result;
use festival_core::db::Backend;
use festival_core::entity::Values;
use festival_core::importing::{Matches, NewTarget, Row, RowMatch};
use sqlx::{AnyConnection, Row as _};

use super::pairing::{Pair, pair_rows};
use super::{fields, fold, stored_films};
use crate::category::CATEGORY;

/// Finds the film that each row describes, and the categories that have to be created for new films.
pub(super) async fn match_rows(
    connection: &mut AnyConnection,
    backend: Backend,
    edition: Option<i64>,
    rows: &[Row],
) -> Result<Matches> {
    let mut films = stored_films(connection, backend, edition).await?;
    films.sort_unstable_by_key(|film| film.id);
    let mut categories = Categories::load(connection, edition).await?;
    let mut matches = Matches::default();
    for (row, pair) in rows.iter().zip(pair_rows(&films, rows)) {
        let (id, category, similar) = match pair {
            Pair::New { similar } => {
                let category = row.values.get(fields::CATEGORY).map_or("", String::as_str);
                (None, categories.find_or_add(category), similar.map(|index| films[index].id))
            }
            // A stored film stays in its category, however the list spells that.
            Pair::Stored(index) => (Some(films[index].id), films[index].category_slug.clone(), None),
        };
        matches.notes.extend(similar.map(|film| {
            let name = row.values.get(fields::NAME).map_or("", String::as_str);
            format!("line {}: \"{name}\" is new, but looks like film {film} of its section", row.line)
        }));
        matches.rows.push(RowMatch { id, reference: Some((fields::CATEGORY, category)), similar });
    }
    matches.new_targets = categories.added;
    Ok(matches)
}

/// The categories of an edition by their folded names.
struct Categories {
    slug_of: HashMap<String, String>,
    slugs: HashSet<String>,
    /// The highest position of a category.
    position: i64,
    added: Vec<NewTarget>,
}

impl Categories {
    async fn load(connection: &mut AnyConnection, edition: Option<i64>) -> Result<Self> {
        let rows = sqlx::query("SELECT name, slug, position FROM categories WHERE edition_id = $1 ORDER BY id DESC")
            .bind(edition)
            .fetch_all(connection)
            .await?;
        let mut categories = Self { slug_of: HashMap::new(), slugs: HashSet::new(), position: 0, added: Vec::new() };
        for row in rows {
            let slug: String = row.try_get("slug")?;
            categories.slug_of.insert(fold(row.try_get("name")?), slug.clone());
            categories.slugs.insert(slug);
            categories.position = categories.position.max(row.try_get("position")?);
        }
        Ok(categories)
    }

    /// Returns the slug of the category called `name`. Without one, adds a new category after all others.
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

    /// Returns an unused slug: "asian-cinema", "section-2" for a name without Latin letters.
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
