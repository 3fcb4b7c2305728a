//! The list of submissions, newest first, with search, filters and counts by status.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::admin::list_view::ListView;
use festival_core::admin::{Action, AdminRequest, Reply};
use serde_json::{Value, json};

use super::{columns, list_query};
use crate::role::PEOPLE;
use crate::submissions::{Submission, SubmissionKind};

/// Handles `GET` of the list.
pub(super) async fn show(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let query = list_query::read(&request, &mut connection, kind).await?;
    let page = request.query.get("page").parse::<u32>().unwrap_or(1).clamp(1, 1_000_000);
    let offset = (page - 1) * u32::from(request.page_size());
    let rows = query.select.newest(&mut connection, offset, request.page_size()).await?;
    if page > 1 && rows.is_empty() {
        return Ok(Reply::redirect(request.address(&kind.list_path(), &[("page", "")])).into());
    }
    let columns = columns::all(&request, kind);
    let usual = columns::usual(&request, kind);
    let (view, shown) = ListView::read(&request, &mut connection, (&columns, &usual)).await?;
    let new = |(id, values)| Submission::new(&request.site.secrets, kind, id, values);
    let submissions: Vec<Submission> = rows.into_iter().map(new).collect();
    let mut counts = BTreeMap::new();
    if query.status.is_empty() && page == 1 && submissions.len() < usize::from(request.page_size()) {
        // If the page has every match, there is no second search to count them.
        submissions.iter().for_each(|it| *counts.entry(it.text("status").to_owned()).or_default() += 1);
    } else {
        counts = query.of_any_status.counts(&mut connection, "status").await?;
    }
    drop(connection);
    let all: i64 = counts.values().sum();
    let count = |status: &str| if status.is_empty() { all } else { counts.get(status).copied().unwrap_or_default() };
    let total = count(&query.status);
    let tab = |key: &str, label: &str| {
        json!({
            "label": label,
            "count": count(key),
            "href": request.address(&kind.list_path(), &[("status", key), ("page", "")]),
            "current": query.status == key,
        })
    };
    let mut tabs = vec![tab("", "All")];
    tabs.extend(kind.states.iter().map(|state| tab(state.key, state.label)));
    let page_link = |page: u32| request.address(&kind.list_path(), &[("page", &page.to_string())]);
    let count_on_page = submissions.len();
    Ok(Reply::page("submissions", kind.list_title())
        .with("home", kind.list_path())
        .with("plural", kind.entity.plural)
        .with("tabs", tabs)
        .with("rows", submissions.iter().map(|it| row(&request, &shown, it)).collect::<Vec<_>>())
        .with("first", offset + 1)
        .with("last", offset as usize + count_on_page)
        .with("total", total)
        .with("previous", (page > 1).then(|| page_link(page - 1)))
        .with("next", (i64::from(offset) + (count_on_page as i64) < total).then(|| page_link(page + 1)))
        .with("all", request.all_on_one_page(&kind.list_path(), total, "page"))
        .with("search", &query.search)
        .with("status", &query.status)
        .with("narrowed", query.is_narrow())
        .with("filters", &query.filters)
        .with("editions", &query.edition.choices)
        .with(
            "states",
            kind.states.iter().map(|state| json!({ "key": state.key, "label": state.label })).collect::<Vec<_>>(),
        )
        .with("columns", columns::heads(&columns, &shown))
        .with("view", view)
        .with("selected", request.address(&format!("{}/selected", kind.list_path()), &[("page", "")]))
        .with("export", request.address(&format!("{}/export", kind.list_path()), &[("page", "")]))
        .with("printed_list", kind.printed_list())
        .with("printed", request.address(&format!("{}/print", kind.list_path()), &[("page", "")]))
        .with("may_edit", request.may(kind.resource, Action::Edit))
        .with("may_pay", kind.has_payment() && request.may(&PEOPLE, Action::Edit))
        .with("may_export", request.may(kind.resource, Action::Export))
        .lists_people(kind.entity.table, count_on_page, json!({ "page": page, "filters": query.for_audit() }))
        .into())
}

fn row(request: &AdminRequest, shown: &[&'static str], submission: &Submission) -> Value {
    let kind = submission.kind;
    json!({
        "id": submission.id,
        "href": request.address(&submission.path(), &[("page", "")]),
        "reference": submission.reference(),
        "title": submission.title(),
        "beside": columns::shortened(submission.text(kind.subtitle_column)),
        "cells": shown.iter().map(|key| columns::cell(request, submission, key)).collect::<Vec<_>>(),
    })
}
