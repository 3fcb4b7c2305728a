//! Parsing text into values: the one place that checks the rules of fields.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::{Datum, Entity, Field, Kind, Record, Values};
use crate::html;
use festival_base::db::timestamp_text;
use festival_base::error::FieldError;
use festival_base::text::{self, Cleaning};

/// Maximum length of an alternative text, in characters: about as much as a screen reader says at once.
const MAX_ALT_CHARACTERS: usize = 300;

impl Entity {
    /// Parses `values`. Times without an offset are interpreted in `zone`.
    ///
    /// # Errors
    /// All invalid fields, not only the first, and names that are not a field of this entity.
    pub fn parse(&self, values: &Values, zone: &TimeZone) -> Result<Record, Vec<FieldError>> {
        let mut record = Record::with_capacity(self.fields.len());
        let mut errors = Vec::new();
        for field in self.fields.iter().filter(|field| field.has_column()) {
            match field.parse(values.get(field.name).map_or("", String::as_str), zone) {
                Ok(datum) => record.push(datum),
                Err(message) => errors.push(FieldError::new(field.name, message)),
            }
        }
        for name in values.keys().filter(|name| self.field(name).is_none()) {
            let near = festival_base::settings::did_you_mean(name, self.fields.iter().map(|field| field.name));
            let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
            errors.push(FieldError::new(name, format!("{} has no field \"{name}\"{hint}", self.singular)));
        }
        if errors.is_empty() { Ok(record) } else { Err(errors) }
    }
}

impl Field {
    /// The message for a required field that is empty.
    pub fn required_message(&self) -> String {
        format!("Please fill in {}", self.name_in_sentence())
    }

    /// A description of valid values, which completes "expected ...".
    pub fn expectation(&self) -> String {
        match self.kind {
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Flag => "yes or no".to_owned(),
            Kind::Choice(choices) => {
                let keys: Vec<&str> = choices.iter().map(|(key, _)| *key).collect();
                format!("one of: {}", keys.join(", "))
            }
            Kind::Slug => "small letters, digits and hyphens only, at most 100".to_owned(),
            Kind::Url | Kind::Link => "an address that begins with https:// or http://".to_owned(),
            Kind::Email => "an e-mail address like name@example.org".to_owned(),
            Kind::Phone => "a telephone number of 6 to 20 digits".to_owned(),
            Kind::Year => "a year from 1880 to next year".to_owned(),
            Kind::Date => "a day like 2025-10-24".to_owned(),
            Kind::DateTime => "a date and time like 2025-10-24T18:00:00+05:30".to_owned(),
            Kind::LocalDateTime => "a date and time like 2025-09-03T22:00:00".to_owned(),
            Kind::Text { max } | Kind::Lines { max } => format!("at most {max} characters"),
            Kind::AlternativeText => format!("at most {MAX_ALT_CHARACTERS} characters"),
            Kind::Reference(target) => format!("the name of a {}", target.singular),
            Kind::Html => "a text".to_owned(),
            Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => "a file".to_owned(),
        }
    }

    /// The message for an invalid `text`.
    pub fn invalid_message(&self, text: &str) -> String {
        match self.kind {
            Kind::Flag => format!("\"{text}\" is neither yes nor no"),
            Kind::Choice(_) => format!("\"{text}\" is none of: {}", self.expectation().trim_start_matches("one of: ")),
            Kind::Slug => format!("\"{text}\" may hold {}", self.expectation()),
            Kind::Integer { .. }
            | Kind::Url
            | Kind::Link
            | Kind::Email
            | Kind::Phone
            | Kind::Year
            | Kind::Date
            | Kind::DateTime
            | Kind::LocalDateTime => format!("\"{text}\" is not {}", self.expectation()),
            Kind::Text { .. }
            | Kind::Lines { .. }
            | Kind::Html
            | Kind::AlternativeText
            | Kind::Image
            | Kind::Document
            | Kind::Video
            | Kind::File { .. }
            | Kind::Reference(_) => format!("\"{text}\" cannot be used here"),
        }
    }

    /// Maximum length of the field, in characters, if its kind has such a limit that forms show.
    pub const fn max_characters(&self) -> Option<usize> {
        match self.kind {
            Kind::Text { max } | Kind::Lines { max } => Some(max),
            Kind::AlternativeText => Some(MAX_ALT_CHARACTERS),
            Kind::Email => Some(254),
            Kind::Url | Kind::Link => Some(2_000),
            _ => None,
        }
    }

