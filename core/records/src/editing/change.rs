//! Writing, deleting, bringing back.

use sqlx::AnyConnection;

use super::alternative_texts::{self, AlternativeTexts};
use super::current::{as_seen, find_to_write, get_to_write};
use super::publication::{SHOWN, plan};
use super::revision::{add_unknown_to_history, json_of, keep};
use super::{Action, Change, Current, Editor, Revision};
use crate::Records;
use crate::entity::{Datum, Entity, Field, Record, Values, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, FieldError, Result};

/// Writes a new row and answers its id. `image_alt` among the values is what is said of the picture `image`.
pub async fn create(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    values: &Values,
    editor: &Editor,
) -> Result<i64> {
    let (values, given) = alternative_texts::separate(entity, values);
    let mut record = entity.parse(&values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, edition, &mut record).await?;
    taken(connection, entity, edition, &record, None).await?;
    alternative_texts::keep(connection, entity, None, &record, &given).await?;
    let now = timestamp_text(records.clock.now());
    let id = table::insert(connection, entity, edition, &record, &now).await?;
    let texts = alternative_texts::of(connection, entity, &record).await?;
    keep(connection, entity, (id, edition), (&record, &texts), (Action::Created, editor), &now).await?;
    Ok(id)
}

/// Overwrites a row that still is as `mark` says it was seen, with what is said of its pictures ([`create`]). Answers
/// what changed; `None` where all was like that already.
///
/// [`Error::Conflict`]: it is another by now, and nothing was written.
pub async fn change(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, mark): (i64, &str),
    values: &Values,
    editor: &Editor,
) -> Result<Option<Change>> {
    let current = as_seen(connection, entity, id, mark).await?;
    let (values, given) = alternative_texts::separate(entity, values);
    let mut record = entity.parse(&values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, current.edition, &mut record).await?;
    write(records, connection, entity, &current, (&record, &given), (Action::Changed, editor)).await
}

/// Gives one field of a row another value. Answers whether that changed anything.
pub async fn set(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, field, datum): (i64, &Field, Datum),
    (action, editor): (Action, &Editor),
) -> Result<bool> {
    let current = get_to_write(connection, entity, id).await?;
    let mut record = current.record.clone();
    if let Some(place) = entity.position(field.name) {
        record[place] = datum;
    }
    let mut replanned = false;
    if field.name == SHOWN {
        // Whoever says now whether the site shows it has changed the plan.
        replanned = current.plan.is_some();
        plan(connection, entity, id, None, editor).await?;
    }
    let change =
        write(records, connection, entity, &current, (&record, &AlternativeTexts::new()), (action, editor)).await?;
    Ok(change.is_some() || replanned)
}

/// Deletes a row. Refused while others name it.
pub async fn delete(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    editor: &Editor,
) -> Result<Current> {
    let current = get_to_write(connection, entity, id).await?;
    for other in records.entities() {
        let count = table::count_references(connection, other, entity, id).await?;
        if count > 0 {
            let things = if count == 1 { other.singular } else { other.plural };
            return Err(Error::Conflict(format!(
                "This {} still has {count} {things}. Move or delete them first.",
                entity.singular
            )));
        }
    }
    let now = timestamp_text(records.clock.now());
    found(connection, entity, &current, &now).await?;
    if !table::delete(connection, entity, id).await? {
        return Err(Error::NotFound(format!("There is no such {}.", entity.singular)));
    }
    plan(connection, entity, id, None, editor).await?;
    let was = (&current.record, &current.alternative_texts);
    keep(connection, entity, (id, current.edition), was, (Action::Deleted, editor), &now).await?;
    Ok(current)
}

