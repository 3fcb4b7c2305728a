//! What is to be seen on the picture of a field: a line beside the picture, kept with the picture.

use sqlx::AnyConnection;

use super::files;
use crate::admin::input::Input;
use crate::admin::visit::Visit;
use crate::entity::{Entity, Field, Kind, Values};
use crate::error::Result;
use crate::picture_words::{self, LONGEST};

/// The name of the line beside `field`.
pub(super) fn name(field: &Field) -> String {
    format!("words_{}", field.name)
}

/// The line beside `field`, whose picture is `key`.
pub(super) async fn input(visit: &Visit, connection: &mut AnyConnection, field: &Field, key: &str) -> Result<Input> {
    let name = name(field);
    let words = match visit.form.has(&name) {
        true => visit.form.get(&name).to_owned(),
        false if key.is_empty() => String::new(),
        false => picture_words::find(connection, key).await?,
    };
    let label = format!("{}: what is to be seen?", field.label);
    let mut input = Input::text(name, label).value(words);
    input.hint = "A sentence for those who do not see it. Empty where the words on the page say the same.".to_owned();
    input.max = LONGEST;
    Ok(input)
}

/// Keeps what a form says of its pictures. Answers whether that changed anything.
pub(super) async fn keep(
    visit: &Visit,
    connection: &mut AnyConnection,
    entity: &Entity,
    values: &Values,
) -> Result<bool> {
    let mut changed = false;
    for field in entity.columns().filter(|field| matches!(field.kind, Kind::Image)) {
        let (key, name) = (values.get(field.name).map_or("", String::as_str), name(field));
        if key.is_empty() || !visit.form.has(&name) {
            continue;
        }
        let words: String = visit.form.get(&name).chars().take(LONGEST).collect();
        let shown = visit.form.get(&files::kept(field));
        // Beside another picture, what stood there before says nothing of this one.
        let left = shown != key && (words.trim().is_empty() || words == picture_words::find(connection, shown).await?);
        changed |= !left && picture_words::keep(connection, key, &words).await?;
    }
    Ok(changed)
}
