//! The parts of dates, times and lengths in words: names of months, weekdays, periods of the day and units of time in the
//! languages of lists.

use std::collections::HashMap;
use std::sync::LazyLock;

use festival_base::text::with_ascii_digits;
use jiff::SignedDuration;
use jiff::civil::DateTime;

use super::likeness::fold;

/// Words that lists have and CLDR has not, in the form of the generated names.
const OTHER_NAMES: &str = "\
period 16 17 18 19 20: വൈകിട്ട്, വൈകീട്ട്, evening
period 5 6 7 8 9 10 11: morning
period 12 13 14 15 16 17: afternoon, an
period 12: midday
period 19 20 21 22 23: night
period 6 7 8 9 10 11: morning show, forenoon, fn
period 12 13 14 15 16: matinee, matinee show, noon show
period 17 18 19 20: first show, evening show
period 20 21 22 23: second show, night show
period 0: midnight, minuit, mitternacht
weekday 3: weds
era 2018: 令和
era 1988: 平成
era 1911: 民國, 民国
unit 3600: std, ساعه, മണിക്കൂറും, മണി, மணி, மணி நேரம், மணிநேரம்
unit 60: m, mn, mt, mts, mnt, mnts, dak, നിമിഷം, മിനിട്ട്, நிமிடம்
unit 1: segs
word: from, von, dalle, a las, a la, الساعة, of, the, on, del, hr, hrs, hour, hours, o'clock, kl, klo, heures, horas, saat, час, ч, മണി, മണിക്ക്, बजे, மணி, local, time
word: onward, onwards, sharp, schedule, programme, program, for";

/// What a word may mean in a date or a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) month: Option<i8>,
    /// From 1, Monday.
    pub(super) weekday: Option<i8>,
    /// The hours of a period of the day, each a bit.
    pub(super) hours: u32,
    /// The year before the first of an era.
    pub(super) era: Option<i16>,
}

/// The unit of a number that stands directly before it, as in 2026年12月12日18時30分.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

/// A part of a date or a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Number(&'a str),
    Word(Meaning),
    Unit(Unit),
    /// Punctuation.
    Mark(char),
}

/// The known names: what they are names of, their values, and the names.
fn known_names() -> impl Iterator<Item = (&'static str, Vec<i16>, std::str::Split<'static, char>)> {
    let lines = include_str!("date_names.txt").lines().chain(OTHER_NAMES.lines());
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':')).map(|(key, list)| {
        let (kind, values) = key.split_once(' ').unwrap_or((key, ""));
        (kind, values.split(' ').filter_map(|value| value.parse().ok()).collect(), list.split(','))
    })
}

/// Words of lengths: units with their seconds, and `None` for "and".
pub(super) static UNITS: LazyLock<HashMap<String, Option<i16>>> = LazyLock::new(|| {
    let units = known_names().filter(|(kind, ..)| matches!(*kind, "unit" | "and"));
    units.flat_map(|(_, values, names)| names.map(move |name| (plain(name), values.first().copied()))).collect()
});

/// Whether a word means "and", as it is written inside of a sentence.
pub(super) fn is_and(word: &str) -> bool {
    !word.contains(char::is_uppercase) && UNITS.get(&plain(word)) == Some(&None)
}

static NAMES: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
    let mut names: HashMap<String, Meaning> = HashMap::new();
    for (kind, values, list) in known_names().filter(|(kind, ..)| !matches!(*kind, "unit" | "and")) {
        for name in list {
            let meaning = names.entry(plain(name)).or_default();
            match kind {
                "month" => meaning.month = values.first().and_then(|month| i8::try_from(*month).ok()),
                "weekday" => meaning.weekday = values.first().and_then(|day| i8::try_from(*day).ok()),
                "era" => meaning.era = values.first().copied(),
                _ => values.iter().for_each(|hour| meaning.hours |= 1 << hour),
            }
        }
    }
    names
});

/// Folds a word. People leave out the vowel marks of Arabic.
pub(super) fn plain(word: &str) -> String {
    let folded = fold(word);
    if folded.is_ascii() { folded } else { folded.replace(|letter| matches!(letter, '\u{64b}'..='\u{652}'), "") }
}

/// The meaning of a word, also of the beginning of a name with three letters, or of a name with a typing error.
fn meaning(word: &str) -> Option<Meaning> {
    if let Some(meaning) = NAMES.get(word) {
        return Some(*meaning);
    }
    if word.chars().count() < 3 {
        return None;
    }
    let is_long = word.chars().count() > 5;
    let is_like = |name: &str| name.starts_with(word) || is_long && strsim::damerau_levenshtein(name, word) == 1;
    let mut alike = NAMES.iter().filter(|(name, meaning)| meaning.hours == 0 && is_like(name));
    let first = *alike.next()?.1;
    alike.all(|(_, other)| *other == first).then_some(first).filter(|meaning| *meaning != Meaning::default())
}

