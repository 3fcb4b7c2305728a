//! Times of day as people write them in lists.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

use super::date_words::{Token, Unit, prepared, serial, tokens};

/// A time of day, and how long what begins there takes, if the text says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it begins.
    pub start: Time,
    /// Its length in minutes, of "10:00-12:30".
    pub minutes: Option<i64>,
    /// It is written as 24:30, half an hour after the end of its day.
    pub is_after_midnight: bool,
}

impl Span {
    /// When it begins on a calendar day.
    pub fn on(self, day: Date) -> DateTime {
        let day = if self.is_after_midnight { day.tomorrow().unwrap_or(day) } else { day };
        day.to_datetime(self.start)
    }
}

impl From<Time> for Span {
    fn from(start: Time) -> Self {
        Self { start, minutes: None, is_after_midnight: false }
    }
}

/// Reads the times of a column.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Its numbers are hours and minutes with a point, which a spreadsheet took for decimals: 18.3 is 18:30 and 0.3 is
    /// 0:30, not a part of a day.
    has_points: bool,
    /// Its numbers are parts of a day: 0.25 is six in the morning, not 0:25.
    has_parts: bool,
    /// The names of the festival's time zone, which may stand beside a time; no other one may.
    zone: Vec<String>,
}

/// A time of day, as far as it is written.
#[derive(Clone, Copy)]
struct Clock {
    hour: i16,
    minute: i16,
    /// The hours of the period of the day that is written with it, each a bit.
    hours: u32,
    /// There is neither a minute nor a period of the day.
    is_bare: bool,
}

impl Times {
    /// Decides from all cells of a column how its times are read. `zone` are names of the festival's time zone: "IST".
    pub fn of_column<'a>(cells: impl Iterator<Item = &'a str>, zone: Vec<String>) -> Self {
        let mut times = Self { zone: zone.iter().map(|name| name.to_lowercase()).collect(), ..Self::default() };
        for (hour, minute) in cells.filter_map(|cell| cell.trim().split_once('.')) {
            let is_number = minute.parse::<u64>().is_ok();
            times.has_points |= is_number && hour.parse().is_ok_and(|hour: u8| (1..24).contains(&hour));
            times.has_parts |= is_number && hour == "0" && (minute.len() != 2 || minute >= "60");
        }
        times
    }

    /// Whether a text is only a period of the day: "PM", "Evening".
    pub fn is_period(text: &str) -> bool {
        let tokens = tokens(text, |_| false).unwrap_or_default();
        let mut words = tokens.iter().filter(|token| !matches!(token, Token::Mark(_))).peekable();
        words.peek().is_some() && words.all(|token| matches!(token, Token::Word(word) if word.hours != 0))
    }

    /// Reads the time at which something begins; see [`Self::span`].
    pub fn time(&self, text: &str) -> Option<Time> {
        Some(self.span(text)?.start)
    }

    /// Reads a time of day: 18:30, 18.30, 1830, 18h30, 18時30分, 6:30 PM, 6 p.m., noon, വൈകിട്ട് 6:30; the part of a day
    /// that a spreadsheet stores, 0.75; the time of a moment; and a span, 6.30PM-8PM.
    pub fn span(&self, text: &str) -> Option<Span> {
        let text = &*prepared(text);
        let is_moment = text.len() > 10 && text.as_bytes()[4] == b'-';
        if let Some(moment) = text.parse::<DateTime>().ok().filter(|_| is_moment).or_else(|| serial(text)) {
            return Some(moment.time().into());
        }
        if let Some(time) = self.number(text) {
            return time.map(Span::from);
        }
        let text = &*without_remark(text)?;
        if let Some(span) = self.clock(text).filter(|clock| !clock.is_bare).and_then(Clock::span) {
            return Some(span);
        }
        let marks = [
            "-", "–", "—", "~", "〜", "～", "→", " to ", " bis ", " till ", " until ", " a ", " à ", " al ", " alle ",
            " às ", " до ",
        ];
        let ends = marks.iter().flat_map(|mark| text.match_indices(mark));
        let span = ends.filter_map(|(index, mark)| self.between(&text[..index], &text[index + mark.len()..])).next();
        // "6-30 PM" does not end at half past any hour; "10-12" is no time at all.
        let dashed = || {
            self.clock(&text.replacen('-', ":", 1))
                .filter(|clock| clock.minute > if clock.hours == 0 { 24 } else { 12 })
        };
        span.or_else(|| dashed()?.span())
    }

    /// Reads a number as a spreadsheet gives it; `None` if the text is none, or 1830.
    fn number(&self, text: &str) -> Option<Option<Time>> {
        let number: f64 = text.parse().ok().filter(|_| text.bytes().all(|c| c.is_ascii_digit() || c == b'.'))?;
        let (hour, minute) = text.split_once('.').unwrap_or((text, ""));
        if hour.len() > 2 || minute.is_empty() && (!self.has_points || text.contains('.')) {
            return None;
        }
        let is_clock = self.has_points || hour != "0" || minute.len() == 2 && minute < "60" && !self.has_parts;
        if !is_clock {
            let minutes = (number * 24.0 * 60.0).round() as i64;
            return Some(Time::midnight().checked_add(SignedDuration::from_mins(minutes)).ok());
        }
        // 9.300000000000001 is what a workbook stores for 9.30.
        let hundredths = (number * 100.0).round();
        if (number * 100.0 - hundredths).abs() > 1e-6 {
            return Some(None);
        }
        let clock =
            Clock { hour: (hundredths as i16) / 100, minute: (hundredths as i16) % 100, hours: 0, is_bare: false };
        Some(clock.time())
    }

    fn clock(&self, text: &str) -> Option<Clock> {
        let mut numbers: Vec<i16> = Vec::new();
        let (mut hours, mut is_hour) = (0, false);
        let tokens = tokens(text, |word| self.zone.iter().any(|name| name == word))?;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Number(digits) if numbers.is_empty() && (3..=4).contains(&digits.len()) => {
                    let (hour, minute) = digits.split_at(digits.len() - 2);
                    numbers.extend([hour.parse::<i16>().ok()?, minute.parse().ok()?]);
                }
                Token::Number(digits) if digits.len() < 3 => numbers.push(digits.parse().ok()?),
                Token::Number(_) => return None,
                Token::Word(word) if word.era.is_some() || word.month.is_some() && word.hours == 0 => return None,
                Token::Word(word) if word.weekday.is_some() && word.hours == 0 => return None,
                Token::Word(word) => {
                    is_hour |= word.hours == 0 && numbers.len() == 1;
                    hours |= word.hours;
                }
                Token::Unit(Unit::Hour) if numbers.len() == 1 => is_hour = true,
                // "18:30 h"
                Token::Unit(Unit::Hour) if numbers.len() == 2 && index + 1 == tokens.len() => {}
                Token::Unit(Unit::Minute) if numbers.len() == 2 => {}
                Token::Unit(_) => return None,
                Token::Mark(':' | '.') => {}
                // A comma or a dash at the end is none between two numbers.
                Token::Mark(_) if !matches!(tokens.get(index + 1), Some(Token::Number(_))) => {}
                Token::Mark(_) if numbers.is_empty() => {}
                Token::Mark(_) => return None,
            }
        }
        let (hour, minute) = match numbers[..] {
            [hour] => (hour, 0),
            // Workbooks cut the last digits of times: 18:29:57.
            [hour, minute, 30..60] if minute < 59 => (hour, minute + 1),
            [hour, 59, 30..60] => (hour + 1, 0),
            [hour, minute] | [hour, minute, 0..30] => (hour, minute),
            [] if hours.count_ones() == 1 => (i16::try_from(hours.trailing_zeros()).ok()?, 0),
            _ => return None,
        };
        Some(Clock { hour, minute, hours, is_bare: numbers.len() == 1 && hours == 0 && !is_hour })
    }

    /// Reads the two ends of a span. The first one is in the period of the day of the second, unless it has its own.
    fn between(&self, first: &str, second: &str) -> Option<Span> {
        let (mut first, second) = (self.clock(first)?, self.clock(second)?);
        let end = second.time().filter(|_| !second.is_bare)?;
        let length = |clock: Clock| {
            let span = clock.span()?;
            let minutes = |time: Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
            let minutes = (minutes(end) - minutes(span.start)).rem_euclid(24 * 60);
            Some(Span { minutes: Some(minutes), ..span }).filter(|_| (1..=12 * 60).contains(&minutes))
        };
        if first.hours == 0 && second.hours != 0 && first.hour <= 12 {
            let own = length(first);
            first.hours = second.hours;
            // 11-1 PM begins in the morning.
            let same = length(first).filter(|span| span.start < end);
            return same.or(own);
        }
        length(first)
    }
}

