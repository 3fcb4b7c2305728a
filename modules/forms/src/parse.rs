//! Lenient parsers: telephone numbers to E.164, whole numbers, web and e-mail addresses.
//!
//! People write these in more ways than any rule foresees, so unusual input is not refused. It is stored as it was sent,
//! with the parsed value and the reason why somebody should look at it. The browser parses by the same rules; both
//! sides are tested with `tests/fixtures/readings.json`.

use festival_core::text::{is_usual_email, is_web_address, with_ascii_digits};

/// Country calling code of numbers that are written without one: the festival is in India.
const HOME_CODE: &str = "91";
/// Digits of a number in that country, without the calling code and the leading zero.
const HOME_DIGITS: usize = 10;
/// Digits of a number in any other country, with its calling code.
const INTERNATIONAL_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Digits from which a number beside words is taken for a telephone number: postal codes have six.
const LEAST_DIGITS: usize = 7;
/// Longest quotation in a reason, in characters.
const MAX_QUOTATION: usize = 60;

/// Result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// The normalised value; empty if the text could not be parsed.
    pub(crate) value: String,
    /// Why somebody should look at it: a sentence without its full stop. `None` if nothing is unusual.
    pub(crate) reason: Option<String>,
}

impl Parsed {
    fn usual(value: impl Into<String>) -> Self {
        Self { value: value.into(), reason: None }
    }

    fn unusual(value: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { value: value.into(), reason: Some(reason.into()) }
    }

    /// `reasons` are joined; without any, nothing is unusual.
    fn with_reasons(value: String, reasons: &[String]) -> Self {
        Self { value, reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
    }
}

/// Returns `text` in quotation marks, shortened.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTATION).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("“{short}{more}”")
}

/// A telephone number before its country is known.
#[derive(Default)]
struct Telephone {
    has_plus: bool,
    digits: String,
    extension: String,
}

impl Telephone {
    /// Returns the number in E.164 with its extension as in RFC 3966.
    ///
    /// # Errors
    /// The number of digits, if no telephone number can have that many.
    fn to_e164(&self) -> Result<String, usize> {
        let digits = self.digits.as_str();
        let home = |national: &str| match national.len() {
            HOME_DIGITS => Ok(format!("{HOME_CODE}{national}")),
            other => Err(other),
        };
        let number = match digits.strip_prefix("00").filter(|_| !self.has_plus) {
            Some(rest) => Self::with_calling_code(rest, home)?,
            None if self.has_plus => Self::with_calling_code(digits, home)?,
            None if digits.len() == HOME_CODE.len() + HOME_DIGITS && digits.starts_with(HOME_CODE) => digits.to_owned(),
            None => home(digits.strip_prefix('0').unwrap_or(digits))?,
        };
        let extension = if self.extension.is_empty() { String::new() } else { format!(";ext={}", self.extension) };
        Ok(format!("+{number}{extension}"))
    }

    /// Checks digits that begin with a calling code.
    fn with_calling_code(digits: &str, home: impl Fn(&str) -> Result<String, usize>) -> Result<String, usize> {
        match digits.strip_prefix(HOME_CODE) {
            Some(national) => home(national.strip_prefix('0').unwrap_or(national)),
            None if INTERNATIONAL_DIGITS.contains(&digits.len()) => Ok(digits.to_owned()),
            None => Err(digits.len()),
        }
    }
}

