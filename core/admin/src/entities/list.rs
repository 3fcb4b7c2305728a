//! The list of an entity's rows: search, filters, sorting, pages.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::cells;
use super::paths::{home, row_path};
use crate::back_office::AdminRequest;
use crate::chosen_edition::ChosenEdition;
use crate::frame::capitalized;
use crate::input::{Choice, Input};
use crate::list_view::ListView;
use crate::reply::Reply;
use crate::role::{Action, CONTENT};
use crate::scope::Scope;
use festival_base::error::Result;
use festival_records::editing;
use festival_records::entity::{self, Datum, Entity, Field, Kind, Listing, table};

/// Query parameter with the page number. "page" could be the name of a field to filter by.
const PAGE_PARAMETER: &str = "p";
/// A reference to an entity with more rows has no filter.
const MAX_CHOICES: usize = 500;

/// The parsed query of a list.
pub(super) struct ListQuery {
    /// Search, filters, order and page of the rows.
    pub(super) listing: Listing,
    /// The shown edition; `None` if the entity does not belong to editions.
    edition: Option<ChosenEdition>,
    /// The inputs of the filters.
    filters: Vec<Input>,
    page: i64,
}

impl ListQuery {
    /// Year of the shown edition; empty if the entity does not belong to editions.
    pub(super) fn year(&self) -> &str {
        self.edition.as_ref().map_or("", |edition| &edition.year)
    }
}

/// Parses the query of a request.
pub(super) async fn list_query(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &'static Entity,
) -> Result<ListQuery> {
    let query = &request.query;
    let page = query.get(PAGE_PARAMETER).parse::<i64>().unwrap_or(1).clamp(1, 1_000_000);
    let size = i64::from(request.page_size());
    let mut listing = Listing {
        search: query.get("q").chars().take(200).collect(),
        offset: (page - 1) * size,
        ..Listing::first(size)
    };
    listing.sort =
        entity.field(query.get("sort")).filter(|field| sortable(field)).map(|field| (field, query.get("down") == "1"));
    let edition = match entity.per_edition {
        true => Some(ChosenEdition::read(request, connection, &Scope::default()).await?),
        false => None,
    };
    listing.edition = edition.as_ref().map(|edition| edition.id);
    let mut filters = Vec::new();
    for field in entity.columns() {
        let Some(input) = filter(request, connection, field, listing.edition).await? else { continue };
        if let Some(datum) = datum(field, &input.value) {
            listing.filters.push((field, datum));
        }
        filters.push(input);
    }
    Ok(ListQuery { listing, edition, filters, page })
}

fn sortable(field: &Field) -> bool {
    !matches!(
        field.kind,
        Kind::Html | Kind::Lines { .. } | Kind::Image | Kind::AlternativeText | Kind::Document | Kind::Video
    )
}

/// Returns the input that filters by a field: a flag, a choice or a reference; `None` for other fields.
async fn filter(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    field: &'static Field,
    edition: Option<i64>,
) -> Result<Option<Input>> {
    let current = request.query.get(field.name);
    let choices = match field.kind {
        Kind::Flag => vec![Choice::new("yes", "yes", current), Choice::new("no", "no", current)],
        Kind::Choice(options) => options.iter().map(|(key, label)| Choice::new(*key, *label, current)).collect(),
        Kind::Reference(target) => {
            let rows = table::choices(connection, target, edition).await?;
            if rows.len() > MAX_CHOICES {
                return Ok(None);
            }
            rows.into_iter().map(|row| Choice::new(row.id.to_string(), row.name, current)).collect()
        }
        _ => return Ok(None),
    };
    let is_valid = choices.iter().any(|choice| choice.chosen);
    let value = if is_valid { current } else { "" };
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
    let result = table::list(&mut connection, entity, &list.listing).await?;
    let size = i64::from(request.page_size());
    let pages = (result.total + size - 1) / size;
    if list.page > 1 && result.rows.is_empty() {
        return Ok(Reply::redirect(address(&request, entity, &[(PAGE_PARAMETER, &pages.max(1).to_string())])).into());
    }
    let zone = &request.site.time_zone;
    let usual: Vec<&'static str> = cells::columns(entity)[1..].iter().map(|field| field.name).collect();
    let (view, shown) = ListView::read(&request, &mut connection, (&cells::all_columns(entity), &usual)).await?;
    let fields = shown.iter().filter_map(|name| entity.field(name));
    let columns: Vec<&'static Field> = [entity.title()].into_iter().chain(fields).collect();
    let plans = editing::all_scheduled(&mut connection, entity).await?;
    let row_cells = |row: &entity::ListedRow| -> Vec<Value> {
        let plan = plans.get(&row.id).map(String::as_str);
        columns[1..].iter().map(|field| cells::cell(entity, field, row, plan, zone)).collect()
    };
    let rows: Vec<Value> = result
        .rows
        .iter()
        .map(|row| {
            json!({
                "id": row.id,
                "href": row_path(entity, row.id),
                "title": cells::title(entity, row, zone),
                "picture": cells::picture(entity, row),
                "cells": row_cells(row),
                "updated": cells::updated(row, zone),
            })
        })
        .collect();
    let to = |page: i64| address(&request, entity, &[(PAGE_PARAMETER, &page.to_string())]);
    let first = list.listing.offset + 1;
    let last = list.listing.offset + result.rows.len() as i64;
    let is_filtered = !list.listing.search.is_empty() || !list.listing.filters.is_empty();
    Ok(Reply::page("entity-list", capitalized(entity.plural))
        .with("home", home(entity))
        .with("singular", entity.singular)
        .with("plural", entity.plural)
        .with("columns", column_heads(&request, entity, &columns, &list))
        .with("rows", rows)
        .with("total", result.total)
        .with("first", first)
        .with("last", last)
        .with("previous", (list.page > 1).then(|| to(list.page - 1)))
        .with("next", (list.page < pages).then(|| to(list.page + 1)))
        .with("all", request.all_on_one_page(&home(entity), result.total, PAGE_PARAMETER))
        .with("search", &list.listing.search)
        .with("is_filtered", is_filtered)
        .with("filters", &list.filters)
        .with("editions", list.edition.as_ref().map_or(&[][..], |edition| &edition.choices))
        .with("year", list.year())
        .with("selected", request.address(&format!("{}/selected", home(entity)), &[]))
        .with("file", request.address(&format!("{}/file", home(entity)), &[]))
        .with("order", entity.field("position").map(|_| request.address(&format!("{}/order", home(entity)), &[])))
        .with("publishes", entity.field("is_published").is_some())
        .with("view", view)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .with("may_export", request.may(&CONTENT, Action::Export))
        .into())
}

/// Returns the column headings with their sort links.
fn column_heads(request: &AdminRequest, entity: &Entity, columns: &[&'static Field], list: &ListQuery) -> Vec<Value> {
    let order = list.listing.sort;
    let head = |field: &&'static Field| {
        let current = order.filter(|(by, _)| by.name == field.name).map(|(_, down)| down);
        let down = if current == Some(false) { "1" } else { "" };
        json!({
            "label": field.label,
            "href": sortable(field)
                .then(|| address(request, entity, &[("sort", field.name), ("down", down), (PAGE_PARAMETER, "")])),
            "sorted": current.map(|down| if down { "descending" } else { "ascending" }),
        })
    };
    columns.iter().map(head).collect()
}

/// Returns the address of this list with changed query parameters.
pub(super) fn address(request: &AdminRequest, entity: &Entity, changes: &[(&str, &str)]) -> String {
    request.address(&home(entity), changes)
}
