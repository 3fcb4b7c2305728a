//! Placeholders for dates in the texts of a seed file, which move with the festival if its dates are moved.
//!
//! | in the file | in the text |
//! |---|---|
//! | `{2025-09-01}` | 1 September 2025 |
//! | `{2025-10-24..2025-10-31}` | 24 to 31 October 2025 |
//! | `{2025-09-01 %B %-d, %Y}` | September 1, 2025 |
//!
//! The file has the dates before moving. A pattern of `strftime` may follow after a space.

use jiff::Span;
use jiff::civil::Date;

use crate::edition::dates_text;
use crate::entity::Values;
use festival_base::error::{Error, Result};

/// [`fill`] for every value.
///
/// # Errors
/// Those of [`fill`].
pub(crate) fn fill_all(values: &Values, shift: Span) -> Result<Values> {
    values.iter().map(|(name, text)| Ok((name.clone(), fill(text, shift)?))).collect()
}

/// Replaces the placeholders in `text` by their dates, moved by `shift`. Other braces stay.
///
/// # Errors
/// [`Error::BadRequest`] with a placeholder that is not a date.
pub(crate) fn fill(text: &str, shift: Span) -> Result<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        match after.split_once('}').filter(|_| after.starts_with(|c: char| c.is_ascii_digit())) {
            Some((placeholder, after)) => {
                let text = format_date(placeholder, shift).map_err(|error| {
                    Error::BadRequest(format!(
                        "{{{placeholder}}} is not a date ({error}); write one like {{2025-10-24}}, \
                         {{2025-10-24..2025-10-31}} or {{2025-10-24 %B %Y}}"
                    ))
                })?;
                filled.push_str(&text);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    Ok(filled)
}

fn format_date(placeholder: &str, shift: Span) -> Result<String, jiff::Error> {
    let day = |text: &str| text.parse::<Date>()?.checked_add(shift);
    match (placeholder.split_once(' '), placeholder.split_once("..")) {
        (Some((date, pattern)), _) => jiff::fmt::strtime::format(pattern, day(date)?),
        (None, Some((first, last))) => Ok(dates_text(&day(first)?.to_string(), &day(last)?.to_string())),
        (None, None) => Ok(day(placeholder)?.strftime("%-d %B %Y").to_string()),
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;

    use super::*;

    #[test]
    fn placeholders_become_formatted_and_moved_dates() {
        let text = "Until {2025-09-01}; {2025-10-24..2025-10-31}. {2025-10-24 %A %-d %B}, {product} {not 2025}";
        assert_eq!(
            fill(text, Span::new()).unwrap(),
            "Until 1 September 2025; 24 to 31 October 2025. Friday 24 October, {product} {not 2025}"
        );
        assert_eq!(
            fill(text, 70.days()).unwrap(),
            "Until 10 November 2025; 2 to 9 January 2026. Friday 2 January, {product} {not 2025}"
        );
    }

    #[test]
    fn invalid_dates_in_placeholders_are_errors() {
        for wrong in ["{2025-13-01}", "{2025-10-24..soon}", "{2025-10-24 %Q}", "{2025}"] {
            let error = fill(wrong, Span::new()).expect_err(wrong).for_terminal();
            assert!(error.contains(wrong) && error.contains("{2025-10-24}"), "{error}");
        }
    }

    #[test]
    fn other_braces_stay_as_they_are() {
        assert_eq!(fill("a { b } c {", Span::new()).unwrap(), "a { b } c {");
    }
}
