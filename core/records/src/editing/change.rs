//! Creating, updating, deleting and restoring rows.

use serde_json::{Map, Value};
use sqlx::AnyConnection;

use super::current::{find_to_write, get_to_write, get_unchanged};
use super::editor::Editor;
use super::publication::{IS_PUBLISHED, unschedule};
use super::revision::{HistoryEntry, add_history, add_unknown_to_history, to_json};
use super::{Action, Current, Revision, delete_many};
use crate::Records;
use crate::entity::{Datum, Entity, Field, Record, Values, table};
use festival_base::db::timestamp_text;
use festival_base::error::{Error, FieldError, Result};
use festival_base::text::shortened;

/// The changed fields with shortened values, for the audit log. The history has the whole values.
#[derive(Clone, Debug)]
pub struct Change {
    /// The values before the change, by field.
    pub before: Value,
    /// The values after it.
    pub after: Value,
}

impl Change {
    /// The difference of two objects; a name that one of them lacks counts as null there.
    fn between(before: &Map<String, Value>, after: &Map<String, Value>) -> Self {
        let differing = |of: &Map<String, Value>, other: &Map<String, Value>| -> Value {
            let differs = |name: &str, value: &Value| other.get(name).unwrap_or(&Value::Null) != value;
            let parts = of.iter().filter(|(name, value)| differs(name, value));
            parts.map(|(name, value)| (name.clone(), short(value))).collect::<Map<_, _>>().into()
        };
        Self { before: differing(before, after), after: differing(after, before) }
    }
}

/// The value, a long text cut.
fn short(value: &Value) -> Value {
    value.as_str().map_or_else(|| value.clone(), |text| shortened(text).into())
}

/// Creates a row and returns its id.
///
/// # Errors
/// [`Error::Invalid`] if a value is invalid or another row has the same key.
pub async fn create(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    values: &Values,
    editor: &Editor,
) -> Result<i64> {
    let mut record = entity.parse(values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, edition, &mut record).await?;
    check_key_is_free(connection, entity, edition, &record, None).await?;
    let now = timestamp_text(records.clock.now());
    let id = table::insert_with(connection, entity, edition, &record, &[], &now).await?;
    table::store_search_keys(connection, entity, id, &record).await?;
    let entry = HistoryEntry::new(entity, (id, edition), Action::Created, &record);
    add_history(connection, entity.table, vec![entry], editor, &now).await?;
    Ok(id)
}

/// Updates a row that still has the given [`Current::version`]. Returns what changed; `None` if nothing did.
///
/// # Errors
/// [`Error::Conflict`] if the row has another version by now, else those of [`create`].
pub async fn update(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, version): (i64, &str),
    values: &Values,
    editor: &Editor,
) -> Result<Option<Change>> {
    let current = get_unchanged(connection, entity, id, version).await?;
    let mut record = entity.parse(values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, current.edition, &mut record).await?;
    write(records, connection, entity, &current, &record, (Action::Changed, editor)).await
}

/// Sets one field of a row. Returns whether that changed anything.
///
/// # Errors
/// [`Error::NotFound`] if there is no such row.
pub async fn set_field(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    (id, field, datum): (i64, &Field, Datum),
    (action, editor): (Action, &Editor),
) -> Result<bool> {
    let current = get_to_write(connection, entity, id).await?;
    let mut record = current.record.clone();
    if let Some(index) = entity.position(field.name) {
        record[index] = datum;
    }
    let mut was_scheduled = false;
    if field.name == IS_PUBLISHED {
        // Publishing or withdrawing a row by hand ends its schedule.
        was_scheduled = current.publish_at.is_some();
        unschedule(connection, entity, &[id]).await?;
    }
    let change = write(records, connection, entity, &current, &record, (action, editor)).await?;
    Ok(change.is_some() || was_scheduled)
}

