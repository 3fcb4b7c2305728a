//! Awards of an edition and their prizes.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::money_text::rupees;
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of an award that organisers edit.
pub const AWARD: Entity = Entity {
    table: "awards",
    singular: "award",
    plural: "awards",
    fields: &[
        Field::text("name", "Name").required(),
        Field::new("amount", "Prize in rupees", Kind::Integer { min: 0, max: 1_000_000_000 }).required(),
        Field::lines("description", "Description"),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// An award in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Award {
    id: i64,
    name: String,
    /// The prize in rupees.
    amount: i64,
    /// The prize as text: "₹1,00,000".
    #[sqlx(default)]
    amount_text: String,
    description: Option<String>,
}

/// `GET /awards/`
pub(crate) async fn list_awards(request: RequestContext) -> Result<Vec<Award>> {
    let awards: Vec<Award> = request.published(&AWARD).await?;
    Ok(awards.into_iter().map(|award| Award { amount_text: rupees(award.amount), ..award }).collect())
}
