//! The alternative texts of the pictures of a row. They belong to the pictures, but whoever edits the row reads and writes it
//! there: so it is part of what is seen, compared, kept in the history and put back.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use super::Current;
use crate::alternative_texts as stored;
use crate::entity::{Datum, Entity, Field, Kind, Record, Values};
use festival_base::error::Result;

/// The alternative text of each picture, by its field; "" where there is none.
pub type AlternativeTexts = BTreeMap<&'static str, String>;

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

/// The alternative texts of the pictures that a row has.
pub(crate) async fn of(connection: &mut AnyConnection, entity: &Entity, record: &Record) -> Result<AlternativeTexts> {
    let mut texts = AlternativeTexts::new();
    for field in pictures(entity) {
        if let Some(key) = picture(entity, record, field) {
            texts.insert(field.name, stored::find(connection, key).await?);
        }
    }
    Ok(texts)
}

/// Separates the alternative texts from the values of a form: `image_alt` is that of the picture `image`.
pub(super) fn separate(entity: &Entity, values: &Values) -> (Values, AlternativeTexts) {
    let mut values = values.clone();
    let given =
        pictures(entity).filter_map(|field| Some((field.name, values.remove(&stored::name(field.name))?))).collect();
    (values, given)
}

/// Stores the texts that are `given` for the pictures of `record`; `current` is what the row was when they were. Answers
/// the texts of all its pictures.
pub(super) async fn keep(
    connection: &mut AnyConnection,
    entity: &Entity,
    current: Option<&Current>,
    record: &Record,
    given: &AlternativeTexts,
) -> Result<AlternativeTexts> {
    for field in pictures(entity) {
        let (Some(key), Some(texts)) = (picture(entity, record, field), given.get(field.name)) else { continue };
        let same = current.filter(|current| picture(entity, &current.record, field) == Some(key));
        let seen = match same.and_then(|current| current.alternative_texts.get(field.name)) {
            Some(texts) => texts.clone(),
            None => stored::find(connection, key).await?,
        };
        stored::keep(connection, key, &seen, texts).await?;
    }
    of(connection, entity, record).await
}
