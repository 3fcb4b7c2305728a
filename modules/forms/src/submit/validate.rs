//! Validates a form on the server: missing fields in the order of the form, then invalid ones.
//!
//! Refuses what the specification requires: an empty field, an address that no `email` input would accept, a missing
//! file. Also refuses what could do harm: control characters, unsafe links, texts above the size limit. Every other
//! value is stored as it was sent, with a [`Finding`] that has the parsed value and the reason why somebody should look
//! at it (`docs/decisions/0020-unusual-values-are-accepted.md`).

use festival_core::entity::{Datum, Field, Kind, Record, too_long};
use festival_core::text::{self, Cleaning};
use festival_core::upload::Accepts;
use festival_core::{Error, FieldError, Result};

use super::received::ReceivedForm;
use crate::description::{FILM_FORMS, Form, FormChoice, all_choices, extra_fields, texts};
use crate::findings::Finding;
use crate::parse::{self, NumberKind, Parsed, quoted};
use crate::settings::ConsentBy;
use crate::word_count::word_count;

/// A form that passed validation.
pub(super) struct ValidForm {
    /// The values in the order of the entity's columns.
    pub(super) record: Record,
    /// The fields with more words than allowed.
    pub(super) over_long: Vec<&'static str>,
    /// Notes about single values, in the order of the form.
    pub(super) findings: Vec<Finding>,
    /// Whether the sender agreed to the consent notice.
    pub(super) has_consent: bool,
}

impl ReceivedForm<'_> {
    /// Validates values and files. `form` has the choices that are offered; without it, those of every form with this
    /// entity are.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every error: missing fields in the order of the form, then invalid ones.
    pub(super) fn validate(&self, form: Option<&'static Form>) -> Result<ValidForm> {
        let mut missing = Vec::new();
        let mut invalid = Vec::new();
        let mut record = Record::new();
        let mut findings = Vec::new();
        let mut over_long = Vec::new();
        for field in self.kind.entity.fields {
            if !field.has_column() {
                if field.required && !self.files.contains_key(field.name) {
                    missing.push(FieldError::new(field.name, field.required_message()));
                }
                continue;
            }
            let value = match cleaned(field, self.values.get(field.name).map_or("", String::as_str)) {
                Ok(value) => value,
                Err(message) => {
                    invalid.push(FieldError::new(field.name, message));
                    continue;
                }
            };
            if value.is_empty() && field.required {
                missing.push(FieldError::new(field.name, field.required_message()));
                continue;
            }
            let count = word_count(&value);
            if field.max_words > 0 && count > field.max_words {
                over_long.push(field.name);
                if self.settings.hard_word_limits {
                    let message = texts::TOO_MANY_WORDS
                        .replace("{label}", field.label)
                        .replace("{count}", &count.to_string())
                        .replace("{limit}", &field.max_words.to_string());
                    invalid.push(FieldError::new(field.name, message));
                }
            }
            match self.parse(form, field, value) {
                Ok((datum, finding)) => {
                    record.push(datum);
                    findings.extend(finding);
                }
                Err(message) => invalid.push(FieldError::new(field.name, message)),
            }
        }
        let has_consent = is_yes(self.text(extra_fields::CONSENT));
        if self.settings.consent == ConsentBy::Tick && !has_consent {
            invalid.push(FieldError::new(extra_fields::CONSENT, texts::CONSENT_MISSING));
        }
        if missing.is_empty() && invalid.is_empty() {
            Ok(ValidForm { record, over_long, findings, has_consent })
        } else {
            Err(Error::Invalid(missing.into_iter().chain(invalid).collect()))
        }
    }

    /// Returns the stored value and the note about it.
    ///
    /// # Errors
    /// The message that says why the value is refused.
    fn parse(&self, form: Option<&Form>, field: &Field, value: String) -> Result<(Datum, Option<Finding>), String> {
        if value.is_empty() {
            return Ok((Datum::Text(value), None));
        }
        match field.kind {
            Kind::Integer { min, max } => {
                let kind = if field.name == "duration_minutes" { NumberKind::Minutes } else { NumberKind::Other };
                let mut parsed = parse::whole_number(&value, kind, (min, max));
                if field.name == "age" && parsed.value.parse().is_ok_and(|age: i64| (1..AGE_OF_CONSENT).contains(&age))
                {
                    // DPDP Act 2023, section 9.
                    let reasons = parsed.reason.into_iter().chain([texts::UNDER_AGE.to_owned()]);
                    parsed.reason = Some(reasons.collect::<Vec<_>>().join("; "));
                }
                Ok(number_datum(field, &value, parsed))
            }
            Kind::Year => {
                let now = self.site.clock.now().to_zoned(self.site.time_zone.clone());
                let parsed = parse::whole_number(&value, NumberKind::Year, (MIN_YEAR, i64::from(now.year()) + 1));
                Ok(number_datum(field, &value, parsed))
            }
            Kind::Choice(_) => Ok(choice(form, field, value)),
            Kind::Email => {
                let count = value.chars().count();
                match parse::email(&value) {
                    Some(parsed) => Ok(text_datum(field, value, parsed)),
                    None if field.max_characters().is_some_and(|max| count > max) => Err(too_long(count, 254)),
                    None => Err(texts::NOT_AN_EMAIL.to_owned()),
                }
            }
            Kind::Link if parse::is_unsafe_link(&value) => Err(texts::UNSAFE_LINK.to_owned()),
            Kind::Link => {
                let parsed = parse::link(&value);
                Ok(text_datum(field, value, parsed))
            }
            Kind::Phone => {
                let parsed = parse::telephone(&value);
                Ok(text_datum(field, value, parsed))
            }
            _ => Ok(text_datum(field, value, Parsed::default())),
        }
    }
}

