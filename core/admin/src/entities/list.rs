//! The list of an entity's rows: searched, filtered, sorted, page by page.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::{capital, home, row_path, shown};
use crate::input::{Choice, Input};
use crate::reply::Reply;
use crate::request::AdminRequest;
use crate::role::{Action, CONTENT};
use festival_base::error::Result;
use festival_records::editing;
use festival_records::edition::{self, EDITION};
use festival_records::entity::{self, Datum, Entity, Field, Kind, Listing, table};

/// The number of the page in the query. An entity may have a field called "page" that is filtered by.
const NUMBER: &str = "p";
/// Rows of a page.
const PAGE: i64 = 50;
/// References with more rows than this are searched for, not chosen from a list.
const MOST_CHOICES: usize = 500;

/// What somebody asked the list for, and how it was said.
pub(super) struct ListQuery {
    /// The rows.
    pub(super) listing: Listing,
    /// The year whose rows are shown; empty where the entity belongs to no year.
    pub(super) year: String,
    /// The editions to choose from.
    pub(super) editions: Vec<entity::Choice>,
    /// The inputs of the filters.
    filters: Vec<Input>,
    page: i64,
}

/// Reads the query of a request.
pub(super) async fn list_query(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &'static Entity,
) -> Result<ListQuery> {
    let query = &request.query;
    let page = query.get(NUMBER).parse::<i64>().unwrap_or(1).clamp(1, 1_000_000);
    let mut listing = Listing {
        search: query.get("q").chars().take(200).collect(),
        offset: (page - 1) * PAGE,
        ..Listing::first(PAGE)
    };
    listing.sort =
        entity.field(query.get("sort")).filter(|field| sortable(field)).map(|field| (field, query.get("down") == "1"));
    let mut editions = Vec::new();
    let mut year = String::new();
    if entity.per_edition {
        editions = table::choices(connection, &EDITION, None).await?;
        let current = edition::find_current(connection).await?.map(|edition| edition.id);
        let chosen = editions.iter().find(|choice| choice.key == query.get("edition"));
        let chosen = chosen.or_else(|| editions.iter().find(|choice| Some(choice.id) == current));
        // Before the first edition there is nothing to list.
        listing.edition = Some(chosen.map_or(0, |choice| choice.id));
        year = chosen.map(|choice| choice.key.clone()).unwrap_or_default();
    }
    let mut filters = Vec::new();
    for field in entity.columns() {
        let Some(input) = filter(request, connection, field, listing.edition).await? else { continue };
        if let Some(datum) = datum(field, &input.value) {
            listing.filters.push((field, datum));
        }
        filters.push(input);
    }
    Ok(ListQuery { listing, year, editions, filters, page })
}

fn sortable(field: &Field) -> bool {
    !matches!(field.kind, Kind::Html | Kind::Lines { .. } | Kind::Image | Kind::Document | Kind::Video)
}

/// The input that filters by a field, if one can: flags, choices, other rows.
async fn filter(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    field: &'static Field,
    edition: Option<i64>,
) -> Result<Option<Input>> {
    let present = request.query.get(field.name);
    let choices = match field.kind {
        Kind::Flag => vec![Choice::new("yes", "yes", present), Choice::new("no", "no", present)],
        Kind::Choice(words) => words.iter().map(|(key, label)| Choice::new(*key, *label, present)).collect(),
        Kind::Reference(target) => {
            let rows = table::choices(connection, target, edition).await?;
            if rows.len() > MOST_CHOICES {
                return Ok(None);
            }
            rows.into_iter().map(|row| Choice::new(row.id.to_string(), row.name, present)).collect()
        }
        _ => return Ok(None),
    };
    let known = choices.iter().any(|choice| choice.chosen);
    let value = if known { present } else { "" };
    Ok(Some(Input::choice(field.name, field.label, choices).value(value)))
}

