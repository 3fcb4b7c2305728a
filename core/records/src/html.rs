//! Formatted text that people wrote: only harmless HTML passes, on write and on read.

use std::sync::OnceLock;

use ammonia::{Builder, Url, UrlRelative};

use festival_base::error::{Error, Result};

/// The same text without scripts, styles, frames, event handlers and odd addresses. Idempotent.
pub fn sanitise(html: &str) -> String {
    static BUILDER: OnceLock<Builder<'static>> = OnceLock::new();
    BUILDER.get_or_init(builder).clean(html).to_string()
}

/// [`sanitise`] for text that is read elsewhere: addresses in it begin with that of the page it comes from.
pub fn sanitise_with_base(html: &str, page: &str) -> Result<String> {
    let page = Url::parse(page).map_err(|e| Error::internal(format!("{page}: {e}")))?;
    Ok(builder().url_relative(UrlRelative::RewriteWithBase(page)).clean(html).to_string())
}

fn builder() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .add_tags(["figure", "figcaption"])
        .add_generic_attributes(["lang"])
        .link_rel(Some("noopener noreferrer"))
        .url_schemes(["http", "https", "mailto", "tel"].into());
    builder
}

/// The words of formatted text, for a card: no tags, runs of white space as one blank, at most `max` characters.
pub fn excerpt(html: &str, max: usize) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in sanitise(html).chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    let text = decode(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(max) {
        None => text,
        Some((end, _)) => {
            let cut = &text[..end];
            let cut = cut.rfind(' ').map_or(cut, |blank| &cut[..blank]);
            format!("{cut} …")
        }
    }
}

/// The five entities that the sanitiser writes.
fn decode(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", " ").replace("&amp;", "&")
}
