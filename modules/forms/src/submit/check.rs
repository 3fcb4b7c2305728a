//! The rules of a form, asked on the server again: what is missing in the form's order, then what cannot be taken.
//!
//! Only what the specification demands is refused: an empty field, an address that no `email` input would take, a file
//! that is missing or too large. Besides, what could do harm: control characters, links that run something, texts
//! beyond the guard's limit. Every other value is kept as it was sent, and [`Finding`]s say what it was read as and why
//! somebody should look at it (`docs/decisions/0020-odd-values-are-kept.md`).

use std::collections::BTreeMap;

use festival_core::entity::{Datum, Entity, Field, Kind, Record, Values, too_long, trim};
use festival_core::upload::Accepts;
use festival_core::{Error, FieldError, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::staged::FormFile;
use crate::description::{Choice, FILM_FORMS, Form, beside, texts};
use crate::finding::Finding;
use crate::parse::{self, Counted, Parsed, quoted};
use crate::settings::FormsSettings;
use crate::{text, words};

/// A form that passed all rules.
pub(crate) struct Checked {
    /// The values in the order of the entity's columns.
    pub(crate) record: Record,
    /// The fields with more words than asked for.
    pub(crate) over_long: Vec<&'static str>,
    /// What was noted about single values, in the form's order.
    pub(crate) findings: Vec<Finding>,
    /// Whether the sender agreed to the notice on personal data.
    pub(crate) consent: bool,
}

/// What a form is checked by.
pub(crate) struct Rules<'a> {
    pub(crate) entity: &'static Entity,
    /// The form whose choices hold; `None`: those of every form with this entity.
    pub(crate) form: Option<&'static Form>,
    pub(crate) settings: &'a FormsSettings,
    pub(crate) now: Timestamp,
    pub(crate) zone: &'a TimeZone,
}

impl Rules<'_> {
    /// Checks what was sent. The first error is the first in the form's order that is missing, else the first wrong one.
    pub(crate) fn check(&self, sent: &Values, files: &BTreeMap<&'static str, FormFile>) -> Result<Checked> {
        let mut missing = Vec::new();
        let mut wrong = Vec::new();
        let mut record = Record::new();
        let mut findings = Vec::new();
        let mut over_long = Vec::new();
        for field in self.entity.fields {
            if !field.has_column() {
                if field.required && !files.contains_key(field.name) {
                    missing.push(FieldError::new(field.name, field.required_message()));
                }
                continue;
            }
            let value = match cleaned(field, sent.get(field.name).map_or("", String::as_str)) {
                Ok(value) => value,
                Err(message) => {
                    wrong.push(FieldError::new(field.name, message));
                    continue;
                }
            };
            if value.is_empty() && field.required {
                missing.push(FieldError::new(field.name, field.required_message()));
                continue;
            }
            let count = words::count(&value);
            if field.max_words > 0 && count > field.max_words {
                over_long.push(field.name);
                if self.settings.hard_word_limits {
                    wrong.push(FieldError::new(field.name, texts::too_many_words(field.label, count, field.max_words)));
                }
            }
            match self.read(field, value) {
                Ok((datum, finding)) => {
                    record.push(datum);
                    findings.extend(finding);
                }
                Err(message) => wrong.push(FieldError::new(field.name, message)),
            }
        }
        let consent = sent.get(beside::CONSENT).is_some_and(|text| is_yes(text));
        if self.settings.require_consent && !consent {
            wrong.push(FieldError::new(beside::CONSENT, texts::CONSENT_MISSING));
        }
        if missing.is_empty() && wrong.is_empty() {
            Ok(Checked { record, over_long, findings, consent })
        } else {
            Err(Error::Invalid(missing.into_iter().chain(wrong).collect()))
        }
    }

    /// What is stored for a value, and what is noted about it; `Err`: why it cannot be taken.
    fn read(&self, field: &Field, value: String) -> Result<(Datum, Option<Finding>), String> {
        if value.is_empty() {
            return Ok((Datum::Text(value), None));
        }
        match field.kind {
            Kind::Integer { min, max } => {
                let counted = if field.name == "duration_minutes" { Counted::Minutes } else { Counted::Other };
                let mut read = parse::whole_number(&value, counted, (min, max));
                if field.name == "age" && read.read.parse().is_ok_and(|age: i64| (1..OF_AGE).contains(&age)) {
                    // DPDP Act 2023, section 9.
                    let reasons = read.reason.into_iter().chain([texts::UNDER_AGE.to_owned()]);
                    read.reason = Some(reasons.collect::<Vec<_>>().join("; "));
                }
                Ok(number(field, &value, read))
            }
            Kind::Year => {
                let next_year = i64::from(self.now.to_zoned(self.zone.clone()).year()) + 1;
                let read = parse::whole_number(&value, Counted::CalendarYear, (FIRST_YEAR, next_year));
                Ok(number(field, &value, read))
            }
            Kind::Choice(_) => Ok(self.choice(field, value)),
            Kind::Email => {
                let count = value.chars().count();
                match parse::email(&value) {
                    Some(read) => Ok(noted(field, value, read)),
                    None if field.max_characters().is_some_and(|max| count > max) => Err(too_long(count, 254)),
                    None => Err(texts::NOT_AN_EMAIL.to_owned()),
                }
            }
            Kind::Link if parse::runs(&value) => Err(texts::LINK_RUNS.to_owned()),
            Kind::Link => {
                let read = parse::link(&value);
                Ok(noted(field, value, read))
            }
            Kind::Phone => {
                let read = parse::telephone(&value);
                Ok(noted(field, value, read))
            }
            _ => {
                let count = value.chars().count();
                let reason = field.max_characters().filter(|max| count > *max);
                let finding = reason.map(|_| finding(field, format!("Text has {count} characters")));
                Ok((Datum::Text(value), finding))
            }
        }
    }

    /// One of a few words: in capitals or small letters, by its label, or as another form has it.
    fn choice(&self, field: &Field, value: String) -> (Datum, Option<Finding>) {
        let offered = match self.form {
            Some(form) => form.choices(field).unwrap_or_default(),
            None => values(field),
        };
        if let Some(choice) = find(&offered, &value) {
            let sent = (choice.value != value).then_some(value);
            let finding = Finding { field: field.name.to_owned(), sent, ..Finding::default() };
            return (Datum::Text(choice.value.to_owned()), finding.sent.is_some().then_some(finding));
        }
        let is_offered = |value: &str| offered.iter().any(|choice| choice.value == value);
        let elsewhere = find(&everywhere(field), &value).map(|choice| choice.value);
        let read = elsewhere.or_else(|| yes_or_no(&value)).filter(|value| is_offered(value));
        let Some(read) = read else {
            let labels: Vec<&str> = offered.iter().map(|choice| choice.label).collect();
            let kept = elsewhere.map_or_else(|| value.clone(), str::to_owned);
            let mut finding = finding(field, format!("{} is none of: {}", quoted(&value), labels.join(", ")));
            finding.sent = (kept != value).then_some(value);
            return (Datum::Text(kept), Some(finding));
        };
        let mut finding = finding(field, format!("{} is read as {read}", quoted(&value)));
        finding.sent = Some(value);
        (Datum::Text(read.to_owned()), Some(finding))
    }
}

