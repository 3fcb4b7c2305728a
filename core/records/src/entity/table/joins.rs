//! Joins with the tables that the rows of an entity refer to.

use super::query::qualified;
use crate::entity::{Entity, Field, Kind};
use festival_base::db::Order;

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
        format!("coalesce(CAST({title} AS TEXT), CAST({key} AS TEXT))")
    })
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
