//! Sanitising HTML that people wrote, on write and on read.

mod parsing_cost;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use ammonia::{Builder, Url, UrlRelative};
use percent_encoding::percent_decode_str;

use festival_base::error::{Error, Result};

/// Maximum number of passes of the sanitiser over a text until its output is stable.
const MAX_PASSES: usize = 32;

/// Checks that a page may contain this text: that parsing it does not cost too much.
///
/// # Errors
/// A sentence that says what to do.
pub fn check(html: &str) -> std::result::Result<(), String> {
    let sentence = "is formatted with too many tags inside one another; paste it as plain text and format it here";
    if parsing_cost::is_cheap(html) { Ok(()) } else { Err(sentence.to_owned()) }
}

/// The text without scripts, styles, frames, event handlers and URLs of other schemes. Idempotent. If [`check`] rejects
/// the text, it is escaped as a whole, so that its tags are shown as text.
pub fn sanitise(html: &str) -> String {
    if !parsing_cost::is_cheap(html) {
        return html.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    }
    static BUILDER: OnceLock<Builder<'static>> = OnceLock::new();
    // The parser drops a byte order mark only at the start of a text, where a removed tag may have left one.
    let clean =
        |html: &str| BUILDER.get_or_init(builder).clean(html).to_string().trim_start_matches('\u{feff}').to_owned();
    let mut text = clean(html);
    // One pass is not always idempotent: the parser drops a line break after <pre> each time, and moves badly nested
    // tags.
    for _ in 0..MAX_PASSES {
        let cleaned = clean(&text);
        if cleaned == text {
            break;
        }
        text = cleaned;
    }
    text
}

/// [`sanitise`] for text that is shown elsewhere: relative URLs are made absolute with the URL of the `page`.
///
/// # Errors
/// If `page` is not an absolute URL.
pub fn sanitise_with_base(html: &str, page: &str) -> Result<String> {
    let page = Url::parse(page).map_err(|e| Error::internal(format!("{page}: {e}")))?;
    Ok(builder().url_relative(UrlRelative::RewriteWithBase(page)).clean(&sanitise(html)).to_string())
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

/// A picture in sanitised HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The position of its tag, in bytes.
    pub place: Range<usize>,
    /// Its address, without the escapes of URLs and HTML.
    pub source: String,
    /// Its alternative text.
    pub alt: String,
    /// The position of the address, in bytes.
    address: Range<usize>,
}

/// The pictures in HTML that [`sanitise`] returned: its values are in quotation marks.
pub fn pictures(html: &str) -> Vec<Picture> {
    const TAG: &str = "<img ";
    let mut pictures = Vec::new();
    let mut at = 0;
    while let Some(start) = html[at..].find(TAG).map(|found| at + found) {
        let mut is_quoted = false;
        let end = html[start..].char_indices().find(|(_, letter)| {
            is_quoted ^= *letter == '"';
            *letter == '>' && !is_quoted
        });
        at = end.map_or(html.len(), |(end, _)| start + end + 1);
        let value = |name: &str| {
            let from = start + html[start..at].find(name)? + name.len();
            Some(from..from + html[from..at].find('"')?)
        };
        let Some(address) = value(" src=\"") else { continue };
        let alt = value(" alt=\"").map_or_else(String::new, |place| decode(&html[place]));
        let source = percent_decoded(&decode(&html[address.clone()]));
        pictures.push(Picture { place: start..at, source, alt, address });
    }
    pictures
}

/// Sanitised HTML with other addresses of pictures: `address` returns that of a source, or `None` for one that stays.
pub fn with_pictures(html: &str, address: impl Fn(&str) -> Option<String>) -> String {
    let (mut changed, mut at) = (String::with_capacity(html.len()), 0);
    for picture in pictures(html) {
        if let Some(address) = address(&picture.source) {
            let escaped = address.replace('%', "%25").replace('&', "&amp;").replace('"', "&quot;");
            changed.push_str(&html[at..picture.address.start]);
            changed.push_str(&escaped);
            at = picture.address.end;
        }
    }
    changed + &html[at..]
}

/// A URL without its escapes; unchanged if the result would not be UTF-8.
fn percent_decoded(url: &str) -> String {
    percent_decode_str(url).decode_utf8().map_or_else(|_| url.to_owned(), Cow::into_owned)
}