/// Finds the choice for a value: by value or label in any case, or by a choice of another form.
fn choice(form: Option<&Form>, field: &Field, value: String) -> (Datum, Option<Finding>) {
    let offered = form.map_or_else(|| all_choices(field), |form| form.choices(field).unwrap_or_default());
    if let Some(choice) = find_choice(&offered, &value) {
        let sent = (choice.value != value).then_some(value);
        let finding = sent.map(|sent| Finding { field: field.name.to_owned(), sent: Some(sent), ..Finding::default() });
        return (Datum::Text(choice.value.to_owned()), finding);
    }
    let is_offered = |value: &str| offered.iter().any(|choice| choice.value == value);
    let elsewhere = find_choice(&choices_of_all_forms(field), &value).map(|choice| choice.value);
    let read = elsewhere.or_else(|| yes_or_no(&value)).filter(|value| is_offered(value));
    let Some(read) = read else {
        let labels: Vec<&str> = offered.iter().map(|choice| choice.label).collect();
        let stored = elsewhere.map_or_else(|| value.clone(), str::to_owned);
        let reason = format!("{} is none of: {}", quoted(&value), labels.join(", "));
        let sent = (stored != value).then_some(value);
        return (Datum::Text(stored), Some(Finding { sent, ..Finding::new(field.name, reason) }));
    };
    let reason = format!("{} is read as {read}", quoted(&value));
    (Datum::Text(read.to_owned()), Some(Finding { sent: Some(value), ..Finding::new(field.name, reason) }))
}

/// Age from which people consent for themselves, in years.
const AGE_OF_CONSENT: i64 = 18;
/// First usual year of production.
const MIN_YEAR: i64 = 1880;

/// Stores a text as it was sent; the parsed value becomes a finding if it differs.
fn text_datum(field: &Field, value: String, Parsed { value: read, reason }: Parsed) -> (Datum, Option<Finding>) {
    let mut reasons: Vec<String> = reason.into_iter().collect();
    let count = value.chars().count();
    if field.max_characters().is_some_and(|max| count > max) {
        reasons.push(format!("Text has {count} characters"));
    }
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    let read = Some(read).filter(|read| !read.is_empty() && *read != value);
    let finding = Finding { field: field.name.to_owned(), sent: None, read, reason };
    let is_needed = finding.read.is_some() || finding.reason.is_some();
    (Datum::Text(value), is_needed.then_some(finding))
}

/// Stores a parsed number; the text that was sent becomes a finding if it differs.
fn number_datum(field: &Field, value: &str, Parsed { value: read, reason }: Parsed) -> (Datum, Option<Finding>) {
    let datum = read.parse().map_or(Datum::Null, Datum::Integer);
    let sent = (read != value).then(|| value.to_owned());
    let finding = Finding { field: field.name.to_owned(), sent, read: None, reason };
    let is_needed = finding.sent.is_some() || finding.reason.is_some();
    (datum, is_needed.then_some(finding))
}

/// Returns the value without invisible characters, or the default of the field.
fn cleaned(field: &Field, value: &str) -> Result<String, String> {
    let value = text::clean(value, matches!(field.kind, Kind::Lines { .. }), Cleaning::Visible)
        .map_err(|c| format!("holds a control character (U+{:04X}); remove it", u32::from(c)))?;
    let largest = Accepts::default().max_text_bytes;
    if value.len() > largest {
        return Err(format!("{} must be shorter than {} KB", field.name, largest / 1024));
    }
    Ok(if value.is_empty() { field.default.to_owned() } else { value })
}

/// Finds a choice by its value or label.
fn find_choice(choices: &[FormChoice], value: &str) -> Option<FormChoice> {
    let folded = folded(value);
    let same = |text: &str| self::folded(text) == folded;
    let exact = choices.iter().find(|choice| choice.value == value);
    let by_value = || choices.iter().find(|choice| same(choice.value));
    let by_label = || choices.iter().find(|choice| same(choice.label));
    exact.or_else(by_value).or_else(by_label).filter(|_| !folded.is_empty()).copied()
}

/// Returns the choices of a field on every form, values of the field itself first.
fn choices_of_all_forms(field: &Field) -> Vec<FormChoice> {
    all_choices(field).into_iter().chain(FILM_FORMS.iter().filter_map(|form| form.choices(field)).flatten()).collect()
}

/// Returns the letters and digits of `text` in lower case with single spaces, for comparison.
pub(super) fn folded(text: &str) -> String {
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

/// Whether a checkbox was ticked, in the values that clients use.
fn is_yes(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "yes" | "true" | "on" | "1")
}
