//! Reads running times as people print them, to whole minutes.
//!
//! `a:b` may mean hours and minutes or minutes and seconds: from `5:00` on it is read as minutes and seconds, below as
//! hours and minutes. A unit after it (`23:15'`, `1:45 h`) or in the header (`mm:ss`) decides instead. If one column
//! has both kinds, those below `5:00` are refused as ambiguous.

use festival_base::text::with_ascii_digits;

use super::date_words::{self, UNITS};
use super::values::without_about;

#[cfg(test)]
mod tests;

/// The longest running time, in minutes: 15 hours.
const LONGEST: f64 = 900.0;
/// The longest running time that a number of minutes has in a column that may be one of seconds: five hours.
const LONGEST_FILM: f64 = 300.0;
/// From this first number on, `a:b` is read as minutes and seconds.
const FIRST_MINUTES: f64 = 5.0;
const EXPECTED: &str = "a running time of up to 15 hours, for instance 1h 32m, 92 min or 92";

/// What `a:b` below `5:00` means in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Hours and minutes.
    HoursMinutes,
    /// Hours and minutes; and a number alone is one of hours, as the header says.
    Hours,
    /// Minutes and seconds.
    MinutesSeconds,
    /// Minutes and seconds; and a number alone is one of seconds, as the header says.
    Seconds,
    /// The column has both: only what cannot be hours is read.
    Either,
}

/// Decides from the header and all cells of a column what `a:b` means. The flag says that hours were guessed from the
/// cells.
pub fn clock<'a>(header: &str, cells: impl Iterator<Item = &'a str> + Clone) -> (Clock, bool) {
    let header = header.to_lowercase();
    if header.contains("h:mm") {
        return (Clock::HoursMinutes, false);
    }
    if header.contains("mm:ss") {
        return (Clock::MinutesSeconds, false);
    }
    // "(s)" may be a plural.
    let is_long = |cell| plain(cell).parse::<f64>().is_ok_and(|number| number > LONGEST_FILM);
    let is_plural = words(&header).any(|word| word == "s");
    match units_in(&header) {
        [true, false, _] => return (Clock::Hours, false),
        [false, false, true] if !is_plural || cells.clone().any(is_long) => return (Clock::Seconds, false),
        _ => {}
    }
    let (mut low, mut high) = (false, false);
    for cell in cells {
        if let Some(([first, _], "")) =
            numbers(&plain(cell)).as_ref().map(|(numbers, unit)| (&numbers[..], *unit)).and_then(pair)
        {
            if first < FIRST_MINUTES { low = true } else { high = true }
        }
    }
    match (low, high) {
        (true, true) => (Clock::Either, false),
        (true, false) => (Clock::HoursMinutes, true),
        (false, _) => (Clock::MinutesSeconds, false),
    }
}

/// The words of a header; "Film's length" has no seconds.
fn words(header: &str) -> impl Iterator<Item = &str> {
    let ends = |letter: char| !date_words::is_letter(letter) && !matches!(letter, '\'' | '’');
    header.split(ends).filter(|word| !word.is_empty())
}

/// Whether a header in small letters names hours, minutes and seconds.
fn units_in(header: &str) -> [bool; 3] {
    [3600.0, 60.0, 1.0].map(|seconds| words(header).any(|word| unit_seconds(word) == Some(seconds)))
}

/// The unit of a column whose header names one, "Runtime (hours)" or "Min", as it stands behind a number, and whether the
/// header names nothing else.
pub(super) fn unit_of(header: &str) -> Option<(&'static str, bool)> {
    let header = header.to_lowercase();
    let is_alone = words(&header).all(|word| unit_seconds(word).is_some());
    let unit = match units_in(&header) {
        [true, false, false] => "h",
        [false, true, false] => "min",
        [false, false, true] => "s",
        _ => return None,
    };
    Some((unit, is_alone))
}

fn pair<'a>((numbers, unit): (&[f64], &'a str)) -> Option<([f64; 2], &'a str)> {
    <[f64; 2]>::try_from(numbers).ok().map(|pair| (pair, unit))
}

/// Reads a running time, in whole minutes.
///
/// # Errors
/// What was expected.
pub fn minutes(cell: &str, clock: Clock) -> Result<i64, String> {
    let text = plain(cell);
    let seconds = match numbers(&text) {
        Some((numbers, unit)) => colons(&numbers, unit, clock)?,
        None => day_part(&text).or_else(|| units(&text, clock)).ok_or(EXPECTED)?,
    };
    let minutes = seconds / 60.0;
    if !(minutes > 0.0 && minutes <= LONGEST) {
        return Err(EXPECTED.to_owned());
    }
    // A film of twenty seconds is shown as one minute.
    #[expect(clippy::cast_possible_truncation, reason = "at most 900")]
    Ok(minutes.round().max(1.0) as i64)
}

/// Seconds of a part of a day, 0.0639, which is what is left of a time that lost its format.
fn day_part(text: &str) -> Option<f64> {
    let decimals = text.strip_prefix("0.")?;
    (decimals.len() > 2).then(|| text.parse::<f64>().ok()).flatten().map(|days| days * 86_400.0)
}

