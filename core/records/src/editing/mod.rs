//! Creating, updating, deleting and restoring rows of any entity, with their history.
//!
//! A row and its revision are written in one transaction. Updates name the version that the editor saw
//! ([`Current::version`]) and are rejected if the row has another by now. A deleted row can be restored from its last
//! revision, with its id.
//!
//! Permissions and screens are the back office's.

mod change;
mod current;
mod many;
mod meanwhile;
mod publication;
mod revision;

pub(crate) use change::duplicate_key;
pub use change::{create, delete, restore, set_field, update};
pub(crate) use current::find_many;
pub use current::{Current, find, find_to_write, get, get_unchanged};
pub(crate) use many::delete_many;
pub use many::{fingerprint, publish_many};
pub use meanwhile::{Meanwhile, changed_meanwhile};
pub(crate) use publication::parse_publication;
pub use publication::{IS_PUBLISHED, all_scheduled, due_before, publication_text, publish, publish_due, schedule};
pub use revision::{Action, Revision, add_json_revision, deleted, history, revision};
pub(crate) use revision::{HISTORY_COLUMNS, HistoryEntry, add_unknown_to_history, history_statement, last_revisions};

use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use crate::entity::{Datum, Entity, Field, Kind, Record};

/// Who makes a change.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The account; `None` for the site itself.
    pub account: Option<i64>,
    /// The name at the time of the change, because accounts may be renamed.
    pub name: String,
    /// The import that makes the change; `None` for a change by hand.
    pub import: Option<i64>,
}

impl Editor {
    /// Who makes changes by hand.
    pub fn new(account: Option<i64>, name: impl Into<String>) -> Self {
        Self { account, name: name.into(), import: None }
    }
}

/// The changed fields with shortened values, for the audit log. The history has the whole values.
#[derive(Clone, Debug)]
pub struct Change {
    /// The values before the change, by field.
    pub before: Value,
    /// The values after it.
    pub after: Value,
}

impl Change {
    /// The difference of two objects; a name that one of them lacks counts as null there.
    fn between(before: &Map<String, Value>, after: &Map<String, Value>) -> Self {
        let differing = |of: &Map<String, Value>, other: &Map<String, Value>| -> Value {
            let differs = |name: &str, value: &Value| other.get(name).unwrap_or(&Value::Null) != value;
            let parts = of.iter().filter(|(name, value)| differs(name, value));
            parts.map(|(name, value)| (name.clone(), short(value))).collect::<Map<_, _>>().into()
        };
        Self { before: differing(before, after), after: differing(after, before) }
    }
}

/// The value, a long text cut.
fn short(value: &Value) -> Value {
    value.as_str().map_or_else(|| value.clone(), |text| crate::text::shortened(text).into())
}

/// The title of a row: the value of [`Entity::title`], or else the entity's name.
pub fn title_of(entity: &Entity, record: &Record) -> String {
    // A reference is a number here, which tells people nothing.
    let is_title = |field: &Field| field.name == entity.title().name && !matches!(field.kind, Kind::Reference(_));
    let title = entity.columns().zip(record).find(|(field, datum)| is_title(field) && **datum != Datum::Null);
    title.map_or_else(|| entity.singular.to_owned(), |(field, datum)| field.print(datum, &TimeZone::UTC))
}
