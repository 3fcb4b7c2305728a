//! Winners of the national documentary and short film festival, by award.

use festival_core::entity::{Entity, Field};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a winner that organisers edit.
pub const WINNER: Entity = Entity {
    table: "winners",
    singular: "winner",
    plural: "winners",
    fields: &[
        Field::text("award", "Award").required(),
        Field::text("film", "Film").required(),
        Field::text("person", "Winner").required(),
        Field::lines("citation", "The jury's words"),
        Field::image("image", "Picture"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["award", "film", "person"],
    per_edition: true,
};

/// The winners of one award.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct WinnerGroup {
    award: String,
    winners: Vec<Winner>,
}

/// A winner in the API.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "festivals.ts")]
pub(crate) struct Winner {
    #[ts(type = "number")]
    id: i64,
    film: String,
    person: String,
    /// The jury's statement.
    citation: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    award: String,
    film: String,
    person: String,
    citation: Option<String>,
    image: Option<String>,
    image_alt: Option<String>,
}

/// `GET /winners/`: the awards in the order of their first winners.
pub(crate) async fn list_winners(request: RequestContext) -> Result<Vec<WinnerGroup>> {
    let sql = "SELECT id, award, film, person, citation, image, image_alt FROM winners \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id";
    let rows: Vec<Row> = request.rows_of_edition(sql).await?;
    let mut groups: Vec<WinnerGroup> = Vec::new();
    for row in rows {
        let winner = Winner {
            id: row.id,
            film: row.film,
            person: row.person,
            citation: row.citation,
            image: request.media_url(row.image),
            image_alt: row.image_alt,
        };
        match groups.iter_mut().find(|group| group.award == row.award) {
            Some(group) => group.winners.push(winner),
            None => groups.push(WinnerGroup { award: row.award, winners: vec![winner] }),
        }
    }
    Ok(groups)
}
