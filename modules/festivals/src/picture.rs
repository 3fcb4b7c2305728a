//! Lists of pictures: posters, the screening schedule, the events of each day.

use festival_core::entity::{Entity, Field};
use festival_core::{RequestContext, Result};
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
#[ts(export_to = "festivals.ts")]
pub(crate) struct Picture {
    #[ts(type = "number")]
    id: i64,
    title: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}

/// `GET /posters/`
pub(crate) async fn list_posters(request: RequestContext) -> Result<Vec<Picture>> {
    list(
        request,
        "SELECT id, title, image, image_alt FROM posters \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .await
}

/// `GET /screening-schedule/`
pub(crate) async fn list_schedule_items(request: RequestContext) -> Result<Vec<Picture>> {
    list(
        request,
        "SELECT id, title, image, image_alt FROM schedule_items \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .await
}

/// `GET /daily-events/`
pub(crate) async fn list_daily_events(request: RequestContext) -> Result<Vec<Picture>> {
    list(
        request,
        "SELECT id, title, image, image_alt FROM daily_events \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .await
}

async fn list(request: RequestContext, sql: &'static str) -> Result<Vec<Picture>> {
    let pictures: Vec<Picture> = request.rows_of_edition(sql).await?;
    Ok(pictures.into_iter().map(|picture| Picture { image: request.media_url(picture.image), ..picture }).collect())
}
