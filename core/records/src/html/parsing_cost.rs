//! Estimates the cost of parsing a text from its tags. The parser walks through all open elements at most tags, and
//! opens formatting elements such as `<b>` again wherever a paragraph has ended: 300 kB of nested `<div>` take half a
//! minute, and of `<b>` and `<p>` 3.6 GB.

/// Maximum number of elements that are open at once.
const MAX_DEPTH: usize = 500;
/// Maximum number of elements that the parser opens, including those that it opens again: some 60 MB.
const MAX_ELEMENTS: usize = 300_000;
/// Maximum number of tags of a text whose elements do not close in order: each may stay open.
const MAX_TAGS: usize = 4_000;

/// Elements that are opened again.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Elements without an end.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements in which tags are parsed differently.
const SPECIAL: [&str; 15] = [
    "frameset",
    "iframe",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "select",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "xmp",
];

/// Whether a text is cheap enough to parse for a page to contain it.
pub(super) fn is_cheap(html: &str) -> bool {
    is_orderly(html).unwrap_or_else(|| {
        let starts = || html.split('<').skip(1).filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        let tags = starts().count();
        let formatting = starts().filter(|rest| is_one_of(&FORMATTING, name(rest))).count();
        tags <= MAX_TAGS && tags * (1 + formatting) <= MAX_ELEMENTS
    })
}

/// Whether a text whose elements close in order is cheap enough; `None` if they do not, or parts are not certain to be
/// tags.
fn is_orderly(html: &str) -> Option<bool> {
    let (mut open, mut formatting, mut elements) = (Vec::new(), 0, 0);
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        let mut letters = tag.chars();
        rest = match (letters.next(), letters.next()) {
            (Some('/'), Some(first)) if first.is_ascii_alphabetic() => {
                let name = name(&tag[1..]);
                if open.pop().is_none_or(|last: &str| !last.eq_ignore_ascii_case(name)) {
                    return None;
                }
                formatting -= usize::from(is_one_of(&FORMATTING, name));
                after_tag(&tag[1..])
            }
            (Some(first), _) if first.is_ascii_alphabetic() => {
                let name = name(tag);
                if is_one_of(&SPECIAL, name) {
                    return None;
                }
                if !is_one_of(&VOID, name) {
                    open.push(name);
                    formatting += usize::from(is_one_of(&FORMATTING, name));
                }
                after_tag(tag)
            }
            (Some('!'), _) => match tag.strip_prefix("!--") {
                // Other comments may end elsewhere.
                Some(comment) if comment.starts_with(' ') && !comment.split("-->").next()?.contains("--!>") => {
                    comment.split_once("-->")?.1
                }
                Some(_) => return None,
                None => tag.split_once('>')?.1,
            },
            (Some('/' | '?'), _) => tag.split_once('>')?.1,
            _ => tag,
        };
        elements += 1 + formatting;
        if open.len() > MAX_DEPTH || elements > MAX_ELEMENTS {
            return Some(false);
        }
    }
    Some(true)
}

/// The name that a tag begins with.
fn name(tag: &str) -> &str {
    let end = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(tag.len());
    &tag[..end]
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The state of the tokenizer of HTML inside a tag.
#[derive(Clone, Copy)]
enum State {
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Value,
    Quoted(char),
}

/// What follows a tag; "" if it does not end.
fn after_tag(tag: &str) -> &str {
    let start = name(tag).len();
    let mut state = State::BeforeName;
    for (at, c) in tag[start..].char_indices() {
        let is_space = c.is_ascii_whitespace();
        state = match (state, c) {
            (State::Quoted(mark), _) if c == mark => State::BeforeName,
            (State::Quoted(_), _) => state,
            (_, '>') => return &tag[start + at + 1..],
            (State::BeforeValue, '"' | '\'') => State::Quoted(c),
            (State::BeforeValue, _) if is_space => State::BeforeValue,
            (State::BeforeValue, _) => State::Value,
            (State::Value, _) if !is_space => State::Value,
            (State::Name | State::AfterName, '=') => State::BeforeValue,
            (State::Name | State::AfterName, _) if is_space => State::AfterName,
            (_, '/') => State::BeforeName,
            _ if is_space => State::BeforeName,
            _ => State::Name,
        };
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_are_cheap_to_parse() {
        let paragraph =
            "<p class='a > b'>One &lt; <strong lang=\"ml\">മഴ</strong>, <a href=\"/x?a=1&amp;b=2\">there</a><br></p>\n";
        let comments = "<!-- wp:paragraph {\"a\":1} -->\n<p>One</p>\n<!-- /wp:paragraph -->\n";
        let sloppy =
            "<!DOCTYPE html><style>p > a {}</style><P>One<P>Two<ul><li>Three<li>Four</ul><![if !x]><o:p></o:p>";
        for (text, times) in [(paragraph, 10_000), (comments, 10_000), (sloppy, 100), ("a < b & c <3 ", 50_000)] {
            assert!(is_cheap(&text.repeat(times)), "{text}");
        }
        let table = format!("<table>{}</table>", "<tr><td>One</td></tr>".repeat(20_000));
        assert!(is_cheap(&table));
    }

    #[test]
    fn texts_that_cost_too_much_to_parse_are_detected() {
        let formatting: String = (0..200).map(|value| format!("<b a={value}>")).collect();
        for text in [
            "<div>".repeat(60_000),
            "<ul><li>".repeat(30_000),
            "<a><div>".repeat(30_000),
            "<b><div></b>".repeat(30_000),
            "<font color=red>x</div>".repeat(10_000),
            format!("<p>{formatting}{}", "<p>x".repeat(100_000)),
            format!("<p>{formatting}{}", "<p>x</p>".repeat(100_000)),
            // These are not end tags.
            "<div a=\"</div>\">".repeat(10_000),
            "<div><!--></div>-->".repeat(10_000),
            "<div><!-- --!></div>-->".repeat(10_000),
            "<div><script></div></script>".repeat(10_000),
            "<div a=b\"c><div x=\"></div>\">".repeat(10_000),
            "<div =\"><div>\">".repeat(10_000),
            "<div a=b=\"><div>\">".repeat(10_000),
            "<div/a='</div>'/>".repeat(10_000),
        ] {
            assert!(!is_cheap(&text), "{}", &text[..40]);
        }
    }
}
