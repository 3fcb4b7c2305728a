//! The A–Z of a category: its films by first letter.

use festival_core::importing::likeness::fold;
use festival_core::{RequestContext, Result, alphabet};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

use crate::category::find_category;

/// A category's films by first letter.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct FilmIndex {
    /// The category.
    pub(crate) id: i64,
    pub(crate) name: String,
    category_desc: Option<String>,
    /// Films in the category.
    count: i64,
    letters: Vec<IndexLetter>,
}

/// The films under one letter.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct IndexLetter {
    /// "A", "0-9" for numbers and signs, or a letter of another script.
    letter: String,
    films: Vec<IndexedFilm>,
}

/// A film in the index.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct IndexedFilm {
    id: i64,
    name: String,
    director_name: Option<String>,
    country: Option<String>,
    year: Option<i64>,
}

/// The heading of titles that begin with a number or sign.
const NUMBERS: &str = "0-9";

/// `GET /categories/{id}/a-z/`
pub(crate) async fn film_index(request: RequestContext) -> Result<FilmIndex> {
    let category = find_category(&request).await?;
    let films: Vec<IndexedFilm> = sqlx::query_as(
        "SELECT id, name, director_name, country, year FROM films \
         WHERE category_id = $1 AND is_published = 1 ORDER BY id",
    )
    .bind(category.id)
    .fetch_all(&mut *request.read().await?)
    .await?;
    Ok(FilmIndex {
        id: category.id,
        name: category.name,
        category_desc: category.category_desc,
        count: category.film_count,
        letters: by_letter(films),
    })
}

fn by_letter(films: Vec<IndexedFilm>) -> Vec<IndexLetter> {
    let letters = alphabet::by_letter(films.into_iter().map(|film| (sort_key(&film.name), film)));
    let named = |(letter, films): (Option<String>, _)| IndexLetter {
        letter: letter.unwrap_or_else(|| NUMBERS.to_owned()),
        films,
    };
    letters.into_iter().map(named).collect()
}

/// A title as it is sorted: folded, without an English article.
fn sort_key(name: &str) -> String {
    let folded = fold(name);
    let rest = ["the ", "a ", "an "].into_iter().find_map(|article| folded.strip_prefix(article));
    rest.map_or_else(|| folded.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(id: i64, name: &str) -> IndexedFilm {
        IndexedFilm { id, name: name.into(), director_name: None, country: None, year: None }
    }

    #[test]
    fn films_are_listed_under_the_first_letter_of_their_title() {
        let names = [
            "THE TABLET",
            "Été",
            "8½",
            "“A” is a letter",
            "A",
            "eden",
            "The",
            "4 BY 4",
            "ಫ್ಲೇಮ್ಸ್",
            "വെയിൽ",
            "…",
            "Łódź",
            "An Autumn",
        ];
        let films = names.iter().enumerate().map(|(id, name)| film(id as i64, name)).collect();
        let lines: Vec<String> = by_letter(films)
            .into_iter()
            .map(|IndexLetter { letter, films }| {
                let names: Vec<String> = films.into_iter().map(|film| film.name).collect();
                format!("{letter}: {}", names.join(", "))
            })
            .collect();
        assert_eq!(
            lines,
            [
                "0-9: …, 4 BY 4, 8½",
                "A: A, An Autumn",
                "E: eden, Été",
                "I: “A” is a letter",
                "Ł: Łódź",
                "T: THE TABLET, The",
                "വ: വെയിൽ",
                "ಫ: ಫ್ಲೇಮ್ಸ್",
            ]
        );
    }
}
