//! The alternative text of the picture in a field: a line beside the picture, stored with the picture.

use super::files;
use crate::input::Input;
use crate::request::AdminRequest;
use festival_base::error::Result;
use festival_records::alternative_texts::{self as stored, MAX_CHARS};
use festival_records::editing::{Current, pictures};
use festival_records::entity::{Entity, Field, Values};

/// The name of the line beside `field`, in forms and among the values of a row.
pub(super) fn name(field: &Field) -> String {
    stored::field_name(field.name)
}

/// What the line beside `field` is called.
pub(super) fn label(field: &Field) -> String {
    format!("{}: what is to be seen?", field.label)
}

/// The line beside `field`, with `words` in it.
pub(super) fn input(field: &Field, words: &str) -> Input {
    let mut input = Input::text(name(field), label(field)).value(words);
    input.hint = "A sentence for those who do not see it. Empty where the words on the page say the same.".to_owned();
    input.max = MAX_CHARS;
    input
}

/// Adds to the values of a row what is said of its pictures.
pub(super) fn show(entity: &Entity, current: &Current, values: &mut Values) {
    for field in pictures(entity) {
        values.insert(name(field), current.alternative_texts.get(field.name).cloned().unwrap_or_default());
    }
}

/// Adds to what was typed what was typed of pictures.
pub(super) fn typed(request: &AdminRequest, entity: &Entity, values: &mut Values) {
    for name in pictures(entity).map(name).filter(|name| request.form.has(name)) {
        let line = stored::normalise(request.form.get(&name));
        values.insert(name, line);
    }
}

/// Takes out of the values what says nothing of the picture that it stands beside.
pub(super) async fn read(request: &AdminRequest, entity: &Entity, values: &mut Values) -> Result<()> {
    let mut connection = request.read().await?;
    for field in pictures(entity) {
        let key = values.get(field.name).cloned().unwrap_or_default();
        let words = values.get(&name(field)).cloned().unwrap_or_default();
        // Beside another picture, what stood there before says nothing of this one.
        let shown = request.form.get(&files::kept(field));
        let left = shown != key && (words.is_empty() || words == stored::find(&mut connection, shown).await?);
        if key.is_empty() || left {
            values.remove(&name(field));
        }
    }
    Ok(())
}
