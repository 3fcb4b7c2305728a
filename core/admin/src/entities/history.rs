//! What was done to a row: who, when, what changed; and the way back to any step.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::{alternative_texts, capital, editor, home, row_path};
use crate::audit::Entry;
use crate::pager::Pager;
use crate::reply::Reply;
use crate::request::{AdminRequest, nothing_here};
use crate::role::{Action, CONTENT};
use festival_base::error::{Error, Result};
use festival_base::time_text;
use festival_records::editing::{self, Revision};
use festival_records::entity::{Datum, Entity, Field, Kind, table};

/// Steps of a page.
const PAGE: usize = 100;

/// What references are called, by field and id.
type Names = BTreeMap<(&'static str, i64), String>;

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let pager = Pager::of(&request, PAGE);
    let steps = editing::history(&mut connection, entity, id, (pager.before, pager.limit())).await?;
    let current = editing::find(&mut connection, entity, id).await?;
    let title = match (&current, steps.first()) {
        (Some(current), _) => editing::title_of(entity, &current.record),
        (None, Some(last)) => last.title.clone(),
        (None, None) => return Err(nothing_here()),
    };
    let names = names(&mut connection, entity, steps.first().and_then(|step| step.edition)).await?;
    let zone = &request.site.time_zone;
    let is_latest = |index: usize| index == 0 && pager.before == 0;
    let mut said: Vec<(i64, Value)> = steps
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let said = json!({
                "at": time_text::short(&step.at, zone),
                "who": step.editor.name,
                "action": step.action.name(),
                "changes": changes(entity, step, steps.get(index + 1), &names, zone),
                // The latest step is what the row is.
                "restore": (!is_latest(index) || current.is_none()).then(|| format!("{}/history/{}/restore", home(entity), step.id)),
            });
            (step.id, said)
        })
        .collect();
    // The step after the page was read for what the last one changed.
    let links = pager.cut(&request, &mut said, |(id, _)| *id);
    Ok(Reply::page("entity-history", format!("History of “{title}”"))
        .crumb(capital(entity.plural), home(entity))
        .crumb(&title, current.map_or_else(|| format!("{}/bin", home(entity)), |current| row_path(entity, current.id)))
        .with("singular", entity.singular)
        .with("steps", said.into_iter().map(|(_, step)| step).collect::<Vec<_>>())
        .with("newest", links.newest)
        .with("older", links.older)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .into())
}

/// What the rows that may be referred to are called.
async fn names(connection: &mut AnyConnection, entity: &'static Entity, edition: Option<i64>) -> Result<Names> {
    let mut names = Names::new();
    for field in entity.columns() {
        let Kind::Reference(target) = field.kind else { continue };
        for row in table::choices(connection, target, edition).await? {
            names.insert((field.name, row.id), row.name);
        }
    }
    Ok(names)
}

/// The fields in which a step differs from the one before it.
fn changes(
    entity: &'static Entity,
    step: &Revision,
    before: Option<&Revision>,
    names: &Names,
    zone: &TimeZone,
) -> Vec<Value> {
    let mut changes = Vec::new();
    for (place, field) in entity.columns().enumerate() {
        let (after, before) = (step.record.get(place), before.map(|before| before.record.get(place)));
        if before.is_some_and(|before| before == after) {
            continue;
        }
        let say = |datum: Option<&Datum>| match (field.kind, datum) {
            (_, None) => String::new(),
            (Kind::Reference(_), Some(Datum::Integer(id))) => {
                names.get(&(field.name, *id)).cloned().unwrap_or_else(|| id.to_string())
            }
            (_, Some(datum)) => field.display(datum, zone),
        };
        let (after, before) = (say(after), before.map(say).unwrap_or_default());
        let picture = matches!(field.kind, Kind::Image);
        if !(after.is_empty() && before.is_empty()) {
            changes.push(json!({ "label": field.label, "before": before, "after": after, "picture": picture }));
        }
    }
    changes.extend(editing::pictures(entity).filter_map(|field| change_of_alt_text(field, step, before)));
    changes
}

/// How what is said of a picture differs from the step before.
fn change_of_alt_text(field: &'static Field, step: &Revision, before: Option<&Revision>) -> Option<Value> {
    let after = step.alternative_texts.get(field.name)?;
    let before = match before {
        // It was not kept in former times.
        Some(before) => before.alternative_texts.get(field.name).map_or("", String::as_str),
        None => "",
    };
    (before != after).then(
        || json!({ "label": alternative_texts::label(field), "before": before, "after": after, "picture": false }),
    )
}

pub(super) async fn restore(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut write = request.write().await?;
    let step = editing::revision(&mut write, entity, request.id()?).await?;
    let back = match editing::restore(&request.site.records, &mut write, entity, &step, &editor(&request)?).await {
        Ok(id) => id,
        Err(error @ (Error::Invalid(_) | Error::Conflict(_))) => {
            let words = format!("“{}” cannot come back as it was. {error}.", step.title);
            return Ok(Reply::redirect(format!("{}/bin", home(entity))).problem(words).into());
        }
        Err(error) => return Err(error),
    };
    request
        .audit(&mut write, Entry::new("restore", entity.table).id(back).after(json!({ "revision": step.id })))
        .await?;
    write.commit().await?;
    Ok(Reply::redirect(row_path(entity, back)).done(format!("“{}” is as it was.", step.title)).into())
}
