//! The alternative text of the picture in a field: an input next to the picture, stored with the picture.

use super::files;
use crate::input::Input;
use crate::request::AdminRequest;
use festival_base::error::Result;
use festival_records::alternative_texts::{self as stored, MAX_CHARS};
use festival_records::editing::{Current, pictures};
use festival_records::entity::{Entity, Field, Values};

/// Returns the name of the alternative text of `field`, in forms and among the values of a row.
pub(super) fn name(field: &Field) -> String {
    stored::field_name(field.name)
}

/// Returns the label of the alternative text of `field`.
pub(super) fn label(field: &Field) -> String {
    format!("{}: alternative text", field.label)
}

/// Returns the input for the alternative text of `field`.
pub(super) fn input(field: &Field, text: &str) -> Input {
    let mut input = Input::text(name(field), label(field)).value(text);
    input.hint = "Describe the picture for people who cannot see it. Leave it empty if the page already says the same."
        .to_owned();
    input.max = MAX_CHARS;
    input
}

/// Adds the stored alternative texts to the values of a row.
pub(super) fn add_stored(entity: &Entity, current: &Current, values: &mut Values) {
    for field in pictures(entity) {
        values.insert(name(field), current.alternative_texts.get(field.name).cloned().unwrap_or_default());
    }
}

/// Adds the submitted alternative texts to the submitted values.
pub(super) fn add_submitted(request: &AdminRequest, entity: &Entity, values: &mut Values) {
    for name in pictures(entity).map(name).filter(|name| request.form.has(name)) {
        let line = stored::normalise(request.form.get(&name));
        values.insert(name, line);
    }
}

/// Removes alternative texts of missing pictures, and texts that still describe a picture that was replaced.
pub(super) async fn remove_outdated(request: &AdminRequest, entity: &Entity, values: &mut Values) -> Result<()> {
    let mut connection = request.read().await?;
    for field in pictures(entity) {
        let key = values.get(field.name).cloned().unwrap_or_default();
        let text = values.get(&name(field)).cloned().unwrap_or_default();
        let previous_key = request.form.get(&files::stored_key_field(field));
        let is_outdated =
            previous_key != key && (text.is_empty() || text == stored::find(&mut connection, previous_key).await?);
        if key.is_empty() || is_outdated {
            values.remove(&name(field));
        }
    }
    Ok(())
}
