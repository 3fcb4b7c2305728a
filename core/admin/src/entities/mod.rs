//! The screens of entities, generated from their descriptions: list, form, history, deleted rows, import, export.
//!
//! No entity is named here. Validation is in [`Entity::parse`], writing and history in [`festival_records::editing`].

mod bulk;
mod cells;
mod files;
mod form;
mod history;
pub(super) mod import;
mod list;
pub(crate) mod on_page;
mod order;
mod paths;
mod plan;
mod preview;
mod remove;
mod routes;
mod save;
mod word_diff;

pub(super) use list::search;
pub use routes::screens;
