//! Atom feeds (RFC 4287): the document around the entries.

use crate::site::RequestContext;
use crate::xml::escape;

/// Content type of Atom feeds.
pub const CONTENT_TYPE: &str = "application/atom+xml; charset=utf-8";

/// The time of change of a feed without entries, which must have one.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// The id of what is at a path of this festival, in feeds. It stays the same at whatever address the site is read, so that no
/// reader shows an entry twice.
pub fn id(request: &RequestContext, path: &str) -> String {
    let archive = request.base_url.strip_prefix(request.root_url()).unwrap_or_default();
    format!("urn:x-festival:{}{archive}{path}", request.site.settings.product.slug)
}

/// A feed.
#[derive(Debug)]
pub struct Feed<'a> {
    /// Its own path: "/blogs/feed.xml".
    pub path: &'a str,
    /// The path of the page that shows the same: "/blogs".
    pub page: &'a str,
    /// Its title.
    pub title: String,
    /// A sentence about it; "" for none.
    pub subtitle: &'a str,
    /// When it last changed, as RFC 3339; `None` if it has no entries.
    pub updated: Option<&'a str>,
}

impl Feed<'_> {
    /// Returns the document with these `<entry>` elements.
    pub fn document(&self, request: &RequestContext, entries: &str) -> String {
        let Self { path, page, title, subtitle, updated } = self;
        let (base, id) = (escape(&request.base_url), escape(&id(request, path)));
        let subtitle =
            if subtitle.is_empty() { String::new() } else { format!("<subtitle>{}</subtitle>\n", escape(subtitle)) };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n\
             <id>{id}</id>\n<title>{}</title>\n{subtitle}<updated>{}</updated>\n\
             <link rel=\"self\" type=\"application/atom+xml\" href=\"{base}{path}\"/>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{base}{page}\"/>\n\
             <icon>{base}/favicon.svg</icon>\n<author><name>{}</name><uri>{base}/</uri></author>\n{entries}</feed>\n",
            escape(title),
            escape(updated.unwrap_or(NEVER)),
            escape(&request.site.settings.product.full_name),
        )
    }
}