/// Deletes a row and returns its last state.
///
/// # Errors
/// [`Error::Conflict`] while other rows refer to it, [`Error::NotFound`] if there is no such row.
pub async fn delete(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    editor: &Editor,
) -> Result<Current> {
    let current = get_to_write(connection, entity, id).await?;
    delete_many(records, connection, entity, &[&current], editor).await?;
    Ok(current)
}

/// Restores a row to its state at `revision`; a deleted row keeps its id. Returns the id.
///
/// # Errors
/// [`Error::Invalid`] if the values break the present rules, refer to a row that is gone, or another row has the key.
pub async fn restore(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    revision: &Revision,
    editor: &Editor,
) -> Result<i64> {
    let mut record = revision.record.clone();
    // A reference to a row that is gone becomes an error at its field.
    table::unresolve(connection, entity, &mut record).await?;
    let values = entity.print(&record, &records.time_zone);
    let mut record = entity.parse(&values, &records.time_zone).map_err(Error::Invalid)?;
    table::resolve(connection, entity, revision.edition, &mut record).await?;
    if let Some(current) = find_to_write(connection, entity, revision.row_id).await? {
        write(records, connection, entity, &current, &record, (Action::Restored, editor)).await?;
        return Ok(current.id);
    }
    let now = timestamp_text(records.clock.now());
    check_key_is_free(connection, entity, revision.edition, &record, None).await?;
    let (id, edition) = (revision.row_id, revision.edition);
    let insert = table::insert_many(records.db.backend(), entity, edition, &[(id, &record)], &[], &now);
    insert.execute(&mut *connection).await?;
    table::store_search_keys(connection, entity, id, &record).await?;
    let entry = HistoryEntry::new(entity, (id, edition), Action::Restored, &record);
    add_history(connection, entity.table, vec![entry], editor, &now).await?;
    Ok(id)
}

/// Updates `current` to `record`, whose references are ids, if anything differs.
async fn write(
    records: &Records,
    connection: &mut AnyConnection,
    entity: &Entity,
    current: &Current,
    record: &Record,
    (action, editor): (Action, &Editor),
) -> Result<Option<Change>> {
    if *record == current.record {
        return Ok(None);
    }
    let now = timestamp_text(records.clock.now());
    // Only if the key changes: imported rows may share a key, and must stay editable.
    if entity.key_of(record) != entity.key_of(&current.record) {
        check_key_is_free(connection, entity, current.edition, record, Some(current.id)).await?;
    }
    add_unknown_to_history(connection, entity, &[current], &now).await?;
    table::update(connection, entity, current.id, record, &now).await?;
    table::store_search_keys(connection, entity, current.id, record).await?;
    let is_published = entity.position(IS_PUBLISHED).is_some_and(|index| record[index] == Datum::Integer(1));
    if is_published && current.publish_at.is_some() {
        // It must not be published a second time.
        unschedule(connection, entity, &[current.id]).await?;
    }
    let entry = HistoryEntry::new(entity, (current.id, current.edition), action, record);
    add_history(connection, entity.table, vec![entry], editor, &now).await?;
    Ok(Some(Change::between(&to_json(entity, &current.record), &to_json(entity, record))))
}

/// Checks that no row but `own` has the key of `record`. A key with an empty part equals no other.
async fn check_key_is_free(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    own: Option<i64>,
) -> Result<()> {
    let key = entity.key_of(record);
    if key.contains(&Datum::Null) {
        return Ok(());
    }
    let other = table::find(connection, entity, edition, &key).await?;
    if other.is_none() || other == own {
        return Ok(());
    }
    Err(duplicate_key(entity))
}

/// The error for a row whose key another row has.
pub(crate) fn duplicate_key(entity: &Entity) -> Error {
    let labels: Vec<&str> = entity.key.iter().filter_map(|name| Some(entity.field(name)?.label)).collect();
    let message = format!("Another {} has this {} already", entity.singular, labels.join(" and ").to_lowercase());
    Error::Invalid(vec![FieldError::new(entity.key.last().copied().unwrap_or_default(), message)])
}
