//! Films: the fields that organisers edit, and the API.

use festival_core::entity::{Entity, Field, Kind, Reads};
use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

use crate::category::{CATEGORY, Category, find_category};

/// The fields of a film that organisers edit, and how film lists fill them.
pub const FILM: Entity = Entity {
    table: "films",
    singular: "film",
    plural: "films",
    fields: &[
        Field::new("category", "Category", Kind::Reference(&CATEGORY)).required().reads(Reads::Name),
        Field::text("name", "Title").required().reads(Reads::Title),
        Field::text("original_title", "Original title").reads(Reads::OriginalTitle),
        Field::new("director_name", "Director", Kind::Text { max: 1000 }).section("People").reads(Reads::People),
        Field::new("writer_name", "Writer", Kind::Text { max: 1000 }).reads(Reads::Names),
        Field::new("producer_name", "Producer", Kind::Text { max: 1000 }).reads(Reads::Names),
        Field::lines("cast_details", "Cast").reads(Reads::Credits),
        Field::lines("crew_details", "Crew").reads(Reads::Credits),
        Field::lines("synopsis", "Synopsis").section("About the film").reads(Reads::Paragraphs),
        Field::new("year", "Year", Kind::Integer { min: 1880, max: 2200 }).reads(Reads::Year),
        Field::text("country", "Country").reads(Reads::Countries),
        Field::text("language", "Language").reads(Reads::Languages),
        Field::text("subtitle_language", "Subtitle language").reads(Reads::Languages),
        Field::new("duration_minutes", "Running time in minutes", Kind::Integer { min: 1, max: 2000 })
            .reads(Reads::Minutes),
        Field::image("poster", "Poster").section("Pictures").reads(Reads::Exported),
        Field::alt("poster_alt", "Poster: alternative text").reads(Reads::Line),
        Field::image("still_one", "First still").reads(Reads::Exported),
        Field::alt("still_one_alt", "First still: alternative text").reads(Reads::Line),
        Field::image("still_two", "Second still").reads(Reads::Exported),
        Field::alt("still_two_alt", "Second still: alternative text").reads(Reads::Line),
        Field::text("reference", "Reference")
            .section("Numbers in lists")
            .hint("The number of its submission: lists find the film by it.")
            .reads(Reads::Line),
        Field::text("imdb_id", "IMDb id").hint("As in imdb.com/title/tt0048473.").reads(Reads::Line),
        Field::position().section("Publication").reads(Reads::Exported),
        Field::published().reads(Reads::Flag),
    ],
    key: &["category", "name", "director_name"],
    per_edition: true,
};

/// A film in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Film {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Address of the poster.
    pub(crate) poster: Option<String>,
    /// Alternative text of the poster.
    poster_alt: Option<String>,
    /// The same as `director_name`.
    director: Option<String>,
    pub(crate) director_name: Option<String>,
    pub(crate) writer_name: Option<String>,
    producer_name: Option<String>,
    cast_details: Option<String>,
    crew_details: Option<String>,
    pub(crate) synopsis: Option<String>,
    pub(crate) year: Option<i64>,
    pub(crate) country: Option<String>,
    /// Address of the first still.
    pub(crate) still_one: Option<String>,
    /// Alternative text of the first still.
    still_one_alt: Option<String>,
    /// Address of the second still.
    pub(crate) still_two: Option<String>,
    /// Alternative text of the second still.
    still_two_alt: Option<String>,
    pub(crate) category_name: String,
    category_desc: Option<String>,
    pub(crate) category_id: i64,
    /// The title in its own language and script.
    pub(crate) original_title: Option<String>,
    pub(crate) language: Option<String>,
    /// Languages of the subtitles, separated by commas.
    subtitle_language: Option<String>,
    pub(crate) duration_minutes: Option<i64>,
    /// "1 h 32 min".
    #[sqlx(default)]
    duration_text: Option<String>,
}

/// A part of a category's films.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct FilmPart {
    /// Number of the part, from 1.
    pub(crate) number: i64,
    /// Number of the previous part.
    previous: Option<i64>,
    /// Number of the next part.
    next: Option<i64>,
    /// Films in all parts.
    pub(crate) count: i64,
    pub(crate) films: Vec<Film>,
}

/// Films per part.
pub(crate) const PART_SIZE: i64 = 24;