/// Parses telephone numbers; several are joined with ", ".
pub(crate) fn telephone(text: &str) -> Parsed {
    // A zero in brackets is dialled inside the country only.
    let text = if text.contains('+') { text.replace("(0)", "") } else { text.to_owned() };
    let plain = with_ascii_digits(&text);
    let mut numbers: Vec<Telephone> = Vec::new();
    let mut current = Telephone::default();
    let (mut has_words, mut has_extension, mut is_odd_notation) = (false, false, plain != text);
    let mut extension_follows = false;
    let mut chars = plain.chars().peekable();
    loop {
        let next = chars.next();
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
                is_odd_notation = true;
                continue;
            }
            _ => {}
        }
        // Every other character ends a number.
        let number = std::mem::take(&mut current);
        if !number.digits.is_empty() {
            match numbers.last_mut() {
                Some(last) if extension_follows => {
                    last.extension = number.digits;
                    has_extension = true;
                }
                // "0484/1234567": an area code.
                Some(last) if last.digits.len() < 6 && last.digits.starts_with('0') && !number.has_plus => {
                    last.digits.push_str(&number.digits);
                    is_odd_notation = true;
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
                while let Some(c) = chars.next_if(|c| c.is_alphabetic()) {
                    word.extend(c.to_lowercase());
                }
                match word.as_str() {
                    "x" | "ext" | "extn" | "extension" => extension_follows = true,
                    _ => has_words = true,
                }
            }
            Some(_) => {}
        }
    }
    if numbers.is_empty() {
        return Parsed::unusual("", "Telephone number has no digits");
    }
    // Beside words, short numbers are times ("after 6pm"), houses and postal codes.
    let is_telephone = |number: &Telephone| number.digits.len() >= LEAST_DIGITS || number.to_e164().is_ok();
    if has_words && numbers.len() > 1 {
        numbers.retain(is_telephone);
    }
    if numbers.is_empty() {
        return Parsed::unusual("", "No telephone number could be read");
    }
    let parsed: Vec<Result<String, usize>> = numbers.iter().map(Telephone::to_e164).collect();
    let mut reasons = Vec::new();
    if let Some(Err(digits)) = parsed.iter().find(|number| number.is_err()) {
        reasons.push(format!("Telephone number has {digits} {}", if *digits == 1 { "digit" } else { "digits" }));
    }
    let oddities = [
        (numbers.len() > 1, "Several telephone numbers"),
        (has_words, "Words beside the telephone number"),
        (has_extension, "Telephone number with an extension"),
        (is_odd_notation, "Telephone number in an unusual notation"),
    ];
    reasons.extend(oddities.into_iter().filter(|(applies, _)| *applies).map(|(_, reason)| reason.to_owned()));
    let parsed: Vec<String> = parsed.into_iter().filter_map(Result::ok).collect();
    Parsed::with_reasons(parsed.join(", "), &reasons)
}

/// What a number means, which decides the notations that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    /// A duration in minutes; also parsed from hours ("1h 37m").
    Minutes,
    /// A calendar year; also parsed from two digits.
    Year,
    /// Any other number.
    Other,
}

/// Parses a whole number; one outside `min` to `max`, inclusive, is unusual.
pub(crate) fn whole_number(text: &str, kind: NumberKind, (min, max): (i64, i64)) -> Parsed {
    let plain = with_ascii_digits(text).to_lowercase();
    let number = decimal(&plain)
        .or_else(|| if kind == NumberKind::Minutes { hours_and_minutes(&plain) } else { None })
        .or_else(|| only_number_in(&plain));
    let short_year = |n: i64| kind == NumberKind::Year && (0..100).contains(&n);
    let number = match number {
        Some(n) if short_year(n) => Some(n + if n <= max % 100 { 2000 } else { 1900 }),
        other => other,
    };
    // "1.37" may be hours and minutes, "8.5" is a short film.
    let is_fraction = |part: &[u8]| matches!(part, [b'0'..=b'9', b'.' | b',', b'0'..=b'9']);
    let is_doubtful = |n: i64| kind == NumberKind::Minutes && n < 6 && plain.as_bytes().windows(3).any(is_fraction);
    let Some(number) = number.filter(|n| !is_doubtful(*n)) else {
        let what = if kind == NumberKind::Year { "a year" } else { "a whole number" };
        return Parsed::unusual("", format!("{} could not be read as {what}", quoted(text)));
    };
    let value = number.to_string();
    let mut reasons = Vec::new();
    if value != text {
        reasons.push(format!("{} is read as {value}", quoted(text)));
    }
    if !(min..=max).contains(&number) {
        reasons.push(format!("{value} is unusual here"));
    }
    Parsed::with_reasons(value, &reasons)
}

/// Parses "97", "+97", "-3", "1,200", "97.5", "97,0", "1e2" and rounds the number.
fn decimal(text: &str) -> Option<i64> {
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
    rounded(sign, body.parse::<f64>().ok()? * 10_f64.powi(power))
}

/// Rounds half up and applies the sign; `None` above fifteen digits, which a browser does not represent exactly.
fn rounded(sign: i64, size: f64) -> Option<i64> {
    let size = (size + 0.5).floor();
    if size < 1e15 { format!("{size:.0}").parse::<i64>().ok().map(|size| sign * size) } else { None }
}

