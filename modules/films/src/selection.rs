//! The selection lists of the home page: films of the categories that are marked as a selection.

use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// A selection list.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct Selection {
    /// The category.
    id: i64,
    name: String,
    /// All its films.
    count: i64,
    /// The first 40 of them.
    films: Vec<SelectedFilm>,
    /// A still of the first of them that has one.
    still: Option<SelectionStill>,
}

/// A still that stands for a selection.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct SelectionStill {
    /// Its film.
    film: i64,
    /// Its address.
    picture: String,
    /// Its alternative text.
    alt: Option<String>,
}

/// Films of a selection that the home page lists; the others are on the page of the category.
const MAX_FILMS: usize = 40;

/// A film of a selection list.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct SelectedFilm {
    id: i64,
    name: String,
    director: Option<String>,
    /// Address of the poster.
    poster: Option<String>,
}

#[derive(FromRow)]
struct Row {
    category_id: i64,
    category_name: String,
    id: i64,
    name: String,
    director: Option<String>,
    poster: Option<String>,
    still_one: Option<String>,
    still_one_alt: Option<String>,
}

/// `GET /selections/`
pub(crate) async fn list_selections(request: RequestContext) -> Result<Vec<Selection>> {
    let sql = "SELECT c.id AS category_id, c.name AS category_name, f.id, f.name, f.director_name AS director, \
         f.poster, f.still_one, f.still_one_alt \
         FROM films f JOIN categories c ON c.id = f.category_id \
         WHERE c.edition_id = $1 AND c.is_selection = 1 AND c.is_published = 1 AND f.is_published = 1 \
         ORDER BY c.position, c.id, f.position, f.id";
    let rows: Vec<Row> = request.rows_of_edition(sql).await?;
    let mut selections: Vec<Selection> = Vec::new();
    for row in rows {
        if selections.last().is_none_or(|selection| selection.id != row.category_id) {
            selections.push(Selection {
                id: row.category_id,
                name: row.category_name.clone(),
                count: 0,
                films: Vec::new(),
                still: None,
            });
        }
        if let Some(selection) = selections.last_mut() {
            selection.count += 1;
            if selection.films.len() < MAX_FILMS {
                let still = request.media_url(row.still_one).filter(|_| selection.still.is_none());
                if let Some(picture) = still {
                    selection.still = Some(SelectionStill { film: row.id, picture, alt: row.still_one_alt });
                }
                let poster = request.media_url(row.poster);
                selection.films.push(SelectedFilm { id: row.id, name: row.name, director: row.director, poster });
            }
        }
    }
    Ok(selections)
}
