//! Exports submissions as a table, and their files as an archive.

mod command;
mod layout;

pub(crate) use command::ExportForms;
pub(crate) use layout::{Layout, add_files, flags};
