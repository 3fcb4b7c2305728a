//! Blogs: articles that belong to no edition.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{Error, RequestContext, Result, SocialCard, html, time_text};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// Length of an excerpt, in characters. Cards clamp it to three lines.
const EXCERPT_CHARACTERS: usize = 260;

/// The fields of a blog that organisers edit.
pub const BLOG: Entity = Entity {
    table: "blogs",
    singular: "blog",
    plural: "blogs",
    fields: &[
        Field::text("title", "Title").required(),
        Field::image("image", "Picture"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::new("content", "Text", Kind::Html).required(),
        Field::new("published_at", "Date and time of publication", Kind::DateTime)
            .required()
            .hint("Visitors read it. A blog with a time in the future is published then."),
        Field::published(),
    ],
    key: &["title"],
    per_edition: false,
};

/// A blog in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Blog {
    pub(crate) id: i64,
    pub(crate) title: String,
    /// Address of the picture.
    pub(crate) image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
    /// Sanitised HTML.
    pub(crate) content: String,
    /// Time of publication, RFC 3339 with the offset of the festival's time zone.
    pub(crate) created_at: String,
    /// Day of publication as text: "24 October 2025".
    #[sqlx(default)]
    created_at_text: String,
    /// The beginning of the text, without formatting.
    #[sqlx(default)]
    pub(crate) excerpt: String,
}

/// `GET /blogs/`
pub(crate) async fn list_blogs(request: RequestContext) -> Result<Vec<Blog>> {
    let mut connection = request.read().await?;
    let blogs: Vec<Blog> = sqlx::query_as(
        "SELECT id, title, image, image_alt, content, published_at AS created_at FROM blogs \
         WHERE is_published = 1 ORDER BY published_at DESC, id DESC",
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(blogs.into_iter().map(|blog| for_api(&request, blog)).collect())
}

/// `GET /blog/{id}/`
pub(crate) async fn show_blog(request: RequestContext) -> Result<Blog> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let blog: Option<Blog> = sqlx::query_as(
        "SELECT id, title, image, image_alt, content, published_at AS created_at FROM blogs \
         WHERE id = $1 AND is_published = 1",
    )
    .bind(id)
    .fetch_optional(&mut *connection)
    .await?;
    blog.map(|blog| for_api(&request, blog)).ok_or_else(|| Error::NotFound("There is no such blog.".into()))
}

/// The social card of the list.
pub(crate) async fn list_card(request: RequestContext) -> Result<SocialCard> {
    Ok(SocialCard::new(heading(&request)).second(Some("ബ്ലോഗ്")))
}

/// The social card of a blog: its picture and its title.
pub(crate) async fn blog_card(request: RequestContext) -> Result<SocialCard> {
    let blog = show_blog(request.clone()).await?;
    let above = format!("{} · {}", heading(&request), blog.created_at_text);
    Ok(SocialCard::new(blog.title).above(above).wide(request.media_key(blog.image)))
}

fn heading(request: &RequestContext) -> String {
    format!("{} Blog", request.site.settings.product.name)
}

/// Completes a row for the API. The text is sanitised again: rows may not have been written by the back office.
fn for_api(request: &RequestContext, blog: Blog) -> Blog {
    let zone = request.time_zone();
    Blog {
        excerpt: html::excerpt(&blog.content, EXCERPT_CHARACTERS),
        content: html::sanitise(&blog.content),
        created_at_text: time_text::long_day(&blog.created_at, zone),
        created_at: time_text::with_offset(&blog.created_at, zone),
        image: request.media_url(blog.image),
        ..blog
    }
}
