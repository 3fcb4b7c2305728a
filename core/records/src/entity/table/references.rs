//! References between rows: from the keys and titles that people write to ids, and back.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::pages::order;
use super::query::{is_integer, qualified};
use super::query::{joins, key_column, key_field};
use super::rows::{find, find_text};
use crate::entity::{Choice, Datum, Entity, Field, Kind, Record};
use festival_base::db::{Conditions, Select, SelectedRow, Test};
use festival_base::error::{Error, FieldError, Result};

/// Replaces the keys in references by the ids of the rows. A title is accepted in place of a key if only one row has
/// it.
///
/// # Errors
/// [`Error::Invalid`] with every reference that matches no row, or more than one.
pub async fn resolve(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &mut Record,
) -> Result<()> {
    let mut errors = Vec::new();
    for (field, datum) in entity.columns().zip(record.iter_mut()) {
        let (Kind::Reference(target), Datum::Reference(text)) = (field.kind, &*datum) else { continue };
        match find_named(connection, target, edition, text).await?[..] {
            [id] => *datum = Datum::Integer(id),
            [] => errors.push(FieldError::new(field.name, format!("there is no {} \"{text}\"", target.singular))),
            _ => errors.push(FieldError::new(
                field.name,
                format!("more than one {} is called \"{text}\"; give its {}", target.singular, key_label(target)),
            )),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}

/// The ids of the rows that a reference may mean: the one with this key, else up to two with this title.
async fn find_named(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    text: &str,
) -> Result<Vec<i64>> {
    let key = match has_numeric_key(entity) {
        true => text.parse().ok().map(Datum::Integer),
        false => Some(Datum::Text(text.to_owned())),
    };
    if let Some(key) = key
        && let Some(id) = find(connection, entity, edition, &[key]).await?
    {
        return Ok(vec![id]);
    }
    let title = entity.title();
    match title.kind {
        Kind::Text { .. } => find_text(connection, entity, edition, (title, text)).await,
        _ => Ok(Vec::new()),
    }
}

/// Whether references to `entity` name a number.
pub(crate) fn has_numeric_key(entity: &Entity) -> bool {
    is_integer(key_field(entity).kind)
}

/// What a reference to `entity` names, in a sentence.
pub(crate) fn key_label(entity: &Entity) -> String {
    key_field(entity).label.to_lowercase()
}

/// The number of rows of `entity` that refer to one of these rows of `target`, by a reference or as their edition.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_references(
    connection: &mut AnyConnection,
    entity: &Entity,
    target: &Entity,
    ids: &[i64],
) -> Result<i64> {
    let referring =
        entity.columns().filter(|field| matches!(field.kind, Kind::Reference(to) if to.table == target.table));
    let mut columns: Vec<String> = referring.map(Field::column).collect();
    if entity.per_edition && target.table == crate::entity::EDITIONS {
        columns.push("edition_id".to_owned());
    }
    if columns.is_empty() {
        return Ok(0);
    }
    let mut conditions = Conditions::default();
    let ids = || ids.iter().copied().map(Datum::Integer);
    conditions.any_of(|any| columns.iter().for_each(|column| any.among(column, ids())));
    conditions.count(connection, entity.table).await
}

/// The rows that a reference to `entity` may refer to, in the default order.
///
/// # Errors
/// If the database cannot be read.
pub async fn choices(connection: &mut AnyConnection, entity: &Entity, edition: Option<i64>) -> Result<Vec<Choice>> {
    let cast = |column: String| format!("CAST({column} AS TEXT)");
    let columns = [key_column(entity, "t"), qualified("t", entity.title())].map(cast);
    let mut select = Select::new(entity.table, columns).joined(&joins(entity));
    if entity.per_edition {
        select = select.filter("t.edition_id", Test::Is, edition.map_or(Datum::Null, Datum::Integer));
    }
    let rows = select.slice(connection, &order(entity, None), (0, i64::MAX), None).await?;
    let choice = |(id, values): SelectedRow| {
        let mut texts = values.into_iter().map(|value| if let Datum::Text(text) = value { Some(text) } else { None });
        let key = texts.next().flatten().unwrap_or_default();
        let title = texts.next().flatten().filter(|title| !title.is_empty());
        Choice { id, name: title.unwrap_or_else(|| key.clone()), key }
    };
    Ok(rows.into_iter().map(choice).collect())
}

/// The opposite of [`resolve`]: replaces the ids in references by the keys of the rows, or by null for a deleted row.
///
/// # Errors
/// If the database cannot be read.
pub async fn unresolve(connection: &mut AnyConnection, entity: &Entity, record: &mut Record) -> Result<()> {
    for (field, datum) in entity.columns().zip(record.iter_mut()) {
        let (Kind::Reference(target), Datum::Integer(id)) = (field.kind, &*datum) else { continue };
        let sql = format!("SELECT CAST({} AS TEXT) FROM {} t WHERE t.id = $1", key_column(target, "t"), target.table);
        let key: Option<Option<String>> =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(*id).fetch_optional(&mut *connection).await?;
        *datum = key.flatten().map_or(Datum::Null, Datum::Reference);
    }
    Ok(())
}
