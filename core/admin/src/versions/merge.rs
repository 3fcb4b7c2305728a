//! Merges a form with what others saved in the meantime, field by field.

use serde_json::{Value, json};

use crate::back_office::AdminRequest;
use crate::serving::reply::Page;
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::Revision;

/// A form merged with what is stored.
pub(crate) struct Merge<V> {
    /// For each field the value of the side that changed it; if both did, the entered one.
    pub(crate) values: V,
    /// The fields that both sides changed, for the template.
    pub(crate) differences: Vec<Value>,
    /// The names and labels of the fields that others changed.
    pub(crate) taken: Vec<(&'static str, &'static str)>,
    /// Who changed them last, and when: "Anu on 11 Dec 2026, 6:32 PM"; empty if the history does not tell.
    pub(crate) by: String,
}

/// Which side changed a field since the form was opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    /// Nobody, the form alone, or both to the same value: the entered value stays.
    Mine,
    /// The others alone.
    Theirs,
    /// Both, to different values.
    Both,
}

impl Sides {
    /// Compares the entered and the stored value with what the form showed. Without that, a field that differs counts as
    /// changed by both.
    pub(crate) fn of<T>(mine: &T, theirs: &T, seen: Option<&T>, is_equal: impl Fn(&T, &T) -> bool) -> Self {
        if is_equal(mine, theirs) || seen.is_some_and(|seen| is_equal(seen, theirs)) {
            return Self::Mine;
        }
        if seen.is_some_and(|seen| is_equal(seen, mine)) { Self::Theirs } else { Self::Both }
    }
}

impl<V> Merge<V> {
    /// Begins with the entered values; `last` is the last change of others.
    pub(crate) fn new<R>(request: &AdminRequest, values: V, last: Option<&Revision<R>>) -> Self {
        let by = |last: &Revision<R>| {
            format!("{} on {}", last.editor.name, time_text::short(&last.at, &request.site.time_zone))
        };
        Self { values, differences: Vec::new(), taken: Vec::new(), by: last.map_or_else(String::new, by) }
    }

    /// Adds a field that both sides changed.
    pub(crate) fn differ(&mut self, (name, label): (&str, &str), theirs: &str, mine: &str) {
        self.differences.push(json!({ "label": label, "name": name, "theirs": theirs, "mine": mine }));
    }

    /// The labels of the fields that others changed: "Currency, Fee".
    pub(crate) fn taken_labels(&self) -> String {
        self.taken.iter().map(|(_, label)| *label).collect::<Vec<_>>().join(", ")
    }

    /// The conflict, told with who caused it if that is known; `what` is "This film was" or "These settings were".
    pub(crate) fn conflict(&self, what: &str, conflict: Error) -> Error {
        match self.by.as_str() {
            "" => conflict,
            by => Error::Conflict(format!("{what} changed by {by}. Your changes are not saved yet.")),
        }
    }

    /// Shows the form, which has the merged values, with both versions of what differs.
    ///
    /// # Errors
    /// Returns `error` itself if it is not about the submitted form.
    pub(crate) fn refused(&self, page: Page, error: Error) -> Result<Page> {
        page.with("differences", &self.differences).with("taken", self.taken_labels()).refused(error)
    }
}
