//! Days and moments as people write them in lists, and the order of day and month in a column.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::civil::{Date, DateTime, Time};

pub use super::date_words::serial;
use super::date_words::{Meaning, Token, Unit, prepared, tokens};
use super::times::{Span, Times};

#[cfg(test)]
mod tests;

/// Which of the two numbers of 3/4/2026 is the day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// 3 April.
    DayFirst,
    /// 4 March; but 3.4.2026 is 3 April.
    MonthFirst,
    /// 4 March, and so is 3.4.2026.
    MonthFirstWithPoints,
    /// 3 April, but 3/14/2026 is 14 March: what nobody decided.
    #[default]
    Likely,
}

impl Order {
    /// The one with this name: "day-first" or "month-first".
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "day-first" => Some(Self::DayFirst),
            "month-first" => Some(Self::MonthFirst),
            _ => None,
        }
    }

    /// The order of a column, proven by any of its cells that can be read in one way only, otherwise by the days of the
    /// edition, the first and the last.
    ///
    /// # Errors
    /// A cell with its two readings, if both orders are possible.
    pub fn of_column<'a>(
        cells: impl Iterator<Item = &'a str>,
        (first, last): (Date, Date),
    ) -> Result<Self, (&'a str, [Date; 2])> {
        // How many cells prove an order, and how many of the others are near the edition in it.
        let (mut proofs, mut within, mut near) = ([0; 2], [0; 2], [0; 2]);
        let (mut ambiguous, mut with_points, mut month) = (None, None, Self::MonthFirst);
        // A date in digits, in another form than 2026-12-31.
        let may_vary = |cell: &&str| {
            let is_iso = cell.as_bytes().get(4) == Some(&b'-') && cell.as_bytes()[..4].iter().all(u8::is_ascii_digit);
            (cell.contains(['/', '-']) || has_points(cell)) && !is_iso
        };
        for cell in cells.map(str::trim).filter(may_vary) {
            let read = |order| Dates { near: first, order }.moment(cell).map(|moment| moment.day);
            match [Self::DayFirst, Self::MonthFirstWithPoints].map(read) {
                [Some(day), Some(other)] if day == other => {}
                // The day is first, unless other cells say something else.
                [Some(day), Some(other)] if has_points(cell) => {
                    with_points.get_or_insert((cell, [day, other]));
                }
                [Some(day), Some(other)] => {
                    for (index, day) in [day, other].into_iter().enumerate() {
                        let distance = (first - day).get_days().max((day - last).get_days());
                        within[index] += i32::from(distance <= 0);
                        near[index] += i32::from(distance <= NEAR_DAYS);
                    }
                    ambiguous.get_or_insert((cell, [day, other]));
                }
                [day, other] => {
                    proofs[0] += i32::from(day.is_some());
                    proofs[1] += i32::from(other.is_some());
                    if other.is_some() && has_points(cell) {
                        month = Self::MonthFirstWithPoints;
                    }
                }
            }
        }
        let better = |[day, month]: [i32; 2]| match day.cmp(&month) {
            std::cmp::Ordering::Greater => Some(Self::DayFirst),
            std::cmp::Ordering::Less => Some(Self::MonthFirst),
            std::cmp::Ordering::Equal => None,
        };
        let proofs = proofs.map(|count| count > 0);
        match (proofs, ambiguous.or(with_points.filter(|_| proofs == [true, true]))) {
            ([true, false], _) => Ok(Self::DayFirst),
            ([false, true], _) => Ok(month),
            (_, None) => Ok(Self::Likely),
            ([false, false], Some(ambiguous)) => better(within).or_else(|| better(near)).ok_or(ambiguous),
            (_, Some(ambiguous)) => Err(ambiguous),
        }
    }
}

/// Whether a full stop is behind the first number of a text.
fn has_points(text: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    text.trim_start_matches(|letter| !is_digit(letter)).trim_start_matches(is_digit).starts_with('.')
}

/// Guests arrive and leave some time before and after the festival.
const NEAR_DAYS: i32 = 45;

/// The years of days in lists.
const YEARS: RangeInclusive<i16> = 1880..=2100;

/// Reads the days of a column.
#[derive(Clone, Copy, Debug)]
pub struct Dates {
    /// The day to which days without a year are near.
    pub near: Date,
    /// The order of day and month.
    pub order: Order,
}

