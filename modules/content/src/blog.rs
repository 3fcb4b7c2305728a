//! Blogs: articles that outlive the edition they were written in.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{Error, RequestContext, Result, SocialCard, html, time_text};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// How much of the text a card shows at most; the card itself clamps it to three lines.
const EXCERPT_CHARACTERS: usize = 260;

/// What organisers edit about a blog.
pub const BLOG: Entity = Entity {
    table: "blogs",
    singular: "blog",
    plural: "blogs",
    fields: &[
        Field::text("title", "Title").required(),
        Field::image("image", "Picture"),
        Field::new("content", "Text", Kind::Html).required(),
        Field::new("published_at", "Date and time of publication", Kind::DateTime).required(),
        Field::published(),
    ],
    key: &["title"],
    per_edition: false,
};

/// A blog as the API says it.
#[derive(Serialize, FromRow, JsonSchema, TS)]
#[ts(export_to = "content.ts")]
pub(crate) struct Blog {
    #[ts(type = "number")]
    pub(crate) id: i64,
    pub(crate) title: String,
    /// Address of the picture.
    pub(crate) image: Option<String>,
    /// Sanitised HTML.
    pub(crate) content: String,
    /// When it was published, RFC 3339 with the festival zone's offset.
    pub(crate) created_at: String,
    /// When it was published, for people: "24 October 2025".
    #[sqlx(default)]
    created_at_text: String,
    /// The first words, without formatting.
    #[sqlx(default)]
    pub(crate) excerpt: String,
}

pub(crate) async fn list_blogs(request: RequestContext) -> Result<Vec<Blog>> {
    let mut connection = request.read().await?;
    let blogs: Vec<Blog> = sqlx::query_as(
        "SELECT id, title, image, content, published_at AS created_at FROM blogs \
         WHERE is_published = 1 ORDER BY published_at DESC, id DESC",
    )
    .fetch_all(&mut *connection)
    .await?;
    Ok(blogs.into_iter().map(|blog| finished(&request, blog)).collect())
}

pub(crate) async fn find_blog(request: RequestContext) -> Result<Blog> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let blog: Option<Blog> = sqlx::query_as(
        "SELECT id, title, image, content, published_at AS created_at FROM blogs WHERE id = $1 AND is_published = 1",
    )
    .bind(id)
    .fetch_optional(&mut *connection)
    .await?;
    blog.map(|blog| finished(&request, blog)).ok_or_else(|| Error::NotFound("There is no such blog.".into()))
}

/// The card of the list.
pub(crate) async fn list_card(request: RequestContext) -> Result<SocialCard> {
    Ok(SocialCard::new(heading(&request)).second(Some("ബ്ലോഗ്")))
}

/// The card of one blog: its picture and its title.
pub(crate) async fn blog_card(request: RequestContext) -> Result<SocialCard> {
    let blog = find_blog(request.clone()).await?;
    let above = format!("{} · {}", heading(&request), blog.created_at_text);
    Ok(SocialCard::new(blog.title).above(above).wide(request.media_key(blog.image)))
}

fn heading(request: &RequestContext) -> String {
    format!("{} Blog", request.site.settings.product.name)
}

/// Adds what is computed. The text was sanitised when it was written; rows may have come another way.
fn finished(request: &RequestContext, blog: Blog) -> Blog {
    let zone = request.time_zone();
    Blog {
        excerpt: html::excerpt(&blog.content, EXCERPT_CHARACTERS),
        content: html::sanitise(&blog.content),
        created_at_text: time_text::day_in_words(&blog.created_at, zone),
        created_at: time_text::with_offset(&blog.created_at, zone),
        image: request.media_url(blog.image),
        ..blog
    }
}
