//! What search engines and feed readers are told about blogs and texts.

use std::collections::BTreeMap;

use festival_core::json_ld::{About, Breadcrumb, organisation_id};
use festival_core::sitemap::Address;
use festival_core::{RequestContext, Result, lang, time_text};
use serde_json::{Value, json};

use crate::blog::{Blog, find_blog, list_blogs};

/// When the published blogs were last changed, as the database keeps moments, by id.
pub(crate) async fn blog_changes(request: &RequestContext) -> Result<BTreeMap<i64, String>> {
    let mut connection = request.read().await?;
    let rows: Vec<(i64, String)> =
        sqlx::query_as("SELECT id, updated_at FROM blogs WHERE is_published = 1").fetch_all(&mut *connection).await?;
    Ok(rows.into_iter().collect())
}

/// `/blogs` with the moment of the last change to any blog.
pub(crate) async fn blogs_address(request: RequestContext) -> Result<Vec<Address>> {
    let changed_at = blog_changes(&request).await?.into_values().max();
    Ok(vec![Address { path: "/blogs".into(), changed_at }])
}

/// The address of each blog, newest first.
pub(crate) async fn blog_addresses(request: RequestContext) -> Result<Vec<Address>> {
    let changes = blog_changes(&request).await?;
    let blogs = list_blogs(request).await?;
    let address = |blog: Blog| Address { path: blog_path(&blog), changed_at: changes.get(&blog.id).cloned() };
    Ok(blogs.into_iter().map(address).collect())
}

/// A page of text with the moment of its last change.
pub(crate) async fn text_address(request: RequestContext, slug: &'static str) -> Result<Vec<Address>> {
    let mut connection = request.read().await?;
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
pub(crate) async fn blogs_about(request: RequestContext) -> Result<About> {
    let changes = blog_changes(&request).await?;
    let posts: Vec<Value> =
        list_blogs(request.clone()).await?.iter().map(|blog| posting(&request, blog, &changes)).collect();
    let url = format!("{}/blogs", request.base_url);
    let blog = json!({ "@type": "Blog", "url": url, "blogPost": posts, "publisher": publisher(&request) });
    Ok(About { things: vec![blog], ..About::default() })
}

/// One blog.
pub(crate) async fn blog_about(request: RequestContext) -> Result<About> {
    let blog = find_blog(request.clone()).await?;
    let changes = blog_changes(&request).await?;
    let trail = vec![Breadcrumb::new(blog.title.clone(), blog_path(&blog))];
    let mut posting = posting(&request, &blog, &changes);
    posting["mainEntityOfPage"] = posting["url"].clone();
    posting["publisher"] = publisher(&request);
    Ok(About { trail, things: vec![posting] })
}

fn publisher(request: &RequestContext) -> Value {
    json!({
        "@type": "Organization",
        "@id": organisation_id(request),
        "name": request.site.settings.product.full_name,
        "url": format!("{}/", request.base_url),
    })
}

fn posting(request: &RequestContext, blog: &Blog, changes: &BTreeMap<i64, String>) -> Value {
    json!({
        "@type": "BlogPosting",
        "url": format!("{}{}", request.base_url, blog_path(blog)),
        "headline": blog.title,
        "description": blog.excerpt,
        "image": blog.image,
        "datePublished": blog.created_at,
        "dateModified": changed_at(request, blog, changes),
        "inLanguage": lang::of(&blog.excerpt),
        "author": publisher(request),
    })
}

/// When the blog was last changed, with the zone's offset; not before it was published.
pub(crate) fn changed_at(request: &RequestContext, blog: &Blog, changes: &BTreeMap<i64, String>) -> String {
    let changed_at = changes.get(&blog.id).map(|at| time_text::with_offset(at, request.time_zone()));
    changed_at.filter(|at| *at > blog.created_at).unwrap_or_else(|| blog.created_at.clone())
}
