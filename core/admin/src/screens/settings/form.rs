//! The form of a settings group: shown, confirmed if the group asks for it, merged with what others saved meanwhile, saved.

use serde_json::{Map, Value, json};
use sqlx::AnyConnection;

use super::read::{self, FormValues};
use crate::back_office::AdminRequest;
use crate::browser_settings::{
    BELOW, Confirmation, Difference, FormValue, Group, GroupState, GroupValues, HOME, Item, ItemKind, change, current,
    display_text, form_value, history, preview, ticked, version_of,
};
use crate::identity::role::Action;
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use crate::versions::{Merge, Sides};
use festival_base::error::{Error, Result};
use festival_records::editing::Action as RevisionAction;
use festival_records::entity::{Field, Values};
use festival_web::site::left_out_of_menus;

/// Name of the field with the address of a link.
const LINK: &str = "href";

pub(super) async fn show(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut connection = request.read().await?;
    let state = current(&request.site, &mut connection, group).await?;
    drop(connection);
    let inputs = form_values(&request, group, &state);
    let page = page(&request, group, &state, &inputs);
    Ok(match group.confirmation {
        Some(confirmation) => {
            let illustration = (confirmation.illustration)(&*request.site.in_force().await?)?;
            page.with("illustration", json!(illustration)).into()
        }
        None => page.into(),
    })
}

fn form_values(request: &AdminRequest, group: &Group, state: &GroupState) -> FormValues {
    let input = |item: &Item| {
        let value = state.values.get(item.path()).unwrap_or(&Value::Null);
        (item.path(), form_value(item, value, &request.site.time_zone))
    };
    group.items.iter().map(input).collect()
}

pub(super) async fn save(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut inputs = read::form_values(group, &request.form);
    let mut connection = request.read().await?;
    let state = current(&request.site, &mut connection, group).await?;
    if read::rearrange(&mut inputs, request.form.get("action")) {
        // Only the form changes: the version stays the one that the user has seen.
        let seen = GroupState { version: request.form.get("version").to_owned(), ..state };
        return Ok(page(&request, group, &seen, &inputs).into());
    }
    for path in request.form.all("file") {
        let Some(item) = group.item(path) else { continue };
        let value = state.file.get(item.path()).unwrap_or(&Value::Null);
        inputs.insert(item.path(), form_value(item, value, &request.site.time_zone));
    }
    // Release the connection before waiting for a write transaction or another connection.
    drop(connection);
    let unconfirmed = group.confirmation.filter(|_| request.form.get("sure") != "yes");
    let error = match (read::values(group, &inputs, &request.site.time_zone), unconfirmed) {
        (Ok(values), Some(confirmation)) => {
            let previewed = preview(&request.site, &mut *request.read().await?, group, &values).await;
            match previewed {
                Ok((differences, _)) if differences.is_empty() => return Ok(unchanged(group)),
                Ok((differences, settings)) => {
                    let illustration = (confirmation.illustration)(&settings)?;
                    return Ok(confirm(group, confirmation, &inputs, &request, &differences)?
                        .with("illustration", json!(illustration))
                        .into());
                }
                Err(error) => error,
            }
        }
        (Ok(values), None) => match write(&request, group, request.form.get("version"), &values).await {
            Ok(differences) if differences.is_empty() => return Ok(unchanged(group)),
            Ok(_) => return saved(&request, group, &values, "").await,
            Err(conflict @ Error::Conflict(_)) => {
                return save_merged(&request, group, inputs, &values, conflict).await;
            }
            Err(error) => error,
        },
        (Err(error), _) => error,
    };
    rejected(&request, group, &inputs, error).await
}

async fn write(
    request: &AdminRequest,
    group: &'static Group,
    seen_version: &str,
    values: &GroupValues,
) -> Result<Vec<Difference>> {
    let mut write = request.write().await?;
    let differences = change(request, &mut write, group, (Some(seen_version), values), RevisionAction::Changed).await?;
    write.commit().await?;
    Ok(differences)
}

