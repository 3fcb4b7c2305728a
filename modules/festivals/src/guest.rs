//! Guests of an edition, with their portraits.

use festival_core::entity::{Entity, Field};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a guest that organisers edit.
pub const GUEST: Entity = Entity {
    table: "guests",
    singular: "guest",
    plural: "guests",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("role", "Role"),
        Field::image("portrait", "Portrait"),
        Field::alt("portrait_alt", "Portrait: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// A guest in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Guest {
    id: i64,
    name: String,
    /// What the guest is known for, or does at the festival.
    role: Option<String>,
    /// Address of the portrait.
    portrait: Option<String>,
    /// Alternative text of the portrait.
    portrait_alt: Option<String>,
}
