//! Moments as the API says them: in the festival's own time zone, for programs and for people.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A stored moment with the zone's offset: "2025-10-24T18:00:00+05:30". What is no moment stays as it is.
pub fn with_offset(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%Y-%m-%dT%H:%M:%S%:z")
}

/// A stored moment in short American form on a clock of twelve hours, as the specification has events:
/// "Oct 24, 2025, 6:00 PM".
pub fn short(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%b %-d, %Y, %-I:%M %p")
}

/// A stored moment as pages and mails write it: "24 October 2025, 6:00 PM".
pub fn in_words(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, IN_WORDS)
}

/// The same of a moment without an offset, on the reader's own clock. `None` where it is no moment.
pub fn in_words_local(stored: &str) -> Option<String> {
    Some(stored.parse::<DateTime>().ok()?.strftime(IN_WORDS).to_string())
}

const IN_WORDS: &str = "%-d %B %Y, %-I:%M %p";

/// The day of a stored moment in the zone: "2025-08-08".
pub fn day(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%Y-%m-%d")
}

/// The day of a stored moment, for people: "8 August 2025".
pub fn day_in_words(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%-d %B %Y")
}

/// The same with the day of the week: "Friday 8 August 2025".
pub fn weekday_in_words(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%A %-d %B %Y")
}

/// The hour of a stored moment on a clock of twelve hours: "4:00 PM".
pub fn hour(stored: &str, zone: &TimeZone) -> String {
    format_local(stored, zone, "%-I:%M %p")
}

fn format_local(stored: &str, zone: &TimeZone, format: &str) -> String {
    match stored.parse::<Timestamp>() {
        Ok(moment) => moment.to_zoned(zone.clone()).strftime(format).to_string(),
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
    fn a_moment_carries_the_offset_of_the_zone() {
        assert_eq!(with_offset("2025-10-24T12:30:00.000Z", &kerala()), "2025-10-24T18:00:00+05:30");
        assert_eq!(with_offset("2025-10-24T12:30:00.000Z", &TimeZone::UTC), "2025-10-24T12:30:00+00:00");
    }

    #[test]
    fn noon_and_midnight_are_twelve() {
        let texts = ["2025-10-24T12:30:00.000Z", "2025-10-24T06:30:00.000Z", "2025-12-31T18:30:00.000Z"];
        assert_eq!(
            texts.map(|text| short(text, &kerala())).join("; "),
            "Oct 24, 2025, 6:00 PM; Oct 24, 2025, 12:00 PM; Jan 1, 2026, 12:00 AM"
        );
    }

    #[test]
    fn days_and_hours_are_those_of_the_zone() {
        let late = "2025-08-08T18:30:00.000Z";
        assert_eq!(day(late, &kerala()), "2025-08-09");
        assert_eq!(day_in_words(late, &kerala()), "9 August 2025");
        assert_eq!(weekday_in_words(late, &kerala()), "Saturday 9 August 2025");
        assert_eq!(in_words(late, &kerala()), "9 August 2025, 12:00 AM");
        assert_eq!(in_words_local("2025-09-03T22:00:00").as_deref(), Some("3 September 2025, 10:00 PM"));
        assert_eq!(hour(late, &kerala()), "12:00 AM");
    }

    #[test]
    fn what_is_no_moment_stays_as_it_is() {
        assert_eq!(short("soon", &kerala()), "soon");
    }
}
