//! The page of a history.

use serde_json::{Value, json};

use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::serving::reply::{Page, Reply};
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
            .with("newest", links.newest)
            .with("older", links.older)
            .with("may_edit", self.may_edit)
    }
}
