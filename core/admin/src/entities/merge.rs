//! Merges the values entered in a form with those that others saved in the meantime, field by field.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::form::printed;
use super::plan;
use crate::back_office::AdminRequest;
use festival_base::error::Result;
use festival_base::time_text;
use festival_records::editing::{self, Current, IS_PUBLISHED};
use festival_records::entity::{Entity, Field, Values};

/// A form merged with the stored row.
pub(super) struct Merge {
    /// For each field the value of the side that changed it; if both did, the entered one.
    pub(super) values: Values,
    /// The fields that both sides changed, for the template.
    pub(super) differences: Vec<Value>,
    /// The labels of the fields that others changed.
    pub(super) taken: Vec<&'static str>,
    /// Who changed them last, and when: "Anu on 11 Dec 2026, 6:32 PM"; empty if the history does not tell.
    pub(super) by: String,
}

/// Merges the values that were entered over `seen_version` with the stored ones. Without a history back to that
/// version, every field that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    (current, seen_version): (&Current, &str),
    mine: &Values,
) -> Result<Merge> {
    let meanwhile = editing::changed_meanwhile(connection, entity, current, seen_version).await?;
    let theirs = form_values(request, connection, entity, current).await?;
    let seen = match &meanwhile {
        Some(meanwhile) => Some(form_values(request, connection, entity, &meanwhile.seen).await?),
        None => None,
    };
    let last = meanwhile.as_ref().and_then(|meanwhile| meanwhile.revisions.first());
    let mut merge = Merge {
        values: mine.clone(),
        differences: Vec::new(),
        taken: Vec::new(),
        by: last.map_or_else(String::new, |last| {
            format!("{} on {}", last.editor.name, time_text::short(&last.at, &request.site.time_zone))
        }),
    };
    for field in entity.columns() {
        // A form without this input changes nothing.
        let Some(entered) = mine.get(field.name) else { continue };
        let is_equal = |left: &Values, right: &Values| is_equal(request, field, left, right);
        let mine_is_seen = seen.as_ref().is_some_and(|seen| is_equal(seen, mine));
        let theirs_is_seen = seen.as_ref().is_some_and(|seen| is_equal(seen, &theirs));
        if is_equal(&theirs, mine) || theirs_is_seen {
            continue;
        }
        let stored = theirs.get(field.name).cloned().unwrap_or_default();
        if mine_is_seen {
            merge.taken.push(field.label);
            merge.values.insert(field.name.to_owned(), stored);
            if field.name == IS_PUBLISHED {
                let time = theirs.get(plan::PUBLISH_AT).cloned().unwrap_or_default();
                merge.values.insert(plan::PUBLISH_AT.to_owned(), time);
            }
        } else if field.name == IS_PUBLISHED {
            let state = |values: &Values| plan::state_text(values);
            let (theirs, mine) = (state(&theirs), state(mine));
            merge.differences.push(json!({ "label": field.label, "name": field.name, "theirs": theirs, "mine": mine }));
        } else {
            let difference = json!({ "label": field.label, "name": field.name, "theirs": stored, "mine": entered });
            merge.differences.push(difference);
        }
    }
    Ok(merge)
}

/// The values of a row as its form has them, with its time of publication.
async fn form_values(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &Entity,
    row: &Current,
) -> Result<Values> {
    let mut values = printed(request, connection, entity, row).await?;
    plan::add_planned(request, row, &mut values);
    Ok(values)
}

/// Whether two forms have the same value of a field. Browsers omit the seconds of a time: parsed values are compared.
fn is_equal(request: &AdminRequest, field: &Field, left: &Values, right: &Values) -> bool {
    let text = |values: &Values| values.get(field.name).cloned().unwrap_or_default();
    if field.name == IS_PUBLISHED && plan::scheduled_time(left) != plan::scheduled_time(right) {
        return false;
    }
    let parse = |text: &str| field.parse(text, &request.site.time_zone);
    let (left, right) = (text(left), text(right));
    left == right || matches!((parse(&left), parse(&right)), (Ok(left), Ok(right)) if left == right)
}
