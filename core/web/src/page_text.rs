//! Editable texts of pages (title, lead, body, pictures), looked up by the page's slug.
//!
//! They belong to core, so a page keeps its text whichever modules are switched off.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};
use ts_rs::TS;

use crate::site::RequestContext;
use festival_base::error::{Error, Result};
use festival_records::entity::{Entity, Field, Kind};
use festival_records::html;

/// What organisers edit about the text of a page.
pub const PAGE_TEXT: Entity = Entity {
    table: "pages",
    singular: "page text",
    plural: "page texts",
    fields: &[
        Field::new("slug", "Name in addresses", Kind::Slug).required(),
        Field::text("title", "Title").required(),
        Field::text("malayalam", "Title in Malayalam"),
        Field::lines("lead", "Lead"),
        Field::new("body", "Text", Kind::Html),
        Field::image("image", "Picture").section("Picture and video"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::image("image_small", "Picture for narrow screens"),
        Field::new("video", "Video", Kind::Video),
        Field::image("video_poster", "Still of the video"),
        Field::lines("video_text", "The video in words")
            .hint("What is seen and heard, for those who do not see or hear it."),
        Field::published().section("Publication"),
    ],
    key: &["slug"],
    per_edition: false,
};

/// The text of a page as the API says it.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct PageText {
    #[serde(skip)]
    id: i64,
    slug: String,
    title: String,
    /// The title in Malayalam, not necessarily a translation.
    malayalam: Option<String>,
    /// A sentence or two before the text.
    lead: Option<String>,
    /// Sanitised HTML.
    body: Option<String>,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
    /// Address of the picture for narrow screens.
    image_small: Option<String>,
    /// Address of the film.
    video: Option<String>,
    /// Address of the still that stands before the film plays.
    video_poster: Option<String>,
    /// The film in words, for those who do not see or hear it.
    video_text: Option<String>,
    /// More pictures, for the page's slider.
    #[sqlx(skip)]
    pictures: Vec<PagePicture>,
}

/// `GET /pages/{slug}/`
pub(crate) async fn find_page_text(request: RequestContext) -> Result<PageText> {
    let slug: String = request.param("slug")?;
    let mut connection = request.read().await?;
    let text: Option<PageText> = sqlx::query_as(
        "SELECT id, slug, title, malayalam, lead, body, image, image_alt, image_small, video, video_poster, video_text \
         FROM pages WHERE slug = $1 AND is_published = 1",
    )
    .bind(slug)
    .fetch_optional(&mut *connection)
    .await?;
    let text = text.ok_or_else(|| Error::NotFound("There is no such page.".into()))?;
    Ok(PageText {
        pictures: pictures_of(&request, &mut connection, text.id).await?,
        body: text.body.map(|body| html::sanitise(&body)),
        image: request.media_url(text.image),
        image_small: request.media_url(text.image_small),
        video: request.media_url(text.video),
        video_poster: request.media_url(text.video_poster),
        ..text
    })
}

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
pub(crate) struct PagePicture {
    id: i64,
    title: String,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
}

/// Lists the published pictures of the page text with the id `page`.
async fn pictures_of(request: &RequestContext, connection: &mut AnyConnection, page: i64) -> Result<Vec<PagePicture>> {
    let pictures: Vec<PagePicture> = sqlx::query_as(
        "SELECT id, title, image, image_alt FROM page_pictures \
         WHERE page_id = $1 AND is_published = 1 ORDER BY position, id",
    )
    .bind(page)
    .fetch_all(connection)
    .await?;
    Ok(pictures.into_iter().map(|picture| PagePicture { image: request.media_url(picture.image), ..picture }).collect())
}