/// A day, perhaps with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day.
    pub day: Date,
    /// The time of day, perhaps with a length; `None`: there is only a day.
    pub time: Option<Span>,
}

impl Dates {
    /// Reads a day: 2025-12-12, 12/12/2025, 12.12., 12 December, Friday 12 Dec 2025, December 12, 2025年12月12日. A day
    /// without a year is the one nearest to `near` that has the weekday, if one is written; a day with another weekday is
    /// rejected, as is one in a year without films, such as 2569 of another calendar. A number alone counts days as
    /// spreadsheets do.
    pub fn day(&self, text: &str) -> Option<Date> {
        self.day_of_any_year(text).filter(|day| YEARS.contains(&day.year()))
    }

    fn day_of_any_year(&self, text: &str) -> Option<Date> {
        let text = &*prepared(text);
        // Workbooks give days with a time.
        let text = text.strip_suffix(" 00:00:00").unwrap_or(text);
        let text = text.split_once('T').filter(|(day, _)| day.len() == 10).map_or(text, |(day, _)| day);
        if let Ok(day) = text.parse() {
            return Some(day);
        }
        if let Some(moment) = serial(text) {
            return Some(moment.date());
        }
        self.read(&tokens(text, |_| false)?)
    }

    fn read(&self, tokens: &[Token<'_>]) -> Option<Date> {
        let mut numbers: Vec<(i16, usize)> = Vec::new();
        let (mut year, mut month, mut day, mut era) = (None, None, None, None);
        let mut words: Vec<(Meaning, usize)> = Vec::new();
        let mut has_points = false;
        for (index, token) in tokens.iter().enumerate() {
            match token {
                Token::Number(digits) => {
                    let number: i16 = digits.parse().ok()?;
                    match tokens.get(index + 1) {
                        Some(Token::Unit(Unit::Year)) => year = Some(number + era.unwrap_or(0)),
                        Some(Token::Unit(Unit::Month)) => month = Some(i8::try_from(number).ok()?),
                        Some(Token::Unit(Unit::Day)) => day = Some(number),
                        Some(Token::Unit(Unit::Hour | Unit::Minute)) => return None,
                        _ => numbers.push((number, index)),
                    }
                }
                Token::Word(word) if word.hours != 0 => return None,
                Token::Word(word) => {
                    era = word.era.or(era);
                    words.push((*word, index));
                }
                // "10:30" is no day of October.
                Token::Mark(':') => return None,
                Token::Mark('.') => has_points |= matches!(tokens.get(index + 1), Some(Token::Number(_))),
                Token::Unit(_) | Token::Mark(_) => {}
            }
        }
        let mut names = words.iter().filter(|(word, _)| word.month.is_some() && word.weekday.is_none());
        let mut name = names.next();
        if names.next().is_some() {
            return None;
        }
        // "Mar" may be a Tuesday and "3 mar 2026" may not.
        let may_be_month = |index: usize| match numbers[..] {
            [_] => true,
            [(first, before), (second, after)] => first > 31 || second > 31 || (before < index && index < after),
            _ => false,
        };
        if name.is_none() && month.is_none() {
            name = words.iter().find(|(word, index)| word.month.is_some() && may_be_month(*index));
        }
        month = month.or(name.and_then(|(word, _)| word.month));
        let is_weekday =
            |(word, index): &&(Meaning, usize)| word.weekday.is_some() && name.is_none_or(|(_, month)| month != index);
        let weekday = words.iter().find(is_weekday).and_then(|(word, _)| word.weekday);
        let is_between = match (name, &numbers[..]) {
            (Some((_, index)), [(_, before), (_, after)]) => before < index && index < after,
            _ => false,
        };
        let numbers: Vec<i16> = numbers.iter().map(|(number, _)| *number).collect();
        let (day, month, year) = match (month, day, year, &numbers[..]) {
            (Some(month), Some(day), year, []) => (day, month, year),
            (Some(month), Some(day), None, [year]) if *year > 31 => (day, month, Some(*year)),
            (Some(month), None, year, [day]) => (*day, month, year),
            (Some(month), None, None, [year, day] | [day, year]) if *year > 31 && *day <= 31 => {
                (*day, month, Some(if *year < 100 { 1900 + *year } else { *year }))
            }
            // 12-Dec-26; but 12-13 December are two days.
            (Some(month), None, None, [day, year]) if is_between && 2000 + *year <= self.near.year() + 1 => {
                (*day, month, Some(2000 + *year))
            }
            (None, None, year, [first, second]) => {
                let (day, month) = self.in_order(*first, *second, has_points)?;
                (day, month, year)
            }
            (None, None, None, [year, month, day]) if *year > 31 => (*day, i8::try_from(*month).ok()?, Some(*year)),
            (None, None, None, [first, second, year]) => {
                let (day, month) = self.in_order(*first, *second, has_points)?;
                (day, month, Some(if *year < 100 { 2000 + *year } else { *year }))
            }
            _ => return None,
        };
        let (day, has_weekday) = (i8::try_from(day).ok()?, |day: &Date| {
            weekday.is_none_or(|weekday| day.weekday().to_monday_one_offset() == weekday)
        });
        if let Some(year) = year {
            return Date::new(year, month, day).ok().filter(has_weekday);
        }
        let years = [self.near.year() - 1, self.near.year(), self.near.year() + 1];
        let days = years.into_iter().filter_map(|year| Date::new(year, month, day).ok()).filter(has_weekday);
        days.min_by_key(|day| (*day - self.near).get_days().abs())
    }

    /// Day and month of two numbers. With points between them the day is first, unless another date of the column shows
    /// that it is not.
    fn in_order(&self, first: i16, second: i16, has_points: bool) -> Option<(i16, i8)> {
        let is_month_first = match self.order {
            Order::DayFirst => false,
            Order::MonthFirst if !has_points => true,
            Order::MonthFirstWithPoints => true,
            Order::MonthFirst | Order::Likely => second > 12,
        };
        let (day, month) = if is_month_first { (second, first) } else { (first, second) };
        Some((day, i8::try_from(month).ok()?))
    }

    /// Reads a day, or a day with a time of day, in either order: 23/01/2027 10:30 AM, 10.30 on 23 January.
    pub fn moment(&self, text: &str) -> Option<Moment> {
        self.moment_with(text, &Times::default())
    }

    /// Like [`Self::moment`], with what is known about the times of the column.
    pub fn moment_with(&self, text: &str, times: &Times) -> Option<Moment> {
        if let Some(moment) = serial(text).filter(|_| text.contains('.')) {
            return Some(Moment { day: moment.date(), time: Some(moment.time().into()) });
        }
        let is_day = text.trim().len() <= 10;
        if let Some(moment) = text.trim().parse::<DateTime>().ok().filter(|_| !is_day) {
            return Some(Moment { day: moment.date(), time: Some(moment.time().into()) });
        }
        if let Some(day) = self.day(text) {
            return Some(Moment { day, time: None });
        }
        let text = prepared(text);
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '|');
        // 2026年12月12日18時30分
        let ends_day = |(index, letter): (usize, char)| {
            let end = index + letter.len_utf8();
            (is_gap(letter) || "日일号號)）".contains(letter)).then_some(end).filter(|end| *end < text.len())
        };
        text.char_indices().filter_map(ends_day).find_map(|end| {
            let (first, second) = text.split_at(end);
            let (first, second) = (first.trim_matches(is_filler), second.trim_matches(is_filler));
            // "Monday, 26 October 2025" is no quarter past eight.
            let is_year = |text: &str| text.parse().is_ok_and(|year: u16| (1900..2100).contains(&year));
            let both = |date: &str, clock: &str| {
                // In "2026-12-12 18:30 +0530", the time is not 5:30.
                let time = times.span(clock).filter(|_| !is_year(clock) && !date.contains(':'))?;
                Some(Moment { day: self.day(date)?, time: Some(time) })
            };
            both(first, second).or_else(|| both(second, first))
        })
    }

    /// Reads a moment as people write it. A day alone is its first minute, or its last if it `ends` something.
    pub(super) fn date_time(&self, text: &str, ends: bool) -> Option<DateTime> {
        let Moment { day, time } = self.moment(text)?;
        let alone = if ends { Time::constant(23, 59, 0, 0) } else { Time::midnight() };
        Some(time.map_or(day.to_datetime(alone), |time| time.on(day)))
    }
}

fn is_filler(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | ';' | '|' | '-' | '–' | '—' | '·')
}

/// The orders of columns, by field.
pub type Orders = BTreeMap<&'static str, Order>;
