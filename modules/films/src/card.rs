//! Social cards of categories and films.

use festival_core::{Error, RequestContext, Result, SocialCard};
use sqlx::FromRow;

/// The social card of a category, or of its film that the query `film` names.
pub(crate) async fn category_card(request: RequestContext) -> Result<SocialCard> {
    let category = request.id()?;
    match request.query.get("film") {
        None => card_of_category(&request, category).await,
        Some(film) => card_of_film(&request, category, film).await,
    }
}

async fn card_of_category(request: &RequestContext, category: i64) -> Result<SocialCard> {
    #[derive(FromRow)]
    struct Row {
        name: String,
        films: i64,
    }
    let mut connection = request.read().await?;
    let row: Option<Row> = sqlx::query_as(
        "SELECT c.name, (SELECT count(*) FROM films f WHERE f.category_id = c.id AND f.is_published = 1) AS films \
         FROM categories c WHERE c.id = $1 AND c.is_published = 1",
    )
    .bind(category)
    .fetch_optional(&mut *connection)
    .await?;
    let row = row.ok_or_else(|| Error::NotFound("There is no such category.".into()))?;
    let films = match row.films {
        0 => None,
        1 => Some("1 film".to_owned()),
        films => Some(format!("{films} films")),
    };
    Ok(SocialCard::new(row.name).above("Films").line(films).tone(category))
}

async fn card_of_film(request: &RequestContext, category: i64, film: &str) -> Result<SocialCard> {
    #[derive(FromRow)]
    struct Row {
        name: String,
        original_title: Option<String>,
        director_name: Option<String>,
        country: Option<String>,
        year: Option<i64>,
        poster: Option<String>,
        still_one: Option<String>,
        category: String,
    }
    let missing = || Error::NotFound("There is no such film.".into());
    let film: i64 = film.parse().map_err(|_| missing())?;
    let mut connection = request.read().await?;
    let row: Option<Row> = sqlx::query_as(
        "SELECT f.name, f.original_title, f.director_name, f.country, f.year, f.poster, f.still_one, c.name AS category \
         FROM films f JOIN categories c ON c.id = f.category_id \
         WHERE f.id = $1 AND c.id = $2 AND f.is_published = 1 AND c.is_published = 1",
    )
    .bind(film)
    .bind(category)
    .fetch_optional(&mut *connection)
    .await?;
    let row = row.ok_or_else(missing)?;
    let origin: Vec<String> = row.country.into_iter().chain(row.year.map(|year| year.to_string())).collect();
    let original = row.original_title.filter(|title| *title != row.name);
    Ok(SocialCard::new(row.name)
        .above(row.category)
        .second(original)
        .line(row.director_name)
        .line((!origin.is_empty()).then(|| origin.join(", ")))
        .tone(category)
        .poster(row.poster)
        .wide(row.still_one))
}
