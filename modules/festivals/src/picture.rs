//! Lists of pictures: posters, the screening schedule, the events of each day.

use festival_core::entity::{Entity, Field};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of a picture that organisers edit. Pictures are identified by title; several may have none.
const FIELDS: &[Field] = &[
    Field::text("title", "Title"),
    Field::image("image", "Picture").required(),
    Field::alt("image_alt", "Picture: alternative text"),
    Field::position(),
    Field::published(),
];

/// Posters of the festival.
pub const POSTER: Entity = Entity {
    table: "posters",
    singular: "poster",
    plural: "posters",
    fields: FIELDS,
    key: &["title"],
    per_edition: true,
};

/// Pictures of the screening schedule, each with a title.
pub const SCHEDULE_ITEM: Entity = Entity {
    table: "schedule_items",
    singular: "schedule item",
    plural: "schedule items",
    fields: &[
        Field::text("title", "Title").required(),
        Field::image("image", "Picture").required(),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["title"],
    per_edition: true,
};

/// Pictures of each day's events.
pub const DAILY_EVENT: Entity = Entity {
    table: "daily_events",
    singular: "daily event",
    plural: "daily events",
    fields: FIELDS,
    key: &["title"],
    per_edition: true,
};

/// A picture in the API: a poster, a part of the screening schedule, the events of a day.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Picture {
    id: i64,
    title: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}
