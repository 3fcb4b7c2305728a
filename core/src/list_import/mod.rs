//! Imports of lists on the command line: reading the file, asking about what is uncertain, writing, reporting.

mod arguments;
mod command;
mod report;
mod source;

pub use arguments::{arguments, default_argument};
pub use command::{ImportList, import_list};
