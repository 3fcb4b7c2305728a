//! Import of a table: upload, preview line by line, then import.
//!
//! Between the steps the file is staged in the private store for an hour, accessible to the session that uploaded it.
//! The import is planned again and written only if the plan still equals the preview. It first claims the file, so that
//! a second click cannot import it again.

mod form;
mod page;
pub(super) mod past;
pub(crate) mod staged;
mod steps;
mod table;

pub(super) use steps::{accepting_table, import, receive, show};
