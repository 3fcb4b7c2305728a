//! Merges the values entered in a form with those that others saved in the meantime, field by field.

use sqlx::AnyConnection;

use super::form::printed;
use super::plan;
use crate::back_office::AdminRequest;
use crate::versions::{Merge, Sides};
use festival_base::error::Result;
use festival_records::editing::{self, Current, IS_PUBLISHED};
use festival_records::entity::{Entity, Field, Values};

/// Merges the values that were entered over `seen_version` with the stored ones. Without a history back to that
/// version, every field that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    (current, seen_version): (&Current, &str),
    mine: &Values,
) -> Result<Merge<Values>> {
    let meanwhile = editing::changed_meanwhile(connection, entity, current, seen_version).await?;
    let theirs = form_values(request, connection, entity, current).await?;
    let seen = match &meanwhile {
        Some(meanwhile) => Some(form_values(request, connection, entity, &meanwhile.seen).await?),
        None => None,
    };
    let last = meanwhile.as_ref().and_then(|meanwhile| meanwhile.revisions.first());
    let mut merge = Merge::new(request, mine.clone(), last);
    for field in entity.columns() {
        // A form without this input changes nothing.
        let Some(entered) = mine.get(field.name) else { continue };
        let is_equal = |left: &Values, right: &Values| is_equal(request, field, left, right);
        let stored = theirs.get(field.name).cloned().unwrap_or_default();
        let names = (field.name, field.label);
        match Sides::of(mine, &theirs, seen.as_ref(), is_equal) {
            Sides::Mine => {}
            Sides::Theirs => {
                merge.taken.push(names);
                merge.values.insert(field.name.to_owned(), stored);
                if field.name == IS_PUBLISHED {
                    let time = theirs.get(plan::PUBLISH_AT).cloned().unwrap_or_default();
                    merge.values.insert(plan::PUBLISH_AT.to_owned(), time);
                }
            }
            Sides::Both if field.name == IS_PUBLISHED => {
                merge.differ(names, &plan::state_text(&theirs), &plan::state_text(mine));
            }
            Sides::Both => merge.differ(names, &stored, entered),
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
