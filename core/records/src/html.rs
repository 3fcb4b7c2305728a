//! Formatted text that people wrote: only harmless HTML passes, on write and on read.

use std::sync::OnceLock;

use ammonia::{Builder, Url, UrlRelative};

use festival_base::error::{Error, Result};

/// How often a text is cleaned before it is given up that it stays the same.
const PASSES: usize = 32;

/// The same text without scripts, styles, frames, event handlers and odd addresses. Idempotent.
pub fn sanitise(html: &str) -> String {
    static BUILDER: OnceLock<Builder<'static>> = OnceLock::new();
    // A mark of byte order is dropped from the front of a text, and only from there.
    let clean =
        |html: &str| BUILDER.get_or_init(builder).clean(html).to_string().trim_start_matches('\u{feff}').to_owned();
    let mut text = clean(html);
    // What is read is not always what was printed: a line break after <pre> is dropped each time, and who mends tags
    // that do not fit moves them.
    for _ in 0..PASSES {
        let again = clean(&text);
        if again == text {
            break;
        }
        text = again;
    }
    text
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Texts that try to run something, each between lines of "====". Browsers render them in `tests/e2e`.
    const HOSTILE: &str = include_str!("../../../tests/fixtures/hostile-html.txt");

    /// The tags and attributes of HTML that this module wrote: texts in it have no "<".
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

    /// What could run, load or hide something, of what is left.
    fn harm(html: &str) -> Option<String> {
        let names = [
            "script", "style", "iframe", "frame", "object", "embed", "svg", "math", "form", "input", "button", "base",
            "meta", "link", "template", "noscript", "textarea", "title", "xmp", "video", "audio", "source", "!", "?",
        ];
        let is_harmful = |tag: &String| {
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            // The names of attributes, without their values.
            let outside: String = tag.split('"').step_by(2).collect();
            let handler = outside.split_whitespace().skip(1).any(|part| part.starts_with("on") || part == "style=");
            let values = [" href=\"", " src=\"", " cite=\""].into_iter().flat_map(|name| tag.split(name).skip(1));
            let address = values.into_iter().any(|value| {
                let value: String =
                    value.chars().filter(|letter| !letter.is_ascii_control() && *letter != ' ').collect();
                ["javascript:", "vbscript:", "data:", "blob:", "filesystem:", "view-source:"]
                    .iter()
                    .any(|scheme| value.starts_with(scheme))
            });
            names.iter().any(|known| name.starts_with(known)) || handler || address
        };
        tags(html).into_iter().find(is_harmful)
    }

    fn is_harmless_and_stays(html: &str) {
        let clean = sanitise(html);
        assert_eq!(harm(&clean), None, "{html:?} became {clean:?}");
        assert_eq!(sanitise(&clean), clean, "{html:?}");
    }

    #[test]
    fn hostile_texts_come_out_harmless() {
        let payloads: Vec<&str> = HOSTILE.split("\n====\n").collect();
        assert!(payloads.len() > 100);
        for payload in &payloads {
            is_harmless_and_stays(payload);
            let based = sanitise_with_base(payload, "https://festival.example/blog/1").unwrap_or_default();
            assert_eq!(harm(&based), None, "{payload:?} became {based:?}");
        }
        assert!(harm("<p onclick=\"x\">").is_some() && harm("<a href=\"java\nscript:x\">").is_some());
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

    proptest! {
        #[test]
        fn what_came_out_once_comes_out_as_it_is(html in pieces()) {
            is_harmless_and_stays(&html);
        }
    }
}
