//! What search engines and feed readers are told about blogs and texts.

use std::collections::BTreeMap;

use festival_core::json_ld::{About, Step, organisation_id};
use festival_core::sitemap::Address;
use festival_core::{Ask, Result, lang, time_text};
use serde_json::{Value, json};

use crate::blog::{Blog, find_blog, list_blogs};

/// When the published blogs were last changed, as the database keeps moments, by id.
pub(crate) async fn blog_changes(ask: &Ask) -> Result<BTreeMap<i64, String>> {
    let mut connection = ask.read().await?;
    let rows: Vec<(i64, String)> =
        sqlx::query_as("SELECT id, updated_at FROM blogs WHERE is_published = 1").fetch_all(&mut *connection).await?;
    Ok(rows.into_iter().collect())
}

/// `/blogs` with the moment of the last change to any blog.
pub(crate) async fn blogs_address(ask: Ask) -> Result<Vec<Address>> {
    let changed_at = blog_changes(&ask).await?.into_values().max();
    Ok(vec![Address { path: "/blogs".into(), changed_at }])
}

/// The address of each blog, newest first.
pub(crate) async fn blog_addresses(ask: Ask) -> Result<Vec<Address>> {
    let changes = blog_changes(&ask).await?;
    let blogs = list_blogs(ask).await?;
    let address = |blog: Blog| Address { path: blog_path(&blog), changed_at: changes.get(&blog.id).cloned() };
    Ok(blogs.into_iter().map(address).collect())
}

/// A page of text with the moment of its last change.
pub(crate) async fn text_address(ask: Ask, slug: &'static str) -> Result<Vec<Address>> {
    let mut connection = ask.read().await?;
    let changed_at = sqlx::query_scalar("SELECT updated_at FROM pages WHERE slug = $1 AND is_published = 1")
        .bind(slug)
        .fetch_optional(&mut *connection)
        .await?;
    Ok(vec![Address { path: format!("/{slug}"), changed_at }])
}

/// The path of a blog.
pub(crate) fn blog_path(blog: &Blog) -> String {
    format!("/blog/{}", blog.id)
}

/// The list of blogs.
pub(crate) async fn blogs_about(ask: Ask) -> Result<About> {
    let changes = blog_changes(&ask).await?;
    let posts: Vec<Value> = list_blogs(ask.clone()).await?.iter().map(|blog| posting(&ask, blog, &changes)).collect();
    let url = format!("{}/blogs", ask.base_url);
    let blog = json!({ "@type": "Blog", "url": url, "blogPost": posts, "publisher": publisher(&ask) });
    Ok(About { things: vec![blog], ..About::default() })
}

/// One blog.
pub(crate) async fn blog_about(ask: Ask) -> Result<About> {
    let blog = find_blog(ask.clone()).await?;
    let changes = blog_changes(&ask).await?;
    let trail = vec![Step::new(blog.title.clone(), blog_path(&blog))];
    let mut posting = posting(&ask, &blog, &changes);
    posting["mainEntityOfPage"] = posting["url"].clone();
    posting["publisher"] = publisher(&ask);
    Ok(About { trail, things: vec![posting] })
}

fn publisher(ask: &Ask) -> Value {
    json!({
        "@type": "Organization",
        "@id": organisation_id(ask),
        "name": ask.site.settings.product.full_name,
        "url": format!("{}/", ask.base_url),
    })
}

fn posting(ask: &Ask, blog: &Blog, changes: &BTreeMap<i64, String>) -> Value {
    json!({
        "@type": "BlogPosting",
        "url": format!("{}{}", ask.base_url, blog_path(blog)),
        "headline": blog.title,
        "description": blog.excerpt,
        "image": blog.image,
        "datePublished": blog.created_at,
        "dateModified": changed_at(ask, blog, changes),
        "inLanguage": lang::of(&blog.excerpt),
        "author": publisher(ask),
    })
}

/// When the blog was last changed, with the zone's offset; not before it was published.
pub(crate) fn changed_at(ask: &Ask, blog: &Blog, changes: &BTreeMap<i64, String>) -> String {
    let changed_at = changes.get(&blog.id).map(|at| time_text::with_offset(at, ask.time_zone()));
    changed_at.filter(|at| *at > blog.created_at).unwrap_or_else(|| blog.created_at.clone())
}
