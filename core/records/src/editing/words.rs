//! What is said of the pictures of a row. It belongs to the pictures, but whoever edits the row reads and writes it
//! there: so it is part of what is seen, compared, kept in the history and put back.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use super::Current;
use crate::entity::{Datum, Entity, Field, Kind, Record, Values};
use crate::picture_words;
use festival_base::error::Result;

/// What is said of each picture, by its field; "" where nothing is said.
pub type Words = BTreeMap<&'static str, String>;

/// The fields that hold pictures.
pub fn pictures(entity: &Entity) -> impl Iterator<Item = &'static Field> + use<> {
    entity.fields.iter().filter(|field| matches!(field.kind, Kind::Image))
}

/// The picture in a field of a row.
fn picture<'a>(entity: &Entity, record: &'a Record, field: &Field) -> Option<&'a str> {
    match record.get(entity.position(field.name)?) {
        Some(Datum::Text(key)) => Some(key),
        _ => None,
    }
}

/// What is said of the pictures that a row has.
pub(crate) async fn of(connection: &mut AnyConnection, entity: &Entity, record: &Record) -> Result<Words> {
    let mut words = Words::new();
    for field in pictures(entity) {
        if let Some(key) = picture(entity, record, field) {
            words.insert(field.name, picture_words::find(connection, key).await?);
        }
    }
    Ok(words)
}

/// Takes the words out of what a form says: `image_alt` are those of the picture `image`.
pub(super) fn take(entity: &Entity, values: &Values) -> (Values, Words) {
    let mut values = values.clone();
    let said = pictures(entity)
        .filter_map(|field| Some((field.name, values.remove(&picture_words::name(field.name))?)))
        .collect();
    (values, said)
}

/// Keeps the words that are `said` of the pictures of `record`; `current` is what the row was when they were. Answers
/// the words of all its pictures.
pub(super) async fn keep(
    connection: &mut AnyConnection,
    entity: &Entity,
    current: Option<&Current>,
    record: &Record,
    said: &Words,
) -> Result<Words> {
    for field in pictures(entity) {
        let (Some(key), Some(words)) = (picture(entity, record, field), said.get(field.name)) else { continue };
        let same = current.filter(|current| picture(entity, &current.record, field) == Some(key));
        let seen = match same.and_then(|current| current.words.get(field.name)) {
            Some(words) => words.clone(),
            None => picture_words::find(connection, key).await?,
        };
        picture_words::keep(connection, key, &seen, words).await?;
    }
    of(connection, entity, record).await
}
