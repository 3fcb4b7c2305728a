//! Parts of statements, and the values of rows that they return.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};

use crate::entity::{Datum, Entity, Field, Kind, Record};
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
