//! Files: the stores, what people send and whether it is safe, smaller pictures, tables in and out, archives.
//!
//! Nothing here knows of records or of addresses of the site. `upload` stands on `media`, `media` on `checks`, all of
//! them on `budget`.

pub mod budget;
pub mod checks;
pub mod export;
pub mod media;
#[cfg(test)]
mod properties;
pub mod scanner;
pub mod sheet;
pub mod upload;
pub mod workers;
