//! Texts of mails: keeping headers on one line, masking addresses.

/// Maximum length of a subject, in characters. A line of a header may have 998 bytes, but nobody reads that much.
const MAX_SUBJECT_CHARS: usize = 200;
/// Maximum length of a name, in characters.
const MAX_NAME_CHARS: usize = 100;
/// Maximum length of the reason of a failure, in characters.
const MAX_FAILURE_CHARS: usize = 300;

/// An address as lists and logs show it, with its first character and its host: `a***@example.org`.
pub fn mask(address: &str) -> String {
    let address = one_line(address, MAX_FAILURE_CHARS);
    let first: String = address.chars().take(1).filter(|c| *c != '@').collect();
    match address.rsplit_once('@') {
        Some((_, host)) => format!("{first}***@{host}"),
        None => format!("{first}***"),
    }
}

/// The parameter with the secret of a link, whose holder needs no password.
const KEY: &str = "?key=";
/// What people see in place of a secret.
const HIDDEN: &str = "…";

/// The secrets of the links in a text: the hexadecimal digits after [`KEY`].
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let digits = |rest: &str| rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
    text.split(KEY).skip(1).filter_map(move |rest| rest.get(..digits(rest))).filter(|key| key.len() >= 32)
}

/// A text whose links have lost their secrets.
pub(super) fn without_keys(text: &str) -> String {
    keys(text).fold(text.to_owned(), |text, key| text.replace(key, HIDDEN))
}

/// The correction of a text that was shown [without the secrets](without_keys) of `original`, with these.
pub(super) fn with_keys(text: String, original: &str) -> String {
    keys(original).fold(text, |text, key| text.replacen(&format!("{KEY}{HIDDEN}"), &format!("{KEY}{key}"), 1))
}

/// A subject, on one line.
pub(super) fn subject(text: &str) -> String {
    one_line(text, MAX_SUBJECT_CHARS)
}

/// A name, on one line.
pub(super) fn name(text: &str) -> String {
    one_line(text, MAX_NAME_CHARS)
}

/// A text whose lines end with `\n`, without control characters other than tabs.
pub(super) fn body(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// The reason of a failure, on one line and with addresses masked: mail servers repeat the recipient's when they refuse
/// it.
pub(super) fn failure(text: &str) -> String {
    let spaced = text.replace(['<', '>', '(', ')', ',', ';', '"'], " ");
    let words = spaced.split_whitespace().map(|word| if word.contains('@') { mask(word) } else { word.to_owned() });
    one_line(&words.collect::<Vec<_>>().join(" "), MAX_FAILURE_CHARS)
}

/// The text on one line of at most `max_chars` characters: every run of white space and control characters becomes a
/// space.
fn one_line(text: &str, max_chars: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max_chars) {
        None => line,
        Some(_) => line.chars().take(max_chars - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_masked_wherever_they_occur() {
        assert_eq!(mask("anna.maria@example.org"), "a***@example.org");
        assert_eq!(mask("@example.org"), "***@example.org");
        assert_eq!(mask("no address"), "n***");
        assert_eq!(mask(""), "***");
        assert_eq!(failure("5.1.1 <anna@example.org>: no such\r\nuser"), "5.1.1 a***@example.org : no such user");
        assert_eq!(failure("mailto:anna@example.org,ben@example.org"), "m***@example.org b***@example.org");
    }

    #[test]
    fn header_texts_are_one_short_line() {
        assert_eq!(subject("A\r\nBcc: x@y.example\0\u{85}B"), "A Bcc: x@y.example B");
        assert_eq!(subject(&"ക".repeat(1000)).chars().count(), MAX_SUBJECT_CHARS);
        assert_eq!(name(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(body("one\r\ntwo\rthree\0\u{1b}\tfour"), "one\ntwo\nthree\tfour");
    }
}
