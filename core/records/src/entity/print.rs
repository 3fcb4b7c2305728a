//! Formatting values as text that [`Entity::parse`] parses to the same values.

use festival_base::time_text;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Datum, Entity, Field, Kind, Record, Values};

impl Entity {
    /// The fields of `record` as text, with times in `zone`. References must be keys ([`super::table::unresolve`]).
    pub fn print(&self, record: &Record, zone: &TimeZone) -> Values {
        self.columns().zip(record).map(|(field, datum)| (field.name.to_owned(), field.print(datum, zone))).collect()
    }
}

impl Field {
    /// One value as text; "" for an empty one.
    pub fn print(&self, datum: &Datum, zone: &TimeZone) -> String {
        match (self.kind, datum) {
            (_, Datum::Null) => String::new(),
            (Kind::Flag, Datum::Integer(number)) => if *number == 0 { "no" } else { "yes" }.to_owned(),
            (Kind::DateTime, Datum::Text(stored)) => match stored.parse::<Timestamp>() {
                Ok(timestamp) => timestamp.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string(),
                Err(_) => stored.clone(),
            },
            (_, Datum::Text(text) | Datum::Reference(text)) => text.clone(),
            (_, Datum::Integer(number)) => number.to_string(),
        }
    }

    /// One value for people: the label of a choice, "yes" or "no", a short date or time.
    pub fn display(&self, datum: &Datum, zone: &TimeZone) -> String {
        match (self.kind, datum) {
            (Kind::Choice(choices), Datum::Text(key)) => {
                choices.iter().find(|(known, _)| known == key).map_or(key.as_str(), |(_, label)| label).to_owned()
            }
            (Kind::DateTime, Datum::Text(stored)) => time_text::short(stored, zone),
            (Kind::Date | Kind::LocalDateTime, Datum::Text(stored)) => {
                time_text::short_local(stored).unwrap_or_else(|| stored.clone())
            }
            _ => self.print(datum, zone),
        }
    }
}