/// Parses "1h 37m", "1 hour 37 minutes", "1.5 hours", "1:37", "1:37:20" to minutes.
fn hours_and_minutes(text: &str) -> Option<i64> {
    let clock: Vec<&str> = text.split(':').collect();
    if matches!(clock.len(), 2 | 3) && clock.iter().all(|part| (1..=2).contains(&part.len())) {
        let part = |index: usize| clock.get(index).map_or(Some(0), |part| part.parse::<i64>().ok());
        let (hours, minutes, seconds) = (part(0)?, part(1)?, part(2)?);
        return Some(hours * 60 + minutes + i64::from(seconds >= 30));
    }
    let mut minutes = 0.0;
    let mut has_hours = false;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
        let amount: f64 = rest[..end].replace(',', ".").parse().ok()?;
        let after = rest[end..].trim_start();
        let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        match &after[..end] {
            "h" | "hr" | "hrs" | "hour" | "hours" => {
                minutes += amount * 60.0;
                has_hours = true;
            }
            // "1h37"
            "m" | "min" | "mins" | "minute" | "minutes" => minutes += amount,
            "" if has_hours && after.is_empty() => minutes += amount,
            _ => return None,
        }
        rest = after[end..].trim_start_matches([' ', '.', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    if has_hours { rounded(1, minutes) } else { None }
}

/// Finds the number in a text with words around it, if it is the only one: "97 min", "about 97".
fn only_number_in(text: &str) -> Option<i64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let rest = &text[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(['.', ',']);
    if rest[end..].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let sign = if text[..start].ends_with(['-', '\u{2212}']) { -1 } else { 1 };
    Some(sign * decimal(number)?)
}

/// Parses web addresses; several are joined with a space.
pub(crate) fn link(text: &str) -> Parsed {
    let tokens: Vec<&str> =
        text.split_whitespace().map(without_punctuation).filter(|token| !token.is_empty()).collect();
    if tokens.len() == 1 && is_web_address(text) {
        return Parsed::usual(text);
    }
    let is_single = tokens.len() == 1;
    let addresses: Vec<String> = tokens
        .iter()
        .filter_map(|token| {
            if is_web_address(token) {
                return Some((*token).to_owned());
            }
            let has_path = token.contains('/') || token.to_ascii_lowercase().starts_with("www.");
            (is_host_with_path(token) && (is_single || has_path)).then(|| format!("https://{token}"))
        })
        .collect();
    let value = addresses.join(" ");
    if addresses.is_empty() {
        Parsed::unusual(value, "No web address could be read")
    } else if addresses.len() == tokens.len() {
        if is_single { Parsed::usual(value) } else { Parsed::unusual(value, "Several web addresses") }
    } else {
        Parsed::unusual(value, "Words beside the web address")
    }
}

/// Strips the brackets, quotation marks and full stops around a word.
fn without_punctuation(word: &str) -> &str {
    let marks = ['<', '>', '(', ')', '[', ']', '"', '\'', '“', '”', ',', ';'];
    word.trim_matches(marks).trim_end_matches(['.', ':', '!']).trim_matches(marks)
}

/// Whether a text is an address without its scheme: "vimeo.com/1".
fn is_host_with_path(text: &str) -> bool {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    labels.len() > 1
        && labels.iter().all(|label| {
            !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-') && !label.starts_with('-')
        })
        && labels.last().is_some_and(|last| last.chars().count() > 1 && last.chars().all(char::is_alphabetic))
}

/// Whether a link would run a script, or open a local file of the person who follows it.
pub(crate) fn is_unsafe_link(text: &str) -> bool {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    // "File: https://..." is a label before a link, not a scheme.
    let is_followed = |scheme: &str| {
        let after = text.to_ascii_lowercase().find(scheme).and_then(|at| text[at + scheme.len()..].chars().next());
        after.is_some_and(|c| !c.is_whitespace())
    };
    ["javascript:", "vbscript:"].iter().any(|scheme| squeezed.starts_with(scheme))
        || ["data:", "file:"].iter().any(|scheme| squeezed.starts_with(scheme) && is_followed(scheme))
}

/// Parses an e-mail address; `None` if it is invalid, also for an input of the type `email`.
///
/// Whether it exists, a mail will show.
pub(crate) fn email(text: &str) -> Option<Parsed> {
    let is_usual = is_usual_email(text)?;
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
    fn values_are_parsed_as_in_the_browser() {
        let examples = include_str!("../../../tests/fixtures/readings.json");
        let examples: Vec<Example> = serde_json::from_str(examples).unwrap_or_default();
        assert!(examples.len() > 100);
        for Example { kind, text, read, reason } in examples {
            let parsed = match kind.as_str() {
                "phone" => telephone(&text),
                "minutes" => whole_number(&text, NumberKind::Minutes, (1, 1000)),
                "age" => whole_number(&text, NumberKind::Other, (1, 120)),
                "year" => whole_number(&text, NumberKind::Year, (1880, 2026)),
                "link" => link(&text),
                "email" => email(&text).unwrap_or(Parsed::usual("refused")),
                _ => Parsed::usual(if is_unsafe_link(&text) { "runs" } else { "" }),
            };
            assert_eq!(parsed, Parsed { value: read, reason }, "{kind} {text:?}");
        }
    }
}
