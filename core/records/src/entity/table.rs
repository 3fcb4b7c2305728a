//! Reading and writing rows of entities: the one place that builds SQL from names.
//!
//! The names come from `&'static` [`Entity`] descriptions, never from a request, so the statements are as fixed as if
//! they were written out; values are always bound.

use std::collections::{BTreeSet, HashMap};

use sqlx::any::AnyArguments;
use sqlx::any::AnyRow;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::{Choice, Datum, Entity, Field, Kind, ListedRow, Listing, Record, RowPage};
use festival_base::db::Backend;
use festival_base::error::{Error, FieldError, Result};

/// Replaces the keys in references by the ids of the rows. A title stands for a key if only one row has it.
///
/// # Errors
/// [`Error::Invalid`] with every reference that no row, or more than one, is meant by.
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
    if !matches!(title.kind, Kind::Text { .. }) {
        return Ok(Vec::new());
    }
    let condition = if entity.per_edition { " AND edition_id = $2" } else { "" };
    let sql = format!("SELECT id FROM {} WHERE {} = $1{condition} ORDER BY id LIMIT 2", entity.table, title.column());
    let mut query = sqlx::query_scalar(AssertSqlSafe(sql)).bind(text.to_owned());
    if entity.per_edition {
        query = query.bind(edition);
    }
    Ok(query.fetch_all(connection).await?)
}

/// The field of the key that references to `entity` use.
fn key_field(entity: &Entity) -> &'static Field {
    entity.key.first().and_then(|name| entity.field(name)).unwrap_or_else(|| entity.title())
}

/// Whether references to `entity` name a number.
pub(crate) fn has_numeric_key(entity: &Entity) -> bool {
    is_integer(key_field(entity).kind)
}

/// What a reference to `entity` names, in a sentence.
pub(crate) fn key_label(entity: &Entity) -> String {
    key_field(entity).label.to_lowercase()
}

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
    let mut conditions = Vec::new();
    let mut number = 1;
    if entity.per_edition {
        conditions.push(format!("edition_id = ${number}"));
        number += 1;
    }
    for (name, datum) in entity.key.iter().zip(key) {
        let column = entity.field(name).map_or_else(|| (*name).to_owned(), Field::column);
        if *datum == Datum::Null {
            conditions.push(format!("{column} IS NULL"));
        } else {
            conditions.push(format!("{column} = ${number}"));
            number += 1;
        }
    }
    let sql = format!("SELECT id FROM {} WHERE {} ORDER BY id LIMIT 1", entity.table, conditions.join(" AND "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    for datum in key.iter().filter(|datum| **datum != Datum::Null) {
        query = bind(query, datum);
    }
    let row = query.fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get("id")).transpose()?)
}

/// Inserts a row and returns its id. References must be resolved.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    now: &str,
) -> Result<i64> {
    insert_with(connection, entity, edition, record, &[], now).await
}

/// [`insert`], with values for columns that are not fields of the entity.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_with(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    extra: &[(&'static str, Datum)],
    now: &str,
) -> Result<i64> {
    let mut columns: Vec<String> = Vec::new();
    if entity.per_edition {
        columns.push("edition_id".to_owned());
    }
    columns.extend(entity.columns().map(Field::column));
    columns.extend(extra.iter().map(|(name, _)| (*name).to_owned()));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let mut placeholders: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
    if connection.backend_name() == "SQLite" && !extra.iter().any(|(name, _)| *name == "id") {
        columns.push("id".to_owned());
        placeholders.push(next_id(entity));
    }
    let placeholders = placeholders.join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({placeholders}) RETURNING id", entity.table, columns.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    for (field, datum) in entity.columns().zip(record) {
        query = bind_as(query, datum, field.kind);
    }
    for (_, datum) in extra {
        query = bind(query, datum);
    }
    let row = query.bind(now.to_owned()).bind(now.to_owned()).fetch_one(connection).await?;
    Ok(row.try_get("id")?)
}

