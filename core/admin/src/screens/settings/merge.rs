//! Merges the settings entered in a form with those that others saved in the meantime, setting by setting.

use serde_json::Value;
use sqlx::AnyConnection;

use crate::back_office::AdminRequest;
use crate::browser_settings::{Group, GroupState, GroupValues, display_text, history, version_of};
use crate::versions::{Merge, Sides};
use festival_base::error::Result;

/// Maximum number of revisions that others may save while a form is open; after more, its changes cannot be merged.
const MAX_REVISIONS_BACK: i64 = 50;

/// Merges the values that were entered over `seen_version` with those in force. Without a history back to that version,
/// every setting that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    group: &Group,
    (current, seen_version): (&GroupState, &str),
    mine: &GroupValues,
) -> Result<Merge<GroupValues>> {
    let revisions = history(connection, group, (0, MAX_REVISIONS_BACK)).await?;
    let seen = revisions.iter().map(|revision| &revision.record).find(|record| version_of(record) == seen_version);
    let mut merge = Merge::new(request, mine.clone(), revisions.first().filter(|_| seen.is_some()));
    for item in group.items {
        let path = item.path();
        let (mine, theirs) = (mine.get(path), current.values.get(path));
        let seen = seen.map(|seen| seen.get(path));
        let text = |value: Option<&Value>| {
            value.map(|value| display_text(item, value, &request.site.time_zone)).unwrap_or_default()
        };
        match Sides::of(&mine, &theirs, seen.as_ref(), PartialEq::eq) {
            Sides::Mine => {}
            Sides::Theirs => {
                merge.taken.push((path, item.field.label));
                merge.values.extend(theirs.map(|theirs| (path, theirs.clone())));
            }
            Sides::Both => merge.differ((path, item.field.label), &text(theirs), &text(mine)),
        }
    }
    Ok(merge)
}
