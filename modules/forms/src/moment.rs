//! Moments as people and programs read them, in the festival's time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// "22 November 2026, 6:04 PM (Asia/Kolkata, UTC+05:30)".
pub(crate) fn in_words(moment: Timestamp, zone: &TimeZone) -> String {
    let name = zone.iana_name().filter(|name| *name != "UTC").map_or(String::new(), |name| format!("{name}, "));
    let moment = moment.to_zoned(zone.clone());
    format!("{} ({name}UTC{})", moment.strftime("%-d %B %Y, %-I:%M %p"), moment.strftime("%:z"))
}

/// "2026-11-22T18:04:09+05:30".
pub(crate) fn rfc3339(moment: Timestamp, zone: &TimeZone) -> String {
    moment.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_name_their_zone() {
        let moment: Timestamp = "2026-11-22T12:34:56Z".parse().unwrap_or_default();
        let kolkata = TimeZone::get("Asia/Kolkata").unwrap_or(TimeZone::UTC);
        assert_eq!(in_words(moment, &kolkata), "22 November 2026, 6:04 PM (Asia/Kolkata, UTC+05:30)");
        assert_eq!(in_words(moment, &TimeZone::UTC), "22 November 2026, 12:34 PM (UTC+00:00)");
        assert_eq!(rfc3339(moment, &kolkata), "2026-11-22T18:04:56+05:30");
    }
}
