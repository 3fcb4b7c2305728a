//! Parts of statements, joins with the tables that rows refer to, and the values of rows that statements return.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};

use crate::entity::{Datum, Entity, Field, Kind, Record};
use festival_base::db::Order;
use festival_base::error::Result;

/// The column of a field, qualified with the alias of its table.
pub(super) fn qualified(alias: &str, field: &Field) -> String {
    format!("{alias}.{}", field.column())
}

/// The values of the fields of `entity`, which must be the first columns of the row, in their order.
pub(super) fn record_of(row: &AnyRow, entity: &Entity) -> Result<Record> {
    values_of(row, entity.columns())
}

/// The values of `fields`, which must be the first columns of the row, in their order.
pub(super) fn values_of<'a>(row: &AnyRow, fields: impl Iterator<Item = &'a Field>) -> Result<Vec<Datum>> {
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

pub(super) fn is_integer(kind: Kind) -> bool {
    matches!(kind, Kind::Integer { .. } | Kind::Year | Kind::Flag | Kind::Reference(_))
}

/// A statement for either database, with its values.
pub(crate) type AnyQuery<'q> = Query<'q, Any, AnyArguments>;

/// Binds a value with the column's type: Postgres distinguishes a null number from a null text.
pub(super) fn bind_as<'q>(query: AnyQuery<'q>, datum: &Datum, kind: Kind) -> AnyQuery<'q> {
    match datum {
        Datum::Null if is_integer(kind) => query.bind(None::<i64>),
        other => other.bind(query),
    }
}

/// A statement with the values of an [`id_list`](super::id_list).
pub(crate) fn bind_ids(sql: String, ids: &[i64]) -> AnyQuery<'static> {
    ids.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(*id))
}

/// The references of an entity, in the order of its columns.
pub(super) fn references(entity: &Entity) -> impl Iterator<Item = (&'static Field, &'static Entity)> {
    entity.columns().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some((field, target)),
        _ => None,
    })
}

/// The field of the key that references to `entity` use.
pub(super) fn key_field(entity: &Entity) -> &'static Field {
    entity.key.first().and_then(|name| entity.field(name)).unwrap_or_else(|| entity.title())
}

/// The column of the key that references to `entity` use.
pub(super) fn key_column(entity: &Entity, alias: &str) -> String {
    qualified(alias, key_field(entity))
}

/// The joins with the rows that an entity refers to: `r0` for its first reference.
pub(super) fn joins(entity: &Entity) -> String {
    let join = |(index, (field, target)): (usize, (&Field, &Entity))| {
        format!(" LEFT JOIN {} r{index} ON r{index}.id = {}", target.table, qualified("t", field))
    };
    references(entity).enumerate().map(join).collect()
}

/// The names of these rows: their titles; of a row without a title what choices call it.
pub(super) fn names(entity: &Entity) -> impl Iterator<Item = String> {
    references(entity).enumerate().map(|(index, (_, target))| {
        let alias = format!("r{index}");
        let (title, key) = (qualified(&alias, target.title()), key_column(target, &alias));
        format!("coalesce(nullif(CAST({title} AS TEXT), ''), CAST({key} AS TEXT))")
    })
}

/// The keys of these rows as texts.
pub(super) fn keys(entity: &Entity) -> impl Iterator<Item = String> {
    let key = |(index, (_, target)): (usize, (&Field, &Entity))| {
        format!("CAST({} AS TEXT)", key_column(target, &format!("r{index}")))
    };
    references(entity).enumerate().map(key)
}

/// The ascending order by a field, with empty values last.
pub(super) fn order_of(entity: &Entity, field: &'static Field) -> Order {
    let reference_index = references(entity).position(|(reference, _)| reference.name == field.name);
    let (column, order) = match (field.kind, reference_index) {
        (Kind::Reference(target), Some(index)) => {
            let column = qualified(&format!("r{index}"), target.title());
            (column.clone(), Order::by(column).of_joined())
        }
        _ => (qualified("t", field), Order::by(qualified("t", field))),
    };
    let is_never_empty = field.required || matches!(field.kind, Kind::Flag) || field.name == "position";
    if is_never_empty { order } else { order.last_if(format!("{column} IS NULL")) }
}
