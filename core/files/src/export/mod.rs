//! Export of tables as CSV, XLSX, ODS and JSON, and of files as ZIP archives.
//!
//! Nothing here knows what the columns mean. Rows are streamed, so that a table may be larger than memory, and a file
//! appears under its final name only when it is complete. Tables are read by [`crate::sheet`].

mod archive;
mod cell;
mod delimited;
mod file_name;
mod json;
mod output;
mod progress;
mod spreadsheet;
mod table;
mod target;
mod workbook;

#[cfg(test)]
mod tests;

pub use archive::Archive;
pub use cell::{Cell, Column, Format};
pub use delimited::{escape_formula, unescape_formula};
pub use file_name::safe_name;
pub use output::{Output, arguments, counted, file_argument};
pub use progress::Progress;
pub use table::TableWriter;
pub use target::{PendingFile, Target};
