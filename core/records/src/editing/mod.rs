//! What organisers do to rows of any entity: write, delete, bring back; and who did what when.
//!
//! Every change is one transaction: the row and its revision. Nothing is overwritten unseen: whoever changes a row
//! says what they saw ([`Current::mark`]), and is told when it is another by now. Nothing is gone: a deleted row
//! comes back from its last revision, with its id.
//!
//! Not here: who may do it, and the screens.

mod alternative_texts;
mod change;
mod current;
mod publication;
mod revision;

pub(crate) use alternative_texts::of as alternative_texts;
pub use alternative_texts::{AlternativeTexts, pictures};
pub use change::{change, create, delete, restore, set};
pub(crate) use change::{end_plan_of_published, key_is_taken, key_of};
pub(crate) use current::find_many;
pub use current::{Current, as_seen, find, find_to_write, get};
pub use publication::{SHOWN, due_before, plan, planned, plans, publish, publish_due};
pub use revision::{Action, Revision, deleted, history, keep_json, revision};
pub(crate) use revision::{HistoryEntry, add_history, add_unknown_to_history};

use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use crate::entity::{Datum, Entity, Record};

/// Who changes something.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The account; `None` for what the site does by itself.
    pub account: Option<i64>,
    /// The name, kept with what was done: accounts come and go.
    pub name: String,
}

/// What a change did, field by field and in short: for the audit log. The history has all of it.
#[derive(Clone, Debug)]
pub struct Change {
    /// What the changed fields held.
    pub before: Value,
    /// What they hold.
    pub after: Value,
}

impl Change {
    /// What differs between two objects with the same names; a name that one of them does not have is empty there.
    fn between(before: &Map<String, Value>, after: &Map<String, Value>) -> Self {
        let differing = |of: &Map<String, Value>, other: &Map<String, Value>| -> Value {
            let differs = |name: &str, value: &Value| other.get(name).unwrap_or(&Value::Null) != value;
            let parts = of.iter().filter(|(name, value)| differs(name, value));
            parts.map(|(name, value)| (name.clone(), short(value))).collect::<Map<_, _>>().into()
        };
        Self { before: differing(before, after), after: differing(after, before) }
    }
}

/// A long text cut.
fn short(value: &Value) -> Value {
    value.as_str().map_or_else(|| value.clone(), |text| crate::text::shortened(text).into())
}

/// What people call a row.
pub fn title_of(entity: &Entity, record: &Record) -> String {
    let named =
        entity.columns().zip(record).find(|(field, datum)| field.name == entity.title().name && **datum != Datum::Null);
    named.map_or_else(|| entity.singular.to_owned(), |(field, datum)| field.print(datum, &TimeZone::UTC))
}
