//! Film packages: films that a sister festival shows together.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a film package that organisers edit.
pub const PACKAGE: Entity = Entity {
    table: "packages",
    singular: "film package",
    plural: "film packages",
    fields: &[
        Field::new("festival", "Page of the festival", Kind::Slug).required().placeholder("isff-2025"),
        Field::text("title", "Title").required(),
        Field::lines("description", "Description"),
        Field::lines("films", "Films").hint("One on a line: title, country, minutes."),
        Field::new("film_count", "Number of films", Kind::Integer { min: 1, max: 1_000 })
            .hint("Only while not all of them are listed."),
        Field::new("minutes", "Minutes", Kind::Integer { min: 1, max: 10_000 }),
        Field::image("image", "Picture"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["festival", "title"],
    per_edition: true,
};

/// A film package in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Package {
    id: i64,
    title: String,
    description: Option<String>,
    /// Its films, one line of text each.
    #[sqlx(skip)]
    films: Vec<String>,
    /// "11 films, 88 minutes".
    #[sqlx(skip)]
    extent_text: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}

#[derive(FromRow)]
struct PackageRow {
    films: Option<String>,
    film_count: Option<i64>,
    minutes: Option<i64>,
    #[sqlx(flatten)]
    package: Package,
}

/// `GET /packages/{slug}/`
pub(crate) async fn list_packages(request: RequestContext) -> Result<Vec<Package>> {
    let edition = request.edition_id().await?;
    let festival: String = request.param("slug")?;
    let mut connection = request.read().await?;
    let rows: Vec<PackageRow> = sqlx::query_as(
        "SELECT id, title, description, films, film_count, minutes, image, image_alt FROM packages \
         WHERE edition_id = $1 AND festival = $2 AND is_published = 1 ORDER BY position, id",
    )
    .bind(edition)
    .bind(festival)
    .fetch_all(&mut *connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let lines = row.films.iter().flat_map(|films| films.lines()).map(str::trim);
            let films: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
            Package {
                extent_text: extent_text(row.film_count.or(i64::try_from(films.len()).ok()), row.minutes),
                films,
                image: request.media_url(row.package.image),
                ..row.package
            }
        })
        .collect())
}

/// The extent as text, "11 films, 88 minutes"; `None` if neither number is known.
fn extent_text(films: Option<i64>, minutes: Option<i64>) -> Option<String> {
    let counted = |count: Option<i64>, one: &str, many: &str| {
        count.filter(|count| *count > 0).map(|count| format!("{count} {}", if count == 1 { one } else { many }))
    };
    let parts: Vec<String> =
        [counted(films, "film", "films"), counted(minutes, "minute", "minutes")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::extent_text;

    #[test]
    fn extent_names_the_known_numbers() {
        assert_eq!(extent_text(Some(11), Some(88)).as_deref(), Some("11 films, 88 minutes"));
        assert_eq!(extent_text(Some(1), None).as_deref(), Some("1 film"));
        assert_eq!(extent_text(Some(0), None), None);
    }
}
