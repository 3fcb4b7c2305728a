//! The alternative texts of stored pictures, wherever they are: in the rows that show a picture, and in the library of
//! pictures for formatted texts.

use std::collections::BTreeMap;

use sqlx::AnyConnection;

use crate::Records;
use crate::editing::{self, Action, Editor};
use crate::entity::{Datum, Entity, Field, Values, table};
use festival_base::error::{Error, FieldError, Result};

/// A picture that was described before any row shows it. Its text is suggested where the picture is chosen.
pub const LIBRARY_PICTURE: Entity = Entity {
    table: "pictures",
    singular: "picture",
    plural: "pictures",
    fields: &[Field::image("image", "Picture").required(), ALT],
    key: &["image"],
    per_edition: false,
};

/// The alternative text of a [`LIBRARY_PICTURE`].
pub const ALT: Field = Field::alt("image_alt", "Describe the picture (alternative text)");

/// A row that has a picture.
struct Usage {
    entity: &'static Entity,
    /// The alternative text's field.
    field: &'static Field,
    id: i64,
    alt: Datum,
}

/// The rows that have one of these pictures, by its key; those of the library come last.
async fn usages(
    records: &Records,
    connection: &mut AnyConnection,
    keys: &[String],
) -> Result<BTreeMap<String, Vec<Usage>>> {
    let mut usages: BTreeMap<String, Vec<Usage>> = BTreeMap::new();
    for entity in records.entities().chain([&LIBRARY_PICTURE]) {
        for field in entity.columns() {
            let Some(picture) = field.picture().and_then(|name| entity.field(name)) else { continue };
            for (id, key, alt) in table::find_texts(connection, entity, (picture, keys), field).await? {
                usages.entry(key).or_default().push(Usage { entity, field, id, alt });
            }
        }
    }
    Ok(usages)
}

/// The text of a picture with these usages: the first one that somebody wrote; "" if nobody did.
fn text_of(usages: &[Usage]) -> &str {
    let mut texts = usages.iter().filter_map(|usage| match &usage.alt {
        Datum::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.next().unwrap_or_default()
}

/// The alternative texts of the pictures with these keys; a picture without one is missing.
///
/// # Errors
/// If the database cannot be read.
pub async fn texts(
    records: &Records,
    connection: &mut AnyConnection,
    keys: &[String],
) -> Result<BTreeMap<String, String>> {
    let usages = usages(records, connection, keys).await?;
    Ok(usages.into_iter().map(|(key, usages)| (key, text_of(&usages).to_owned())).collect())
}

/// Replaces the alternative text `seen` of a picture by `text` in every row that has it; a row with a text of its own
/// keeps that. A picture that no row has is added to the library. Returns whether anything changed.
///
/// # Errors
/// [`Error::Conflict`] if the picture has another text than `seen` by now, [`Error::Invalid`] if `text` is too long.
pub async fn describe(
    records: &Records,
    connection: &mut AnyConnection,
    key: &str,
    (seen, text): (&str, &str),
    editor: &Editor,
) -> Result<bool> {
    let alt = ALT.parse(text, &records.time_zone);
    let alt = alt.map_err(|message| Error::Invalid(vec![FieldError::new(ALT.name, message)]))?;
    let text = ALT.print(&alt, &records.time_zone);
    if text == seen {
        return Ok(false);
    }
    // Two editors who describe one picture for the first time do not both add it.
    table::lock_tables(connection, records.db.backend(), &[&LIBRARY_PICTURE]).await?;
    let usages = usages(records, connection, &[key.to_owned()]).await?.remove(key).unwrap_or_default();
    let stored = text_of(&usages);
    if text == stored {
        return Ok(false);
    }
    if stored != seen {
        return Err(Error::Conflict(match stored {
            "" => "Somebody else has deleted the alternative text of this picture.".to_owned(),
            stored => format!("Somebody else has changed the alternative text of this picture to “{stored}”."),
        }));
    }
    if usages.is_empty() {
        let values = Values::from([("image".to_owned(), key.to_owned()), (ALT.name.to_owned(), text)]);
        editing::create(records, connection, &LIBRARY_PICTURE, None, &values, editor).await?;
        return Ok(true);
    }
    let has_seen =
        |alt: &Datum| matches!(alt, Datum::Text(text) if text == seen) || (*alt == Datum::Null && seen.is_empty());
    for Usage { entity, field, id, .. } in usages.into_iter().filter(|usage| has_seen(&usage.alt)) {
        let current = editing::find_to_write(connection, entity, id).await?;
        let index = entity.position(field.name).unwrap_or_default();
        // Only if nobody changed the row between reading and locking it.
        if current.is_some_and(|current| has_seen(&current.record[index])) {
            let change = (id, field, alt.clone());
            editing::set_field(records, connection, entity, change, (Action::Changed, editor)).await?;
        }
    }
    Ok(true)
}