fn datum(field: &Field, value: &str) -> Option<Datum> {
    match field.kind {
        _ if value.is_empty() => None,
        Kind::Flag => Some(Datum::Integer(i64::from(value == "yes"))),
        Kind::Reference(_) => value.parse().ok().map(Datum::Integer),
        _ => Some(Datum::Text(value.to_owned())),
    }
}

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let list = list_query(&request, &mut connection, entity).await?;
    let backend = request.site.db.backend();
    let found = table::list(&mut connection, backend, entity, &list.listing).await?;
    let pages = (found.total + PAGE - 1) / PAGE;
    if list.page > 1 && found.rows.is_empty() {
        return Ok(Reply::redirect(address(&request, entity, &[(NUMBER, &pages.max(1).to_string())])).into());
    }
    let zone = &request.site.time_zone;
    let columns = shown::columns(entity);
    let plans = editing::all_scheduled(&mut connection, entity).await?;
    let cells = |row: &entity::ListedRow| -> Vec<Value> {
        let plan = plans.get(&row.id).map(String::as_str);
        columns[1..].iter().map(|field| shown::cell(entity, field, row, plan, zone)).collect()
    };
    let rows: Vec<Value> = found
        .rows
        .iter()
        .map(|row| {
            json!({
                "id": row.id,
                "href": row_path(entity, row.id),
                "title": shown::title(entity, row, zone),
                "picture": shown::picture(entity, row),
                "cells": cells(row),
                "written": shown::written(row, zone),
            })
        })
        .collect();
    let to = |page: i64| address(&request, entity, &[(NUMBER, &page.to_string())]);
    let first = list.listing.offset + 1;
    let last = list.listing.offset + found.rows.len() as i64;
    let narrowed = !list.listing.search.is_empty() || !list.listing.filters.is_empty();
    Ok(Reply::page("entity-list", capital(entity.plural))
        .with("home", home(entity))
        .with("singular", entity.singular)
        .with("plural", entity.plural)
        .with("columns", heads(&request, entity, &columns, &list))
        .with("rows", rows)
        .with("total", found.total)
        .with("first", first)
        .with("last", last)
        .with("previous", (list.page > 1).then(|| to(list.page - 1)))
        .with("next", (list.page < pages).then(|| to(list.page + 1)))
        .with("search", &list.listing.search)
        .with("narrowed", narrowed)
        .with("filters", &list.filters)
        .with("editions", years(&list))
        .with("year", &list.year)
        .with("file", request.address(&format!("{}/file", home(entity)), &[]))
        .with("order", entity.field("position").map(|_| request.address(&format!("{}/order", home(entity)), &[])))
        .with("publishes", entity.field("is_published").is_some())
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .with("may_export", request.may(&CONTENT, Action::Export))
        .into())
}

/// The editions to choose from; none where there is nothing to choose.
fn years(list: &ListQuery) -> Vec<Choice> {
    if list.editions.len() < 2 {
        return Vec::new();
    }
    list.editions.iter().map(|edition| Choice::new(&edition.key, &edition.name, &list.year)).collect()
}

/// The heads of the columns, with where sorting by them leads.
fn heads(request: &AdminRequest, entity: &Entity, columns: &[&'static Field], list: &ListQuery) -> Vec<Value> {
    let order = list.listing.sort;
    let head = |field: &&'static Field| {
        let now = order.filter(|(by, _)| by.name == field.name).map(|(_, down)| down);
        let down = if now == Some(false) { "1" } else { "" };
        json!({
            "label": field.label,
            "href": address(request, entity, &[("sort", field.name), ("down", down), (NUMBER, "")]),
            "sorted": now.map(|down| if down { "descending" } else { "ascending" }),
        })
    };
    columns.iter().map(head).collect()
}

/// This list with something else asked of it.
pub(super) fn address(request: &AdminRequest, entity: &Entity, changes: &[(&str, &str)]) -> String {
    request.address(&home(entity), changes)
}
