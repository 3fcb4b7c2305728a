//! Dates in the texts of a seed file. They move with the festival where its dates are moved.
//!
//! | in the file | in the text |
//! |---|---|
//! | `{2025-09-01}` | 1 September 2025 |
//! | `{2025-10-24..2025-10-31}` | 24 to 31 October 2025 |
//! | `{2025-09-01 %B %-d, %Y}` | September 1, 2025 |
//!
//! A day is written as it is without moving. After a blank stands a pattern as of `strftime`.

use jiff::Span;
use jiff::civil::Date;

use crate::edition::dates_text;
use crate::entity::Values;
use festival_base::error::{Error, Result};

/// Every value with its dates filled in, moved by `shift`.
///
/// # Errors
/// [`Error::BadRequest`] with the placeholder that names no day.
pub(crate) fn fill_all(values: &Values, shift: Span) -> Result<Values> {
    values.iter().map(|(name, text)| Ok((name.clone(), fill(text, shift)?))).collect()
}

/// `text` with its dates filled in, moved by `shift`.
///
/// # Errors
/// [`Error::BadRequest`] with the placeholder that names no day.
pub(crate) fn fill(text: &str, shift: Span) -> Result<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        // Other braces are the text's own.
        match after.split_once('}').filter(|_| after.starts_with(|c: char| c.is_ascii_digit())) {
            Some((placeholder, after)) => {
                let text = format_date(placeholder, shift).map_err(|error| {
                    Error::BadRequest(format!(
                        "{{{placeholder}}} is no date ({error}); write one like {{2025-10-24}}, \
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
    fn dates_are_written_out() {
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
    fn a_placeholder_that_names_no_day_is_an_error() {
        for wrong in ["{2025-13-01}", "{2025-10-24..soon}", "{2025-10-24 %Q}", "{2025}"] {
            let error = fill(wrong, Span::new()).expect_err(wrong).for_terminal();
            assert!(error.contains(wrong) && error.contains("{2025-10-24}"), "{error}");
        }
    }

    #[test]
    fn braces_that_open_nothing_stay() {
        assert_eq!(fill("a { b } c {", Span::new()).unwrap(), "a { b } c {");
    }
}
