//! When the site shows a row: not yet, now, or from a moment on.
//!
//! The form says it in two fields: the choice, under the name of the field that is stored, and the moment.

use crate::audit::Entry;
use crate::input::{Choice, Input};
use crate::request::AdminRequest;
use festival_base::db::{Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing::{self, Current, Editor, IS_PUBLISHED};
use festival_records::entity::{Entity, Field, Kind, Values};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::json;

/// The field with the moment.
pub(super) const MOMENT: &str = "publish_at";
/// Its label.
pub(super) const LABEL: &str = "Publish on";
/// The choice beside "yes" and "no".
const PLANNED: &str = "planned";

/// The two inputs in place of the tick box for `field`, if it is the one.
pub(super) fn inputs(request: &AdminRequest, field: &Field, values: &Values) -> Option<[Input; 2]> {
    if field.name != IS_PUBLISHED || !matches!(field.kind, Kind::Flag) {
        return None;
    }
    let said = |name: &str| values.get(name).map_or("", String::as_str);
    let choices = vec![
        Choice::new("no", "Not yet: a draft", said(IS_PUBLISHED)),
        Choice::new("yes", "Now", said(IS_PUBLISHED)),
        Choice::new(PLANNED, "By itself, from a moment on", said(IS_PUBLISHED)),
    ];
    let offset = request.now().to_zoned(request.site.time_zone.clone()).strftime("%:z").to_string();
    let zone = &request.site.settings.time_zone;
    let mut moment = Input::new("datetime", MOMENT, LABEL).value(said(MOMENT));
    moment.hint = format!("Date and time at the festival: {zone}, UTC{offset}.");
    Some([Input::radio(IS_PUBLISHED, "On the site", choices).required(), moment])
}

/// Adds to the values of a row what is planned for it.
pub(super) fn show(request: &AdminRequest, current: &Current, values: &mut Values) {
    let Some(Ok(moment)) = current.publish_at.as_ref().map(|stored| stored.parse::<Timestamp>()) else { return };
    let local = moment.to_zoned(request.site.time_zone.clone()).strftime("%Y-%m-%dT%H:%M");
    values.insert(IS_PUBLISHED.to_owned(), PLANNED.to_owned());
    values.insert(MOMENT.to_owned(), local.to_string());
}

/// The moment that a form means; "" where it plans nothing, whatever stands in the field.
pub(super) fn moment(values: &Values) -> &str {
    let said = |name: &str| values.get(name).map_or("", String::as_str);
    if said(IS_PUBLISHED) == PLANNED { said(MOMENT) } else { "" }
}

/// Takes the plan out of what a form said: what is left are values of the entity.
pub(super) fn read(request: &AdminRequest, typed: &Values) -> Result<(Values, Option<String>)> {
    let mut values = typed.clone();
    let moment = values.remove(MOMENT).unwrap_or_default();
    if values.get(IS_PUBLISHED).is_none_or(|choice| choice != PLANNED) {
        return Ok((values, None));
    }
    values.insert(IS_PUBLISHED.to_owned(), "no".to_owned());
    let wrong = |words: &str| Err(Error::Invalid(vec![FieldError::new(MOMENT, words)]));
    if moment.trim().is_empty() {
        return wrong("Please say when it is to be published");
    }
    let zoned = moment.trim().parse::<DateTime>().and_then(|local| local.to_zoned(request.site.time_zone.clone()));
    match zoned {
        Err(_) => wrong("Please say the moment with day and time"),
        Ok(zoned) if zoned.timestamp() <= request.now() => {
            wrong("This moment is past. Choose a later one, or publish it now")
        }
        Ok(zoned) => Ok((values, Some(timestamp_text(zoned.timestamp())))),
    }
}

/// Keeps or withdraws the plan of a row. Answers whether that changed anything.
pub(super) async fn keep(
    request: &AdminRequest,
    write: &mut Write,
    entity: &Entity,
    (id, publish_at): (i64, Option<String>),
    editor: &Editor,
) -> Result<bool> {
    let before = editing::scheduled(write, entity, id).await?;
    if before == publish_at {
        return Ok(false);
    }
    editing::schedule(write, entity, id, publish_at.as_deref(), editor).await?;
    let moment = |at: Option<String>| json!({ "publish_at": at });
    let entry = Entry::new("plan", entity.table).id(id);
    request.audit(write, entry.before(moment(before)).after(moment(publish_at))).await?;
    Ok(true)
}
