//! The blog as an Atom feed.

use std::collections::BTreeMap;

use festival_core::xml::escape;
use festival_core::{RequestContext, Result, html, lang};

use crate::blog::{Blog, list_blogs};
use crate::discover::{blog_changes, blog_path, changed_at};

/// Entries of the feed at most. Feed readers keep older ones.
const MAX_ENTRIES: usize = 50;

/// The time of change of a feed without entries, which must have one.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// `GET /blogs/feed.xml`
pub(crate) async fn feed(request: RequestContext) -> Result<String> {
    let changes = blog_changes(&request).await?;
    let mut blogs = list_blogs(request.clone()).await?;
    blogs.truncate(MAX_ENTRIES);
    let product = &request.site.settings.product;
    let base = escape(&request.base_url);
    let updated = blogs.iter().map(|blog| changed_at(&request, blog, &changes)).max();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n\
         <id>{base}/blogs/feed.xml</id>\n<title>{} Blog</title>\n<subtitle>{}</subtitle>\n<updated>{}</updated>\n\
         <link rel=\"self\" type=\"application/atom+xml\" href=\"{base}/blogs/feed.xml\"/>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{base}/blogs\"/>\n\
         <icon>{base}/favicon.svg</icon>\n<author><name>{}</name><uri>{base}/</uri></author>\n",
        escape(&product.name),
        escape(&product.tagline),
        escape(updated.as_deref().unwrap_or(NEVER)),
        escape(&product.full_name),
    );
    for blog in &blogs {
        xml.push_str(&entry(&request, blog, &changes)?);
    }
    Ok(xml + "</feed>\n")
}

fn entry(request: &RequestContext, blog: &Blog, changes: &BTreeMap<i64, String>) -> Result<String> {
    let address = format!("{}{}", request.base_url, blog_path(blog));
    let image =
        blog.image.as_ref().map_or(String::new(), |url| format!("<p><img src=\"{}\" alt=\"\"></p>", escape(url)));
    let content = image + &html::sanitise_with_base(&blog.content, &address)?;
    let address = escape(&address);
    Ok(format!(
        "<entry xml:lang=\"{}\">\n<id>{address}</id>\n<title>{}</title>\n\
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
