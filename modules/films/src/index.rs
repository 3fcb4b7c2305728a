//! The A–Z of a category: its films by their first letters, a line each.

use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

use crate::import::fold;

/// A category's films by their first letters.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "films.ts")]
pub(crate) struct FilmIndex {
    /// The category.
    #[ts(type = "number")]
    pub(crate) id: i64,
    pub(crate) name: String,
    category_desc: Option<String>,
    /// How many films there are.
    #[ts(type = "number")]
    count: i64,
    letters: Vec<IndexLetter>,
}

/// The films under one letter.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "films.ts")]
pub(crate) struct IndexLetter {
    /// "A", "0-9" for numbers and signs, or the first letter of another script.
    letter: String,
    films: Vec<IndexedFilm>,
}

/// A line of the index.
#[derive(Serialize, FromRow, JsonSchema, TS)]
#[ts(export_to = "films.ts")]
pub(crate) struct IndexedFilm {
    #[ts(type = "number")]
    id: i64,
    name: String,
    director_name: Option<String>,
    country: Option<String>,
    #[ts(type = "number | null")]
    year: Option<i64>,
}

/// What numbers and signs stand under.
const NUMBERS: &str = "0-9";

/// `GET /categories/{id}/a-z/`
pub(crate) async fn film_index(request: RequestContext) -> Result<FilmIndex> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let category: Option<(String, Option<String>)> =
        sqlx::query_as("SELECT name, description FROM categories WHERE id = $1 AND is_published = 1")
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?;
    let (name, category_desc) = category.ok_or_else(|| Error::NotFound("There is no such category.".into()))?;
    let films: Vec<IndexedFilm> = sqlx::query_as(
        "SELECT id, name, director_name, country, year FROM films WHERE category_id = $1 AND is_published = 1",
    )
    .bind(id)
    .fetch_all(&mut *connection)
    .await?;
    let count = i64::try_from(films.len()).map_err(Error::internal)?;
    Ok(FilmIndex { id, name, category_desc, count, letters: by_letter(films) })
}

fn by_letter(films: Vec<IndexedFilm>) -> Vec<IndexLetter> {
    let mut keyed: Vec<(Place, String, IndexedFilm)> = films
        .into_iter()
        .map(|film| {
            let key = sort_key(&film.name);
            (place_of(&key), key, film)
        })
        .collect();
    keyed.sort_by(|one, other| (&one.0, &one.1, one.2.id).cmp(&(&other.0, &other.1, other.2.id)));
    let mut letters: Vec<IndexLetter> = Vec::new();
    for (place, _, film) in keyed {
        let letter = place.letter();
        match letters.last_mut() {
            Some(last) if last.letter == letter => last.films.push(film),
            _ => letters.push(IndexLetter { letter, films: vec![film] }),
        }
    }
    letters
}

/// Where a film stands: numbers and signs first, then the letters in Unicode's order, which begins with Latin.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number,
    Letter(char),
}

impl Place {
    fn letter(&self) -> String {
        match self {
            Self::Number => NUMBERS.to_owned(),
            Self::Letter(letter) => letter.to_uppercase().collect(),
        }
    }
}

/// A title as it is sorted: folded, and without its English article.
fn sort_key(name: &str) -> String {
    let folded = fold(name);
    let rest = ["the ", "a ", "an "].into_iter().find_map(|article| folded.strip_prefix(article));
    rest.map_or_else(|| folded.clone(), str::to_owned)
}

fn place_of(key: &str) -> Place {
    match key.chars().next() {
        Some(c) if c.is_alphabetic() => Place::Letter(c),
        _ => Place::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(id: i64, name: &str) -> IndexedFilm {
        IndexedFilm { id, name: name.into(), director_name: None, country: None, year: None }
    }

    #[test]
    fn films_stand_under_the_first_letter_of_their_titles() {
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
        let said: Vec<String> = by_letter(films)
            .into_iter()
            .map(|IndexLetter { letter, films }| {
                let names: Vec<String> = films.into_iter().map(|film| film.name).collect();
                format!("{letter}: {}", names.join(", "))
            })
            .collect();
        assert_eq!(
            said,
            [
                "0-9: 4 BY 4, 8½, …",
                "A: A, An Autumn",
                "E: eden, Été",
                "I: “A” is a letter",
                "T: THE TABLET, The",
                "Ł: Łódź",
                "ಫ: ಫ್ಲೇಮ್ಸ್",
                "വ: വെയിൽ",
            ]
        );
    }
}