/// Converts to lower case, and all marks of minutes and seconds to `'` and `"`. Remarks without digits fall away, "(original
/// release)", as do references, "[1]", and the days of "0 days 01:32:00", as pandas writes durations.
fn plain(cell: &str) -> String {
    let text = with_ascii_digits(cell.trim()).to_lowercase();
    let text = without_about(without_remark(&text));
    let text = text.strip_prefix("0 days").map_or(text, str::trim_start);
    // "1.32.00"
    let has_points =
        text.split('.').count() == 3 && text.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.');
    let text = if has_points { text.replace('.', ":") } else { text.to_owned() };
    text.strip_prefix("p0dt")
        .unwrap_or(&text)
        .trim_end_matches('.')
        .replace(['’', '‘', '′', '´', '`', 'ʹ'], "'")
        .replace(['”', '“', '″'], "\"")
        .replace("''", "\"")
}

fn without_remark(text: &str) -> &str {
    let Some((before, remark)) = text.split_once(['(', '[']) else { return text };
    let is_reference = remark.strip_suffix(']').is_some_and(|number| number.len() < 4);
    let has_digits = remark.contains(|letter: char| letter.is_ascii_digit());
    if before.trim().is_empty() || has_digits && !is_reference { text } else { before.trim() }
}

/// Splits `a:b` or `a:b:c` into its numbers and the unit after them; `None` for anything else.
fn numbers(text: &str) -> Option<(Vec<f64>, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != ':').unwrap_or(text.len());
    let (clock, unit) = text.split_at(end);
    let parts: Vec<&str> = clock.split(':').collect();
    if parts.len() < 2 || parts.iter().any(|part| part.is_empty() || part.len() > 3) {
        return None;
    }
    Some((parts.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?, unit.trim()))
}

/// Converts `a:b` and `a:b:c` to seconds.
fn colons(numbers: &[f64], unit: &str, clock: Clock) -> Result<f64, String> {
    let unit = if unit.is_empty() { None } else { Some(unit_seconds(unit).ok_or(EXPECTED)?) };
    match (numbers, unit) {
        ([hours, minutes, seconds], None | Some(3600.0)) if *minutes < 60.0 && *seconds < 60.0 => {
            Ok(hours * 3600.0 + minutes * 60.0 + seconds)
        }
        ([first, second], unit) if *second < 60.0 => match (unit, clock) {
            (Some(3600.0), _) => Ok(first * 3600.0 + second * 60.0),
            (Some(60.0), _) => Ok(first * 60.0 + second),
            (Some(_), _) => Err(EXPECTED.to_owned()),
            (None, Clock::MinutesSeconds | Clock::Seconds) => Ok(first * 60.0 + second),
            (None, Clock::Either) if *first >= FIRST_MINUTES => Ok(first * 60.0 + second),
            (None, Clock::HoursMinutes | Clock::Hours) => Ok(first * 3600.0 + second * 60.0),
            (None, Clock::Either) => Err(format!(
                "{first}h {second}m or {first} min {second} s: the column has running times in minutes and seconds, too"
            )),
        },
        _ => Err(EXPECTED.to_owned()),
    }
}

/// Converts `1h 32m`, `92 min`, `1h32`, `22' 30"`, `92` to seconds.
fn units(text: &str, clock: Clock) -> Option<f64> {
    // "PT1H32M", as ISO 8601 writes it.
    let mut rest = text.strip_prefix("pt").unwrap_or(text);
    let mut total = 0.0;
    let mut above = None;
    while !rest.is_empty() {
        let end =
            rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',').unwrap_or(rest.len());
        let digits = rest[..end].trim_end_matches(['.', ',']).replace(',', ".");
        let number: f64 = digits.parse().ok()?;
        rest = rest[end..].trim_start();
        let end = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        let word = without_and(rest[..end].trim_matches([' ', '.', ',', '&']));
        rest = &rest[end..];
        let unit = match (word, above) {
            // "1h32", "22'30": the next smaller unit.
            ("", Some(3600.0)) if rest.is_empty() => 60.0,
            ("", Some(60.0)) if rest.is_empty() => 1.0,
            ("", None) if rest.is_empty() && clock == Clock::Hours && !has_two_decimals(&digits) => 3600.0,
            ("", None) if clock == Clock::Hours => return None,
            ("", None) if rest.is_empty() && clock == Clock::Seconds => 1.0,
            // A bare fraction like "1.32" is ambiguous, unless it would be too long in hours.
            ("", None) if rest.is_empty() && (number.fract() == 0.0 || number * 60.0 > LONGEST) => 60.0,
            ("", _) => return None,
            // "1.30 hrs" may be an hour and a half.
            (word, _) if unit_seconds(word) == Some(3600.0) && has_two_decimals(&digits) => return None,
            (word, _) => unit_seconds(word)?,
        };
        let too_many = above.is_some_and(|above| unit >= above || number >= above / unit);
        if too_many {
            return None;
        }
        total += number * unit;
        above = Some(unit);
    }
    above.map(|_| total)
}

fn has_two_decimals(digits: &str) -> bool {
    digits.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 2 && decimals != "00")
}

/// A unit without the word for "and" that follows it.
fn without_and(word: &str) -> &str {
    word.rsplit_once(' ').filter(|(_, last)| date_words::is_and(last)).map_or(word, |(unit, _)| unit.trim_end())
}

/// Seconds of a unit.
fn unit_seconds(word: &str) -> Option<f64> {
    match word {
        "'" => Some(60.0),
        "\"" => Some(1.0),
        _ if word.contains(|letter| !date_words::is_letter(letter) && !matches!(letter, ' ' | '.' | '॰')) => None,
        _ => UNITS.get(&date_words::plain(word)).copied().flatten().map(f64::from),
    }
}
