//! Reading and writing of rows whose ids or keys are known.

use std::collections::{BTreeSet, HashMap};

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow, Row as _};

use super::insert::id_list;
use super::query::{bind_ids, record_of, values_of};
use crate::entity::{Datum, Entity, Field, Record};
use festival_base::db::{Backend, Conditions, Test, update_rows};
use festival_base::error::{Error, Result};

/// The id of the first row with these key values, given in the order of [`Entity::key`].
///
/// # Errors
/// If the database cannot be read.
pub async fn find(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    key: &[Datum],
) -> Result<Option<i64>> {
    let mut conditions = of_edition(entity, edition);
    for (name, datum) in entity.key.iter().zip(key) {
        let column = entity.field(name).map_or_else(|| (*name).to_owned(), Field::column);
        conditions.compare(&column, Test::Is, datum.clone());
    }
    Ok(first_ids(connection, entity, &conditions, 1).await?.pop())
}

/// The condition that rows belong to an edition, if those of the entity belong to editions.
fn of_edition(entity: &Entity, edition: Option<i64>) -> Conditions {
    let mut conditions = Conditions::default();
    if entity.per_edition {
        conditions.compare("edition_id", Test::Is, edition.map_or(Datum::Null, Datum::Integer));
    }
    conditions
}

/// The first ids, up to `limit`, of the rows that meet the conditions.
async fn first_ids(
    connection: &mut AnyConnection,
    entity: &Entity,
    conditions: &Conditions,
    limit: u8,
) -> Result<Vec<i64>> {
    let condition = conditions.where_clause(connection);
    let sql = format!("SELECT id FROM {}{condition} ORDER BY id LIMIT {limit}", entity.table);
    let rows = conditions.query(sql).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?)
}

/// The ids of the first two rows whose field `field` has this text.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn find_text(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    (field, text): (&Field, &str),
) -> Result<Vec<i64>> {
    let mut conditions = of_edition(entity, edition);
    conditions.compare(&field.column(), Test::Is, Datum::Text(text.to_owned()));
    first_ids(connection, entity, &conditions, 2).await
}

/// Updates all fields of a row. References must be resolved.
///
/// # Errors
/// If the database cannot be written.
pub async fn update(
    connection: &mut AnyConnection,
    entity: &Entity,
    id: i64,
    record: &Record,
    now: &str,
) -> Result<()> {
    let values = entity.columns().map(Field::column).zip(record.iter().cloned());
    let values: Vec<(String, Datum)> = values.chain([("updated_at".to_owned(), now.into())]).collect();
    update_rows(connection, entity.table, &values, &[id]).await
}

/// The values of a row; `None` if there is no such row.
///
/// # Errors
/// If the database cannot be read.
pub async fn fetch(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Record>> {
    Ok(fetch_many(connection, entity, &[id]).await?.remove(&id).map(|(record, _)| record))
}

/// The published rows of an edition in the order of their positions: row id and fields, of which `T` takes those that it
/// has. The keys of files become addresses that begin with `media`.
///
/// # Errors
/// If the database cannot be read.
pub async fn published<T>(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: i64,
    media: String,
) -> Result<Vec<T>>
where
    T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
{
    let column = |field: &Field| match field.public_file() {
        Some(_) => format!(", $2 || {0} AS {0}", field.name),
        None => format!(", {}", field.column()),
    };
    let columns: String = entity.columns().map(column).collect();
    let sql = format!(
        "SELECT id{columns} FROM {} WHERE edition_id = $1 AND is_published = 1 ORDER BY position, id",
        entity.table
    );
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(edition);
    let has_files = entity.columns().any(|field| field.public_file().is_some());
    Ok(if has_files { query.bind(media) } else { query }.fetch_all(connection).await?)
}

/// The values and the edition of the rows with these ids, by id.
pub(crate) async fn fetch_many(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<HashMap<i64, (Record, Option<i64>)>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = entity.columns().map(Field::column).collect::<Vec<_>>().join(", ");
    let edition = if entity.per_edition { "edition_id" } else { "CAST(NULL AS BIGINT)" };
    let sql = format!(
        "SELECT {columns}, id AS own_id, {edition} AS own_edition FROM {} WHERE id IN {}",
        entity.table,
        id_list(connection, ids)
    );
    let rows = bind_ids(sql, ids).fetch_all(connection).await?;
    let row = |row: &AnyRow| Ok((row.try_get("own_id")?, (record_of(row, entity)?, row.try_get("own_edition")?)));
    rows.iter().map(row).collect()
}

/// The ids of the rows with each key, given in the order of [`Entity::key`]; without keys of which a part is empty.
pub(crate) async fn keys(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
) -> Result<HashMap<Vec<Datum>, BTreeSet<i64>>> {
    let fields: Vec<&Field> = entity.key.iter().filter_map(|name| entity.field(name)).collect();
    let columns = fields.iter().map(|field| field.column()).collect::<Vec<_>>().join(", ");
    let conditions = of_edition(entity, edition);
    let sql = format!("SELECT {columns}, id AS own_id FROM {}{}", entity.table, conditions.where_clause(connection));
    let mut keys: HashMap<Vec<Datum>, BTreeSet<i64>> = HashMap::new();
    for row in conditions.query(sql).fetch_all(connection).await? {
        let key = values_of(&row, fields.iter().copied())?;
        if !key.contains(&Datum::Null) {
            keys.entry(key).or_default().insert(row.try_get("own_id")?);
        }
    }
    Ok(keys)
}

/// The rows whose field `field` has one of these texts, in the order of their ids: id, that text, value of `wanted`.
pub(crate) async fn find_texts(
    connection: &mut AnyConnection,
    entity: &Entity,
    (field, texts): (&Field, &[String]),
    wanted: &Field,
) -> Result<Vec<(i64, String, Datum)>> {
    let (column, wanted) = (field.column(), wanted.column());
    let mut conditions = Conditions::default();
    conditions.among(&column, texts.iter().cloned().map(Datum::Text));
    let condition = conditions.where_clause(connection);
    let sql = format!("SELECT id, {column}, {wanted} FROM {}{condition} ORDER BY id", entity.table);
    let rows = conditions.query(sql).fetch_all(connection).await?;
    let row = |row: &AnyRow| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get::<Option<String>, _>(2)?.into()));
    rows.iter().map(row).collect()
}

