//! Categories: the sections of a festival, in which films compete or are shown.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a category that organisers edit.
pub const CATEGORY: Entity = Entity {
    table: "categories",
    singular: "category",
    plural: "categories",
    fields: &[
        Field::new("slug", "Name in addresses", Kind::Slug)
            .required()
            .hint("Small letters, digits and hyphens, like asian-cinema. Lists and seeds find the category by it."),
        Field::text("name", "Name").required(),
        Field::lines("description", "Description"),
        Field::position(),
        Field::new("is_selection", "Listed as a selection on the home page", Kind::Flag),
        Field::published(),
    ],
    key: &["slug"],
    per_edition: true,
};

/// A category in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Category {
    /// Id; `/films/{id}` is its page.
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) category_desc: Option<String>,
    /// Name in addresses.
    slug: String,
    /// Published films in it.
    pub(crate) film_count: i64,
    #[serde(skip)]
    edition_id: i64,
}

/// The statement that reads published categories; `$end` is appended to its conditions.
macro_rules! select_categories {
    ($end:literal) => {
        concat!(
            "SELECT c.id, c.name, c.description AS category_desc, c.slug, c.edition_id, \
             (SELECT count(*) FROM films f WHERE f.category_id = c.id AND f.is_published = 1) AS film_count \
             FROM categories c WHERE c.is_published = 1 AND ",
            $end
        )
    };
}

/// Finds the category in the request's path.
///
/// # Errors
/// [`Error::NotFound`] if there is none of an edition that the site shows.
pub(crate) async fn find_category(request: &RequestContext) -> Result<Category> {
    let missing = || Error::NotFound("There is no such category.".into());
    let category: Option<Category> = sqlx::query_as(select_categories!("c.id = $1"))
        .bind(request.id()?)
        .fetch_optional(&mut *request.read().await?)
        .await?;
    let category = category.ok_or_else(missing)?;
    if request.shows_edition(category.edition_id).await? { Ok(category) } else { Err(missing()) }
}

/// The year of the edition that the request's category belongs to.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn year(request: RequestContext) -> Result<Option<i64>> {
    let Ok(category) = request.id() else { return Ok(None) };
    Ok(sqlx::query_scalar("SELECT e.year FROM categories c JOIN editions e ON e.id = c.edition_id WHERE c.id = $1")
        .bind(category)
        .fetch_optional(&mut *request.read().await?)
        .await?)
}

/// `GET /categories/`
pub(crate) async fn list_categories(request: RequestContext) -> Result<Vec<Category>> {
    request.rows_of_edition(select_categories!("c.edition_id = $1 ORDER BY c.position, c.id")).await
}
