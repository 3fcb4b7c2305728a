//! Reordering of rows: edits the positions of a list.

use serde_json::{Value, json};

use super::cells;
use super::list::RecordList;
use super::paths::home;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::collections::ListQuery;
use crate::serving::frame::capitalized;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use festival_base::error::{Error, Result};
use festival_records::editing::{self, Action as RevisionAction};
use festival_records::entity::{Datum, Entity, Field, ListedRow, table};

/// Maximum number of rows on the page; longer lists must be filtered first.
const MAX_ROWS: i64 = 500;
/// Prefix of the form field with the position of a row; its id follows.
const POSITION_PREFIX: &str = "position-";
/// Prefix of the form field with the position that the page showed.
const SEEN_PREFIX: &str = "seen-";

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &RecordList { entity }).await?;
    let (order, first) = (table::order(entity, None), (0, MAX_ROWS + 1));
    let rows = table::rows(&mut connection, entity, &query.select, &order, first).await?;
    if rows.len() as i64 > MAX_ROWS {
        return Ok(page(&request, entity, &[], &[]).with("too_many", true).into());
    }
    let numbered = rows.into_iter().zip(1..).map(|(row, number)| (row, (number * 10).to_string()));
    Ok(page(&request, entity, &numbered.collect::<Vec<_>>(), &[]).into())
}

/// Returns the page: rows with the numbers in their inputs, and after a conflict `theirs`, the rows in the stored
/// order.
fn page(request: &AdminRequest, entity: &Entity, rows: &[(ListedRow, String)], theirs: &[&ListedRow]) -> Page {
    let zone = &request.site.time_zone;
    let template_row = |(row, number): &(ListedRow, String)| -> Value {
        let title = cells::title(entity, row, zone);
        json!({ "id": row.id, "title": title, "picture": cells::picture(entity, row), "position": number })
    };
    let seen = rows
        .iter()
        .map(|(row, _)| Input::hidden(format!("{SEEN_PREFIX}{}", row.id), position(entity, row).to_string()));
    Reply::page("entity-order", format!("Order of {}", entity.plural))
        .crumb(capitalized(entity.plural), home(entity))
        .inputs(seen)
        .with("action", format!("{}/order", home(entity)))
        .with("back", home(entity))
        .with("plural", entity.plural)
        .with("rows", rows.iter().map(template_row).collect::<Vec<_>>())
        .with("theirs", theirs.iter().map(|row| cells::title(entity, row, zone)).collect::<Vec<_>>())
        .with("too_many", false)
        .with("max_rows", MAX_ROWS)
}

/// Returns the position of a row.
fn position(entity: &Entity, row: &ListedRow) -> i64 {
    match entity.position("position").and_then(|place| row.record.get(place)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    }
}

/// Parses a submitted position.
fn parse_position(field: &Field, text: &str) -> Result<i64> {
    let position = text.trim().parse::<i64>().ok().filter(|position| (0..=1_000_000).contains(position));
    position.ok_or_else(|| Error::BadRequest(format!("{}.", field.invalid_message(text))))
}

pub(super) async fn change(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(field) = entity.field("position") else {
        return Err(Error::BadRequest(format!("{} cannot be reordered.", capitalized(entity.plural))));
    };
    let submitted =
        |(name, text): (&str, &str)| Some((name.strip_prefix(POSITION_PREFIX)?.parse().ok()?, text.to_owned()));
    let mut submitted: Vec<(i64, String)> = request.form.iter().filter_map(submitted).collect();
    // Locking rows in a fixed order avoids deadlocks between concurrent requests.
    submitted.sort_unstable();
    let editor = request.editor()?;
    let mut write = request.write().await?;
    let mut rows = Vec::new();
    for (id, text) in submitted {
        // Rows deleted in the meantime are skipped.
        let Some(row) = editing::find_to_write(&mut write, entity, id).await? else { continue };
        rows.push((ListedRow { id, record: row.record, ..ListedRow::default() }, text));
    }
    let is_unchanged =
        |row: &ListedRow| request.form.get(&format!("{SEEN_PREFIX}{}", row.id)) == position(entity, row).to_string();
    if !rows.iter().all(|(row, _)| is_unchanged(row)) {
        let message = "Somebody else changed the order in the meantime. Your order has not been saved.";
        return rejected(&request, entity, rows, Error::Conflict(message.into()));
    }
    let mut moved = 0;
    for (row, text) in &rows {
        let position = match parse_position(field, text) {
            Ok(position) => position,
            Err(error) => return rejected(&request, entity, rows, error),
        };
        let change = (row.id, field, Datum::Integer(position));
        moved += usize::from(
            editing::set_field(&request.site.records, &mut write, entity, change, (RevisionAction::Changed, &editor))
                .await?,
        );
    }
    if moved > 0 {
        request.commit(write, Entry::new("order", entity.table).after(json!({ "rows": moved }))).await?;
    }
    Ok(Reply::redirect(home(entity)).done(format!("Order of {} saved.", entity.plural)).into())
}

/// Shows the page again in the submitted order; after a conflict with the stored order.
fn rejected(
    request: &AdminRequest,
    entity: &Entity,
    mut rows: Vec<(ListedRow, String)>,
    error: Error,
) -> Result<Reply> {
    rows.sort_by_key(|(_, text)| text.trim().parse::<i64>().unwrap_or(i64::MAX));
    let mut theirs: Vec<&ListedRow> = rows.iter().map(|(row, _)| row).collect();
    theirs.sort_by_key(|row| (position(entity, row), row.id));
    if !matches!(error, Error::Conflict(_)) {
        theirs.clear();
    }
    Ok(page(request, entity, &rows, &theirs).refused(error)?.into())
}
