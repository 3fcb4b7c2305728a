//! Sitemap and JSON-LD of blogs and pages of text.

use std::collections::BTreeMap;

use festival_core::json_ld::{About, Breadcrumb, organisation_id};
use festival_core::sitemap::Address;
use festival_core::{RequestContext, Result, lang, time_text};
use serde_json::{Value, json};

use crate::blog::{Blog, list_blogs, show_blog};

/// Times of the last change of each published blog, as stored, by id.
pub(crate) async fn blog_changes(request: &RequestContext) -> Result<BTreeMap<i64, String>> {
    let mut connection = request.read().await?;
    let rows: Vec<(i64, String)> =
        sqlx::query_as("SELECT id, updated_at FROM blogs WHERE is_published = 1").fetch_all(&mut *connection).await?;
    Ok(rows.into_iter().collect())
}

/// The sitemap entry of `/blogs`, with the time of the last change of any blog.
pub(crate) async fn blogs_address(request: RequestContext) -> Result<Vec<Address>> {
    let changed_at = blog_changes(&request).await?.into_values().max();
    Ok(vec![Address { path: "/blogs".into(), changed_at }])
}

/// The sitemap entries of all blogs, newest first.
pub(crate) async fn blog_addresses(request: RequestContext) -> Result<Vec<Address>> {
    let changes = blog_changes(&request).await?;
    let blogs = list_blogs(request).await?;
    let address = |blog: Blog| Address { path: blog_path(&blog), changed_at: changes.get(&blog.id).cloned() };
    Ok(blogs.into_iter().map(address).collect())
}

/// The sitemap entry of a page of text.
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

/// JSON-LD of the list of blogs.
pub(crate) async fn blogs_about(request: RequestContext) -> Result<About> {
    let changes = blog_changes(&request).await?;
    let posts: Vec<Value> =
        list_blogs(request.clone()).await?.iter().map(|blog| posting(&request, blog, &changes)).collect();
    let url = format!("{}/blogs", request.base_url);
    let blog = json!({ "@type": "Blog", "url": url, "blogPost": posts, "publisher": publisher(&request) });
    Ok(About { things: vec![blog], ..About::default() })
}

/// JSON-LD of a blog.
pub(crate) async fn blog_about(request: RequestContext) -> Result<About> {
    let blog = show_blog(request.clone()).await?;
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

/// Time of a blog's last change, with the offset of the festival's time zone; never before its publication.
pub(crate) fn changed_at(request: &RequestContext, blog: &Blog, changes: &BTreeMap<i64, String>) -> String {
    let changed_at = changes.get(&blog.id).map(|at| time_text::with_offset(at, request.time_zone()));
    changed_at.filter(|at| *at > blog.created_at).unwrap_or_else(|| blog.created_at.clone())
}
