//! Personal data: export and erasure by e-mail address, and erasure after the retention period.
//!
//! Core and modules register implementations of [`PersonalData`]. Each finds its data about the person with an e-mail
//! address, erases it in a transaction shared with the others, and erases data older than its retention period.

mod archive;
mod erase;
mod erasures;
mod find;
mod history;
mod holder;
mod mails;
mod retention;

use std::sync::Arc;

pub use archive::{ArchivedFile, PrivateArchive};
pub use erase::{erase, preview_erasure, replay};
pub use erasures::{ERASURES, Erasures};
pub use find::{PersonalExport, export, find};
pub use holder::{DisclosedPerson, Erased, Holders, Person, PersonalData, PersonalRecord, RetentionPeriod};
pub use retention::{expire, run_retention};

/// Returns the holders of core: outbox, history, audit log.
pub fn own() -> Vec<Arc<dyn PersonalData>> {
    vec![Arc::new(mails::Mails), Arc::new(history::History), Arc::new(history::AuditDetails)]
}
