//! The page of a list: tabs of statuses, filters, columns, sorting, pages.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::{Collection, Column, Heading, ListQuery, Viewer, view};
use crate::back_office::AdminRequest;
use crate::identity::role::Action;
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
use festival_base::error::Result;

/// Handles `GET` of a list.
///
/// # Errors
/// If the database cannot be read.
pub async fn show<C: Collection>(request: AdminRequest, collection: &C) -> Result<Reply> {
    let (entity, path, viewer) = (collection.entity(), collection.path(), request.viewer()?);
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, collection).await?;
    let parameter = collection.page_parameter();
    let to = |page: i64| request.address(&path, &[(parameter, &page.to_string())]);
    let size = i64::from(request.page_size());
    let offset = (query.page - 1) * size;
    let status = query.status;
    // Without a search counting is cheap, so rows are counted first, and late pages are read from the end. A search reads
    // every row, so its page comes first, and matches are counted only if the page does not reveal their number.
    let mut counts = match query.search.is_empty() {
        true => Some(counts(&mut connection, collection, &query).await?),
        false => None,
    };
    let known = counts.as_ref().map(|counts| total(counts, status));
    let rows = collection.read(viewer, &mut connection, (&query.select, &query.order), (offset, size), known).await?;
    if counts.is_none() && query.page == 1 && status.is_empty() && (rows.len() as i64) < size {
        let mut shown = BTreeMap::new();
        rows.iter().for_each(|row| *shown.entry(collection.state_of(row).to_owned()).or_default() += 1);
        counts = Some(shown);
    }
    let counts = match counts {
        Some(counts) => counts,
        None => self::counts(&mut connection, collection, &query).await?,
    };
    let total = |status: &str| total(&counts, status);
    let pages = (total(status) + size - 1) / size;
    if query.page > 1 && rows.is_empty() {
        return Ok(Reply::redirect(to(pages.max(1))).into());
    }
    let all = collection.columns(viewer);
    let (view, columns) = view::read(&request, &mut connection, &all).await?;
    drop(connection);
    let template_row = |row: &C::Row| -> Value {
        let cells = columns[1..].iter().map(|column| collection.cell(viewer, row, column.key));
        json!({ "heading": linked(&request, collection, row, viewer), "cells": cells.collect::<Vec<_>>() })
    };
    let tab = |key: &str, label: &str| {
        let href = request.address(&path, &[("status", key), (parameter, "")]);
        json!({ "key": key, "label": label, "count": total(key), "href": href, "current": status == key })
    };
    let tabs = collection.states().iter().map(|state| tab(state.key, state.label));
    let tabs: Vec<Value> = std::iter::once(tab("", "All")).chain(tabs).collect();
    let below = |path_below: &str| request.address(&format!("{path}/{path_below}"), &[(parameter, "")]);
    let page = Reply::page("list", capitalized(entity.plural))
        .with("home", &path)
        .with("plural", entity.plural)
        .with("tabs", if tabs.len() > 1 { tabs } else { Vec::new() })
        .with("columns", columns.iter().map(|column| head(&request, collection, column, &query)).collect::<Vec<_>>())
        .with("rows", rows.iter().map(template_row).collect::<Vec<_>>())
        .with("total", total(status))
        .with("first", offset + 1)
        .with("last", offset + rows.len() as i64)
        .with("previous", (query.page > 1).then(|| to(query.page - 1)))
        .with("next", (query.page < pages).then(|| to(query.page + 1)))
        .with("all", request.all_on_one_page(&path, total(status), parameter))
        .with("search", &query.search)
        .with("is_similar", query.is_similar)
        .with("status", status)
        .with("is_narrow", query.is_narrow())
        .with("filters", &query.filters)
        .with("editions", query.edition.as_ref().map_or(&[][..], |edition| &edition.choices))
        .with("selected", below("selected"))
        .with("view", view)
        .with("may_edit", request.may(collection.resource(), Action::Edit));

    let page = match collection.resource().is_personal() {
        true => {
            let shown = json!({ "page": query.page, "filters": query.for_audit() });
            page.lists_people(entity.table, rows.len(), shown)
        }
        false => page,
    };
    Ok(collection.complete(&request, query.year(), page).into())
}

/// The heading of a row, with a link that has the query of the list if pages of rows lead on to the next one.
pub(super) fn linked<C: Collection>(
    request: &AdminRequest,
    collection: &C,
    row: &C::Row,
    viewer: Viewer<'_>,
) -> Heading {
    let mut heading = collection.heading(viewer, row);
    if collection.has_neighbours() {
        heading.href = request.address(&heading.href, &[(collection.page_parameter(), "")]);
    }
    heading
}

/// Counts the rows by status; by "" if rows have none.
async fn counts(
    connection: &mut AnyConnection,
    collection: &impl Collection,
    query: &ListQuery,
) -> Result<BTreeMap<String, i64>> {
    if collection.states().is_empty() {
        return Ok([(String::new(), query.of_any_status.count(connection).await?)].into());
    }
    query.of_any_status.counts(connection, "status").await
}

/// The number of rows of a status; "" for any.
fn total(counts: &BTreeMap<String, i64>, status: &str) -> i64 {
    if status.is_empty() { counts.values().sum() } else { counts.get(status).copied().unwrap_or_default() }
}

/// A column heading, with its sort link.
fn head(request: &AdminRequest, collection: &impl Collection, column: &Column, query: &ListQuery) -> Value {
    let sorted = query.sort.filter(|(key, _)| *key == column.key).map(|(_, is_descending)| is_descending);
    let down = if sorted == Some(false) { "1" } else { "" };
    let changes = [("sort", column.key), ("down", down), (collection.page_parameter(), "")];
    json!({
        "label": column.label,
        "href": column.order.as_ref().map(|_| request.address(&collection.path(), &changes)),
        "sorted": sorted.map(|is_descending| if is_descending { "descending" } else { "ascending" }),
        "figure": column.is_figure,
    })
}
