//! Formats timestamps in the festival's time zone.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// "22 November 2026, 6:04 PM (Asia/Kolkata, UTC+05:30)".
pub(crate) fn with_zone_name(timestamp: Timestamp, zone: &TimeZone) -> String {
    let name = zone.iana_name().filter(|name| *name != "UTC").map_or(String::new(), |name| format!("{name}, "));
    let local = timestamp.to_zoned(zone.clone());
    format!("{} ({name}UTC{})", local.strftime("%-d %B %Y, %-I:%M %p"), local.strftime("%:z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_name_their_time_zone() {
        let timestamp: Timestamp = "2026-11-22T12:34:56Z".parse().unwrap_or_default();
        let kolkata = TimeZone::get("Asia/Kolkata").unwrap_or(TimeZone::UTC);
        assert_eq!(with_zone_name(timestamp, &kolkata), "22 November 2026, 6:04 PM (Asia/Kolkata, UTC+05:30)");
        assert_eq!(with_zone_name(timestamp, &TimeZone::UTC), "22 November 2026, 12:34 PM (UTC+00:00)");
    }
}