/// The statement that reads published films of the category `$1`; `$end` is appended.
macro_rules! select_films {
    ($end:literal) => {
        concat!(
            "SELECT f.id, f.category_id, f.name, f.original_title, f.director_name, f.director_name AS director, \
             f.writer_name, f.producer_name, f.cast_details, f.crew_details, f.synopsis, f.year, f.country, \
             f.language, f.subtitle_language, f.duration_minutes, f.poster, f.poster_alt, f.still_one, \
             f.still_one_alt, f.still_two, f.still_two_alt, c.name AS category_name, c.description AS category_desc \
             FROM films f JOIN categories c ON c.id = f.category_id \
             WHERE f.category_id = $1 AND f.is_published = 1 AND c.is_published = 1 ",
            $end
        )
    };
}

/// `GET /categories/{id}/films/`
pub(crate) async fn list_films(request: RequestContext) -> Result<Vec<Film>> {
    let category = find_category(&request).await?;
    let films: Vec<Film> = sqlx::query_as(select_films!("ORDER BY f.position, f.id"))
        .bind(category.id)
        .fetch_all(&mut *request.read().await?)
        .await?;
    Ok(films.into_iter().map(|film| film.for_api(&request)).collect())
}

/// `GET /categories/{id}/films/parts/{part}/`
pub(crate) async fn show_part(request: RequestContext) -> Result<FilmPart> {
    load_part(&request, &request.param::<String>("part")?).await
}

/// Loads a part of the films of the request's category.
///
/// # Errors
/// [`Error::NotFound`] if there is no such category or part.
pub(crate) async fn load_part(request: &RequestContext, part: &str) -> Result<FilmPart> {
    let Category { id: category, film_count: count, .. } = find_category(request).await?;
    let last = ((count + PART_SIZE - 1) / PART_SIZE).max(1);
    let number = part.parse().ok().filter(|number| (1..=last).contains(number));
    let number = number.ok_or_else(|| Error::NotFound(format!("There is no such part; the last one is {last}.")))?;
    let films: Vec<Film> = sqlx::query_as(select_films!("ORDER BY f.position, f.id LIMIT $2 OFFSET $3"))
        .bind(category)
        .bind(PART_SIZE)
        .bind((number - 1) * PART_SIZE)
        .fetch_all(&mut *request.read().await?)
        .await?;
    Ok(FilmPart {
        number,
        previous: (number > 1).then_some(number - 1),
        next: (number < last).then_some(number + 1),
        count,
        films: films.into_iter().map(|film| film.for_api(request)).collect(),
    })
}

/// `GET /categories/{id}/films/{film}/`
pub(crate) async fn show_film(request: RequestContext) -> Result<Film> {
    load_film(&request, &request.param::<String>("film")?).await
}

/// [`find_film`], as the API shows it.
///
/// # Errors
/// As [`find_film`].
pub(crate) async fn load_film(request: &RequestContext, film: &str) -> Result<Film> {
    Ok(find_film(request, film).await?.for_api(request))
}

/// Finds a film of the request's category; its pictures are keys of files.
///
/// # Errors
/// [`Error::NotFound`] if there is no such category, or no such film in it.
pub(crate) async fn find_film(request: &RequestContext, film: &str) -> Result<Film> {
    let category = find_category(request).await?;
    let missing = || Error::NotFound("There is no such film.".into());
    let film: i64 = film.parse().map_err(|_| missing())?;
    let film: Option<Film> = sqlx::query_as(select_films!("AND f.id = $2"))
        .bind(category.id)
        .bind(film)
        .fetch_optional(&mut *request.read().await?)
        .await?;
    film.ok_or_else(missing)
}

impl Film {
    /// Completes a row: with whole addresses of pictures, and the running time as text.
    fn for_api(self, request: &RequestContext) -> Self {
        Self {
            poster: request.media_url(self.poster),
            still_one: request.media_url(self.still_one),
            still_two: request.media_url(self.still_two),
            duration_text: self.duration_minutes.map(duration_text),
            ..self
        }
    }
}

/// "47 min", "2 h", "1 h 32 min".
fn duration_text(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration_text;

    #[test]
    fn running_times_are_shown_in_hours_and_minutes() {
        assert_eq!([47, 60, 92, 120].map(duration_text).join(", "), "47 min, 1 h, 1 h 32 min, 2 h");
    }
}
