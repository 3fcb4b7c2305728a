//! Merges the settings entered in a form with those that others saved in the meantime, setting by setting.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::back_office::AdminRequest;
use crate::browser_settings::{Group, GroupState, GroupValues, display_text, seen_and_latest};
use festival_base::error::Result;
use festival_base::time_text;

/// A form merged with the settings in force.
pub(super) struct Merge {
    /// For each setting the value of the side that changed it; if both did, the entered one.
    pub(super) values: GroupValues,
    /// The settings that both sides changed, for the template.
    pub(super) differences: Vec<Value>,
    /// The paths and labels of the settings that others changed.
    pub(super) taken: Vec<(&'static str, &'static str)>,
    /// Who changed them last, and when: "Anu on 11 Dec 2026, 6:32 PM"; empty if the history does not tell.
    pub(super) by: String,
}

impl Merge {
    /// Returns the labels of the settings that others changed: "Currency, Fee".
    pub(super) fn taken_labels(&self) -> String {
        self.taken.iter().map(|(_, label)| *label).collect::<Vec<_>>().join(", ")
    }
}

/// Merges the values that were entered over `seen_version` with those in force. Without a history back to that version,
/// every setting that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    group: &Group,
    (current, seen_version): (&GroupState, &str),
    mine: &GroupValues,
) -> Result<Merge> {
    let zone = &request.site.time_zone;
    let (seen, by) = match seen_and_latest(connection, group, seen_version).await? {
        Some((seen, latest)) => (Some(seen), format!("{} on {}", latest.who, time_text::short(&latest.at, zone))),
        None => (None, String::new()),
    };
    let mut merge = Merge { values: mine.clone(), differences: Vec::new(), taken: Vec::new(), by };
    for item in group.items {
        let path = item.path();
        let (mine, theirs) = (mine.get(path), current.values.get(path));
        let seen = seen.as_ref().map(|seen| seen.get(path));
        if mine == theirs || seen == Some(theirs) {
            continue;
        }
        if seen == Some(mine) {
            merge.taken.push((path, item.field.label));
            if let Some(theirs) = theirs {
                merge.values.insert(path, theirs.clone());
            }
            continue;
        }
        let text = |value: Option<&Value>| value.map(|value| display_text(item, value, zone)).unwrap_or_default();
        merge
            .differences
            .push(json!({ "name": path, "label": item.field.label, "theirs": text(theirs), "mine": text(mine) }));
    }
    Ok(merge)
}
