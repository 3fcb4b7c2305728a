//! The last thirty days, on the festival's clock.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use festival_base::db::timestamp_text;

/// How many.
const COUNT: i32 = 30;

/// The last thirty days; the last one is today.
#[derive(Clone, Debug)]
pub struct Days {
    zone: TimeZone,
    /// From the first to today.
    days: Vec<Date>,
    /// When the first begins, as moments are stored.
    pub since: String,
}

impl Days {
    /// The days until `now`.
    pub(super) fn until(now: Timestamp, zone: &TimeZone) -> Self {
        let today = now.to_zoned(zone.clone()).date();
        let days: Vec<Date> =
            (0..COUNT).rev().filter_map(|back| today.checked_sub(i64::from(back).days()).ok()).collect();
        let begin = days.first().and_then(|first| first.to_zoned(zone.clone()).ok());
        let since = timestamp_text(begin.map_or(now, |begin| begin.timestamp()));
        Self { zone: zone.clone(), days, since }
    }

    /// The days themselves.
    pub(super) fn dates(&self) -> &[Date] {
        &self.days
    }

    /// When today ends, as moments are stored.
    pub(super) fn end(&self) -> String {
        let tomorrow = self.days.last().and_then(|today| today.tomorrow().ok());
        tomorrow
            .and_then(|day| day.to_zoned(self.zone.clone()).ok())
            .map_or_else(String::new, |end| timestamp_text(end.timestamp()))
    }

    /// One number a day out of numbers a minute: the first sixteen characters of stored moments. Days begin at
    /// different minutes of the hour in different zones, so a database cannot count by day.
    pub fn spread(&self, minutes: impl IntoIterator<Item = (String, i64)>) -> Vec<i64> {
        let mut by_day: BTreeMap<Date, i64> = BTreeMap::new();
        for (minute, count) in minutes {
            let Ok(moment) = format!("{minute}:00Z").parse::<Timestamp>() else { continue };
            *by_day.entry(moment.to_zoned(self.zone.clone()).date()).or_default() += count;
        }
        self.days.iter().map(|day| by_day.get(day).copied().unwrap_or_default()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_the_festivals_midnight() {
        let zone = TimeZone::get("Asia/Kolkata").expect("a zone");
        let days = Days::until("2025-10-26T06:30:00Z".parse().expect("a moment"), &zone);
        assert_eq!(
            (days.since.as_str(), days.end().as_str()),
            ("2025-09-26T18:30:00.000Z", "2025-10-26T18:30:00.000Z")
        );
        let minutes =
            [("2025-10-25T18:29", 1), ("2025-10-25T18:30", 2), ("2025-10-26T06:00", 3), ("2025-01-01T00:00", 9)];
        let counts = days.spread(minutes.map(|(minute, count)| (minute.to_owned(), count)));
        assert_eq!((counts.len(), counts[28], counts[29], counts.iter().sum::<i64>()), (30, 1, 5, 6));
    }
}
