//! Rows of entities: the one place where SQL is put together from names.
//!
//! The names are those of `&'static` [`Entity`] descriptions, never of a request, so the statements are as
//! fixed as if they were written out; values are always bound.

use std::collections::{BTreeSet, HashMap};

use sqlx::any::AnyArguments;
use sqlx::any::AnyRow;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

use super::{Choice, Datum, Entity, Field, Kind, Listed, Listing, Record, Rows};
use festival_base::db::Backend;
use festival_base::error::{Error, FieldError, Result};

/// Turns references by key into ids; a key that names no row is an error at its field.
pub async fn resolve(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &mut Record,
) -> Result<()> {
    let mut errors = Vec::new();
    for (field, datum) in entity.columns().zip(record.iter_mut()) {
        let (Kind::Reference(target), Datum::Reference(text)) = (field.kind, &*datum) else { continue };
        let key = [Datum::Text(text.clone())];
        match find(connection, target, edition, &key).await? {
            Some(id) => *datum = Datum::Integer(id),
            None => errors.push(FieldError::new(field.name, format!("there is no {} \"{text}\"", target.singular))),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}

/// The id of the row with these key values, in the order of [`Entity::key`].
pub async fn find(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    key: &[Datum],
) -> Result<Option<i64>> {
    let mut conditions = Vec::new();
    let mut place = 1;
    if entity.per_edition {
        conditions.push(format!("edition_id = ${place}"));
        place += 1;
    }
    for (name, datum) in entity.key.iter().zip(key) {
        let column = entity.field(name).map_or_else(|| (*name).to_owned(), super::Field::column);
        if *datum == Datum::Null {
            conditions.push(format!("{column} IS NULL"));
        } else {
            conditions.push(format!("{column} = ${place}"));
            place += 1;
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

/// Writes a new row and answers its id. References must be resolved.
pub async fn insert(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    now: &str,
) -> Result<i64> {
    insert_with(connection, entity, edition, record, &[], now).await
}

/// Writes a new row with columns beside its fields (what the site itself knows of it) and answers its id.
pub async fn insert_with(
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
    record: &Record,
    beside: &[(&'static str, Datum)],
    now: &str,
) -> Result<i64> {
    let mut columns: Vec<String> = Vec::new();
    if entity.per_edition {
        columns.push("edition_id".to_owned());
    }
    columns.extend(entity.columns().map(super::Field::column));
    columns.extend(beside.iter().map(|(name, _)| (*name).to_owned()));
    columns.extend(["created_at".to_owned(), "updated_at".to_owned()]);
    let mut places: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
    if connection.backend_name() == "SQLite" && !beside.iter().any(|(name, _)| *name == "id") {
        columns.push("id".to_owned());
        places.push(next_id(entity));
    }
    let places = places.join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({places}) RETURNING id", entity.table, columns.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    if entity.per_edition {
        query = query.bind(edition);
    }
    for (field, datum) in entity.columns().zip(record) {
        query = bind_as(query, datum, field.kind);
    }
    for (_, datum) in beside {
        query = bind(query, datum);
    }
    let row = query.bind(now.to_owned()).bind(now.to_owned()).fetch_one(connection).await?;
    Ok(row.try_get("id")?)
}

/// Writes new rows with one statement and answers their ids, in their order. References must be resolved. On SQLite, where
/// ids are counted here, only within a transaction that writes.
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
        rows_of_places(records.len(), columns.len())
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

/// Ids that no row has and none had.
async fn new_ids(connection: &mut AnyConnection, backend: Backend, entity: &Entity, count: usize) -> Result<Vec<i64>> {
    if backend == Backend::Postgres {
        let ids = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)";
        return Ok(sqlx::query_scalar(ids).bind(entity.table).bind(count as i64).fetch_all(connection).await?);
    }
    let sql = format!("SELECT {}", next_id(entity));
    let first: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
    Ok((first..first + count as i64).collect())
}

/// The next id on SQLite. It would by itself give the id of a deleted row to the next one, and with it the history of
/// another thing.
fn next_id(entity: &Entity) -> String {
    let table = entity.table;
    format!(
        "max(coalesce((SELECT max(id) FROM {table}), 0), \
         coalesce((SELECT max(row_id) FROM revisions WHERE entity = '{table}'), 0)) + 1"
    )
}

/// Numbered places for the values of rows: "($1, $2), ($3, $4)".
pub(crate) fn rows_of_places(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", places.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Overwrites all fields of a row. References must be resolved.
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

/// What a row holds now, one value per field; `None` where there is no such row.
pub async fn fetch(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Record>> {
    let columns = entity.columns().map(super::Field::column).collect::<Vec<_>>().join(", ");
    let sql = format!("SELECT {columns} FROM {} WHERE id = $1", entity.table);
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.map(|row| record_of(&row, entity)).transpose()
}

/// What the rows with these ids hold now, and the edition that each belongs to, by id.
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
        rows_of_places(1, ids.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for id in ids {
        query = query.bind(*id);
    }
    let rows = query.fetch_all(connection).await?;
    let row = |row: &AnyRow| Ok((row.try_get("own_id")?, (record_of(row, entity)?, row.try_get("own_edition")?)));
    rows.iter().map(row).collect()
}

/// The ids of the rows that have each key, in the order of [`Entity::key`]; without those where a part of it is empty.
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

/// Keeps others from writing rows of these entities until the end of the transaction, and waits for those who are.
pub(crate) async fn lock_tables(connection: &mut AnyConnection, backend: Backend, entities: &[&Entity]) -> Result<()> {
    if backend == Backend::Sqlite {
        return Ok(()); // Whoever may write is alone anyway.
    }
    // In one order everywhere: two that wait for each other would wait for ever.
    let tables: BTreeSet<&str> = entities.iter().map(|entity| entity.table).collect();
    let tables = tables.into_iter().collect::<Vec<_>>().join(", ");
    let sql = format!("LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE");
    sqlx::query(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

/// Waits for whoever is writing a row, and keeps others from writing it until the end of the transaction.
pub async fn lock(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<()> {
    // SQLite has one writer anyway, and no words for it.
    let sql = format!("UPDATE {} SET updated_at = updated_at WHERE id = $1", entity.table);
    sqlx::query(AssertSqlSafe(sql)).bind(id).execute(connection).await?;
    Ok(())
}

/// Deletes a row; `false` where there was none.
pub async fn delete(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<bool> {
    let sql = format!("DELETE FROM {} WHERE id = $1", entity.table);
    match sqlx::query(AssertSqlSafe(sql)).bind(id).execute(connection).await {
        Ok(done) => Ok(done.rows_affected() > 0),
        Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(Error::Conflict(format!(
            "Something that people sent still belongs to this {}. It cannot be deleted.",
            entity.singular
        ))),
        Err(error) => Err(error.into()),
    }
}

/// The edition that a row belongs to; `None` where its entity belongs to none, or the row is not there.
pub async fn edition_of(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<i64>> {
    if !entity.per_edition {
        return Ok(None);
    }
    let sql = format!("SELECT edition_id FROM {} WHERE id = $1", entity.table);
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?)
}

/// How many rows of `entity` name this row of `target` (through a reference, or as their edition).
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

/// How many rows of each entity the site does not show, those of other editions left out: one statement.
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

/// The rows that a reference to `entity` may name, in the entity's own order.
pub async fn choices(connection: &mut AnyConnection, entity: &Entity, edition: Option<i64>) -> Result<Vec<Choice>> {
    let condition = if entity.per_edition { " WHERE t.edition_id = $1" } else { "" };
    let sql = format!(
        "SELECT t.id, CAST({} AS TEXT) AS key, CAST({} AS TEXT) AS name FROM {} t{condition} ORDER BY {}",
        key_column(entity, "t"),
        of("t", entity.title()),
        entity.table,
        order_of(entity)
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

/// Turns the ids of references into the keys of the rows that they name: what [`resolve`] reads.
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

/// A page of rows, with what the rows that they refer to are called.
///
/// Which rows they are is decided before anything is read of them or joined to them. Without a search, how many there
/// are is cheap, and pages in the second half are found from the end; a search looks at every row, so the page comes
/// first, and what it found is counted only where the page does not say it.
pub async fn list(
    connection: &mut AnyConnection,
    backend: Backend,
    entity: &Entity,
    listing: &Listing,
) -> Result<Rows> {
    let (condition, bound) = conditions(backend, entity, listing);
    let mut slice = Slice { offset: listing.offset, limit: listing.limit, from_the_end: false };
    let mut total = None;
    if listing.search.is_empty() {
        let count = count(connection, entity, &condition, &bound).await?;
        slice = slice.of(count);
        total = Some(count);
    }
    let rows = page(connection, entity, listing, (&condition, &bound), &slice).await?;
    let found = rows.len() as i64;
    let total = match total {
        Some(total) => total,
        None if found < listing.limit && (found > 0 || listing.offset == 0) => listing.offset + found,
        None => count(connection, entity, &condition, &bound).await?,
    };
    Ok(Rows { rows, total })
}

/// Which of the ordered rows, counted from the nearer end.
struct Slice {
    offset: i64,
    limit: i64,
    from_the_end: bool,
}

impl Slice {
    /// The same rows of so many.
    fn of(self, total: i64) -> Self {
        if self.offset <= total / 2 {
            return self;
        }
        let limit = (total - self.offset).clamp(0, self.limit);
        Self { offset: (total - self.offset - limit).max(0), limit, from_the_end: true }
    }
}

async fn count(connection: &mut AnyConnection, entity: &Entity, condition: &str, bound: &[Datum]) -> Result<i64> {
    let sql = format!("SELECT count(*) FROM {} t{condition}", entity.table);
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in bound {
        query = bind(query, datum);
    }
    Ok(query.fetch_one(connection).await?.try_get(0)?)
}

/// The rows of a slice.
async fn page(
    connection: &mut AnyConnection,
    entity: &Entity,
    listing: &Listing,
    (condition, bound): (&str, &[Datum]),
    slice: &Slice,
) -> Result<Vec<Listed>> {
    let mut columns: Vec<String> = entity.columns().map(|field| of("t", field)).collect();
    let mut joins = String::new();
    let references: Vec<(&'static Field, &'static Entity)> = references(entity).collect();
    for (index, (field, target)) in references.iter().enumerate() {
        joins.push_str(&format!(" LEFT JOIN {} r{index} ON r{index}.id = {}", target.table, of("t", field)));
        columns.push(format!("CAST({} AS TEXT)", of(&format!("r{index}"), target.title())));
    }
    let (by, down) = listing.sort.unwrap_or_else(|| entity.own_order());
    let order = ordered(entity, by, down, false);
    let sql = format!(
        "SELECT {}, t.id AS own_id, t.updated_at AS own_updated_at FROM {table} t{joins} WHERE t.id IN \
         (SELECT t.id FROM {table} t{}{condition} ORDER BY {} LIMIT {} OFFSET {}) ORDER BY {order}",
        columns.join(", "),
        if matches!(by.kind, Kind::Reference(_)) { joins.as_str() } else { "" },
        ordered(entity, by, down, slice.from_the_end),
        slice.limit,
        slice.offset,
        table = entity.table,
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for datum in bound {
        query = bind(query, datum);
    }
    let found = query.fetch_all(connection).await?;
    let names_from = entity.columns().count();
    let mut rows = Vec::with_capacity(found.len());
    for row in &found {
        let mut names = std::collections::BTreeMap::new();
        for (index, (field, _)) in references.iter().enumerate() {
            if let Some(name) = row.try_get::<Option<String>, _>(names_from + index)? {
                names.insert(field.name, name);
            }
        }
        let record = record_of(row, entity)?;
        rows.push(Listed { id: row.try_get("own_id")?, record, names, updated_at: row.try_get("own_updated_at")? });
    }
    Ok(rows)
}

/// The condition of a listing, with its leading WHERE, and what is bound to it.
fn conditions(backend: Backend, entity: &Entity, listing: &Listing) -> (String, Vec<Datum>) {
    let mut conditions = Vec::new();
    let mut bound = Vec::new();
    if let Some(edition) = listing.edition.filter(|_| entity.per_edition) {
        bound.push(Datum::Integer(edition));
        conditions.push(format!("t.edition_id = ${}", bound.len()));
    }
    for (field, datum) in &listing.filters {
        if *datum == Datum::Null {
            conditions.push(format!("{} IS NULL", of("t", field)));
        } else {
            bound.push(datum.clone());
            conditions.push(format!("{} = ${}", of("t", field), bound.len()));
        }
    }
    // SQLite's LIKE takes capitals and small letters for the same, Postgres has a word for that.
    let like = if backend == Backend::Postgres { "ILIKE" } else { "LIKE" };
    for word in listing.search.split_whitespace().take(8) {
        let escaped = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        bound.push(Datum::Text(format!("%{escaped}%")));
        let place = bound.len();
        let any = entity.searched().map(|field| format!("{} {like} ${place} ESCAPE '\\'", of("t", field)));
        conditions.push(format!("({})", any.collect::<Vec<_>>().join(" OR ")));
    }
    let condition = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    (condition, bound)
}

/// The references of an entity, in the order of its columns.
fn references(entity: &Entity) -> impl Iterator<Item = (&'static Field, &'static Entity)> {
    entity.columns().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some((field, target)),
        _ => None,
    })
}

/// What rows are ordered by where nobody asks for another order.
fn order_of(entity: &Entity) -> String {
    let (field, down) = entity.own_order();
    ordered(entity, field, down, false)
}

/// An order by a field; the id decides between equals, empty ones come last. `backwards`: the same from its end.
fn ordered(entity: &Entity, field: &'static Field, down: bool, backwards: bool) -> String {
    let place = references(entity).position(|(reference, _)| reference.name == field.name);
    let column = match (field.kind, place) {
        (Kind::Reference(target), Some(index)) => of(&format!("r{index}"), target.title()),
        _ => of("t", field),
    };
    let direction = if down == backwards { "ASC" } else { "DESC" };
    // A column that is never empty keeps its index.
    let filled = field.required || matches!(field.kind, Kind::Flag) || field.name == "position";
    let empty_last = match (filled, backwards) {
        (true, _) => String::new(),
        (false, false) => format!("({column} IS NULL), "),
        (false, true) => format!("({column} IS NULL) DESC, "),
    };
    format!("{empty_last}{column} {direction}, t.id {direction}")
}

/// The column of a field in a table that is called `alias` here.
fn of(alias: &str, field: &Field) -> String {
    format!("{alias}.{}", field.column())
}

/// The column that a reference to `entity` names.
fn key_column(entity: &Entity, alias: &str) -> String {
    let key = entity.key.first().and_then(|name| entity.field(name)).unwrap_or_else(|| entity.title());
    of(alias, key)
}

/// The fields of `entity` out of a row whose columns begin with them, in their order.
fn record_of(row: &AnyRow, entity: &Entity) -> Result<Record> {
    values_of(row, entity.columns())
}

/// The values of fields out of a row whose columns begin with them, in their order.
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

/// Binds with the column's type, so that a missing number is a missing number to Postgres, not a missing text.
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
