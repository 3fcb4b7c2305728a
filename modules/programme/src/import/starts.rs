//! When the screenings of a row start.

use std::collections::BTreeMap;

use festival_core::importing::Meaning;
use festival_core::importing::dates::{Dates, Moment};
use festival_core::importing::times::{Span, Times};
use festival_core::sheet;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::columns::{DATE, HEADERS, TIME};
use crate::day;

/// What a cell with a day is expected to contain.
const EXPECTED_DAY: &str = "a day like 12 December 2025 or 2025-12-12; a weekday before it must be that of the day";
/// What a cell with a time is expected to contain.
const EXPECTED_TIME: &str = "a time like 18:30 or 6:30 PM";
/// What a cell with several times is expected to contain if the row has several days, too.
const EXPECTED_ONE: &str =
    "one time for all of these days, or a row for each day: it is not said which time is on which day";
/// What a cell with both is expected to contain.
const EXPECTED_MOMENT: &str = "a day with a time, like 12 December 2025 18:30";

/// Reads when screenings start, row by row.
pub(super) struct Starts<'a> {
    pub(super) dates: Dates,
    pub(super) times: Times,
    pub(super) zone: &'a TimeZone,
    /// The day of the line before: lists name it once for all screenings of a day, or in a line of its own above them.
    pub(super) day: Option<Date>,
}

impl Starts<'_> {
    /// When the screenings of a row start; several times in a cell are several screenings.
    ///
    /// # Errors
    /// The field that cannot be used, and what is expected.
    pub(super) fn of_row(
        &mut self,
        values: &BTreeMap<&'static str, String>,
    ) -> Result<Vec<Start>, (&'static str, &'static str)> {
        let time_of = |text: &str| several(text, |part| self.times.span(part)).ok_or((TIME, EXPECTED_TIME));
        if let Some(text) = values.get(DATE) {
            let moments = several(text, |part| self.dates.moment_with(part, &self.times));
            // The lines below do not get the day of a line before this one.
            self.day = None;
            let moments = moments.ok_or((DATE, EXPECTED_DAY))?;
            self.day = moments.last().map(|moment| moment.day);
            // A day with a time in the column of the days; the one in the column of the times is what people see.
            if !values.contains_key(TIME) {
                let start = |moment: &Moment| moment.time.and_then(|time| self.exact(moment.day, time));
                return moments.iter().map(start).collect::<Option<_>>().ok_or((TIME, EXPECTED_TIME));
            }
            let times = time_of(&values[TIME])?;
            if moments.len() > 1 && times.len() > 1 {
                return Err((TIME, EXPECTED_ONE));
            }
            let starts = moments.iter().flat_map(|moment| times.iter().map(|time| self.start(moment.day, *time)));
            return starts.collect::<Option<_>>().ok_or((TIME, EXPECTED_TIME));
        }
        if let Some(text) = values.get(TIME) {
            let times = time_of(text)?;
            let Some(day) = self.day else { return Err((DATE, EXPECTED_DAY)) };
            return times.iter().map(|time| self.start(day, *time)).collect::<Option<_>>().ok_or((TIME, EXPECTED_TIME));
        }
        let Some(text) = values.get("starts_at") else { return Err((TIME, EXPECTED_TIME)) };
        // One with an offset needs no interpretation.
        if text.parse::<Timestamp>().is_ok() {
            return Ok(vec![Start { at: text.clone(), minutes: None }]);
        }
        let mut day = None;
        let moments = several(text, |part| {
            let moment = self.dates.moment_with(part, &self.times);
            // "26 October 17:00, 19:10" is one day.
            let moment = moment.or_else(|| Some(Moment { day: day?, time: self.times.span(part) }))?;
            day = Some(moment.day);
            self.exact(moment.day, moment.time?)
        });
        moments.ok_or(("starts_at", EXPECTED_MOMENT))
    }

    /// Adds the end to a time that has its period of the day from there: "6:30" with "8:15 PM". Numbers, 6.3 for 6:30, stay.
    pub(super) fn complete(&self, time: &mut String, end: &str) {
        let span = format!("{time} - {end}");
        let bare = self.times.time(time);
        let fits = |read: Span| read.minutes.is_some() && bare.is_none_or(|it| it.minute() == read.start.minute());
        if self.times.span(&span).is_some_and(fits) {
            *time = span;
        }
    }

    /// The length in minutes of a screening that starts at a moment and ends at this one, or at this time of day.
    pub(super) fn minutes_until(&self, start: &Start, end: &str) -> Option<i64> {
        let local = |moment: Timestamp| moment.to_zoned(self.zone.clone()).datetime();
        let from = local(start.at.parse().ok()?);
        let until = match (end.parse().map(local), self.dates.moment_with(end, &self.times)) {
            (Ok(until), _) => until,
            (_, Some(Moment { day, time: Some(time) })) => time.on(day),
            _ => from.date().to_datetime(self.times.time(end)?),
        };
        let minutes = from.duration_until(until).as_mins();
        let minutes = if minutes < 0 && until.date() == from.date() { minutes + 24 * 60 } else { minutes };
        (1..=12 * 60).contains(&minutes).then_some(minutes)
    }

    /// A time of day on a festival day: one after midnight belongs to the evening of the day.
    fn start(&self, day: Date, time: Span) -> Option<Start> {
        let at = day::with_offset(day::moment(day, time.start, self.zone)?, self.zone);
        Some(Start { at, minutes: time.minutes })
    }

    /// The time of a moment, whose day begins at midnight.
    fn exact(&self, day: Date, time: Span) -> Option<Start> {
        let at = time.on(day).to_zoned(self.zone.clone()).ok()?.timestamp();
        Some(Start { at: day::with_offset(at, self.zone), minutes: time.minutes })
    }
}

