//! The changes in a text, word by word.

use std::time::Duration;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// Words of unchanged text that are shown before and after a change.
const CONTEXT_WORDS: usize = 8;

/// Two long texts that have little in common are compared roughly after this time.
const PATIENCE: Duration = Duration::from_millis(500);

/// A piece of a text.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Part {
    /// "same", "removed" or "added".
    kind: &'static str,
    text: String,
}

impl Part {
    /// Whether it is in one of the two texts only.
    pub(super) fn is_change(&self) -> bool {
        self.kind != "same"
    }
}

/// Returns the pieces of both texts in order; unchanged passages are shortened.
pub(super) fn parts(before: &str, after: &str) -> Vec<Part> {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_words(before, after);
    let mut parts: Vec<Part> = Vec::new();
    for change in diff.iter_all_changes() {
        let kind = match change.tag() {
            ChangeTag::Equal => "same",
            ChangeTag::Delete => "removed",
            ChangeTag::Insert => "added",
        };
        match parts.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(change.value()),
            _ => parts.push(Part { kind, text: change.value().to_owned() }),
        }
    }
    let last = parts.len().saturating_sub(1);
    for (index, part) in parts.iter_mut().enumerate().filter(|(_, part)| !part.is_change()) {
        part.text = shortened(&part.text, index > 0, index < last);
    }
    parts
}

/// Returns the beginning of a passage if it follows a change, and its end if it precedes one.
fn shortened(text: &str, after_change: bool, before_change: bool) -> String {
    let (blank, rest) = text.split_at(text.len() - text.trim_start().len());
    let words: Vec<&str> = rest.split_inclusive(char::is_whitespace).collect();
    let context = CONTEXT_WORDS * (usize::from(after_change) + usize::from(before_change));
    if words.len() <= context + 1 {
        return text.to_owned();
    }
    let first = if after_change { words[..CONTEXT_WORDS].concat() } else { String::new() };
    let last = if before_change { words[words.len() - CONTEXT_WORDS..].concat() } else { String::new() };
    format!("{blank}{first}… {last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_words_are_shown_in_their_sentence() {
        let before = "The festival opens on Friday with a film from Nepal, in the presence of its director.";
        let after = "The festival opens on Saturday with a film from Nepal, in the presence of its director and crew.";
        let parts = parts(before, after);
        let text = |kind: &str| -> Vec<String> {
            parts.iter().filter(|part| part.kind == kind).map(|part| part.text.trim().to_owned()).collect()
        };
        assert_eq!(text("removed"), ["Friday", "director."]);
        assert_eq!(text("added"), ["Saturday", "director and crew."]);
        assert_eq!(parts[0], Part { kind: "same", text: "The festival opens on ".to_owned() });
    }

    #[test]
    fn unchanged_passages_are_shortened() {
        let long: String = (0..100).map(|number| format!("word{number} ")).collect();
        let parts = parts(&format!("{long}old {long}"), &format!("{long}new {long}"));
        assert_eq!(parts[0].text, format!("… {}", long.split_inclusive(' ').skip(92).collect::<String>()));
        let end = parts.last().unwrap();
        assert!(end.text.ends_with("… ") && end.text.contains("word7") && !end.text.contains("word8"), "{}", end.text);
        assert!(self::parts("same text", "same text").iter().all(|part| !part.is_change()));
    }
}
