//! Creating, updating, deleting and restoring rows of any entity, with their history.
//!
//! A row and its revision are written in one transaction. Updates name the version that the editor saw
//! ([`Current::version`]) and are rejected if the row has another by now. A deleted row can be restored from its last
//! revision, with its id.
//!
//! Permissions and screens are the back office's.

mod change;
mod current;
mod editor;
mod many;
mod meanwhile;
mod publication;
mod publish;
mod revision;
mod title;

pub(crate) use change::duplicate_key;
pub use change::{Change, create, delete, restore, set_field, update};
pub(crate) use current::find_many;
pub use current::{Current, find, find_to_write, get, get_unchanged};
pub use editor::Editor;
pub(crate) use many::delete_many;
pub use many::{fingerprint, publish_many, versions};
pub use meanwhile::{Meanwhile, changed_meanwhile};
pub(crate) use publication::PUBLISH_AT;
pub use publication::{IS_PUBLISHED, due_before, schedule};
pub use publish::publish_due;
pub use revision::{
    Action, JsonRecord, Revision, add_json_revision, datum_to_json, deleted, history, json_history, json_revision,
    revision,
};
pub(crate) use revision::{HistoryEntry, add_history, add_unknown_to_history, history_statement, last_revisions};
pub use title::title_of;
