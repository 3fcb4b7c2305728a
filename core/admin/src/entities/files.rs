//! File fields of a form: accepted uploads, and the hidden fields for stored files.

use super::plan;
use crate::back_office::Screen;
use festival_files::upload::Accepts;
use festival_records::entity::{Entity, Field};

/// Maximum size of a text in a form with files, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// Names of the fields of the form itself.
const FORM_FIELDS: [&str; 5] = ["csrf", "version", "edition", "then", plan::PUBLISH_AT];

/// Returns the name of the hidden field with the key of a file that is already stored.
pub(super) fn stored_key_field(field: &Field) -> String {
    format!("kept_{}", field.name)
}

/// Returns the name of the checkbox that removes a file.
pub(super) fn removal_field(field: &Field) -> String {
    format!("remove_{}", field.name)
}

/// Returns the file fields of an entity.
pub(super) fn of(entity: &Entity) -> impl Iterator<Item = &'static Field> {
    entity.columns().filter(|field| field.public_file().is_some())
}

/// Makes `screen` accept the form of an entity.
pub(super) fn accepting_form(screen: Screen, entity: &'static Entity) -> Screen {
    if of(entity).next().is_none() {
        return screen.with_long_texts();
    }
    let mut accepts = Accepts { max_text_bytes: MAX_TEXT_BYTES, tolerate_errors: true, ..Accepts::default() };
    accepts.texts.extend(FORM_FIELDS.iter().skip(1).map(|name| (*name).to_owned()));
    for field in entity.columns() {
        let Some(file) = field.public_file() else {
            accepts.texts.push(field.name.to_owned());
            continue;
        };
        accepts.files.push(file);
        accepts.texts.extend([stored_key_field(field), removal_field(field)]);
    }
    screen.accepts(accepts)
}
