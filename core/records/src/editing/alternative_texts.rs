//! The alternative texts of a row's pictures. They are stored by picture, but edited with the row, so they are part of
//! its version, its history and what is restored.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use super::Current;
use crate::alternative_texts as stored;
use crate::entity::{Datum, Entity, Field, Kind, Record, Values};
use festival_base::error::Result;

/// The alternative text of each picture of a row, by field; "" for a picture without one.
pub type AlternativeTexts = BTreeMap<&'static str, String>;

/// The fields of `entity` that contain pictures.
pub fn pictures(entity: &Entity) -> impl Iterator<Item = &'static Field> + use<> {
    entity.fields.iter().filter(|field| matches!(field.kind, Kind::Image))
}

/// The key of the picture in a field of a row.
fn picture_key<'a>(entity: &Entity, record: &'a Record, field: &Field) -> Option<&'a str> {
    match record.get(entity.position(field.name)?) {
        Some(Datum::Text(key)) => Some(key),
        _ => None,
    }
}

/// The alternative texts of the pictures of `record`.
pub(crate) async fn load(connection: &mut AnyConnection, entity: &Entity, record: &Record) -> Result<AlternativeTexts> {
    let mut texts = AlternativeTexts::new();
    for field in pictures(entity) {
        if let Some(key) = picture_key(entity, record, field) {
            texts.insert(field.name, stored::find(connection, key).await?);
        }
    }
    Ok(texts)
}

/// Splits the values of a form into fields and alternative texts: `image_alt` is the text of the picture `image`.
pub(super) fn split(entity: &Entity, values: &Values) -> (Values, AlternativeTexts) {
    let mut values = values.clone();
    let texts = pictures(entity)
        .filter_map(|field| Some((field.name, values.remove(&stored::field_name(field.name))?)))
        .collect();
    (values, texts)
}

/// Stores `new_texts` for the pictures of `record`, and returns the texts of all its pictures. `current` is the row
/// that they were written for.
pub(super) async fn store(
    connection: &mut AnyConnection,
    entity: &Entity,
    current: Option<&Current>,
    record: &Record,
    new_texts: &AlternativeTexts,
) -> Result<AlternativeTexts> {
    for field in pictures(entity) {
        let (Some(key), Some(text)) = (picture_key(entity, record, field), new_texts.get(field.name)) else { continue };
        let same_picture = current.filter(|current| picture_key(entity, &current.record, field) == Some(key));
        let expected = match same_picture.and_then(|current| current.alternative_texts.get(field.name)) {
            Some(text) => text.clone(),
            None => stored::find(connection, key).await?,
        };
        stored::store(connection, key, &expected, text).await?;
    }
    load(connection, entity, record).await
}
