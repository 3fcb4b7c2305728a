//! Social cards of categories and films.

use festival_core::{RequestContext, Result, SocialCard};

use crate::category::find_category;
use crate::film::find_film;

/// The social card of a category, or of its film that the query `film` names.
pub(crate) async fn category_card(request: RequestContext) -> Result<SocialCard> {
    match request.query.get("film") {
        None => card_of_category(&request).await,
        Some(film) => card_of_film(&request, film).await,
    }
}

async fn card_of_category(request: &RequestContext) -> Result<SocialCard> {
    let category = find_category(request).await?;
    let films = match category.film_count {
        0 => None,
        1 => Some("1 film".to_owned()),
        films => Some(format!("{films} films")),
    };
    Ok(SocialCard::new(category.name).above("Films").line(films).tone(category.id))
}

async fn card_of_film(request: &RequestContext, film: &str) -> Result<SocialCard> {
    let film = find_film(request, film).await?;
    let origin: Vec<String> = film.country.into_iter().chain(film.year.map(|year| year.to_string())).collect();
    let original = film.original_title.filter(|title| *title != film.name);
    Ok(SocialCard::new(film.name)
        .above(film.category_name)
        .second(original)
        .line(film.director_name)
        .line((!origin.is_empty()).then(|| origin.join(", ")))
        .tone(film.category_id)
        .poster(film.poster)
        .wide(film.still_one))
}
