//! Timestamps as the database stores them.

use jiff::Timestamp;

/// Formats a timestamp for storage: `2025-10-24T12:30:00.000Z`, of fixed width, so that text order is time order.
pub fn timestamp_text(timestamp: Timestamp) -> String {
    let millisecond = timestamp.as_millisecond();
    Timestamp::from_millisecond(millisecond).unwrap_or(timestamp).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
