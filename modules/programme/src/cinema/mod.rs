//! Files of digital cinema: playlists (CPL), which become prints, and key delivery messages (KDM), which become keys.

mod cpl;
mod files;
mod kdm;
mod language;
mod store;
mod title;
mod xml;

pub(crate) use self::files::{MAX_ARCHIVE_BYTES, read_files};
pub(crate) use self::language::named as languages_named;
pub(crate) use self::store::{Import, Imported, Line, Outcome, running_time};
pub(crate) use self::xml::MAX_BYTES;