/// Saves a form that touches no setting that others changed in the meantime. Otherwise, or if the merged settings have
/// to be confirmed first, shows it again, merged with their settings.
async fn save_merged(
    request: &AdminRequest,
    group: &'static Group,
    mut inputs: FormValues,
    values: &GroupValues,
    conflict: Error,
) -> Result<Reply> {
    let mut connection = request.read().await?;
    let state = current(&request.site, &mut connection, group).await?;
    let merge = merge(request, &mut connection, group, (&state, request.form.get("version")), values).await?;
    drop(connection);
    let mut error = merge.conflict("These settings were", conflict);
    if merge.differences.is_empty() && group.confirmation.is_none() {
        match write(request, group, &state.version, &merge.values).await {
            Ok(differences) if differences.is_empty() => return Ok(unchanged(group)),
            Ok(_) => {
                let theirs = format!(" {} was changed by {}; that stays.", merge.taken_labels(), merge.by);
                return saved(request, group, &merge.values, &theirs).await;
            }
            Err(invalid @ Error::Invalid(_)) => error = invalid,
            Err(other) => return Err(other),
        }
    }
    for (path, _) in &merge.taken {
        if let (Some(item), Some(value)) = (group.item(path), merge.values.get(path)) {
            inputs.insert(*path, form_value(item, value, &request.site.time_zone));
        }
    }
    // The form shows the entered values, and saving again overwrites the stored ones.
    let page = page(request, group, &state, &inputs);
    Ok(merge.refused(page, error)?.into())
}

fn unchanged(group: &Group) -> Reply {
    Reply::redirect(group.path()).done("No changes to save.").into()
}

/// `theirs` is a sentence about the changes of others, with a leading space; "" without any.
async fn saved(request: &AdminRequest, group: &Group, values: &GroupValues, theirs: &str) -> Result<Reply> {
    let notice = if group.confirmation.is_some() { " Every owner will be notified by mail." } else { "" };
    let mut links = Vec::new();
    values.values().for_each(|value| add_links(value, &mut links));
    let addresses = links.iter().map(|(_, address)| address.clone()).collect();
    let left_out = left_out_of_menus(&request.site, addresses).await?;
    links.retain(|(_, address)| left_out.contains(address));
    let left_out = match links.iter().map(|(label, address)| format!("“{label}” ({address})")).collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        list => format!(" These links are not shown, because nothing is there on this site: {}.", list.join(", ")),
    };
    let message = format!("{} saved.{theirs}{notice}{left_out}", group.label);
    Ok(Reply::redirect(group.path()).done(message).into())
}

/// Adds the texts and addresses of all links in a value.
fn add_links(value: &Value, links: &mut Vec<(String, String)>) {
    let text = |link: &Map<String, Value>, name| link.get(name).and_then(Value::as_str).map(str::to_owned);
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_links(value, links)),
        Value::Object(link) => {
            links.extend(text(link, LINK).map(|address| (text(link, "label").unwrap_or_default(), address)));
            link.values().for_each(|value| add_links(value, links));
        }
        _ => {}
    }
}

/// Shows the form again with error messages.
async fn rejected(request: &AdminRequest, group: &'static Group, inputs: &FormValues, error: Error) -> Result<Reply> {
    let mut connection = request.read().await?;
    let state = current(&request.site, &mut connection, group).await?;
    drop(connection);
    // The version stays the one that the user has seen.
    let seen = GroupState { version: request.form.get("version").to_owned(), ..state };
    Ok(page(request, group, &seen, inputs).refused(error)?.into())
}

fn page(request: &AdminRequest, group: &'static Group, state: &GroupState, inputs: &FormValues) -> Page {
    let item = |item| template_item(request, group, item, state, inputs);
    let items: Vec<Value> = group.items.iter().map(item).collect();
    Reply::page("settings-group", group.label)
        .crumb("Settings", HOME)
        .inputs([Input::hidden("version", &state.version)])
        .with("lead", group.lead)
        .with("action", group.path())
        .with("home", HOME)
        .with("items", items)
        .with("confirmation", group.confirmation.map(texts))
        .with("illustration", Value::Null)
        .with("differences", Vec::<Value>::new())
        .with("taken", "")
        .with("pages", pages(request, group))
        .with("may_edit", request.may(group.resource, Action::Edit))
}

/// Returns the pages that links of the group can lead to.
fn pages(request: &AdminRequest, group: &Group) -> Vec<Value> {
    let has_links = group.items.iter().any(|item| item.columns().iter().any(|field| field.name == LINK));
    let pages = request.site.contents.pages.iter().filter(|_| has_links);
    let pages = pages.map(|page| (page.path.for_openapi(), page.name));
    pages.filter(|(path, _)| !path.contains('{')).map(|(href, name)| json!({ "href": href, "name": name })).collect()
}

