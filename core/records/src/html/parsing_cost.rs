//! Estimates the cost of parsing a text from its tags. The parser walks through all open elements at most tags, and
//! opens formatting elements such as `<b>` again wherever a paragraph has ended: 300 kB of nested `<div>` take half a
//! minute, and of `<b>` and `<p>` 3.6 GB.

use std::cell::RefCell;

use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

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
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    for piece in html.split_inclusive('>') {
        input.push_back(StrTendril::from(piece));
        let _ = tokenizer.feed(&input); // It stops nowhere, because the sink runs no scripts.
        if tokenizer.sink.0.borrow().is_decided() {
            break;
        }
    }
    tokenizer.end();
    let cost = tokenizer.sink.0.into_inner();
    if !cost.is_disorderly {
        return !cost.is_high;
    }
    let starts = || html.split('<').skip(1).filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_formatting = |rest: &&str| FORMATTING.iter().any(|known| known.eq_ignore_ascii_case(name(rest)));
    let tags = starts().count();
    tags <= MAX_TAGS && tags * (1 + starts().filter(is_formatting).count()) <= MAX_ELEMENTS
}

/// The cost of the tags of a text, as long as its elements close in order.
#[derive(Default)]
struct Cost {
    open: Vec<LocalName>,
    /// Elements among the open ones that are opened again.
    formatting: usize,
    elements: usize,
    is_high: bool,
    /// Whether elements do not close in order, or parts are not certain to be tags.
    is_disorderly: bool,
}

impl Cost {
    /// Whether further tags change nothing.
    fn is_decided(&self) -> bool {
        self.is_high || self.is_disorderly
    }
}

#[derive(Default)]
struct Tags(RefCell<Cost>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut cost = self.0.borrow_mut();
        let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
        if cost.is_decided() {
            return TokenSinkResult::Continue;
        }
        let formatting = usize::from(FORMATTING.contains(&&*tag.name));
        if tag.kind == TagKind::EndTag {
            if cost.open.pop().is_some_and(|last| last == tag.name) {
                cost.formatting -= formatting;
            } else {
                cost.is_disorderly = true;
            }
        } else if !VOID.contains(&&*tag.name) {
            cost.is_disorderly = SPECIAL.contains(&&*tag.name);
            cost.formatting += formatting;
            cost.open.push(tag.name);
        }
        cost.elements += 1 + cost.formatting;
        cost.is_high = cost.open.len() > MAX_DEPTH || cost.elements > MAX_ELEMENTS;
        TokenSinkResult::Continue
    }
}

/// The name that a tag begins with.
fn name(tag: &str) -> &str {
    let end = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(tag.len());
    &tag[..end]
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
            "<div><!-- ></div>-->".repeat(10_000),
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
