//! Metadata of a blog: the front matter above its text, YAML between `---` or TOML between `+++`, and the head of a web
//! page.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// Values by key, in lower case.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter(BTreeMap<String, String>);

impl FrontMatter {
    /// Splits a text into its front matter and the rest.
    pub(crate) fn split(text: &str) -> (Self, &str) {
        for (fence, separator) in [("---", ':'), ("+++", '=')] {
            let Some(rest) =
                text.strip_prefix(fence).and_then(|rest| rest.trim_start_matches([' ', '\r']).strip_prefix('\n'))
            else {
                continue;
            };
            let mut at = 0;
            for line in rest.split_inclusive('\n') {
                if line.trim_end() == fence {
                    return (Self::of_lines(&rest[..at], separator), &rest[at + line.len()..]);
                }
                at += line.len();
            }
        }
        (Self::default(), text)
    }

    /// Reads `key: value` lines; the items of a list below its key are joined.
    fn of_lines(lines: &str, separator: char) -> Self {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        let mut last = String::new();
        for line in lines.lines() {
            if let Some(item) = line.trim_start().strip_prefix("- ") {
                let value = values.entry(last.clone()).or_default();
                let comma = if value.is_empty() { "" } else { ", " };
                *value = format!("{value}{comma}{}", unquoted(item));
            } else if let Some((key, value)) =
                line.split_once(separator).filter(|_| !line.starts_with([' ', '\t', '#']))
            {
                last = key.trim().trim_matches('"').to_lowercase();
                values.insert(last.clone(), unquoted(value));
            }
        }
        Self(values)
    }

    /// Adds values from the head of a web page that the front matter does not have.
    pub(crate) fn with_head(mut self, page: &str) -> Self {
        static TITLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)<title\b[^>]*>(.*?)</title>").ok());
        static META: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)<meta\b[^>]*>").ok());
        static ATTRIBUTE: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r#"(?is)\b(name|property|content)\s*=\s*(?:"([^"]*)"|'([^']*)')"#).ok());
        let mut add = |key: &str, value: &str| {
            let value = festival_core::html::excerpt(value, usize::MAX);
            self.0.entry(key.to_owned()).or_insert(value);
        };
        for meta in META.iter().flat_map(|meta| meta.find_iter(page)) {
            let (mut name, mut content) = ("", "");
            for found in ATTRIBUTE.iter().flat_map(|attribute| attribute.captures_iter(meta.as_str())) {
                let value = found.get(2).or_else(|| found.get(3)).map_or("", |value| value.as_str());
                if found[1].eq_ignore_ascii_case("content") { content = value } else { name = value }
            }
            match &*name.to_lowercase() {
                "author" | "article:author" => add("author", content),
                "date" | "article:published_time" => add("date", content),
                _ => {}
            }
        }
        // The first heading of the text is a better title than `<title>`.
        if let Some(title) = TITLE.as_ref().and_then(|title| title.captures(page)?.get(1)) {
            let has_heading = page.to_lowercase().contains("<h1");
            if !has_heading {
                add("title", title.as_str());
            }
        }
        self
    }

    /// The value of the first of these keys that has one.
    pub(crate) fn first(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.0.get(*key)).filter(|value| !value.is_empty()).cloned()
    }

    /// Whether the text is not to be published yet.
    pub(crate) fn is_draft(&self) -> bool {
        self.0.get("draft").is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || self.0.get("published").is_some_and(|value| value.eq_ignore_ascii_case("false"))
    }
}

/// A value without quotation marks or the brackets of a list.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    if let Some(items) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return items.split(',').map(unquoted).filter(|item| !item.is_empty()).collect::<Vec<_>>().join(", ");
    }
    let quoted = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    match (quoted('"'), quoted('\'')) {
        (Some(text), _) => text.replace("\\\"", "\""),
        (_, Some(text)) => text.replace("''", "'"),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_split_from_the_text() {
        let (front, text) = FrontMatter::split(
            "---\r\ntitle: \"Rain: \\\"light\\\"\"\r\nauthors:\r\n  - Uma Rao\r\n  - 'Dev'\r\ntags: [a, \"b\"]\r\ndraft: true\r\n---\r\nText\r\n---\r\n",
        );
        assert_eq!(front.first(&["title"]).as_deref(), Some("Rain: \"light\""));
        assert_eq!(front.first(&["author", "authors"]).as_deref(), Some("Uma Rao, Dev"));
        assert_eq!(front.first(&["tags"]).as_deref(), Some("a, b"));
        assert!(front.is_draft());
        assert_eq!(text, "Text\r\n---\r\n");
        let (toml, text) = FrontMatter::split("+++\ntitle = 'One'\ndate = 2025-10-24\n+++\nTwo");
        assert_eq!(
            (toml.first(&["title"]).as_deref(), toml.first(&["date"]).as_deref(), text),
            (Some("One"), Some("2025-10-24"), "Two")
        );
        // A rule above a text is not front matter.
        assert_eq!(FrontMatter::split("---\nText").1, "---\nText");
    }

    #[test]
    fn the_head_of_a_page_is_read() {
        let page = "<head><title>One &amp; two</title><meta content='Uma Rao' name=\"author\"><meta property=\"article:published_time\" content=\"2025-10-24\"></head>";
        let front = FrontMatter::default().with_head(page);
        assert_eq!(front.first(&["title"]).as_deref(), Some("One & two"));
        assert_eq!(front.first(&["author"]).as_deref(), Some("Uma Rao"));
        assert_eq!(front.first(&["date"]).as_deref(), Some("2025-10-24"));
        assert_eq!(FrontMatter::default().with_head("<title>Site</title><h1>Post</h1>").first(&["title"]), None);
    }
}
