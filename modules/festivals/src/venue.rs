//! Venues of an edition.

use festival_core::entity::{Entity, Field, Kind};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a venue that organisers edit.
pub const VENUE: Entity = Entity {
    table: "venues",
    singular: "venue",
    plural: "venues",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("place", "Town or quarter"),
        Field::lines("description", "Description"),
        Field::image("image", "Picture"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::new("map_url", "Address of a map", Kind::Url),
        Field::position(),
        Field::published(),
    ],
    key: &["name"],
    per_edition: true,
};

/// A venue in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Venue {
    id: i64,
    name: String,
    /// Town or quarter.
    place: Option<String>,
    description: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
    /// Address of a map.
    map_url: Option<String>,
}
