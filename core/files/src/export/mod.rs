//! Tables out of the program: CSV, XLSX and JSON from a stream of rows, and archives of files.
//!
//! What the columns mean is not known here. Rows pass through one by one, so that a table may be larger than the
//! memory; nothing stands at the final name before all of it is written. The way in is [`crate::sheet`].

mod archive;
mod cell;
mod delimited;
mod file_name;
mod formula;
mod json;
mod output;
mod progress;
mod table;
mod target;
mod workbook;

#[cfg(test)]
mod tests;

pub use archive::Archive;
pub use cell::{Cell, Column, Format};
pub use file_name::safe_name;
pub use formula::{guarded, is_formula, unguarded};
pub use output::{Output, arguments};
pub use progress::Progress;
pub use table::TableWriter;
pub use target::{Target, Unfinished};
