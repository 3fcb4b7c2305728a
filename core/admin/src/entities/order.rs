//! The order of rows on the page: their positions, side by side.

use serde_json::{Value, json};

use super::{capital, editor, home, list, shown};
use crate::audit::Entry;
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use festival_base::error::{Error, Result};
use festival_records::editing::{self, Action as Done};
use festival_records::entity::{Datum, Entity, Field, ListedRow, table};

/// The most rows that are ordered at once; more are ordered filter by filter.
const MOST: i64 = 500;
/// What a row's position is called in the form: this and its id.
const POSITION: &str = "position-";
/// What the position that the page found is called.
const SEEN: &str = "seen-";

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let mut query = list::list_query(&request, &mut connection, entity).await?;
    query.listing.limit = MOST;
    query.listing.offset = 0;
    query.listing.sort = None;
    let found = table::list(&mut connection, request.site.db.backend(), entity, &query.listing).await?;
    if found.total > MOST {
        return Ok(page(&request, entity, &[], &[]).with("too_many", true).into());
    }
    let numbered = found.rows.into_iter().zip(1..).map(|(row, number)| (row, (number * 10).to_string()));
    Ok(page(&request, entity, &numbered.collect::<Vec<_>>(), &[]).into())
}

/// The page: rows with the number that stands beside each; `theirs` are the rows in the order that somebody else gave
/// them.
fn page(request: &AdminRequest, entity: &Entity, rows: &[(ListedRow, String)], theirs: &[&ListedRow]) -> Page {
    let zone = &request.site.time_zone;
    let said = |(row, number): &(ListedRow, String)| -> Value {
        let title = shown::title(entity, row, zone);
        json!({ "id": row.id, "title": title, "picture": shown::picture(entity, row), "position": number })
    };
    let seen =
        rows.iter().map(|(row, _)| Input::hidden(format!("{SEEN}{}", row.id), position(entity, row).to_string()));
    Reply::page("entity-order", format!("Order of {}", entity.plural))
        .crumb(capital(entity.plural), home(entity))
        .inputs(seen)
        .with("action", format!("{}/order", home(entity)))
        .with("back", home(entity))
        .with("plural", entity.plural)
        .with("rows", rows.iter().map(said).collect::<Vec<_>>())
        .with("theirs", theirs.iter().map(|row| shown::title(entity, row, zone)).collect::<Vec<_>>())
        .with("too_many", false)
        .with("most", MOST)
}

/// Where a row stands.
fn position(entity: &Entity, row: &ListedRow) -> i64 {
    match entity.position("position").and_then(|place| row.record.get(place)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    }
}

/// A number that was typed.
fn typed(field: &Field, text: &str) -> Result<i64> {
    let position = text.trim().parse::<i64>().ok().filter(|position| (0..=1_000_000).contains(position));
    position.ok_or_else(|| Error::BadRequest(format!("{}.", field.invalid_message(text))))
}

pub(super) async fn change(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let Some(field) = entity.field("position") else {
        return Err(Error::BadRequest(format!("{} have no order of their own.", capital(entity.plural))));
    };
    let sent = |(name, text): (&str, &str)| Some((name.strip_prefix(POSITION)?.parse().ok()?, text.to_owned()));
    let mut sent: Vec<(i64, String)> = request.form.iter().filter_map(sent).collect();
    // Two who order the same rows take them in the same order, and so none waits for the other for ever.
    sent.sort_unstable();
    let editor = editor(&request)?;
    let mut write = request.write().await?;
    let mut rows = Vec::new();
    for (id, text) in sent {
        // What is deleted meanwhile has no place.
        let Some(row) = editing::find_to_write(&mut write, entity, id).await? else { continue };
        rows.push((ListedRow { id, record: row.record, names: Default::default(), updated_at: String::new() }, text));
    }
    let was = |row: &ListedRow| request.form.get(&format!("{SEEN}{}", row.id)) == position(entity, row).to_string();
    if !rows.iter().all(|(row, _)| was(row)) {
        let words = "Somebody else changed the order while you did. Nothing of yours was written yet.";
        return refused(&request, entity, rows, Error::Conflict(words.into()));
    }
    let mut moved = 0;
    for (row, text) in &rows {
        let position = match typed(field, text) {
            Ok(position) => position,
            Err(error) => return refused(&request, entity, rows, error),
        };
        let what = (row.id, field, Datum::Integer(position));
        moved += usize::from(
            editing::set_field(&request.site.records, &mut write, entity, what, (Done::Changed, &editor)).await?,
        );
    }
    if moved > 0 {
        request.audit(&mut write, Entry::new("order", entity.table).after(json!({ "rows": moved }))).await?;
        write.commit().await?;
    }
    Ok(Reply::redirect(home(entity)).done(format!("The {} are in order.", entity.plural)).into())
}

/// The page again, in the order that was typed; after a conflict with the other order.
fn refused(request: &AdminRequest, entity: &Entity, mut rows: Vec<(ListedRow, String)>, error: Error) -> Result<Reply> {
    rows.sort_by_key(|(_, text)| text.trim().parse::<i64>().unwrap_or(i64::MAX));
    let mut theirs: Vec<&ListedRow> = rows.iter().map(|(row, _)| row).collect();
    theirs.sort_by_key(|row| (position(entity, row), row.id));
    if !matches!(error, Error::Conflict(_)) {
        theirs.clear();
    }
    Ok(page(request, entity, &rows, &theirs).refused(error)?.into())
}
