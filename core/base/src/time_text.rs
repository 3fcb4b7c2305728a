//! Formats stored timestamps in the festival's time zone, for the API and for people.
//!
//! All functions take the timestamp as it is stored (RFC 3339, UTC) and return unparsable input unchanged.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// RFC 3339 with the zone's offset: "2025-10-24T18:00:00+05:30".
pub fn with_offset(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%Y-%m-%dT%H:%M:%S%:z")
}

/// Short form, as in the lists of the back office: "24 Oct 2025, 6:00 PM".
pub fn short(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, SHORT)
}

/// Short form of a local date and time without an offset, or of a date alone. `None` if it is neither.
pub fn short_local(stored: &str) -> Option<String> {
    match stored.parse::<Date>() {
        Ok(date) if !stored.contains('T') => Some(date.strftime("%-d %b %Y").to_string()),
        _ => Some(stored.parse::<DateTime>().ok()?.strftime(SHORT).to_string()),
    }
}

/// US form with a 12-hour clock, which the specification prescribes for events: "Oct 24, 2025, 6:00 PM".
pub fn us(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%b %-d, %Y, %-I:%M %p")
}

/// Long form, as in pages and mails: "24 October 2025, 6:00 PM".
pub fn long(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, LONG)
}

/// Long form of a local date and time without an offset. `None` if it cannot be parsed.
pub fn long_local(stored: &str) -> Option<String> {
    Some(stored.parse::<DateTime>().ok()?.strftime(LONG).to_string())
}

const LONG: &str = "%-d %B %Y, %-I:%M %p";
const SHORT: &str = "%-d %b %Y, %-I:%M %p";

/// The date in the zone, in ISO 8601: "2025-08-08".
pub fn day(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%Y-%m-%d")
}

/// The date in the zone, in long form: "8 August 2025".
pub fn long_day(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%-d %B %Y")
}

/// The date in the zone with the day of the week: "Friday 8 August 2025".
pub fn long_day_with_weekday(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%A %-d %B %Y")
}

/// The time of day in the zone with a 12-hour clock: "4:00 PM".
pub fn hour(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%-I:%M %p")
}

fn format_local(stored: &str, zone: &TimeZone, format: &str) -> String {
    match stored.parse::<Timestamp>() {
        Ok(timestamp) => timestamp.to_zoned(zone.clone()).strftime(format).to_string(),
        Err(_) => stored.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kerala() -> TimeZone {
        TimeZone::get("Asia/Kolkata").unwrap_or(TimeZone::UTC)
    }

    #[test]
    fn timestamps_carry_the_offset_of_the_zone() {
        assert_eq!(with_offset("2025-10-24T12:30:00.000Z", &kerala()), "2025-10-24T18:00:00+05:30");
        assert_eq!(with_offset("2025-10-24T12:30:00.000Z", &TimeZone::UTC), "2025-10-24T12:30:00+00:00");
    }

    #[test]
    fn noon_and_midnight_are_12_pm_and_12_am() {
        let texts = ["2025-10-24T12:30:00.000Z", "2025-10-24T06:30:00.000Z", "2025-12-31T18:30:00.000Z"];
        assert_eq!(
            texts.map(|text| us(text, &kerala())).join("; "),
            "Oct 24, 2025, 6:00 PM; Oct 24, 2025, 12:00 PM; Jan 1, 2026, 12:00 AM"
        );
        assert_eq!(
            texts.map(|text| short(text, &kerala())).join("; "),
            "24 Oct 2025, 6:00 PM; 24 Oct 2025, 12:00 PM; 1 Jan 2026, 12:00 AM"
        );
    }

    #[test]
    fn dates_and_times_of_day_are_in_the_zone() {
        let late = "2025-08-08T18:30:00.000Z";
        assert_eq!(day(late, &kerala()), "2025-08-09");
        assert_eq!(long_day(late, &kerala()), "9 August 2025");
        assert_eq!(long_day_with_weekday(late, &kerala()), "Saturday 9 August 2025");
        assert_eq!(long(late, &kerala()), "9 August 2025, 12:00 AM");
        assert_eq!(long_local("2025-09-03T22:00:00").as_deref(), Some("3 September 2025, 10:00 PM"));
        assert_eq!(short_local("2025-09-03T22:00:00").as_deref(), Some("3 Sep 2025, 10:00 PM"));
        assert_eq!(short_local("2025-09-03").as_deref(), Some("3 Sep 2025"));
        assert_eq!(short_local("soon"), None);
        assert_eq!(hour(late, &kerala()), "12:00 AM");
    }

    #[test]
    fn unparsable_timestamps_are_returned_unchanged() {
        assert_eq!(short("soon", &kerala()), "soon");
    }
}
