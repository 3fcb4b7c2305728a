//! Splits a line into its variables and the text between them.

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Text.
    Text(&'a str),
    /// The name of a variable.
    Variable(&'a str),
}

/// Returns the parts of `line`.
///
/// # Errors
/// A sentence if braces do not match.
pub(super) fn parts(line: &str) -> Result<Vec<Part<'_>>, String> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        add_text(&mut parts, before)?;
        let Some((name, behind)) = after.split_once("}}") else {
            return Err(format!("There is no “}}}}” after “{{{{{}”.", beginning(after)));
        };
        parts.push(Part::Variable(name.trim()));
        rest = behind;
    }
    add_text(&mut parts, rest)?;
    Ok(parts)
}

fn add_text<'a>(parts: &mut Vec<Part<'a>>, text: &'a str) -> Result<(), String> {
    if let Some((before, _)) = text.split_once("}}") {
        let end: String = before.chars().skip(before.chars().count().saturating_sub(20)).collect();
        return Err(format!("There is no “{{{{” before “{end}}}}}”."));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(())
}

/// The beginning of the text after braces, for a message.
fn beginning(text: &str) -> String {
    text.trim_end().chars().take(20).collect()
}

/// Names in single braces, a common mistake: `{reference}`.
pub(super) fn in_single_braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name.trim())
}
