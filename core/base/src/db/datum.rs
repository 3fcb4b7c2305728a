//! Values as the database stores them.

use jiff::{SignedDuration, Timestamp};
use sqlx::Any;
use sqlx::any::AnyArguments;
use sqlx::query::Query;

/// A value as it is stored in the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// No value (SQL NULL).
    Null,
    /// Text; also dates and media keys.
    Text(String),
    /// An integer; also booleans as 0 or 1.
    Integer(i64),
    /// A reference to the row of another entity whose key contains this text; stored as its id.
    Reference(String),
}

impl Datum {
    /// Binds it as the next value of a query; `Null` as a missing text.
    pub fn bind<'q>(&self, query: Query<'q, Any, AnyArguments>) -> Query<'q, Any, AnyArguments> {
        match self {
            Self::Null => query.bind(None::<String>),
            Self::Text(text) | Self::Reference(text) => query.bind(text.clone()),
            Self::Integer(number) => query.bind(*number),
        }
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        Self::Integer(flag.into())
    }
}

impl<T: Into<Self>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Formats a timestamp for storage: `2025-10-24T12:30:00.000Z`, of fixed width, so that text order is time order.
pub fn timestamp_text(timestamp: Timestamp) -> String {
    let millisecond = timestamp.as_millisecond();
    Timestamp::from_millisecond(millisecond).unwrap_or(timestamp).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// Returns the time `period` before `now`, as stored.
pub fn time_before(now: Timestamp, period: SignedDuration) -> String {
    timestamp_text(now.saturating_sub(period).unwrap_or(now))
}

/// Returns the time `days` before `now`, as stored; `None` for 0 days, which means no limit.
pub fn days_ago(now: Timestamp, days: u32) -> Option<String> {
    (days > 0).then(|| time_before(now, SignedDuration::from_hours(24 * i64::from(days))))
}
