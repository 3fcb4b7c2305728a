//! The blog as an Atom feed.

use std::collections::BTreeMap;

use festival_core::atom::{self, Feed};
use festival_core::xml::escape;
use festival_core::{RequestContext, Result, html, lang};

use crate::blog::{Blog, list_blogs};
use crate::discover::{blog_changes, blog_path, changed_at};

/// Maximum number of entries in the feed. Feed readers keep older ones.
const MAX_ENTRIES: usize = 50;

/// `GET /blogs/feed.xml`
pub(crate) async fn feed(request: RequestContext) -> Result<String> {
    let changes = blog_changes(&request).await?;
    let mut blogs = list_blogs(request.clone()).await?;
    blogs.truncate(MAX_ENTRIES);
    let product = &request.site.settings.product;
    let updated = blogs.iter().map(|blog| changed_at(&request, blog, &changes)).max();
    let feed = Feed {
        path: "/blogs/feed.xml",
        page: "/blogs",
        title: format!("{} Blog", product.name),
        subtitle: &product.tagline,
        updated: updated.as_deref(),
    };
    let entries: Vec<String> = blogs.iter().map(|blog| entry(&request, blog, &changes)).collect::<Result<_>>()?;
    Ok(feed.document(&request, &entries.concat()))
}

fn entry(request: &RequestContext, blog: &Blog, changes: &BTreeMap<i64, String>) -> Result<String> {
    let address = format!("{}{}", request.base_url, blog_path(blog));
    let image =
        blog.image.as_ref().map_or(String::new(), |url| format!("<p><img src=\"{}\" alt=\"\"></p>", escape(url)));
    let content = image + &html::sanitise_with_base(&blog.content, &address)?;
    let (address, id) = (escape(&address), escape(&atom::id(request, &blog_path(blog))));
    Ok(format!(
        "<entry xml:lang=\"{}\">\n<id>{id}</id>\n<title>{}</title>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{address}\"/>\n\
         <published>{}</published>\n<updated>{}</updated>\n<summary>{}</summary>\n\
         <content type=\"html\">{}</content>\n</entry>\n",
        lang::of(&blog.excerpt),
        escape(&blog.title),
        escape(&blog.created_at),
        escape(&changed_at(request, blog, changes)),
        escape(&blog.excerpt),
        escape(&content),
    ))
}
