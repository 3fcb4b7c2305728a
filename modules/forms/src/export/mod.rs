//! Exports submissions as a table, and their files as an archive.

mod archive;
mod command;
mod layout;

pub(crate) use archive::add_files;
pub(crate) use command::ExportForms;
pub(crate) use layout::{Layout, flags};
