//! Files: stores, uploads and their checks, renditions of pictures, reading and writing of tables, archives.
//!
//! Nothing here knows about records or routes. `upload` uses `media`, `media` uses `checks`, and all of them use
//! `budget`.

pub mod budget;
pub mod checks;
pub mod export;
pub mod media;
#[cfg(test)]
mod properties;
pub mod scanner;
pub mod sheet;
pub mod transfer;
pub mod upload;
pub mod workers;
