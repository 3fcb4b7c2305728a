//! Files: the stores, what people send and whether it is safe, smaller pictures, tables in and out, archives.
//!
//! Nothing here knows of records or of addresses of the site. `upload` stands on `media`, `media` on `checks`.

pub mod checks;
pub mod export;
pub mod media;
pub mod sheet;
pub mod upload;
pub mod workers;
