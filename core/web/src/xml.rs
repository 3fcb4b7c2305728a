//! XML and HTML documents outside the site's pages: feeds, sitemaps, what is printed.

use handlebars::Handlebars;
use serde::Serialize;

use festival_base::error::{Error, Result};

/// Fills in a template. Texts in double braces are escaped.
///
/// # Errors
/// [`Error::Internal`] if the template is wrong or names something that `data` does not have.
pub fn render(template: &str, data: &impl Serialize) -> Result<String> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(escape);
    handlebars.render_template(template, data).map_err(|error| Error::internal(format!("template: {error}")))
}

/// Escapes markup in `text` and drops the characters that XML 1.0 does not allow.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML parsers normalise a bare carriage return to a line feed.
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(c),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn escape_leaves_only_valid_xml_text() {
        assert_eq!(
            super::escape("a<b> & \"c\" 'd'\u{0}\u{8}\u{FFFF}\r\n"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;&#13;\n"
        );
    }
}
