//! The screens of settings: list of groups, form, history, restore.

mod form;
pub(super) mod history;
pub(super) mod index;
mod read;
mod routes;

pub(crate) use routes::{history_screens, screens};
