//! Files: stores, uploads and their checks, renditions of pictures, reading and writing of tables, archives.
//!
//! Nothing here knows about records or routes. `upload` uses `media`, `media` uses `checks` and `pdf_pages`, and all of
//! them use `budget`, except `pdf_pages`, whose limits are those of a process.

pub mod budget;
pub mod bundle;
pub mod checks;
pub mod export;
pub mod media;
pub mod pdf_pages;
pub mod scanner;
pub mod sheet;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod upload;
pub mod workers;