/// The plain text of HTML for a card: without tags, white space collapsed, cut between words to at most `max`
/// characters.
pub fn excerpt(html: &str, max: usize) -> String {
    let text = plain_text(html, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(max) {
        None => text,
        Some((end, _)) => {
            let cut = &text[..end];
            let cut = cut.rfind(' ').map_or(cut, |space| &cut[..space]);
            format!("{cut} …")
        }
    }
}

/// The text of HTML, with `gap` in place of each tag.
pub(crate) fn plain_text(html: &str, gap: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for c in sanitise(html).chars() {
        match c {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                text.push_str(gap);
            }
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    decode(&text)
}

/// Decodes the five entities that the sanitiser writes.
fn decode(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", " ").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Payloads that try to run something, separated by lines of "====". Browsers render them in `tests/e2e`.
    const HOSTILE: &str = include_str!("../../../tests/fixtures/hostile-html.txt");

    /// The tags with their attributes of sanitised HTML, whose texts contain no "<".
    fn tags(html: &str) -> Vec<String> {
        let mut tags = Vec::new();
        let mut rest = html;
        while let Some((_, tag)) = rest.split_once('<') {
            let mut quoted = false;
            let end = tag.find(|letter| {
                quoted ^= letter == '"';
                letter == '>' && !quoted
            });
            let end = end.unwrap_or(tag.len());
            tags.push(tag[..end].to_lowercase());
            rest = &tag[end..];
        }
        tags
    }

    /// The first tag that could run, load or hide something.
    fn harmful_tag(html: &str) -> Option<String> {
        let names = [
            "script", "style", "iframe", "frame", "object", "embed", "svg", "math", "form", "input", "button", "base",
            "meta", "link", "template", "noscript", "textarea", "title", "xmp", "video", "audio", "source", "!", "?",
        ];
        let is_harmful = |tag: &String| {
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            // Every other part is a quoted value.
            let attributes: String = tag.split('"').step_by(2).collect();
            let has_handler =
                attributes.split_whitespace().skip(1).any(|part| part.starts_with("on") || part == "style=");
            let values = [" href=\"", " src=\"", " cite=\""].into_iter().flat_map(|name| tag.split(name).skip(1));
            let has_script_url = values.into_iter().any(|value| {
                let value: String =
                    value.chars().filter(|letter| !letter.is_ascii_control() && *letter != ' ').collect();
                ["javascript:", "vbscript:", "data:", "blob:", "filesystem:", "view-source:"]
                    .iter()
                    .any(|scheme| value.starts_with(scheme))
            });
            names.iter().any(|known| name.starts_with(known)) || has_handler || has_script_url
        };
        tags(html).into_iter().find(is_harmful)
    }

    fn assert_harmless_and_stable(html: &str) {
        let clean = sanitise(html);
        assert_eq!(harmful_tag(&clean), None, "{html:?} became {clean:?}");
        assert_eq!(sanitise(&clean), clean, "{html:?}");
    }

    #[test]
    fn pictures_of_a_text_are_found_and_get_other_addresses() {
        let html = sanitise("<p>a<img alt='x > \"y\"' src='my%20lamp.jpg'>b<img src=/media/c.png></p><img>");
        let listed: Vec<_> = pictures(&html).into_iter().map(|picture| (picture.source, picture.alt)).collect();
        assert_eq!(
            listed,
            [("my lamp.jpg".to_owned(), "x > \"y\"".to_owned()), ("/media/c.png".to_owned(), String::new())]
        );
        let other = with_pictures(&html, |source| source.ends_with(".jpg").then(|| "a&\"b.jpg".to_owned()));
        assert_eq!(other, html.replace("my%20lamp.jpg", "a&amp;&quot;b.jpg"));
        assert_eq!(pictures("<img src=\"never closed"), []);
    }

    #[test]
    fn hostile_html_is_sanitised() {
        let payloads: Vec<&str> = HOSTILE.split("\n====\n").collect();
        assert!(payloads.len() > 100);
        for payload in &payloads {
            assert_harmless_and_stable(payload);
            let based = sanitise_with_base(payload, "https://festival.example/blog/1").unwrap_or_default();
            assert_eq!(harmful_tag(&based), None, "{payload:?} became {based:?}");
        }
        assert!(harmful_tag("<p onclick=\"x\">").is_some() && harmful_tag("<a href=\"java\nscript:x\">").is_some());
    }

    /// Pieces of HTML in any order: tags that are opened and never closed, attributes that end tags, comments.
    fn pieces() -> impl Strategy<Value = String> {
        let pieces = vec![
            "<p>",
            "</p>",
            "<b>",
            "</b>",
            "<a href=\"/x\">",
            "</a>",
            "<table>",
            "</table>",
            "<tr>",
            "<td>",
            "</td>",
            "<ul>",
            "<li>",
            "</ul>",
            "<h2>",
            "</h2>",
            "<pre>",
            "</pre>",
            "\n",
            " ",
            "<svg>",
            "</svg>",
            "<math>",
            "</math>",
            "<mtext>",
            "<mglyph>",
            "<style>",
            "</style>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<title>",
            "</title>",
            "<textarea>",
            "</textarea>",
            "<noscript>",
            "</noscript>",
            "<template>",
            "</template>",
            "<form>",
            "</form>",
            "<select>",
            "<option>",
            "</select>",
            "<iframe>",
            "</iframe>",
            "<img src=x onerror=window.ran=1>",
            "<img title=\"",
            "\">",
            "'",
            "\"",
            "<",
            ">",
            "&",
            "&lt;",
            "&amp;",
            "&#x0;",
            "<div title='",
            "<foreignObject>",
            "<desc>",
            "<plaintext>",
            "<br>",
            "<hr>",
            "<figure>",
            "<figcaption>",
            "<span lang=ml>",
            "</span>",
            "<details>",
            "<ruby>",
            "<rt>",
            "<blockquote>",
            "javascript:",
            "<a href=\"javascript:",
            "മഴ",
            "\u{0}",
            "\u{a0}",
        ];
        vec(prop_oneof![8 => select(pieces).prop_map(str::to_owned), 1 => ".{0,6}"], 0..30)
            .prop_map(|parts| parts.concat())
    }

    #[test]
    fn text_that_costs_too_much_to_parse_is_escaped() {
        let nested = "<div>".repeat(60_000) + "&amp;<script>";
        assert!(check(&nested).is_err() && check("<p>One</p>").is_ok());
        assert_eq!(sanitise(&nested), nested.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
        assert_harmless_and_stable(&nested);
    }

    proptest! {
        #[test]
        fn sanitising_is_harmless_and_idempotent(html in pieces()) {
            assert_harmless_and_stable(&html);
        }
    }
}
