//! Joins with the tables that the rows of an entity refer to.

use super::query::qualified;
use crate::entity::{Entity, Field, Kind};

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

/// The ORDER BY expressions for a field: empty values last, equal ones by id. `reversed` reverses the whole order.
pub(super) fn order_by(entity: &Entity, field: &'static Field, descending: bool, reversed: bool) -> String {
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
