//! What was typed, read as what its field asks for: telephone numbers in E.164, whole numbers, web addresses.
//!
//! People write these in more ways than any rule foresees, so nothing is refused here. What was typed is kept; the
//! reading stands beside it, and says why somebody should look. The browser reads by the same rules, and
//! `tests/fixtures/readings.json` holds both sides to the same results.

use crate::text::with_ascii_digits;

/// The country calling code of numbers that are written without one: the festival is in India.
const HOME: &str = "91";
/// Digits of a number in that country, without the calling code and the zero in front.
const HOME_DIGITS: usize = 10;
/// Digits of a number in any other country, with its calling code.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// The most characters of a text that are repeated in a reason.
const QUOTED: usize = 60;

/// What a text was read as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The normalised value; empty where the text could not be read.
    pub read: String,
    /// Why somebody should look at it: a sentence without its full stop. `None`: nothing is unusual.
    pub reason: Option<String>,
}

impl Parsed {
    /// A text that is what it should be, read as `read`.
    pub(crate) fn usual(read: impl Into<String>) -> Self {
        Self { read: read.into(), reason: None }
    }

    pub(crate) fn unusual(read: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { read: read.into(), reason: Some(reason.into()) }
    }
}

/// `text` in quotation marks, shortened.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("“{short}{more}”")
}

/// A number of which only digits and notation are known yet.
#[derive(Default)]
struct Telephone {
    has_plus: bool,
    digits: String,
    extension: String,
}

impl Telephone {
    /// The number in E.164 with its extension as RFC 3966 writes it; `Err`: how many digits it has instead.
    fn international(&self) -> Result<String, usize> {
        let digits = self.digits.as_str();
        let home = |national: &str| match national.len() {
            HOME_DIGITS => Ok(format!("{HOME}{national}")),
            other => Err(other),
        };
        let found = match digits.strip_prefix("00").filter(|_| !self.has_plus) {
            Some(rest) => Self::abroad(rest, home)?,
            None if self.has_plus => Self::abroad(digits, home)?,
            None if digits.len() == HOME.len() + HOME_DIGITS && digits.starts_with(HOME) => digits.to_owned(),
            None => home(digits.strip_prefix('0').unwrap_or(digits))?,
        };
        let extension = if self.extension.is_empty() { String::new() } else { format!(";ext={}", self.extension) };
        Ok(format!("+{found}{extension}"))
    }

    /// Digits that begin with a calling code.
    fn abroad(digits: &str, home: impl Fn(&str) -> Result<String, usize>) -> Result<String, usize> {
        match digits.strip_prefix(HOME) {
            Some(national) => home(national.strip_prefix('0').unwrap_or(national)),
            None if DIGITS.contains(&digits.len()) => Ok(digits.to_owned()),
            None => Err(digits.len()),
        }
    }
}

