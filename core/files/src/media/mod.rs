//! The media stores, in a folder or in a bucket. Public files are served under `/media/`, private ones only in the back
//! office.
//!
//! The key of a public file contains the hash of its content: identical files are stored once, and the content at an
//! address never changes.

mod gate;
mod identity;
mod keys;
mod private;
mod public;
mod quota;
mod renditions;
mod slots;
mod staged;
mod staging;
mod store;
mod stores;
mod sweep;
mod transport;

pub(crate) use gate::Gate;
pub use public::PreparedFile;
pub use renditions::{Rendition, WIDTHS};
pub(crate) use slots::Slot;
pub use slots::SlotUse;
pub use staged::StagedFile;
pub use staging::random_name;
pub(crate) use staging::storage_error;
pub use store::{Content, Listed, OpenFile};
pub use stores::{Media, Swept};
pub use sweep::{SweepLimit, TRASH_DAYS, Trashed};
pub use transport::{Area, CopiedFile, CopyProgress, CopyReport};
