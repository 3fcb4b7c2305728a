//! Pictures of a page's slider. They belong to the page's text.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};
use ts_rs::TS;

use crate::endpoint::RequestContext;
use crate::page_text::PAGE_TEXT;
use festival_base::error::Result;
use festival_records::entity::{Entity, Field, Kind};

/// What organisers edit about a picture of a page.
pub const PAGE_PICTURE: Entity = Entity {
    table: "page_pictures",
    singular: "page picture",
    plural: "page pictures",
    fields: &[
        Field::new("page", "Page", Kind::Reference(&PAGE_TEXT)).required(),
        Field::text("title", "Title").required(),
        Field::image("image", "Picture").required(),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::position(),
        Field::published(),
    ],
    key: &["page", "title"],
    per_edition: false,
};

/// A picture of a page as the API says it.
#[derive(Serialize, FromRow, JsonSchema, TS)]
#[ts(export_to = "pages.ts")]
pub(crate) struct PagePicture {
    #[ts(type = "number")]
    id: i64,
    title: String,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}

/// Lists the published pictures of the page text with the id `page`.
pub(crate) async fn list_by_page(
    request: &RequestContext,
    connection: &mut AnyConnection,
    page: i64,
) -> Result<Vec<PagePicture>> {
    let pictures: Vec<PagePicture> = sqlx::query_as(
        "SELECT id, title, image, image_alt FROM page_pictures \
         WHERE page_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(page)
    .fetch_all(connection)
    .await?;
    Ok(pictures.into_iter().map(|picture| PagePicture { image: request.media_url(picture.image), ..picture }).collect())
}