/// Locks the tables of these entities against other writers until the end of the transaction.
///
/// # Errors
/// If the database cannot be written.
pub async fn lock_tables(connection: &mut AnyConnection, backend: Backend, entities: &[&Entity]) -> Result<()> {
    if backend == Backend::Sqlite {
        return Ok(()); // SQLite has a single writer anyway.
    }
    // Always in the same order, so that two imports cannot deadlock.
    let tables: BTreeSet<&str> = entities.iter().map(|entity| entity.table).collect();
    let tables = tables.into_iter().collect::<Vec<_>>().join(", ");
    let sql = format!("LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE");
    sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

/// Locks rows against other writers until the end of the transaction.
///
/// # Errors
/// If the database cannot be written.
pub async fn lock(connection: &mut AnyConnection, entity: &Entity, ids: &[i64]) -> Result<()> {
    // An UPDATE, because SQLite has no SELECT ... FOR UPDATE.
    let list = id_list(connection, ids);
    let sql = format!("UPDATE {} SET updated_at = updated_at WHERE id IN {list}", entity.table);
    bind_ids(sql, ids).execute(connection).await?;
    Ok(())
}

/// Deletes rows, and returns how many there were.
///
/// # Errors
/// [`Error::Conflict`] if another record refers to one of them.
pub async fn delete(connection: &mut AnyConnection, entity: &Entity, ids: &[i64]) -> Result<u64> {
    let sql = format!("DELETE FROM {} WHERE id IN {}", entity.table, id_list(connection, ids));
    match bind_ids(sql, ids).execute(connection).await {
        Ok(deleted) => Ok(deleted.rows_affected()),
        Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(Error::Conflict(format!(
            "Other records still refer to this {}. It cannot be deleted.",
            entity.singular
        ))),
        Err(error) => Err(error.into()),
    }
}

/// The number of rows of an edition.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_in_edition(connection: &mut AnyConnection, entity: &Entity, edition: i64) -> Result<i64> {
    let sql = format!("SELECT count(*) FROM {} WHERE edition_id = $1", entity.table);
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(edition).fetch_one(connection).await?)
}

/// The number of unpublished rows of each entity, without rows of other editions and entities without such rows.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_hidden(
    connection: &mut AnyConnection,
    entities: &[&'static Entity],
    edition: i64,
) -> Result<Vec<(&'static Entity, i64)>> {
    let counted = entities.iter().filter(|entity| entity.field("is_published").is_some()).map(|entity| {
        let condition = if entity.per_edition { " AND edition_id = $1" } else { "" };
        format!("SELECT '{0}' AS name, count(*) AS hidden FROM {0} WHERE is_published = 0{condition}", entity.table)
    });
    let sql = counted.collect::<Vec<_>>().join(" UNION ALL ");
    if sql.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(String, i64)> = sqlx::query_as(AssertSqlSafe(sql)).bind(edition).fetch_all(connection).await?;
    let entity = |name: &str| entities.iter().copied().find(|entity| entity.table == name);
    Ok(rows.iter().filter_map(|(name, count)| Some((entity(name)?, *count))).filter(|(_, count)| *count > 0).collect())
}
