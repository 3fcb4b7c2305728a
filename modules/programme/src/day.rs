//! Festival days: a day ends at 05:00 in the morning, so that 00:30 belongs to the evening before.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};

/// The hour at which a festival day begins.
pub(crate) const FIRST_HOUR: i8 = 5;

/// The festival day of a time.
pub(crate) fn of(time: Timestamp, zone: &TimeZone) -> Date {
    let local = time.to_zoned(zone.clone());
    if local.hour() < FIRST_HOUR { local.date().yesterday().unwrap_or(local.date()) } else { local.date() }
}

/// The moment of a time of day on a festival day: 00:30 is after midnight.
pub(crate) fn moment(day: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let date = if time.hour() < FIRST_HOUR { day.checked_add(1.day()).ok()? } else { day };
    Some(date.to_datetime(time).to_zoned(zone.clone()).ok()?.timestamp())
}

/// A time for people: "Friday 12 December, 18:30".
pub(crate) fn text(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%A %-d %B, %H:%M").to_string()
}

/// A time of any year: "12 December 2025, 18:30".
pub(crate) fn text_with_year(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%-d %B %Y, %H:%M").to_string()
}

/// The time of day: "18:30".
pub(crate) fn hour_text(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// RFC 3339 with the offset of the zone.
pub(crate) fn with_offset(time: Timestamp, zone: &TimeZone) -> String {
    Zoned::new(time, zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    #[test]
    fn day_ends_at_five_in_the_morning() {
        let zone = TimeZone::get("Asia/Kolkata").unwrap();
        let at = |text: &str| of(text.parse().unwrap(), &zone);
        assert_eq!(at("2025-12-12T04:59:00+05:30"), date(2025, 12, 11));
        assert_eq!(at("2025-12-12T05:00:00+05:30"), date(2025, 12, 12));
        let late = moment(date(2025, 12, 11), time(0, 30, 0, 0), &zone).unwrap();
        assert_eq!(
            (with_offset(late, &zone), of(late, &zone)),
            ("2025-12-12T00:30:00+05:30".into(), date(2025, 12, 11))
        );
    }

    #[test]
    fn times_are_right_across_a_change_of_the_clocks() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let before = moment(date(2026, 3, 28), time(23, 0, 0, 0), &zone).unwrap();
        let after = moment(date(2026, 3, 28), time(4, 0, 0, 0), &zone).unwrap();
        // The clocks skip an hour of this night.
        assert_eq!((after.as_second() - before.as_second()) / 3600, 4);
        assert_eq!(of(after, &zone), date(2026, 3, 28));
    }
}