/// Puts a row back to what it was at `revision`, with what was said of its pictures then; a deleted row comes back with
/// its id. Answers the id.
pub async fn restore(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    revision: &Revision,
    editor: &Editor,
) -> Result<i64> {
    let mut record = revision.record.clone();
    // What it referred to may be gone: then its key says so at the field.
    table::unresolve(connection, entity, &mut record).await?;
    let values = entity.print(&record, &records.time_zone);
    let mut record = entity.parse(&values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, revision.edition, &mut record).await?;
    if let Some(current) = find_to_write(connection, entity, revision.row_id).await? {
        write(
            records,
            connection,
            entity,
            &current,
            (&record, &revision.alternative_texts),
            (Action::Restored, editor),
        )
        .await?;
        return Ok(current.id);
    }
    let now = timestamp_text(records.clock.now());
    taken(connection, entity, revision.edition, &record, None).await?;
    let own_id = [("id", Datum::Integer(revision.row_id))];
    let id = table::insert_with(connection, entity, revision.edition, &record, &own_id, &now).await?;
    // Its pictures stayed, and what is said of them.
    let texts = alternative_texts::of(connection, entity, &record).await?;
    keep(connection, entity, (id, revision.edition), (&record, &texts), (Action::Restored, editor), &now).await?;
    Ok(id)
}

/// Writes `record`, whose references are ids, and what is `said` of its pictures over `current` where they differ.
async fn write(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    current: &Current,
    (record, given): (&Record, &AlternativeTexts),
    (action, editor): (Action, &Editor),
) -> Result<Option<Change>> {
    let texts = alternative_texts::keep(connection, entity, Some(current), record, given).await?;
    if *record == current.record && texts == current.alternative_texts {
        return Ok(None);
    }
    let now = timestamp_text(records.clock.now());
    // Rows with one key that an import brought in can be edited.
    if key_of(entity, record) != key_of(entity, &current.record) {
        taken(connection, entity, current.edition, record, Some(current.id)).await?;
    }
    found(connection, entity, current, &now).await?;
    table::update(connection, entity, current.id, record, &now).await?;
    end_plan_of_published(connection, entity, current, record, editor).await?;
    keep(connection, entity, (current.id, current.edition), (record, &texts), (action, editor), &now).await?;
    let (before, after) =
        (json_of(entity, &current.record, &current.alternative_texts), json_of(entity, record, &texts));
    Ok(Some(Change::between(&before, &after)))
}

/// What is on the site is not published a second time.
pub(crate) async fn end_plan_of_published(
    connection: &mut AnyConnection,
    entity: &Entity,
    current: &Current,
    record: &Record,
    editor: &Editor,
) -> Result<()> {
    let is_published = entity.position(SHOWN).is_some_and(|place| record.get(place) == Some(&Datum::Integer(1)));
    if is_published && current.plan.is_some() {
        plan(connection, entity, current.id, None, editor).await
    } else {
        Ok(())
    }
}

/// Keeps what is there before somebody changes it, where the history does not know it: what a seed wrote, what was
/// said of a picture elsewhere.
async fn found(connection: &mut AnyConnection, entity: &Entity, current: &Current, now: &str) -> Result<()> {
    add_unknown_to_history(connection, entity, &[current], now).await
}

/// What tells a row from others of its entity.
pub(crate) fn key_of(entity: &Entity, record: &Record) -> Vec<Datum> {
    entity.key.iter().filter_map(|name| record.get(entity.position(name)?).cloned()).collect()
}

/// Refuses a row whose key another row has already. A key with an empty part collides with nothing.
async fn taken(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    own: Option<i64>,
) -> Result<()> {
    let key = key_of(entity, record);
    if key.contains(&Datum::Null) {
        return Ok(());
    }
    let other = table::find(connection, entity, edition, &key).await?;
    if other.is_none() || other == own {
        return Ok(());
    }
    Err(key_is_taken(entity))
}

/// The refusal of a row whose key another has.
pub(crate) fn key_is_taken(entity: &Entity) -> Error {
    let labels: Vec<&str> = entity.key.iter().filter_map(|name| Some(entity.field(name)?.label)).collect();
    let message = format!("Another {} has this {} already", entity.singular, labels.join(" and ").to_lowercase());
    Error::Invalid(vec![FieldError::new(entity.key.last().copied().unwrap_or_default(), message)])
}
