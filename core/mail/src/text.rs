//! Texts of mails: filling templates, keeping headers on one line, hiding addresses.

use handlebars::Handlebars;
use serde::Serialize;

use festival_base::error::{Error, Result};

/// What a subject is cut to, in characters. One line of a header holds 998 bytes, and nobody reads more.
const SUBJECT: usize = 200;
/// What a name is cut to, in characters.
const NAME: usize = 100;
/// What a complaint of a mail server is cut to, in characters.
const COMPLAINT: usize = 300;

/// Fills a plain-text Handlebars template. Nothing is escaped; a name that `data` does not have is an error.
pub fn render(template: &str, data: &impl Serialize) -> Result<String> {
    let mut handlebars = Handlebars::new();
    handlebars.register_escape_fn(handlebars::no_escape);
    handlebars.set_strict_mode(true);
    handlebars.render_template(template, data).map_err(Error::internal)
}

/// An address for lists and logs: its first character and its host, `a***@example.org`.
pub fn mask(address: &str) -> String {
    let address = one_line(address, COMPLAINT);
    let first: String = address.chars().take(1).filter(|c| *c != '@').collect();
    match address.rsplit_once('@') {
        Some((_, host)) => format!("{first}***@{host}"),
        None => format!("{first}***"),
    }
}

/// A subject for a header.
pub(super) fn subject(text: &str) -> String {
    one_line(text, SUBJECT)
}

/// A name for a header.
pub(super) fn name(text: &str) -> String {
    one_line(text, NAME)
}

/// A body with plain line breaks and no other control characters than the tabulator.
pub(super) fn body(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// What a mail server said, on one line and without anybody's address: it repeats the recipient's in its refusals.
pub(super) fn complaint(text: &str) -> String {
    let spaced = text.replace(['<', '>', '(', ')', ',', ';', '"'], " ");
    let words = spaced.split_whitespace().map(|word| if word.contains('@') { mask(word) } else { word.to_owned() });
    one_line(&words.collect::<Vec<_>>().join(" "), COMPLAINT)
}

/// One line of at most `longest` characters: every run of spaces and control characters becomes a space.
fn one_line(text: &str, longest: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(longest) {
        None => line,
        Some(_) => line.chars().take(longest - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_without_escaping() -> Result<()> {
        let data = serde_json::json!({ "title": "Tom & \"<Jerry>\"", "note": null });
        assert_eq!(render("{{title}}{{#if note}} {{note}}{{/if}}.\n", &data)?, "Tom & \"<Jerry>\".\n");
        assert!(render("{{titel}}", &data).is_err(), "a misspelt name must not pass for an empty value");
        assert!(render("{{#if}", &data).is_err());
        Ok(())
    }

    #[test]
    fn addresses_are_masked_wherever_they_stand() {
        assert_eq!(mask("anna.maria@example.org"), "a***@example.org");
        assert_eq!(mask("@example.org"), "***@example.org");
        assert_eq!(mask("no address"), "n***");
        assert_eq!(mask(""), "***");
        assert_eq!(complaint("5.1.1 <anna@example.org>: no such\r\nuser"), "5.1.1 a***@example.org : no such user");
        assert_eq!(complaint("mailto:anna@example.org,ben@example.org"), "m***@example.org b***@example.org");
    }

    #[test]
    fn headers_are_one_short_line() {
        assert_eq!(subject("A\r\nBcc: x@y.example\0\u{85}B"), "A Bcc: x@y.example B");
        assert_eq!(subject(&"ക".repeat(1000)).chars().count(), SUBJECT);
        assert_eq!(name(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(body("one\r\ntwo\rthree\0\u{1b}\tfour"), "one\ntwo\nthree\tfour");
    }
}
