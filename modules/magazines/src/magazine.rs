//! Issues of the magazine.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

use crate::paged::Listed;

/// The fields of an issue that organisers edit.
pub const MAGAZINE: Entity = Entity {
    table: "magazines",
    singular: "magazine",
    plural: "magazines",
    fields: &[
        Field::text("name", "Name").required(),
        Field::text("vol", "Volume"),
        Field::text("issue", "Issue"),
        Field::image("image", "Cover"),
        Field::alt("image_alt", "Cover: alternative text"),
        Field::new("magazine", "PDF", Kind::Document).required(),
        Field::position(),
        Field::published(),
    ],
    // Downloaded files are named after the issue.
    key: &["name"],
    per_edition: false,
};

/// An issue of the magazine in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Magazine {
    id: i64,
    name: String,
    /// Volume.
    #[serde(rename = "Vol")]
    #[sqlx(rename = "vol")]
    vol: Option<String>,
    issue: Option<String>,
    /// Address of the cover.
    image: Option<String>,
    /// Alternative text of the cover.
    image_alt: Option<String>,
    /// Address of the PDF.
    magazine: Option<String>,
}

/// `GET /kottaka-magazines/`
pub(crate) async fn list_magazines(request: RequestContext) -> Result<Listed<Magazine>> {
    let mut connection = request.read().await?;
    let magazines: Vec<Magazine> = sqlx::query_as(
        "SELECT id, name, vol, issue, image, image_alt, magazine FROM magazines \
         WHERE is_published = 1 ORDER BY position, id",
    )
    .fetch_all(&mut *connection)
    .await?;
    let magazines = magazines
        .into_iter()
        .map(|magazine| Magazine {
            image: request.media_url(magazine.image),
            magazine: request.media_url(magazine.magazine),
            ..magazine
        })
        .collect();
    Listed::of(&request, magazines)
}