/// Returns a setting as the template renders it.
fn template_item(request: &AdminRequest, group: &Group, item: &Item, state: &GroupState, inputs: &FormValues) -> Value {
    let path = item.path();
    let file = state.file.get(path);
    let file = file.filter(|file| state.values.get(path) != Some(*file)).map(|file| {
        let text = display_text(item, file, &request.site.time_zone);
        if text.is_empty() { "nothing".to_owned() } else { text }
    });
    let mut input = Input::of(&item.field, "");
    let mut rows = Vec::new();
    match inputs.get(path) {
        Some(FormValue::Text(text)) => {
            if let Some(keys) = ticked(item, text) {
                let keys: Vec<&str> = keys.collect();
                input.kind = "checks";
                input.choices.iter_mut().for_each(|choice| choice.chosen = keys.contains(&choice.key.as_str()));
            }
            input.value.clone_from(text);
        }
        Some(FormValue::Rows(stored)) => {
            let blank = |row: &Values| row.values().all(String::is_empty);
            let mut with_blank = stored.clone();
            // There is always a blank row at the end.
            if with_blank.last().is_none_or(|last| !blank(last)) {
                with_blank.push(Values::new());
            }
            for (index, row) in with_blank.iter().enumerate() {
                rows.push(json!({
                    "index": index,
                    "number": index + 1,
                    "blank": blank(row),
                    "first": index == 0,
                    "below": row.contains_key(BELOW),
                    "below_input": { "name": format!("{path}.{index}.{BELOW}"), "problem": "" },
                    "cells": cells(item.columns(), path, index, row),
                }));
            }
        }
        None => {}
    }
    json!({
        "name": path,
        "label": item.field.label,
        "hint": item.field.hint,
        "problem": input.problem,
        "has_rows": !item.columns().is_empty(),
        "is_tree": matches!(item.kind, ItemKind::Tree(_)),
        "input": input,
        "rows": rows,
        "file": file,
        // Repeated for the partial, which does not see the data around it.
        "action": group.path(),
        "may_edit": request.may(group.resource, Action::Edit),
    })
}

fn cells(fields: &'static [Field], path: &str, index: usize, row: &Values) -> Vec<Input> {
    let cell = |field: &'static Field| {
        let mut input = Input::of(field, row.get(field.name).map_or("", String::as_str));
        input.name = format!("{path}.{index}.{}", field.name);
        input.required = false;
        match field.name {
            "key" => input.kind = "hidden",
            LINK => input.kind = "page",
            _ => {}
        }
        input
    };
    fields.iter().map(cell).collect()
}

/// Returns the texts of a confirmation for the templates.
fn texts(confirmation: &Confirmation) -> Value {
    let Confirmation { lead, next, picture, without_picture, .. } = confirmation;
    json!({ "lead": lead, "next": next, "picture": picture, "without_picture": without_picture })
}

/// Returns the page on which a change is confirmed.
fn confirm(
    group: &'static Group,
    confirmation: &Confirmation,
    form_values: &FormValues,
    request: &AdminRequest,
    differences: &[Difference],
) -> Result<Page> {
    let mut inputs = vec![Input::hidden("version", request.form.get("version")), Input::hidden("sure", "yes")];
    for (path, value) in form_values {
        if let FormValue::Text(text) = value {
            inputs.push(Input::hidden(*path, text));
        }
    }
    Ok(Reply::page("settings-confirm", confirmation.title)
        .crumb("Settings", HOME)
        .crumb(group.label, group.path())
        .inputs(inputs)
        .with("action", group.path())
        .with("confirmation", texts(confirmation))
        .with("changes", differences))
}

/// Maximum number of revisions that others may save while a form is open; after more, its changes cannot be merged.
const MAX_REVISIONS_BACK: i64 = 50;

/// Merges the values that were entered over `seen_version` with those in force. Without a history back to that version,
/// every setting that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    group: &Group,
    (current, seen_version): (&GroupState, &str),
    mine: &GroupValues,
) -> Result<Merge<GroupValues>> {
    let revisions = history(connection, group, (0, MAX_REVISIONS_BACK)).await?;
    let seen = revisions.iter().map(|revision| &revision.record).find(|record| version_of(record) == seen_version);
    let mut merge = Merge::new(request, mine.clone(), revisions.first().filter(|_| seen.is_some()));
    for item in group.items {
        let path = item.path();
        let (mine, theirs) = (mine.get(path), current.values.get(path));
        let seen = seen.map(|seen| seen.get(path));
        let text = |value: Option<&Value>| {
            value.map(|value| display_text(item, value, &request.site.time_zone)).unwrap_or_default()
        };
        match Sides::of(&mine, &theirs, seen.as_ref(), PartialEq::eq) {
            Sides::Mine => {}
            Sides::Theirs => {
                merge.taken.push((path, item.field.label));
                merge.values.extend(theirs.map(|theirs| (path, theirs.clone())));
            }
            Sides::Both => merge.differ((path, item.field.label), &text(theirs), &text(mine)),
        }
    }
    Ok(merge)
}
