//! The history of a row, and restoring a version.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::paths::{bin, home, row_path};
use super::word_diff;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::Pager;
use crate::identity::role::{self, CONTENT};
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use crate::versions::{History, PAGE_SIZE};
use festival_base::error::{Error, Result};
use festival_records::editing::{self, Action, Revision};
use festival_records::entity::{Datum, Entity, Field, Kind, table};
use festival_records::html;

/// Names of referenced rows, by field and id.
type Names = BTreeMap<(&'static str, i64), String>;

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let pager = Pager::new(&request, PAGE_SIZE);
    let versions = editing::history(&mut connection, entity, id, (pager.before, pager.limit())).await?;
    let current = editing::find(&mut connection, entity, id).await?;
    let title = match (&current, versions.first()) {
        (Some(current), _) => editing::title_of(entity, &current.record),
        (None, Some(last)) => last.title.clone(),
        (None, None) => return Err(nothing_here()),
    };
    let names = names(&mut connection, entity, versions.first().and_then(|version| version.edition)).await?;
    let zone = &request.site.time_zone;
    let history = History {
        title: title.clone(),
        path: home(entity),
        baseline: Action::Baseline.name(),
        is_current: current.is_some(),
        empty: format!("This {} has not been changed here yet.", entity.singular),
        may_edit: request.may(&CONTENT, role::Action::Edit),
    };
    let changes = |version: &Revision, before: Option<&Revision>| changes(entity, version, before, &names, zone);
    Ok(history
        .page(&request, &pager, &versions, changes)
        .crumb(capitalized(entity.plural), home(entity))
        .crumb(title, current.map_or_else(|| bin(entity), |current| row_path(entity, current.id)))
        .into())
}

/// Returns the names of all rows that `entity` can refer to.
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

/// Returns the fields in which `version` differs from `before`, the version before it.
fn changes(
    entity: &'static Entity,
    version: &Revision,
    before: Option<&Revision>,
    names: &Names,
    zone: &TimeZone,
) -> Vec<Value> {
    let mut changes = Vec::new();
    for (index, field) in entity.columns().enumerate() {
        let (after, before) = (version.record.get(index), before.map(|before| before.record.get(index)));
        if before.is_some_and(|before| before == after) {
            continue;
        }
        let text = |datum: Option<&Datum>| match (field.kind, datum) {
            (_, None) => String::new(),
            (Kind::Reference(_), Some(Datum::Integer(id))) => {
                names.get(&(field.name, *id)).cloned().unwrap_or_else(|| id.to_string())
            }
            (_, Some(datum)) => field.display(datum, zone),
        };
        let (after, before) = (text(after), before.map(text).unwrap_or_default());
        let picture = matches!(field.kind, Kind::Image);
        if after.is_empty() && before.is_empty() {
            continue;
        }
        let is_text = matches!(field.kind, Kind::Html | Kind::Lines { .. }) && !before.is_empty();
        changes.push(match is_text.then(|| word_diff::parts(&readable(field, &before), &readable(field, &after))) {
            Some(parts) if parts.iter().any(|part| part.is_change()) => json!({ "label": field.label, "parts": parts }),
            // Only the formatting changed, or a link: that is seen in the source alone.
            _ => json!({ "label": field.label, "before": before, "after": after, "picture": picture }),
        });
    }
    changes
}

/// Returns a text as people read it, without the formatting.
fn readable(field: &Field, text: &str) -> String {
    if matches!(field.kind, Kind::Html) { html::excerpt(text, usize::MAX) } else { text.to_owned() }
}

pub(super) async fn restore(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut write = request.write().await?;
    let revision = editing::revision(&mut write, entity, request.id()?).await?;
    let restored_id =
        match editing::restore(&request.site.records, &mut write, entity, &revision, &request.editor()?).await {
            Ok(id) => id,
            Err(error @ (Error::Invalid(_) | Error::Conflict(_))) => {
                let message = format!("“{}” cannot be restored. {error}.", revision.title);
                return Ok(Reply::redirect(bin(entity)).problem(message).into());
            }
            Err(error) => return Err(error),
        };
    request
        .audit(
            &mut write,
            Entry::new("restore", entity.table).id(restored_id).after(json!({ "revision": revision.id })),
        )
        .await?;
    write.commit().await?;
    Ok(Reply::redirect(row_path(entity, restored_id)).done(format!("“{}” restored.", revision.title)).into())
}