/// Reads telephone numbers; several are separated by ", ".
pub fn telephone(text: &str) -> Parsed {
    // A zero in brackets is dialled inside the country only.
    let text = if text.contains('+') { text.replace("(0)", "") } else { text.to_owned() };
    let plain = with_ascii_digits(&text);
    let mut numbers: Vec<Telephone> = Vec::new();
    let mut current = Telephone::default();
    let (mut words, mut extension, mut notation) = (false, false, plain != text);
    let mut extension_follows = false;
    let mut letters = plain.chars().peekable();
    loop {
        let next = letters.next();
        match next {
            Some(c) if c.is_ascii_digit() => {
                current.digits.push(c);
                continue;
            }
            Some('+') if current.digits.is_empty() => {
                current.has_plus = true;
                continue;
            }
            Some(' ' | '-' | '(' | ')') => continue,
            Some(c) if !c.is_alphabetic() && !matches!(c, '+' | ',' | ';' | '/' | '|' | '&' | '#') => {
                notation = true;
                continue;
            }
            _ => {}
        }
        // Everything else ends a number.
        let number = std::mem::take(&mut current);
        if !number.digits.is_empty() {
            match numbers.last_mut() {
                Some(last) if extension_follows => {
                    last.extension = number.digits;
                    extension = true;
                }
                // "0484/1234567": an area code.
                Some(last) if last.digits.len() < 6 && last.digits.starts_with('0') && !number.has_plus => {
                    last.digits.push_str(&number.digits);
                    notation = true;
                }
                _ => numbers.push(number),
            }
            extension_follows = false;
        }
        match next {
            None => break,
            Some('+') => current.has_plus = true,
            Some('#') => extension_follows = true,
            Some(c) if c.is_alphabetic() => {
                let mut word = c.to_lowercase().to_string();
                while let Some(c) = letters.next_if(|c| c.is_alphabetic()) {
                    word.extend(c.to_lowercase());
                }
                match word.as_str() {
                    "x" | "ext" | "extn" | "extension" => extension_follows = true,
                    _ => words = true,
                }
            }
            Some(_) => {}
        }
    }
    if numbers.is_empty() {
        return Parsed::unusual("", "Telephone number has no digits");
    }
    let read: Vec<Result<String, usize>> = numbers.iter().map(Telephone::international).collect();
    let mut reasons = Vec::new();
    if let Some(Err(digits)) = read.iter().find(|number| number.is_err()) {
        reasons.push(format!("Telephone number has {digits} {}", if *digits == 1 { "digit" } else { "digits" }));
    }
    let seen = [
        (numbers.len() > 1, "Several telephone numbers"),
        (words, "Words beside the telephone number"),
        (extension, "Telephone number with an extension"),
        (notation, "Telephone number in an unusual notation"),
    ];
    reasons.extend(seen.into_iter().filter(|(seen, _)| *seen).map(|(_, reason)| reason.to_owned()));
    let read: Vec<String> = read.into_iter().filter_map(Result::ok).collect();
    Parsed { read: read.join(", "), reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Minutes: hours are understood.
    Minutes,
    /// Calendar years: two digits are understood.
    CalendarYear,
    /// Anything else.
    Other,
}

/// Reads a whole number that is usually from `min` to `max`.
pub fn whole_number(text: &str, counted: Counted, (min, max): (i64, i64)) -> Parsed {
    let plain = with_ascii_digits(text).to_lowercase();
    let number = written(&plain)
        .or_else(|| if counted == Counted::Minutes { hours_and_minutes(&plain) } else { None })
        .or_else(|| only_number_in(&plain));
    let short_year = |n: i64| counted == Counted::CalendarYear && (0..100).contains(&n);
    let number = match number {
        Some(n) if short_year(n) => Some(n + if n <= max % 100 { 2000 } else { 1900 }),
        other => other,
    };
    let Some(number) = number else {
        let what = if counted == Counted::CalendarYear { "a year" } else { "a whole number" };
        return Parsed::unusual("", format!("{} could not be read as {what}", quoted(text)));
    };
    let read = number.to_string();
    let mut reasons = Vec::new();
    if read != text {
        reasons.push(format!("{} is read as {read}", quoted(text)));
    }
    if !(min..=max).contains(&number) {
        reasons.push(format!("{read} is unusual here"));
    }
    Parsed { read, reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
}

/// "97", "+97", "-3", "1,200", "97.5", "97,0", "1e2": rounded, where no whole number is written.
fn written(text: &str) -> Option<i64> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (sign, body) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (body, power) = match body.split_once('e') {
        Some((body, power)) => {
            let power = power.strip_prefix('+').unwrap_or(power);
            (body, Some(power).filter(|power| digits(power) && power.len() < 3)?.parse::<i32>().ok()?)
        }
        None => (body, 0),
    };
    let mut groups = body.split(',');
    let grouped = groups.next().is_some_and(|first| digits(first) && first.len() < 4)
        && body.contains(',')
        && groups.all(|group| digits(group) && group.len() == 3);
    let body = if grouped { body.replace(',', "") } else { body.replace(',', ".") };
    let (whole, fraction) = body.split_once('.').map_or((body.as_str(), None), |(w, f)| (w, Some(f)));
    if !digits(whole) || !fraction.is_none_or(digits) {
        return None;
    }
    sign_of(sign, body.parse::<f64>().ok()? * 10_f64.powi(power))
}

/// The nearest whole number, half up, with at most fifteen digits: what a browser counts exactly.
fn sign_of(sign: i64, size: f64) -> Option<i64> {
    let size = (size + 0.5).floor();
    if size < 1e15 { format!("{size:.0}").parse::<i64>().ok().map(|size| sign * size) } else { None }
}

/// "1h 37m", "1 hour 37 minutes", "1.5 hours", "1:37", "1:37:20".
fn hours_and_minutes(text: &str) -> Option<i64> {
    let clock: Vec<&str> = text.split(':').collect();
    if matches!(clock.len(), 2 | 3) && clock.iter().all(|part| (1..=2).contains(&part.len())) {
        let part = |place: usize| clock.get(place).map_or(Some(0), |part| part.parse::<i64>().ok());
        let (hours, minutes, seconds) = (part(0)?, part(1)?, part(2)?);
        return Some(hours * 60 + minutes + i64::from(seconds >= 30));
    }
    let mut minutes = 0.0;
    let mut seen_hours = false;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
        let amount: f64 = rest[..end].replace(',', ".").parse().ok()?;
        let after = rest[end..].trim_start();
        let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        match &after[..end] {
            "h" | "hr" | "hrs" | "hour" | "hours" => {
                minutes += amount * 60.0;
                seen_hours = true;
            }
            // "1h37"
            "m" | "min" | "mins" | "minute" | "minutes" => minutes += amount,
            "" if seen_hours && after.is_empty() => minutes += amount,
            _ => return None,
        }
        rest = after[end..].trim_start_matches([' ', '.', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    if seen_hours { sign_of(1, minutes) } else { None }
}

/// The number in a text with words around it, where it is the only one: "97 min", "about 97".
fn only_number_in(text: &str) -> Option<i64> {
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[begin..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(['.', ',']);
    if rest[end..].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let sign = if text[..begin].ends_with(['-', '\u{2212}']) { -1 } else { 1 };
    Some(sign * written(number)?)
}

/// Reads web addresses; several are separated by a blank.
pub fn link(text: &str) -> Parsed {
    let tokens: Vec<&str> = text.split_whitespace().map(bare).filter(|token| !token.is_empty()).collect();
    if tokens.len() == 1 && is_address(text) {
        return Parsed::usual(text);
    }
    let alone = tokens.len() == 1;
    let found: Vec<String> = tokens
        .iter()
        .filter_map(|token| {
            if is_address(token) {
                return Some((*token).to_owned());
            }
            let has_path = token.contains('/') || token.to_ascii_lowercase().starts_with("www.");
            (is_host_with_path(token) && (alone || has_path)).then(|| format!("https://{token}"))
        })
        .collect();
    let read = found.join(" ");
    if found.is_empty() {
        Parsed::unusual(read, "No web address could be read")
    } else if found.len() == tokens.len() {
        if alone { Parsed::usual(read) } else { Parsed::unusual(read, "Several web addresses") }
    } else {
        Parsed::unusual(read, "Words beside the web address")
    }
}

/// A word without the brackets, quotation marks and full stops around it.
fn bare(word: &str) -> &str {
    let marks = ['<', '>', '(', ')', '[', ']', '"', '\'', '“', '”', ',', ';'];
    word.trim_matches(marks).trim_end_matches(['.', ':', '!']).trim_matches(marks)
}

/// A whole address with http or https.
fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        && !text.contains(char::is_whitespace)
}

/// An address without its scheme: "vimeo.com/1".
fn is_host_with_path(text: &str) -> bool {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    labels.len() > 1
        && labels.iter().all(|label| {
            !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-') && !label.starts_with('-')
        })
        && labels.last().is_some_and(|last| last.chars().count() > 1 && last.chars().all(char::is_alphabetic))
}

/// Whether a link would run something, or open a file of whoever follows it.
pub fn runs(text: &str) -> bool {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    // "File: https://..." is a word before a link.
    let goes_on = |scheme: &str| {
        let after = text.to_ascii_lowercase().find(scheme).and_then(|at| text[at + scheme.len()..].chars().next());
        after.is_some_and(|c| !c.is_whitespace())
    };
    ["javascript:", "vbscript:"].iter().any(|scheme| squeezed.starts_with(scheme))
        || ["data:", "file:"].iter().any(|scheme| squeezed.starts_with(scheme) && goes_on(scheme))
}

/// Reads an e-mail address; `None`: an input of the type `email` would not take it either.
///
/// What mail servers agree on, no more: something, one @, a host. Whether it exists a mail will show.
pub fn email(text: &str) -> Option<Parsed> {
    let (name, host) = text.rsplit_once('@')?;
    let plain = |c: char| {
        !c.is_whitespace() && !matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | ':' | '\\' | '"' | '@')
    };
    let fits = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    if name.is_empty() || text.chars().count() > 254 || !name.chars().all(plain) || !host.split('.').all(fits) {
        return None;
    }
    let is_usual = host.contains('.') && name.len() <= 64 && !name.starts_with('.') && !name.ends_with('.');
    Some(if is_usual { Parsed::usual(text) } else { Parsed::unusual(text, "E-mail address is unusual") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Example {
        kind: String,
        text: String,
        read: String,
        reason: Option<String>,
    }

    #[test]
    fn values_are_read_as_in_the_browser() {
        let examples = include_str!("../../../tests/fixtures/readings.json");
        let examples: Vec<Example> = serde_json::from_str(examples).unwrap_or_default();
        assert!(examples.len() > 100);
        for Example { kind, text, read, reason } in examples {
            let found = match kind.as_str() {
                "phone" => telephone(&text),
                "minutes" => whole_number(&text, Counted::Minutes, (1, 1000)),
                "age" => whole_number(&text, Counted::Other, (1, 120)),
                "year" => whole_number(&text, Counted::CalendarYear, (1880, 2026)),
                "link" => link(&text),
                "email" => email(&text).unwrap_or(Parsed { read: "refused".into(), reason: None }),
                _ => Parsed { read: if runs(&text) { "runs" } else { "" }.into(), reason: None },
            };
            assert_eq!(found, Parsed { read, reason }, "{kind} {text:?}");
        }
    }
}