/// The day of a row that has nothing else: a heading above the screenings of the day.
pub(super) fn heading(row: &sheet::Row, dates: &Dates) -> Option<Date> {
    dates.day(without_label(row.single_cell()?))
}

/// Whether a text is a day with a time.
pub(super) fn is_moment(text: &str, dates: &Dates) -> bool {
    text.parse::<Timestamp>().is_ok() || dates.moment(text).is_some_and(|moment| moment.time.is_some())
}

/// The day in "Day 1 – Friday, 11 December", "11 December (Day 2)" and "Date: 11/12/2026".
pub(super) fn without_label(text: &str) -> &str {
    let is_label = |part: &str| matches!(HEADERS.meaning(part), Meaning::Field { field: DATE, .. });
    // Most days are digits.
    let marks = [":", "–", "—", "-", "("].into_iter().filter(|_| text.contains(char::is_alphabetic));
    let marks = marks.flat_map(|mark| text.match_indices(mark));
    let mut parts = marks.map(|(at, mark)| (&text[..at], &text[at + mark.len()..]));
    let day = parts.find_map(|(first, second)| match (is_label(first), is_label(second)) {
        (true, _) => Some(second),
        (false, is_label) => is_label.then_some(first),
    });
    day.unwrap_or(text)
}

/// When a screening starts, in the form that its field parses, and its length if the list says when it ends.
pub(super) struct Start {
    pub(super) at: String,
    pub(super) minutes: Option<i64>,
}

/// Reads a cell with a value, or with several of them.
fn several<T>(text: &str, mut read: impl FnMut(&str) -> Option<T>) -> Option<Vec<T>> {
    if let Some(value) = read(text) {
        return Some(vec![value]);
    }
    let text = text.replace(" and ", "&");
    [&[';', '\n', '|', '&', '/'][..], &[';', '\n', '|', '&', '/', ',']].into_iter().find_map(|marks| {
        let parts: Vec<&str> = text.split(marks).map(str::trim).filter(|part| !part.is_empty()).collect();
        (parts.len() > 1).then(|| parts.into_iter().map(&mut read).collect())?
    })
}
