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
pub(crate) struct WinnerGroup {
    award: String,
    winners: Vec<Winner>,
}

/// A winner in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Winner {
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
struct WinnerRow {
    award: String,
    #[sqlx(flatten)]
    winner: Winner,
}

/// `GET /winners/`: the awards in the order of their first winners.
pub(crate) async fn list_winners(request: RequestContext) -> Result<Vec<WinnerGroup>> {
    let rows: Vec<WinnerRow> = request.published(&WINNER).await?;
    let mut groups: Vec<WinnerGroup> = Vec::new();
    for WinnerRow { award, winner } in rows {
        match groups.iter_mut().find(|group| group.award == award) {
            Some(group) => group.winners.push(winner),
            None => groups.push(WinnerGroup { award, winners: vec![winner] }),
        }
    }
    Ok(groups)
}
