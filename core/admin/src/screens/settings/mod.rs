//! The screens of settings: list of groups, form, history, restore.

mod form;
pub(super) mod history;
pub(super) mod index;
mod merge;
mod paths;
mod read;
mod routes;

pub(super) use paths::HOME;
pub(crate) use paths::path_of;
pub(crate) use routes::{history_screens, screens};
