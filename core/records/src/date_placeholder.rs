//! The dates of a seed file, which move with the festival: those of rows, and placeholders in texts.
//!
//! | in the file | in the text |
//! |---|---|
//! | `{2025-09-01}` | 1 September 2025 |
//! | `{2025-10-24..2025-10-31}` | 24 to 31 October 2025 |
//! | `{2025-09-01 %B %-d, %Y}` | September 1, 2025 |
//! | `{2024}` | 2024: a year, which moves by as many years as the edition's |
//!
//! The file has the dates before moving. A pattern of `strftime` may follow after a space.

use jiff::civil::{Date, DateTime};
use jiff::{Span, ToSpan as _};

use crate::edition::dates_text;
use crate::entity::{Kind, Values};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, Result};

/// How far the dates of a seed move.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shift {
    /// For dates.
    pub(crate) days: Span,
    /// For years that stand alone.
    pub(crate) years: i16,
}

/// [`fill`] for every value.
///
/// # Errors
/// Those of [`fill`].
pub(crate) fn fill_all(values: &Values, shift: Shift) -> Result<Values> {
    values.iter().map(|(name, text)| Ok((name.clone(), fill(text, shift)?))).collect()
}

/// Replaces the placeholders in `text` by their dates, moved by `shift`. Other braces stay.
///
/// # Errors
/// [`Error::BadRequest`] with a placeholder that is not a date.
pub(crate) fn fill(text: &str, shift: Shift) -> Result<String> {
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

fn format_date(placeholder: &str, shift: Shift) -> Result<String, jiff::Error> {
    if let Some(year) = Some(placeholder).filter(|text| text.len() == 4).and_then(|text| text.parse::<i16>().ok()) {
        return Ok((year + shift.years).to_string());
    }
    let day = |text: &str| text.parse::<Date>()?.checked_add(shift.days);
    match (placeholder.split_once(' '), placeholder.split_once("..")) {
        (Some((date, pattern)), _) => jiff::fmt::strtime::format(pattern, day(date)?),
        (None, Some((first, last))) => Ok(dates_text(&day(first)?.to_string(), &day(last)?.to_string())),
        (None, None) => Ok(day(placeholder)?.strftime("%-d %B %Y").to_string()),
    }
}

/// A stored date or time, moved by `shift`.
pub(crate) fn move_stored(text: &str, kind: Kind, shift: Span) -> String {
    let shifted = match kind {
        Kind::Date => text.parse().and_then(|day: Date| day.checked_add(shift)).map(|day| day.to_string()),
        Kind::LocalDateTime => {
            text.parse().and_then(|time: DateTime| time.checked_add(shift)).map(|time| time.to_string())
        }
        _ => {
            let hours = (i64::from(shift.get_days()) * 24).hours();
            text.parse().and_then(|time: jiff::Timestamp| time.checked_add(hours)).map(timestamp_text)
        }
    };
    shifted.unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_formatted_and_moved_dates() {
        let text = "Until {2025-09-01}; {2025-10-24..2025-10-31}. {2025-10-24 %A %-d %B}, {product} {not 2025}";
        assert_eq!(
            fill(text, Shift::default()).unwrap(),
            "Until 1 September 2025; 24 to 31 October 2025. Friday 24 October, {product} {not 2025}"
        );
        assert_eq!(
            fill(text, Shift { days: 70.days(), years: 1 }).unwrap(),
            "Until 10 November 2025; 2 to 9 January 2026. Friday 2 January, {product} {not 2025}"
        );
    }

    #[test]
    fn invalid_dates_in_placeholders_are_errors() {
        for wrong in ["{2025-13-01}", "{2025-10-24..soon}", "{2025-10-24 %Q}", "{20255}"] {
            let error = fill(wrong, Shift::default()).expect_err(wrong).for_terminal();
            assert!(error.contains(wrong) && error.contains("{2025-10-24}"), "{error}");
        }
    }

    #[test]
    fn other_braces_stay_as_they_are() {
        assert_eq!(fill("a { b } c {", Shift::default()).unwrap(), "a { b } c {");
    }

    /// The same days before a New Year's Day that ends a leap year and one that does not are in different years.
    #[test]
    fn years_move_with_the_edition_and_not_with_days() {
        let shift = Shift { days: 434.days(), years: 2 };
        assert_eq!(fill("{2023}, {2024}; {2023-10-24 %Y}, {2024-10-24 %Y}", shift).unwrap(), "2025, 2026; 2024, 2026");
    }
}
