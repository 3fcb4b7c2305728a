//! The addresses of an entity's screens.

use festival_records::entity::Entity;

/// Returns the path of an entity's list: `/admin/upcoming-events`.
pub(super) fn home(entity: &Entity) -> String {
    format!("/admin/{}", entity.slug())
}

/// Returns the path of a row.
pub(super) fn row_path(entity: &Entity, id: i64) -> String {
    format!("{}/{id}", home(entity))
}

/// Returns the path of the list of deleted rows.
pub(super) fn bin(entity: &Entity) -> String {
    format!("{}/bin", home(entity))
}

/// Returns the path of the list of imports.
pub(super) fn imports(entity: &Entity) -> String {
    format!("{}/imports", home(entity))
}
