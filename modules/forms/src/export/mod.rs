//! What people sent, out again: as a table, and their files as an archive.
//!
//! `layout` decides the columns, `files` fills the archive; what can be asked for and how it is read is [`crate::submissions`].

mod command;
mod files;
mod layout;

pub(crate) use command::ExportForms;
pub(crate) use files::FileArchive;
pub(crate) use layout::{Layout, flags, is_without_consent, on_clocks};
