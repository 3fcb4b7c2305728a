//! Versions of records and of settings: the page of their history, and merging a form with what others saved in the meantime,
//! field by field.

use serde_json::{Value, json};

use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::serving::reply::{Page, Reply};
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::{Action, Revision};

/// Versions per page.
pub(crate) const PAGE_SIZE: usize = 100;

/// What a history is of.
pub(crate) struct History {
    /// The title of the row, or the label of the settings.
    pub(crate) title: String,
    /// Path below which versions are restored.
    pub(crate) path: String,
    /// How the state before the first recorded change is called.
    pub(crate) baseline: &'static str,
    /// Whether the latest version is the present state; it is not if that was deleted.
    pub(crate) is_current: bool,
    /// What is shown if nothing was changed.
    pub(crate) empty: String,
    /// Whether the account may restore a version.
    pub(crate) may_edit: bool,
}

impl History {
    /// The page of these revisions, as many as `pager` asks for; `changes` tells what one changed since the one before.
    pub(crate) fn page<R>(
        self,
        request: &AdminRequest,
        pager: &Pager,
        revisions: &[Revision<R>],
        changes: impl Fn(&Revision<R>, Option<&Revision<R>>) -> Vec<Value>,
    ) -> Page {
        let is_present = |index: usize| index == 0 && pager.before == 0 && self.is_current;
        let step = |(index, revision): (usize, &Revision<R>)| {
            let restore = format!("{}/history/{}/restore", self.path, revision.id);
            let action = if revision.action == Action::Baseline { self.baseline } else { revision.action.name() };
            let step = json!({
                "at": time_text::short(&revision.at, &request.site.time_zone),
                "who": revision.editor.name,
                "action": action,
                "changes": changes(revision, revisions.get(index + 1)),
                "restore": (!is_present(index)).then_some(restore),
            });
            (revision.id, step)
        };
        // The revision after the page was read to compute the changes of the last one on it.
        let mut steps: Vec<(i64, Value)> = revisions.iter().enumerate().map(step).collect();
        let links = pager.paginate(request, &mut steps, |(id, _)| *id);
        Reply::page("history", format!("History of “{}”", self.title))
            .with("empty", self.empty)
            .with("steps", steps.into_iter().map(|(_, step)| step).collect::<Vec<_>>())
            .paged(links)
            .with("may_edit", self.may_edit)
    }
}

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
