//! The rules of a form, asked on the server again: what is missing in the form's order, then what does not fit.

use std::collections::BTreeMap;

use festival_core::entity::{Datum, Entity, Kind, Record, Values, too_long, trim};
use festival_core::upload::StagedFile;
use festival_core::{Error, FieldError, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::description::{Choice, Form, beside, texts};
use crate::settings::FormsSettings;
use crate::words;

/// A form that passed all rules.
pub(crate) struct Checked {
    /// The values in the order of the entity's columns.
    pub(crate) record: Record,
    /// The fields with more words than asked for.
    pub(crate) over_long: Vec<&'static str>,
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
    pub(crate) fn check(&self, sent: &Values, files: &BTreeMap<&'static str, StagedFile>) -> Result<Checked> {
        let own: Values = self
            .entity
            .columns()
            .filter_map(|field| Some((field.name.to_owned(), self.value_sent(field.name, sent.get(field.name)?))))
            .collect();
        let missing: Vec<FieldError> = self
            .entity
            .fields
            .iter()
            .filter(|field| field.required && field.default.is_empty())
            .filter(|field| match field.kind {
                Kind::File { .. } => !files.contains_key(field.name),
                _ => own.get(field.name).is_none_or(|text| trim(text).is_empty()),
            })
            .map(|field| FieldError::new(field.name, field.missing()))
            .collect();
        let parsed = self.entity.parse(&own, self.zone);
        let mut wrong = match &parsed {
            Ok(record) => self.check_values(record),
            Err(errors) => errors
                .iter()
                .filter(|error| missing.iter().all(|missing| missing.field != error.field))
                .map(|error| FieldError::new(&error.field, self.in_own_words(error, &own)))
                .collect(),
        };
        let over_long = self.over_long(&own);
        if self.settings.hard_word_limits {
            wrong.extend(over_long.iter().map(|(name, words, limit)| {
                FieldError::new(*name, texts::too_many_words(self.label(name), *words, *limit))
            }));
        }
        let consent = sent.get(beside::CONSENT).is_some_and(|text| is_yes(text));
        if self.settings.require_consent && !consent {
            wrong.push(FieldError::new(beside::CONSENT, texts::CONSENT_MISSING));
        }
        match parsed {
            Ok(record) if missing.is_empty() && wrong.is_empty() => {
                Ok(Checked { record, over_long: over_long.into_iter().map(|(name, _, _)| name).collect(), consent })
            }
            _ => Err(Error::Invalid(missing.into_iter().chain(wrong).collect())),
        }
    }

    /// A form's own labels are understood beside what is sent for them.
    fn value_sent(&self, name: &str, text: &str) -> String {
        let typed = trim(text);
        let choices = self.choices(name);
        match choices.iter().find(|choice| choice.value == typed) {
            Some(_) => typed.to_owned(),
            None => choices
                .iter()
                .find(|choice| choice.label.eq_ignore_ascii_case(typed))
                .map_or_else(|| text.to_owned(), |choice| choice.value.to_owned()),
        }
    }

    fn choices(&self, name: &str) -> Vec<Choice> {
        let field = self.entity.field(name);
        self.form.zip(field).and_then(|(form, field)| form.choices(field)).unwrap_or_default()
    }

    /// What types cannot say: the choices of this form, years that have not come.
    fn check_values(&self, record: &Record) -> Vec<FieldError> {
        let next_year = i64::from(self.now.to_zoned(self.zone.clone()).year()) + 1;
        let mut errors = Vec::new();
        for (field, datum) in self.entity.columns().zip(record) {
            match (field.kind, datum) {
                (Kind::Choice(_), Datum::Text(value)) => {
                    let choices = self.choices(field.name);
                    if let Some(form) = self.form
                        && choices.iter().all(|choice| choice.value != value)
                    {
                        errors.push(FieldError::new(field.name, form.wrong(field, value)));
                    }
                }
                (Kind::Year, Datum::Integer(year)) if *year > next_year => {
                    errors.push(FieldError::new(field.name, field.wrong(&year.to_string())));
                }
                _ => {}
            }
        }
        errors
    }

    fn in_own_words(&self, error: &FieldError, own: &Values) -> String {
        let Some(field) = self.entity.field(&error.field) else { return error.message.clone() };
        let text = own.get(field.name).map_or("", |text| trim(text));
        let count = text.chars().count();
        match (field.kind, self.form, field.max_characters()) {
            (Kind::Choice(_), Some(form), _) => form.wrong(field, text),
            // The value itself is long: say how long, not what.
            (Kind::Email | Kind::Link, _, Some(max)) if count > max => too_long(count, max),
            (_, _, _) if count > 100 && error.message.contains(text) => {
                field.wrong(&text.chars().take(60).chain(['…']).collect::<String>())
            }
            _ => error.message.clone(),
        }
    }

    fn over_long(&self, own: &Values) -> Vec<(&'static str, usize, usize)> {
        self.entity
            .columns()
            .filter(|field| field.words > 0)
            .map(|field| (field.name, own.get(field.name).map_or(0, |text| words::count(text)), field.words))
            .filter(|(_, words, limit)| words > limit)
            .collect()
    }

    fn label(&self, name: &str) -> &'static str {
        self.entity.field(name).map_or("", |field| field.label)
    }
}

/// Whether a box was ticked, in the words that clients use.
pub(crate) fn is_yes(text: &str) -> bool {
    matches!(trim(text).to_ascii_lowercase().as_str(), "yes" | "true" | "on" | "1")
}
