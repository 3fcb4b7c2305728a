//! Titles of rows.

use jiff::tz::TimeZone;

use crate::entity::{Datum, Entity, Field, Kind, Record};

/// The title of a row: the value of [`Entity::title`], or else the entity's name.
pub fn title_of(entity: &Entity, record: &Record) -> String {
    // A reference is a number here, which tells people nothing.
    let is_title = |field: &Field| field.name == entity.title().name && !matches!(field.kind, Kind::Reference(_));
    let title = entity.columns().zip(record).find(|(field, datum)| is_title(field) && **datum != Datum::Null);
    title.map_or_else(|| entity.singular.to_owned(), |(field, datum)| field.print(datum, &TimeZone::UTC))
}
