//! Parses the texts of a row by the rules of its entity.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;

use super::dates::{Dates, Orders};
use super::names::Names;
use super::{EmptyCells, Import, ParsedSheet, Row, RowMatch, cells};
use crate::editing::{self, IS_PUBLISHED};
use crate::entity::{Datum, Field, Record};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, FieldError, Result};

/// The values of a row, parsed.
#[derive(Default)]
pub(super) struct Parsed {
    /// Each with its index in a record.
    pub(super) values: Vec<(usize, Datum)>,
    /// When the row is to be published, as stored; `None`: the row does not say.
    pub(super) publish_at: Option<Option<String>>,
    /// What is wrong with the values that count as empty.
    pub(super) blanked: Vec<FieldError>,
}

/// Parses rows: the same row always to the same values.
pub(super) struct RowParser<'a> {
    pub(super) import: &'a Import<'a>,
    pub(super) names: Names,
    /// Headers of the columns in the table, by field.
    pub(super) headers: BTreeMap<&'static str, String>,
    /// When the import began, as stored: what is to be published later is scheduled.
    now: String,
    /// The day to which days without a year are near.
    near: Date,
    orders: Orders,
}

impl<'a> RowParser<'a> {
    pub(super) fn new(import: &'a Import<'a>, names: Names, sheet: &ParsedSheet) -> Self {
        let headers = sheet.columns.iter().filter_map(|column| Some((column.field?, column.header.clone()))).collect();
        let now = timestamp_text(import.records.clock.now());
        let (near, _) = import.options.days(import.records);
        Self { import, names, headers, now, near, orders: sheet.orders.clone() }
    }

    /// The text of a cell in the form that `field` parses.
    pub(super) fn canonical<'c>(&self, field: &Field, cell: &'c str) -> Cow<'c, str> {
        let order = self.orders.get(field.name).copied().unwrap_or_default();
        cells::canonical(field, cell, &Dates { near: self.near, order })
    }

    /// The record of a new row at this position, unless the row says another one, and the rest of what was parsed.
    pub(super) fn new_record(
        &self,
        row: &Row,
        known: Option<&RowMatch>,
        position: i64,
    ) -> Result<(Record, Option<String>, Vec<FieldError>)> {
        // A new row has a value for every field, an empty one if need be.
        let Parsed { values, publish_at, blanked } = self.parse(row, known, true)?;
        let mut record: Record = values.into_iter().map(|(_, datum)| datum).collect();
        if let (Some(index), false) = (self.import.entity.position("position"), has_position(row)) {
            record[index] = Datum::Integer(position);
        }
        Ok((record, publish_at.flatten(), blanked))
    }

    /// Parses the values of a row: of every field if `all`, else of those that it changes.
    pub(super) fn parse(&self, row: &Row, known: Option<&RowMatch>, all: bool) -> Result<Parsed> {
        let mut parsed = Parsed::default();
        let mut wrong = Vec::new();
        let zone = &self.import.records.time_zone;
        for (index, field) in self.import.entity.columns().enumerate() {
            let decided = known.and_then(|known| known.value(field.name));
            let Some(text) = decided.or_else(|| self.text(row, field, all)) else { continue };
            let text = &*self.canonical(field, text);
            if field.name == IS_PUBLISHED {
                let publish_at = self.publish_at(text);
                parsed.publish_at = Some(publish_at.clone());
                if publish_at.is_some() {
                    parsed.values.push((index, Datum::Integer(0)));
                    continue;
                }
            }
            let datum = field.parse(text, zone).and_then(|datum| match &datum {
                Datum::Reference(key) if decided.is_some() => self.names.find_key(field, key),
                _ => self.resolve(field, datum),
            });
            match datum {
                Ok(datum) => parsed.values.push((index, datum)),
                Err(message) if self.import.options.blank_invalid && !field.required => {
                    parsed.blanked.push(FieldError::new(field.name, message));
                    // Nobody knows when it may be published: it stays a draft.
                    if field.name == IS_PUBLISHED {
                        parsed.values.push((index, Datum::Integer(0)));
                    } else if all {
                        parsed.values.push((index, field.parse("", zone).unwrap_or(Datum::Null)));
                    }
                }
                Err(message) => wrong.push(FieldError::new(field.name, message)),
            }
        }
        if wrong.is_empty() { Ok(parsed) } else { Err(Error::Invalid(wrong)) }
    }

    /// The row that a reference names; any other value as it is.
    fn resolve(&self, field: &Field, datum: Datum) -> Result<Datum, String> {
        match &datum {
            Datum::Reference(name) => self.names.find(field, name),
            _ => Ok(datum),
        }
    }

    /// The key of a row; `None` if a part of it is missing or wrong.
    pub(super) fn key(&self, row: &Row) -> Option<Vec<Datum>> {
        let part = |name: &&str| {
            let field = self.import.entity.field(name)?;
            let text = self.canonical(field, &row.values[*name]);
            let datum = field.parse(&text, &self.import.records.time_zone).ok()?;
            self.resolve(field, datum).ok().filter(|datum| *datum != Datum::Null)
        };
        self.import.entity.key.iter().map(part).collect()
    }

    /// The text of a row for a field; `None` if it has none, so that a stored value stays.
    fn text<'r>(&self, row: &'r Row, field: &Field, all: bool) -> Option<&'r str> {
        let options = self.import.options;
        let text = row.values.get(field.name);
        let filled = text.filter(|text| !text.trim().is_empty());
        if filled.is_some() {
            return filled;
        }
        if all {
            return Some(match options.publish_new {
                Some(publish) if field.name == IS_PUBLISHED => {
                    if publish {
                        "yes"
                    } else {
                        "no"
                    }
                }
                _ => "",
            });
        }
        let clears = match options.empty_cells {
            Some(EmptyCells::Keep) => false,
            Some(EmptyCells::Clear) => self.headers.contains_key(field.name) && !field.required,
            None => text.is_some(),
        };
        // An empty cell neither publishes a draft nor moves a row.
        (clears && field.default.is_empty()).then_some("")
    }

    /// When a row is to be published, as stored, if `text` is a time to come.
    fn publish_at(&self, text: &str) -> Option<String> {
        let parsed = editing::PUBLISH_AT.parse(text, &self.import.records.time_zone);
        let Ok(Datum::Text(at)) = parsed else { return None };
        (at > self.now).then_some(at)
    }
}

/// Whether a row says its position.
pub(super) fn has_position(row: &Row) -> bool {
    !row.values["position"].trim().is_empty()
}