/// Inserts rows with one statement and returns their ids, in their order. References must be resolved. On SQLite, where
/// this function assigns the ids, the connection must hold the write lock already.
///
/// # Errors
/// If the database cannot be written.
pub async fn insert_many(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    edition: Option<i64>,
    records: &[&Record],
    now: &str,
) -> Result<Vec<i64>> {
    let ids = new_ids(connection, backend, entity, records.len()).await?;
    let mut columns = vec!["id".to_owned()];
    columns.extend(entity.per_edition.then(|| "edition_id".to_owned()));
    columns.extend(entity.columns().map(Field::column));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let sql = format!(
        "INSERT INTO {} ({}) VALUES {}",
        entity.table,
        columns.join(", "),
        placeholders(records.len(), columns.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (id, record) in ids.iter().zip(records) {
        query = query.bind(*id);
        if entity.per_edition {
            query = query.bind(edition);
        }
        for (field, datum) in entity.columns().zip(*record) {
            query = bind_as(query, datum, field.kind);
        }
        query = query.bind(now.to_owned()).bind(now.to_owned());
    }
    query.execute(connection).await?;
    Ok(ids)
}

/// Ids that no row has or had.
async fn new_ids(connection: &mut AnyConnection, backend: Backend, entity: &Entity, count: usize) -> Result<Vec<i64>> {
    if backend == Backend::Postgres {
        let ids = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)";
        return Ok(sqlx::query_scalar(ids).bind(entity.table).bind(count as i64).fetch_all(connection).await?);
    }
    let sql = format!("SELECT {}", next_id(entity));
    let first: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
    Ok((first..first + count as i64).collect())
}

/// SQL for the next id on SQLite, which by itself would reuse the id of a deleted last row, and with it that row's
/// history.
fn next_id(entity: &Entity) -> String {
    let table = entity.table;
    format!(
        "max(coalesce((SELECT max(id) FROM {table}), 0), \
         coalesce((SELECT max(row_id) FROM revisions WHERE entity = '{table}'), 0)) + 1"
    )
}

/// Numbered placeholders for the values of rows: "($1, $2), ($3, $4)".
pub(crate) fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let numbers: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
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
    let mut sets: Vec<String> =
        entity.columns().enumerate().map(|(index, field)| format!("{} = ${}", field.column(), index + 1)).collect();
    sets.push(format!("updated_at = ${}", sets.len() + 1));
    let sql = format!("UPDATE {} SET {} WHERE id = ${}", entity.table, sets.join(", "), sets.len() + 1);
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (field, datum) in entity.columns().zip(record) {
        query = bind_as(query, datum, field.kind);
    }
    query.bind(now.to_owned()).bind(id).execute(connection).await?;
    Ok(())
}