    /// Parses one value; an empty text becomes the default.
    ///
    /// # Errors
    /// A message for the field.
    pub fn parse(&self, text: &str, zone: &TimeZone) -> Result<Datum, String> {
        let text = clean(text, matches!(self.kind, Kind::Lines { .. } | Kind::Html))?;
        let text = if text.is_empty() { self.default.to_owned() } else { text };
        if text.is_empty() {
            return match self.kind {
                _ if self.required => Err(self.required_message()),
                Kind::Flag => Ok(Datum::Integer(0)),
                _ => Ok(Datum::Null),
            };
        }
        let invalid = || self.invalid_message(&text);
        match self.kind {
            Kind::Text { max } | Kind::Lines { max } => within(text, max).map(Datum::Text),
            Kind::AlternativeText => within(text, MAX_ALT_CHARACTERS).map(Datum::Text),
            Kind::Html => {
                let text = within(text, 200_000)?;
                html::check(&text)?;
                Ok(Datum::Text(html::sanitise(&text)))
            }
            Kind::Integer { min, max } => whole_number(&text, min, max).ok_or_else(invalid),
            Kind::Year => whole_number(&text, 1880, 9999).ok_or_else(invalid),
            Kind::Flag => match text.to_lowercase().as_str() {
                "1" | "true" | "yes" | "on" => Ok(Datum::Integer(1)),
                "0" | "false" | "no" | "off" => Ok(Datum::Integer(0)),
                _ => Err(invalid()),
            },
            Kind::Choice(choices) => choices
                .iter()
                .find(|(key, label)| *key == text || label.eq_ignore_ascii_case(&text))
                .map(|(key, _)| Datum::Text((*key).to_owned()))
                .ok_or_else(invalid),
            Kind::Slug => {
                let is_slug = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
                if is_slug && text.len() <= 100 { Ok(Datum::Text(text)) } else { Err(invalid()) }
            }
            Kind::Url => {
                let own_path = text.starts_with('/') && !text.starts_with("//") && !text.contains(char::is_whitespace);
                if (own_path && text.len() <= 2_000) || is_link(&text) { Ok(Datum::Text(text)) } else { Err(invalid()) }
            }
            Kind::Link if is_link(&text) => Ok(Datum::Text(text)),
            Kind::Email if text::is_usual_email(&text) == Some(true) => Ok(Datum::Text(text)),
            Kind::Phone if is_phone(&text) => Ok(Datum::Text(text)),
            Kind::Link | Kind::Email | Kind::Phone => Err(invalid()),
            Kind::Date => text.parse::<Date>().map(|day| Datum::Text(day.to_string())).map_err(|_| invalid()),
            Kind::DateTime => timestamp(&text, zone).map(Datum::Text).ok_or_else(invalid),
            Kind::LocalDateTime => {
                text.parse::<DateTime>().map(|time| Datum::Text(time.to_string())).map_err(|_| invalid())
            }
            Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => within(text, 300).map(Datum::Text),
            Kind::Reference(_) => within(text, 300).map(Datum::Reference),
        }
    }
}

/// The message for a text of `count` characters where `max` are allowed.
pub fn too_long(count: usize, max: usize) -> String {
    format!("has {count} characters, at most {max} are kept")
}

fn whole_number(text: &str, min: i64, max: i64) -> Option<Datum> {
    text.parse::<i64>().ok().filter(|number| (min..=max).contains(number)).map(Datum::Integer)
}

fn is_link(text: &str) -> bool {
    text::is_web_address(text) && text.chars().count() <= 2_000
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (6..=20).contains(&digits)
        && text.len() <= 40
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '(' | ')'))
}

fn timestamp(text: &str, zone: &TimeZone) -> Option<String> {
    let timestamp = match text.parse::<jiff::Timestamp>() {
        Ok(timestamp) => timestamp,
        Err(_) => text.parse::<DateTime>().ok()?.to_zoned(zone.clone()).ok()?.timestamp(),
    };
    Some(timestamp_text(timestamp))
}

fn clean(text: &str, lines: bool) -> Result<String, String> {
    text::clean(text, lines, Cleaning::Exact).map_err(|control| match control {
        '\n' => "holds a line break; write it on one line".to_owned(),
        control => format!("holds a control character (U+{:04X}); remove it", u32::from(control)),
    })
}

fn within(text: String, max: usize) -> Result<String, String> {
    let count = text.chars().count();
    if count > max { Err(too_long(count, max)) } else { Ok(text) }
}
