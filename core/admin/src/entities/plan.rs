//! Scheduled publication: a row is a draft, published, or published at a given time.
//!
//! The form has two inputs: the choice, under the name of the stored field, and the time.

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::serving::input::{Choice, Input};
use festival_base::db::{Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};
use festival_base::time_text;
use festival_records::editing::{self, Current, Editor, IS_PUBLISHED};
use festival_records::entity::{Entity, Field, Kind, Values};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::json;

/// Name of the input for the time.
pub(super) const PUBLISH_AT: &str = "publish_at";
/// Its label.
pub(super) const LABEL: &str = "Publish on";
/// Value of the choice for scheduled publication, next to "yes" and "no".
const PLANNED: &str = "planned";
/// Name of the field with the time that visitors read as that of publication, where an entity has one.
const PUBLISHED_AT: &str = "published_at";

/// Returns the two inputs that replace the checkbox of the published flag; `None` for other fields.
pub(super) fn inputs(request: &AdminRequest, field: &Field, values: &Values) -> Option<[Input; 2]> {
    if field.name != IS_PUBLISHED || !matches!(field.kind, Kind::Flag) {
        return None;
    }
    let value = |name: &str| values.get(name).map_or("", String::as_str);
    let choices = vec![
        Choice::new("no", "Draft", value(IS_PUBLISHED)),
        Choice::new("yes", "Published", value(IS_PUBLISHED)),
        Choice::new(PLANNED, "Schedule for later", value(IS_PUBLISHED)),
    ];
    let offset = request.now().to_zoned(request.site.time_zone.clone()).strftime("%:z").to_string();
    let zone = &request.site.settings.time_zone;
    let mut time = Input::new("datetime", PUBLISH_AT, LABEL).value(value(PUBLISH_AT)).conditional();
    time.hint = format!("Local time of the festival ({zone}, UTC{offset}).");
    let choice = Input { section: field.section, ..Input::radio(IS_PUBLISHED, "On the site", choices).required() };
    Some([choice, time])
}

/// Adds the scheduled publication of a row to its values.
pub(super) fn add_planned(request: &AdminRequest, current: &Current, values: &mut Values) {
    let Some(Ok(time)) = current.publish_at.as_ref().map(|stored| stored.parse::<Timestamp>()) else { return };
    let local = time.to_zoned(request.site.time_zone.clone()).strftime("%Y-%m-%dT%H:%M");
    values.insert(IS_PUBLISHED.to_owned(), PLANNED.to_owned());
    values.insert(PUBLISH_AT.to_owned(), local.to_string());
}

/// Returns the scheduled time of a form; "" if it schedules nothing, whatever the input contains.
pub(super) fn scheduled_time(values: &Values) -> &str {
    let value = |name: &str| values.get(name).map_or("", String::as_str);
    if value(IS_PUBLISHED) == PLANNED { value(PUBLISH_AT) } else { "" }
}

/// Returns the choice and the time of a form as text.
pub(super) fn state_text(values: &Values) -> String {
    match (values.get(IS_PUBLISHED).map(String::as_str), scheduled_time(values)) {
        (Some(PLANNED), time) => format!("scheduled for {}", time.replace('T', " ")),
        (Some("yes"), _) => "published".to_owned(),
        _ => "draft".to_owned(),
    }
}

/// Splits submitted values into values of the entity and the scheduled time, as stored. A row that is published with a
/// date in the future is scheduled for it, and one that is scheduled carries that date.
///
/// # Errors
/// [`Error::Invalid`] if the time is missing, malformed or in the past.
pub(super) fn split(request: &AdminRequest, submitted: &Values) -> Result<(Values, Option<String>)> {
    let mut values = submitted.clone();
    let zoned = |time: &str| time.trim().parse::<DateTime>()?.to_zoned(request.site.time_zone.clone());
    let mut time = values.remove(PUBLISH_AT).unwrap_or_default();
    let date = values.get(PUBLISHED_AT).cloned();
    match values.get(IS_PUBLISHED).map(String::as_str) {
        Some(PLANNED) => {}
        Some("yes") => match date.as_deref().map(zoned) {
            Some(Ok(moment)) if moment.timestamp() > request.now() => {
                // The date is that of the schedule, which "Published" ends.
                if date.as_ref() == Some(&time) {
                    let now = request.now().to_zoned(request.site.time_zone.clone());
                    values.insert(PUBLISHED_AT.to_owned(), now.strftime("%Y-%m-%dT%H:%M").to_string());
                    return Ok((values, None));
                }
                time = date.clone().unwrap_or_default();
            }
            _ => return Ok((values, None)),
        },
        _ => return Ok((values, None)),
    }
    if date.is_some() && !time.trim().is_empty() {
        values.insert(PUBLISHED_AT.to_owned(), time.clone());
    }
    values.insert(IS_PUBLISHED.to_owned(), "no".to_owned());
    let invalid = |message: &str| Err(Error::Invalid(vec![FieldError::new(PUBLISH_AT, message)]));
    if time.trim().is_empty() {
        return invalid("Enter the date and time of publication");
    }
    match zoned(&time) {
        Err(_) => invalid("Enter a date and a time"),
        Ok(zoned) if zoned.timestamp() <= request.now() => {
            invalid("This time is in the past. Choose a later one, or publish now")
        }
        Ok(zoned) => Ok((values, Some(timestamp_text(zoned.timestamp())))),
    }
}

/// Returns the sentence about the scheduled time `at`, as stored; "" if there is none.
pub(super) fn sentence(request: &AdminRequest, at: Option<&str>) -> String {
    at.map_or_else(String::new, |at| {
        format!(" It will be published on {}.", time_text::short(at, &request.site.time_zone))
    })
}

/// Stores or removes the scheduled publication of a row. Returns whether that changed anything.
pub(super) async fn store(
    request: &AdminRequest,
    write: &mut Write,
    entity: &Entity,
    (id, publish_at): (i64, Option<String>),
    editor: &Editor,
) -> Result<bool> {
    let before = editing::find(write, entity, id).await?.and_then(|row| row.publish_at);
    if before == publish_at {
        return Ok(false);
    }
    editing::schedule(write, entity, id, publish_at.as_deref(), editor).await?;
    let state = |at: Option<String>| json!({ "publish_at": at });
    let entry = Entry::new("plan", entity.table).id(id);
    request.audit(write, entry.before(state(before)).after(state(publish_at))).await?;
    Ok(true)
}