/// Splits a text into the parts of a date or a time; `None` if it has another word. `is_zone` are words that may stand
/// beside a time.
pub(super) fn tokens<'a>(text: &'a str, is_zone: impl Fn(&str) -> bool) -> Option<Vec<Token<'a>>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = |belongs: fn(char) -> bool| rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        if letter.is_ascii_digit() {
            let (number, after) = rest.split_at(length(|letter| letter.is_ascii_digit()));
            tokens.push(Token::Number(number));
            rest = after;
        } else if is_letter(letter) && !is_invisible(letter) {
            rest = word(&mut tokens, rest, &is_zone)?;
        } else {
            if !letter.is_whitespace() && !is_invisible(letter) {
                tokens.push(Token::Mark(letter));
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    Some(tokens)
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}')
}

/// Marks of Indic scripts are no letters, but parts of names.
pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || unicode_normalization::char::is_combining_mark(letter) || is_invisible(letter)
}

/// Reads the words that `text` begins with, as many as one name has, and returns the rest.
fn word<'a>(tokens: &mut Vec<Token<'a>>, text: &'a str, is_zone: &impl Fn(&str) -> bool) -> Option<&'a str> {
    let end_of = |from: usize| text[from..].find(|letter| !is_letter(letter)).map_or(text.len(), |end| from + end);
    let first = end_of(0);
    if let (Some(Token::Unit(Unit::Hour)), Some(half)) = (tokens.last(), text.chars().next()) {
        // 下午6点半
        if matches!(half, '半' | '반') {
            tokens.push(Token::Number("30"));
            return Some(&text[half.len_utf8()..]);
        }
    }
    if let Some(Token::Number(_)) = tokens.last() {
        // "12th", "1er", "1º".
        if matches!(&*plain(&text[..first]), "st" | "nd" | "rd" | "th" | "er" | "o" | "e" | "eme") {
            return Some(&text[first..]);
        }
        if let Some((unit, length)) = unit(text) {
            tokens.push(Token::Unit(unit));
            return Some(&text[length..]);
        }
    }
    let mut ends = vec![first];
    while let Some(last) = ends.last().copied().filter(|_| ends.len() < 4) {
        // Words of one name have a space, a full stop or a hyphen between them.
        let gap = text[last..].find(is_letter).unwrap_or(text.len() - last);
        if gap == 0 || gap > 3 || text[last..last + gap].contains(|c: char| !" .-\u{a0}\u{202f}".contains(c)) {
            break;
        }
        ends.push(end_of(last + gap));
    }
    for end in ends.into_iter().rev() {
        let name = plain(&text[..end]);
        if let Some(known) = NAMES.get(&name).copied().or_else(|| meaning(&name).filter(|_| end == first)) {
            tokens.push(Token::Word(known));
            return Some(&text[end..]);
        }
        if end == first && is_zone(&name) {
            return Some(&text[end..]);
        }
    }
    // Names without spaces between them: 星期六下午.
    let parts: Vec<_> = text[..first]
        .char_indices()
        .skip(1)
        .filter(|_| !text.starts_with(|letter: char| letter < '\u{2e80}'))
        .collect();
    let (end, known) = parts.into_iter().rev().find_map(|(end, _)| Some((end, *NAMES.get(&plain(&text[..end]))?)))?;
    tokens.push(Token::Word(known));
    Some(&text[end..])
}

/// The unit that a text begins with, and its length in bytes.
fn unit(text: &str) -> Option<(Unit, usize)> {
    let letter = text.chars().next()?;
    let unit = match letter {
        '年' | '년' => Unit::Year,
        '月' | '월' => Unit::Month,
        '日' | '일' | '号' | '號' => Unit::Day,
        '時' | '时' | '點' | '点' | '시' => Unit::Hour,
        '分' | '분' => Unit::Minute,
        'h' | 'H' if !text[1..].starts_with(is_letter) => Unit::Hour,
        _ => {
            let minutes = ["min", "мин"].into_iter().find(|name| text.to_lowercase().starts_with(name))?;
            return Some((Unit::Minute, minutes.len())).filter(|(_, length)| !text[*length..].starts_with(is_letter));
        }
    };
    Some((unit, letter.len_utf8()))
}

/// The text with digits and colons in ASCII and without spaces around it, in the form that [`tokens`] reads; nor with the
/// apostrophe that keeps spreadsheets from reading it.
pub(super) fn prepared(text: &str) -> String {
    // The colon that keyboards for Chinese and Japanese write.
    with_ascii_digits(text.trim().trim_start_matches('\'')).replace('：', ":")
}

/// The moment that a spreadsheet stores as a number, which is what a copied cell may hold: 46003.75 is 12 December
/// 2025, 18:00. Only of this century: other numbers mean something else.
pub fn serial(text: &str) -> Option<DateTime> {
    let days: f64 = text.trim().parse().ok()?;
    let minutes = (36_526.0..73_051.0).contains(&days).then(|| (days * 24.0 * 60.0).round() as i64)?;
    DateTime::constant(1899, 12, 30, 0, 0, 0, 0).checked_add(SignedDuration::from_mins(minutes)).ok()
}