/// The values of a row; `None` if there is no such row.
///
/// # Errors
/// If the database cannot be read.
pub async fn fetch(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Record>> {
    let columns = entity.columns().map(Field::column).collect::<Vec<_>>().join(", ");
    let sql = format!("SELECT {columns} FROM {} WHERE id = $1", entity.table);
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.map(|row| record_of(&row, entity)).transpose()
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
        placeholders(1, ids.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for id in ids {
        query = query.bind(*id);
    }
    let rows = query.fetch_all(connection).await?;
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
    let condition = if entity.per_edition { " WHERE edition_id = $1" } else { "" };
    let sql = format!("SELECT {columns}, id AS own_id FROM {}{condition}", entity.table);
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    let mut keys: HashMap<Vec<Datum>, BTreeSet<i64>> = HashMap::new();
    for row in query.fetch_all(connection).await? {
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
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let (column, wanted) = (field.column(), wanted.column());
    let placeholders = placeholders(1, texts.len());
    let sql =
        format!("SELECT id, {column}, {wanted} FROM {} WHERE {column} IN {placeholders} ORDER BY id", entity.table);
    let mut query = sqlx::query_as(AssertSqlSafe(sql));
    for text in texts {
        query = query.bind(text.clone());
    }
    let rows: Vec<(i64, String, Option<String>)> = query.fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(id, text, wanted)| (id, text, wanted.map_or(Datum::Null, Datum::Text))).collect())
}

/// Locks the tables of these entities against other writers until the end of the transaction.
pub(crate) async fn lock_tables(connection: &mut AnyConnection, backend: Backend, entities: &[&Entity]) -> Result<()> {
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

/// Locks a row against other writers until the end of the transaction.
///
/// # Errors
/// If the database cannot be written.
pub async fn lock(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<()> {
    // An UPDATE, because SQLite has no SELECT ... FOR UPDATE.
    let sql = format!("UPDATE {} SET updated_at = updated_at WHERE id = $1", entity.table);
    sqlx::query(AssertSqlSafe(sql)).bind(id).execute(connection).await?;
    Ok(())
}

/// Deletes a row; `false` if there was none.
///
/// # Errors
/// [`Error::Conflict`] if a submission refers to it.
pub async fn delete(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<bool> {
    let sql = format!("DELETE FROM {} WHERE id = $1", entity.table);
    match sqlx::query(AssertSqlSafe(sql)).bind(id).execute(connection).await {
        Ok(deleted) => Ok(deleted.rows_affected() > 0),
        Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(Error::Conflict(format!(
            "Something that people sent still belongs to this {}. It cannot be deleted.",
            entity.singular
        ))),
        Err(error) => Err(error.into()),
    }
}

/// The edition of a row; `None` if its entity has no editions, or there is no such row.
///
/// # Errors
/// If the database cannot be read.
pub async fn edition_of(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<i64>> {
    if !entity.per_edition {
        return Ok(None);
    }
    let sql = format!("SELECT edition_id FROM {} WHERE id = $1", entity.table);
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?)
}

/// The number of rows of `entity` that refer to this row of `target`, by a reference or as their edition.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_references(
    connection: &mut AnyConnection,
    entity: &Entity,
    target: &Entity,
    id: i64,
) -> Result<i64> {
    let referring =
        entity.columns().filter(|field| matches!(field.kind, Kind::Reference(to) if to.table == target.table));
    let mut columns: Vec<String> = referring.map(Field::column).collect();
    if entity.per_edition && target.table == super::EDITIONS {
        columns.push("edition_id".to_owned());
    }
    if columns.is_empty() {
        return Ok(0);
    }
    let conditions = columns.iter().map(|column| format!("{column} = $1")).collect::<Vec<_>>().join(" OR ");
    let sql = format!("SELECT count(*) FROM {} WHERE {conditions}", entity.table);
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).fetch_one(connection).await?)
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

/// The rows that a reference to `entity` may refer to, in the default order.
///
/// # Errors
/// If the database cannot be read.
pub async fn choices(connection: &mut AnyConnection, entity: &Entity, edition: Option<i64>) -> Result<Vec<Choice>> {
    let condition = if entity.per_edition { " WHERE t.edition_id = $1" } else { "" };
    let (sort_field, descending) = entity.default_order();
    let sql = format!(
        "SELECT t.id, CAST({} AS TEXT) AS key, CAST({} AS TEXT) AS name FROM {} t{condition} ORDER BY {}",
        key_column(entity, "t"),
        qualified("t", entity.title()),
        entity.table,
        order_by(entity, sort_field, descending, false)
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    let rows = query.fetch_all(connection).await?;
    let choice = |row: &AnyRow| -> Result<Choice> {
        let key: Option<String> = row.try_get("key")?;
        let name: Option<String> = row.try_get("name")?;
        let key = key.unwrap_or_default();
        Ok(Choice { id: row.try_get("id")?, name: name.unwrap_or_else(|| key.clone()), key })
    };
    rows.iter().map(choice).collect()
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

/// A page of rows, with the titles of the rows that they refer to.
///
/// The ids of the page are selected before rows are read and joined. Without a search counting is cheap, so rows are
/// counted first, and a page in the second half is read from the end. A search reads every row, so its page comes
/// first, and matches are counted only if the page does not tell their number.
///
/// # Errors
/// If the database cannot be read.
pub async fn list(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    listing: &Listing,
) -> Result<RowPage> {
    let (condition, parameters) = where_clause(backend, entity, listing);
    let mut slice = Slice { offset: listing.offset, limit: listing.limit, is_reversed: false };
    let mut total = None;
    if listing.search.is_empty() {
        let count = count(connection, entity, &condition, &parameters).await?;
        slice = slice.counted_from_nearer_end(count);
        total = Some(count);
    }
    let rows = page(connection, entity, listing, (&condition, &parameters), &slice).await?;
    let length = rows.len() as i64;
    let total = match total {
        Some(total) => total,
        // A page that is not full is the last one.
        None if length < listing.limit && (length > 0 || listing.offset == 0) => listing.offset + length,
        None => count(connection, entity, &condition, &parameters).await?,
    };
    Ok(RowPage { rows, total })
}

/// A range of the ordered rows.
struct Slice {
    offset: i64,
    limit: i64,
    /// Whether the offset counts from the end, in reversed order.
    is_reversed: bool,
}

impl Slice {
    /// The same range of `total` rows, counted from the nearer end.
    fn counted_from_nearer_end(self, total: i64) -> Self {
        if self.offset <= total / 2 {
            return self;
        }
        let limit = (total - self.offset).clamp(0, self.limit);
        Self { offset: (total - self.offset - limit).max(0), limit, is_reversed: true }
    }
}

async fn count(connection: &mut AnyConnection, entity: &Entity, condition: &str, parameters: &[Datum]) -> Result<i64> {
    let sql = format!("SELECT count(*) FROM {} t{condition}", entity.table);
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in parameters {
        query = bind(query, datum);
    }
    Ok(query.fetch_one(connection).await?.try_get(0)?)
}

async fn page(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
    (condition, parameters): (&str, &[Datum]),
    slice: &Slice,
) -> Result<Vec<ListedRow>> {
    let mut columns: Vec<String> = entity.columns().map(|field| qualified("t", field)).collect();
    let mut joins = String::new();
    let references: Vec<(&'static Field, &'static Entity)> = references(entity).collect();
    for (index, (field, target)) in references.iter().enumerate() {
        joins.push_str(&format!(" LEFT JOIN {} r{index} ON r{index}.id = {}", target.table, qualified("t", field)));
        columns.push(format!("CAST({} AS TEXT)", qualified(&format!("r{index}"), target.title())));
    }
    let (sort_field, descending) = listing.sort.unwrap_or_else(|| entity.default_order());
    let order = order_by(entity, sort_field, descending, false);
    let sql = format!(
        "SELECT {}, t.id AS own_id, t.updated_at AS own_updated_at FROM {table} t{joins} WHERE t.id IN \
         (SELECT t.id FROM {table} t{}{condition} ORDER BY {} LIMIT {} OFFSET {}) ORDER BY {order}",
        columns.join(", "),
        if matches!(sort_field.kind, Kind::Reference(_)) { joins.as_str() } else { "" },
        order_by(entity, sort_field, descending, slice.is_reversed),
        slice.limit,
        slice.offset,
        table = entity.table,
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in parameters {
        query = bind(query, datum);
    }
    let fetched = query.fetch_all(connection).await?;
    let first_name = entity.columns().count();
    let mut rows = Vec::with_capacity(fetched.len());
    for row in &fetched {
        let mut names = std::collections::BTreeMap::new();
        for (index, (field, _)) in references.iter().enumerate() {
            if let Some(name) = row.try_get::<Option<String>, _>(first_name + index)? {
                names.insert(field.name, name);
            }
        }
        let record = record_of(row, entity)?;
        rows.push(ListedRow { id: row.try_get("own_id")?, record, names, updated_at: row.try_get("own_updated_at")? });
    }
    Ok(rows)
}

/// The WHERE clause of a listing, "" without conditions, and its parameters.
fn where_clause(backend: Backend, entity: &Entity, listing: &Listing) -> (String, Vec<Datum>) {
    let mut conditions = Vec::new();
    let mut parameters = Vec::new();
    if let Some(edition) = listing.edition.filter(|_| entity.per_edition) {
        parameters.push(Datum::Integer(edition));
        conditions.push(format!("t.edition_id = ${}", parameters.len()));
    }
    for (field, datum) in &listing.filters {
        if *datum == Datum::Null {
            conditions.push(format!("{} IS NULL", qualified("t", field)));
        } else {
            parameters.push(datum.clone());
            conditions.push(format!("{} = ${}", qualified("t", field), parameters.len()));
        }
    }
    // SQLite's LIKE ignores case, Postgres's does not.
    let like = if backend == Backend::Postgres { "ILIKE" } else { "LIKE" };
    for word in listing.search.split_whitespace().take(8) {
        let escaped = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        parameters.push(Datum::Text(format!("%{escaped}%")));
        let number = parameters.len();
        let matches =
            entity.searchable().map(|field| format!("{} {like} ${number} ESCAPE '\\'", qualified("t", field)));
        conditions.push(format!("({})", matches.collect::<Vec<_>>().join(" OR ")));
    }
    let condition = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    (condition, parameters)
}

/// The references of an entity, in the order of its columns.
fn references(entity: &Entity) -> impl Iterator<Item = (&'static Field, &'static Entity)> {
    entity.columns().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some((field, target)),
        _ => None,
    })
}

/// The ORDER BY expressions for a field: empty values last, equal ones by id. `reversed` turns the whole order round.
fn order_by(entity: &Entity, field: &'static Field, descending: bool, reversed: bool) -> String {
    let reference_index = references(entity).position(|(reference, _)| reference.name == field.name);
    let column = match (field.kind, reference_index) {
        (Kind::Reference(target), Some(index)) => qualified(&format!("r{index}"), target.title()),
        _ => qualified("t", field),
    };
    let direction = if descending == reversed { "ASC" } else { "DESC" };
    // Without an expression for empty values the database can use the column's index.
    let is_never_empty = field.required || matches!(field.kind, Kind::Flag) || field.name == "position";
    let empty_last = match (is_never_empty, reversed) {
        (true, _) => String::new(),
        (false, false) => format!("({column} IS NULL), "),
        (false, true) => format!("({column} IS NULL) DESC, "),
    };
    format!("{empty_last}{column} {direction}, t.id {direction}")
}

/// The column of a field, qualified with the alias of its table.
fn qualified(alias: &str, field: &Field) -> String {
    format!("{alias}.{}", field.column())
}

/// The column of the key that references to `entity` use.
fn key_column(entity: &Entity, alias: &str) -> String {
    qualified(alias, key_field(entity))
}

/// The values of the fields of `entity`, which must be the first columns of the row, in their order.
fn record_of(row: &AnyRow, entity: &Entity) -> Result<Record> {
    values_of(row, entity.columns())
}

/// The values of `fields`, which must be the first columns of the row, in their order.
fn values_of<'a>(row: &AnyRow, fields: impl Iterator<Item = &'a Field>) -> Result<Vec<Datum>> {
    let mut values = Vec::new();
    for (index, field) in fields.enumerate() {
        values.push(if is_integer(field.kind) {
            row.try_get::<Option<i64>, _>(index)?.map_or(Datum::Null, Datum::Integer)
        } else {
            row.try_get::<Option<String>, _>(index)?.map_or(Datum::Null, Datum::Text)
        });
    }
    Ok(values)
}

fn is_integer(kind: Kind) -> bool {
    matches!(kind, Kind::Integer { .. } | Kind::Year | Kind::Flag | Kind::Reference(_))
}

type AnyQuery<'q> = Query<'q, Any, AnyArguments>;

/// Binds a value with the column's type: Postgres distinguishes a null number from a null text.
fn bind_as<'q>(query: AnyQuery<'q>, datum: &Datum, kind: Kind) -> AnyQuery<'q> {
    match datum {
        Datum::Null if is_integer(kind) => query.bind(None::<i64>),
        other => bind(query, other),
    }
}

fn bind<'q>(query: AnyQuery<'q>, datum: &Datum) -> AnyQuery<'q> {
    match datum {
        Datum::Null => query.bind(None::<String>),
        Datum::Text(text) | Datum::Reference(text) => query.bind(text.clone()),
        Datum::Integer(number) => query.bind(*number),
    }
}