impl Clock {
    fn span(self) -> Option<Span> {
        Some(Span { is_after_midnight: self.hour == 24, ..self.time()?.into() })
    }

    fn time(self) -> Option<Time> {
        let Self { hour, minute, .. } = self;
        let is_half_day = |hours: u32| matches!(hours, 0xfff | 0xfff000);
        let hour = match self.hours {
            0 => hour,
            hours if is_half_day(hours) && !(1..=12).contains(&hour) => return None,
            hours if hour > 12 => Some(hour).filter(|hour| distance(*hour, hours) < 4)?,
            // Of the two hours the one that is nearer to the period.
            hours => [hour % 12, hour % 12 + 12].into_iter().min_by_key(|hour| distance(*hour, hours))?,
        };
        // 24:30 is half an hour after midnight.
        let hour = if hour == 24 { 0 } else { hour };
        Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
    }
}

/// How many hours an hour is from a period of the day.
fn distance(hour: i16, hours: u32) -> i16 {
    let of_period = (0..24_i16).filter(|hour| hours & (1 << hour) != 0);
    of_period.map(|other| (hour - other).rem_euclid(24).min((other - hour).rem_euclid(24))).min().unwrap_or(24)
}

/// A text without what is in brackets, unless it may be a time or another time zone: "18:30 (with talk)".
fn without_remark(text: &str) -> Option<String> {
    let text = text.trim_end_matches('*').trim_end();
    let Some((before, rest)) = text.split_once(['(', '[']) else { return Some(text.to_owned()) };
    let (remark, after) = rest.split_once([')', ']'])?;
    let is_word = !remark.contains(|letter: char| letter.is_ascii_digit());
    let upper = remark.trim();
    let is_zone =
        (2..=5).contains(&upper.len()) && upper.bytes().all(|letter| letter.is_ascii_uppercase() || letter == b'.');
    match is_word && !is_zone {
        true => without_remark(&format!("{before} {after}")),
        false if is_word => Some(format!("{before} {remark} {after}")),
        false => None,
    }
}