/// From this age on people consent for themselves.
const OF_AGE: i64 = 18;
/// The first year that a film may be of.
const FIRST_YEAR: i64 = 1880;

fn finding(field: &Field, reason: String) -> Finding {
    Finding { field: field.name.to_owned(), reason: Some(reason), ..Finding::default() }
}

/// A value that is stored as it was sent, beside its reading.
fn noted(field: &Field, value: String, Parsed { read, reason }: Parsed) -> (Datum, Option<Finding>) {
    let mut reasons: Vec<String> = reason.into_iter().collect();
    let count = value.chars().count();
    if field.max_characters().is_some_and(|max| count > max) {
        reasons.push(format!("Text has {count} characters"));
    }
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    let read = Some(read).filter(|read| !read.is_empty() && *read != value);
    let finding = Finding { field: field.name.to_owned(), sent: None, read, reason };
    let says_something = finding.read.is_some() || finding.reason.is_some();
    (Datum::Text(value), says_something.then_some(finding))
}

/// A number, beside the text that was sent.
fn number(field: &Field, value: &str, Parsed { read, reason }: Parsed) -> (Datum, Option<Finding>) {
    let datum = read.parse().map_or(Datum::Null, Datum::Integer);
    let sent = (read != value).then(|| value.to_owned());
    let finding = Finding { field: field.name.to_owned(), sent, read: None, reason };
    let says_something = finding.sent.is_some() || finding.reason.is_some();
    (datum, says_something.then_some(finding))
}

/// A value without what nobody can see, or the field's default.
fn cleaned(field: &Field, value: &str) -> Result<String, String> {
    let value = text::clean(value, matches!(field.kind, Kind::Lines { .. }))
        .map_err(|c| format!("holds a control character (U+{:04X}); remove it", u32::from(c)))?;
    let largest = Accepts::default().largest_text;
    if value.len() > largest {
        return Err(format!("{} must be shorter than {} KB", field.name, largest / 1024));
    }
    Ok(if value.is_empty() { field.default.to_owned() } else { value })
}

/// The choice that `value` names by value or label.
fn find(choices: &[Choice], value: &str) -> Option<Choice> {
    let folded = folded(value);
    let same = |text: &str| self::folded(text) == folded;
    let exact = choices.iter().find(|choice| choice.value == value);
    let by_value = || choices.iter().find(|choice| same(choice.value));
    let by_label = || choices.iter().find(|choice| same(choice.label));
    exact.or_else(by_value).or_else(by_label).filter(|_| !folded.is_empty()).copied()
}

/// The choices of a field on every form, values of the field itself first.
fn everywhere(field: &Field) -> Vec<Choice> {
    values(field).into_iter().chain(FILM_FORMS.iter().filter_map(|form| form.choices(field)).flatten()).collect()
}

/// Every value of a field, whichever form offers it.
fn values(field: &Field) -> Vec<Choice> {
    let Kind::Choice(all) = field.kind else { return Vec::new() };
    all.iter().map(|(value, label)| Choice { key: value, value, label }).collect()
}

/// A text for comparing: letters and digits in small letters, single blanks.
pub(crate) fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn yes_or_no(value: &str) -> Option<&'static str> {
    match folded(value).as_str() {
        "true" | "y" | "1" | "on" => Some("Yes"),
        "false" | "n" | "0" | "off" | "none" => Some("No"),
        _ => None,
    }
}

/// Whether a box was ticked, in the words that clients use.
pub(crate) fn is_yes(text: &str) -> bool {
    matches!(trim(text).to_ascii_lowercase().as_str(), "yes" | "true" | "on" | "1")
}
