//! The parts of a plan that people read: titles, values before and after, cells that cannot be used.

use super::outcome::Difference;
use super::planner::Planner;
use super::{CellError, ID, Row, cells};
use crate::editing::{self, Current, IS_PUBLISHED};
use crate::entity::{Datum, Field, Kind, Record};
use festival_base::error::FieldError;
use festival_base::text::shortened;
use festival_base::time_text;

impl Planner<'_> {
    /// The title of a row; of one without, that of the first row that it refers to.
    pub(super) fn title(&self, record: &Record) -> String {
        let entity = self.parser.import.entity;
        let has_title = entity.position(entity.title().name).is_some_and(|index| record[index] != Datum::Null);
        let reference = entity.columns().zip(record).find(|(field, datum)| {
            matches!(field.kind, Kind::Reference(_)) && matches!(datum, Datum::Integer(_) | Datum::Reference(_))
        });
        match reference.filter(|_| !has_title) {
            Some((field, datum)) => self.parser.names.name(field, datum),
            None => editing::title_of(entity, record),
        }
    }

    /// What people recognise a row by besides its title: the other parts of its key, and when it is.
    pub(super) fn details(&self, text: impl Fn(&Field) -> String) -> String {
        let entity = self.parser.import.entity;
        let title = entity.title().name;
        let is_moment = |field: &&Field| matches!(field.kind, Kind::DateTime) && field.required;
        let of_key = entity.key.iter().filter(|name| **name != title).filter_map(|name| entity.field(name));
        let parts = of_key.chain(entity.columns().filter(is_moment)).map(text);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// The same for a record.
    pub(super) fn record_details(&self, record: &Record) -> String {
        self.details(|field| match self.parser.import.entity.position(field.name).and_then(|index| record.get(index)) {
            Some(datum) => self.display(field, datum),
            None => String::new(),
        })
    }

    /// A value for people.
    pub(super) fn display(&self, field: &Field, datum: &Datum) -> String {
        match (field.kind, datum) {
            (Kind::Reference(_), Datum::Integer(_) | Datum::Reference(_)) => self.parser.names.name(field, datum),
            // People know a file by the name that it came with, not by its key.
            (Kind::Image | Kind::Document | Kind::Video, Datum::Text(key))
                if let Some(name) = self.parser.import.options.files.get(key) =>
            {
                name.clone()
            }
            _ => field.display(datum, &self.parser.import.records.time_zone),
        }
    }

    /// The future value of a field, for people; a row that is to be published later has a time instead of "no".
    fn display_at(&self, field: &Field, datum: &Datum, publish_at: Option<&str>) -> String {
        match publish_at {
            Some(at) if field.name == IS_PUBLISHED => time_text::short(at, &self.parser.import.records.time_zone),
            _ => self.display(field, datum),
        }
    }

    pub(super) fn differences(&self, before: &Current, record: &Record, publish_at: Option<&str>) -> Vec<Difference> {
        let pairs = self.parser.import.entity.columns().zip(before.record.iter().zip(record));
        pairs
            .map(|(field, (old, new))| Difference {
                label: field.label,
                before: self.display_at(field, old, before.publish_at.as_deref()),
                after: self.display_at(field, new, publish_at),
            })
            .zip(before.record.iter().zip(record))
            .filter(|(difference, (old, new))| old != new || difference.before != difference.after)
            .map(|(difference, _)| difference)
            .collect()
    }

    /// The values of a new row besides its title and key, as read from the table.
    pub(super) fn values(&self, row: &Row, record: &Record, publish_at: Option<&str>) -> Vec<Difference> {
        let entity = self.parser.import.entity;
        let is_described = |field: &Field| {
            let is_name = field.name == entity.title().name || entity.key.contains(&field.name);
            !is_name && !row.values[field.name].trim().is_empty()
        };
        let given = entity.columns().zip(record).filter(|(field, _)| is_described(field));
        given
            .map(|(field, datum)| Difference {
                label: field.label,
                before: String::new(),
                after: shortened(&self.display_at(field, datum, publish_at)),
            })
            .collect()
    }

    /// Converts the errors of fields to errors of cells.
    pub(super) fn cell_errors(&self, row: &Row, wrong: Vec<FieldError>) -> Vec<CellError> {
        let cell = |wrong: FieldError| {
            let field = self.parser.import.entity.field(&wrong.field);
            let value = match (&*wrong.field, row.id) {
                (ID, Some(id)) => id.to_string(),
                (name, _) => row.values[name].to_owned(),
            };
            let text = festival_base::text::trim(&value);
            let read = field.map_or(text.into(), |field| self.parser.canonical(field, text));
            let header = self.parser.headers.get(&*wrong.field).cloned();
            let header = header.unwrap_or_else(|| field.map_or(wrong.field.clone(), |field| field.label.to_owned()));
            let expected = match field {
                Some(_) if text.is_empty() => "a value: it must be filled".to_owned(),
                Some(field) if field.name == IS_PUBLISHED => {
                    format!("{}, or the time of publication like 2025-10-24T18:00", field.expectation())
                }
                Some(field) if wrong.message == field.invalid_message(&read) => cells::expectation(field),
                _ => wrong.message,
            };
            CellError { line: row.line, header, value: shortened(text), expected }
        };
        wrong.into_iter().map(cell).collect()
    }
}
