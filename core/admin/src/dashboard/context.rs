//! The context that the widgets of the dashboard receive, with the last 30 days.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection};

use crate::identity::scope::Scope;
use festival_base::db::timestamp_text;
use festival_base::error::Result;
use festival_records::edition::Edition;
use festival_web::site::Site;

/// Reads the time of the last backup, in the format of the database; `None` if there was none.
pub type LastBackup = fn(&mut AnyConnection) -> BoxFuture<'_, Result<Option<String>>>;

/// What a widget gets to compute its content.
#[derive(Clone)]
pub struct DashboardContext {
    /// The site.
    pub site: Arc<Site>,
    /// The current edition, if there is one.
    pub edition: Option<Edition>,
    /// The last 30 days in the festival's time zone.
    pub days: Days,
    /// The e-mail address of the user's account.
    pub email: String,
    /// The part of the submissions that the user is limited to.
    pub scope: Scope,
    pub(super) last_backup: LastBackup,
}

impl DashboardContext {
    /// Acquires a connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }
}

/// Number of days.
const COUNT: i32 = 30;

/// The last 30 days in the festival's time zone, today included.
#[derive(Clone, Debug)]
pub struct Days {
    zone: TimeZone,
    /// In ascending order; the last is today.
    days: Vec<Date>,
    /// Start of the first day, as stored.
    pub since: String,
}

impl Days {
    /// Returns the days up to that of `now`.
    pub(super) fn until(now: Timestamp, zone: &TimeZone) -> Self {
        let today = now.to_zoned(zone.clone()).date();
        let days: Vec<Date> =
            (0..COUNT).rev().filter_map(|back| today.checked_sub(i64::from(back).days()).ok()).collect();
        let start = days.first().and_then(|first| first.to_zoned(zone.clone()).ok());
        let since = timestamp_text(start.map_or(now, |start| start.timestamp()));
        Self { zone: zone.clone(), days, since }
    }

    /// The dates, in ascending order.
    pub(super) fn dates(&self) -> &[Date] {
        &self.days
    }

    /// End of today, as stored.
    pub(super) fn end(&self) -> String {
        let tomorrow = self.days.last().and_then(|today| today.tomorrow().ok());
        tomorrow
            .and_then(|day| day.to_zoned(self.zone.clone()).ok())
            .map_or_else(String::new, |end| timestamp_text(end.timestamp()))
    }

    /// Sums counts per minute, keyed by the first 16 characters of stored times, to counts per day. Time zones have
    /// offsets of fractions of an hour, so the database cannot group by day.
    pub fn counts_by_day(&self, minutes: impl IntoIterator<Item = (String, i64)>) -> Vec<i64> {
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
    fn day_begins_at_midnight_in_the_festivals_time_zone() {
        let zone = TimeZone::get("Asia/Kolkata").expect("a zone");
        let days = Days::until("2025-10-26T06:30:00Z".parse().expect("a moment"), &zone);
        assert_eq!(
            (days.since.as_str(), days.end().as_str()),
            ("2025-09-26T18:30:00.000Z", "2025-10-26T18:30:00.000Z")
        );
        let minutes =
            [("2025-10-25T18:29", 1), ("2025-10-25T18:30", 2), ("2025-10-26T06:00", 3), ("2025-01-01T00:00", 9)];
        let counts = days.counts_by_day(minutes.map(|(minute, count)| (minute.to_owned(), count)));
        assert_eq!((counts.len(), counts[28], counts[29], counts.iter().sum::<i64>()), (30, 1, 5, 6));
    }
}
