//! The form of a group: shown, looked at once more where money is concerned, saved.

use serde_json::{Value, json};

use super::read::{self, Texts};
use super::{HOME, path_of, upi};
use crate::browser_settings::{
    BELOW, Current, Difference, Group, Item, Shape, Typed, change, current, preview, say, typed,
};
use crate::input::Input;
use crate::reply::{Page, Reply};
use crate::request::AdminRequest;
use crate::role::Action;
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing::Action as Done;
use festival_records::entity::{Field, Values};

pub(super) async fn show(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut connection = request.read().await?;
    let now = current(&request.site, &mut connection, group).await?;
    drop(connection);
    let texts = texts_of(&request, group, &now);
    let page = page(&request, group, &now, &texts, &[])?;
    Ok(page.with("code", upi_code(group, &*request.site.in_force().await?)?).into())
}

fn texts_of(request: &AdminRequest, group: &Group, now: &Current) -> Texts {
    let text = |item: &Item| {
        let value = now.values.get(item.path()).unwrap_or(&Value::Null);
        (item.path(), typed(item, value, &request.site.time_zone))
    };
    group.items.iter().map(text).collect()
}

fn upi_code(group: &Group, settings: &festival_base::settings::Settings) -> Result<Value> {
    if group.is_payment { upi::code(settings) } else { Ok(Value::Null) }
}

pub(super) async fn save(request: AdminRequest, group: &'static Group) -> Result<Reply> {
    let mut texts = read::texts(group, &request.form);
    let mut connection = request.read().await?;
    let now = current(&request.site, &mut connection, group).await?;
    if read::rearrange(&mut texts, request.form.get("deed")) {
        // Only the form is another; the mark stays that of what was seen.
        let seen = Current { mark: request.form.get("mark").to_owned(), ..now };
        return Ok(page(&request, group, &seen, &texts, &[])?.into());
    }
    for path in request.form.all("file") {
        let Some(item) = group.item(path) else { continue };
        let value = now.file.get(item.path()).unwrap_or(&Value::Null);
        texts.insert(item.path(), typed(item, value, &request.site.time_zone));
    }
    // Whoever waits for the turn to write, or for another connection, holds nothing that others need.
    drop(connection);
    let error = match read::values(group, &texts, &request.site.time_zone) {
        Ok(values) if group.is_payment && request.form.get("sure") != "yes" => {
            let previewed = preview(&request.site, &mut *request.read().await?, group, &values).await;
            match previewed {
                Ok((differences, _)) if differences.is_empty() => return Ok(nothing_new(group)),
                Ok((differences, settings)) => {
                    return Ok(confirmation(group, &texts, &request, &differences)?
                        .with("code", upi::code(&settings)?)
                        .into());
                }
                Err(error) => error,
            }
        }
        Ok(values) => match write(&request, group, &values).await {
            Ok(differences) if differences.is_empty() => return Ok(nothing_new(group)),
            Ok(_) => return Ok(saved(group)),
            Err(error) => error,
        },
        Err(error) => error,
    };
    refused(&request, group, &texts, error).await
}

async fn write(
    request: &AdminRequest,
    group: &'static Group,
    values: &std::collections::BTreeMap<&'static str, Value>,
) -> Result<Vec<Difference>> {
    let mut write = request.write().await?;
    let differences =
        change(request, &mut write, group, (Some(request.form.get("mark")), values), Done::Changed).await?;
    write.commit().await?;
    Ok(differences)
}

fn nothing_new(group: &Group) -> Reply {
    Reply::redirect(path_of(group)).done("Nothing was changed: it was like this already.").into()
}

fn saved(group: &Group) -> Reply {
    let words = if group.is_payment { " Every owner gets a mail about it." } else { "" };
    Reply::redirect(path_of(group)).done(format!("{} are saved and in force.{words}", plural(group.label))).into()
}

/// "Fees", "Menus", "The settings of Contact": what "are saved" can be said of.
fn plural(label: &str) -> String {
    if label.ends_with('s') { label.to_owned() } else { format!("The settings “{label}”") }
}

/// The form again: with what was wrong, or with what somebody else wrote meanwhile.
async fn refused(request: &AdminRequest, group: &'static Group, texts: &Texts, error: Error) -> Result<Reply> {
    let mut connection = request.read().await?;
    let now = current(&request.site, &mut connection, group).await?;
    drop(connection);
    let wrong: &[FieldError] = if let Error::Invalid(wrong) = &error { wrong } else { &[] };
    // A conflict shows what is there now, and the next saving writes over that.
    let is_conflict = matches!(error, Error::Conflict(_));
    let mark = if is_conflict { now.mark.clone() } else { request.form.get("mark").to_owned() };
    let rows = if is_conflict { compared(request, group, &now, texts) } else { Vec::new() };
    let page = page(request, group, &Current { mark, ..now }, texts, wrong)?.with("differences", rows);
    Ok(page.refused(error)?.into())
}

/// What is there now beside what was typed, where the two differ.
fn compared(request: &AdminRequest, group: &Group, now: &Current, texts: &Texts) -> Vec<Value> {
    let zone = &request.site.time_zone;
    let Ok(mine) = read::values(group, texts, zone) else { return Vec::new() };
    let differing = group.items.iter().filter(|item| mine.get(item.path()) != now.values.get(item.path()));
    differing
        .map(|item| {
            let said = |value: Option<&Value>| value.map(|value| say(item, value, zone)).unwrap_or_default();
            json!({
                "name": item.path(),
                "label": item.field.label,
                "theirs": said(now.values.get(item.path())),
                "mine": said(mine.get(item.path())),
            })
        })
        .collect()
}

fn page(
    request: &AdminRequest,
    group: &'static Group,
    now: &Current,
    texts: &Texts,
    wrong: &[FieldError],
) -> Result<Page> {
    let items: Vec<Value> = group.items.iter().map(|item| shown(request, group, item, now, texts, wrong)).collect();
    Ok(Reply::page("settings-group", group.label)
        .crumb("Settings", HOME)
        .inputs([Input::hidden("mark", &now.mark)])
        .with("lead", group.lead)
        .with("action", path_of(group))
        .with("home", HOME)
        .with("items", items)
        .with("is_payment", group.is_payment)
        .with("code", Value::Null)
        .with("differences", Vec::<Value>::new())
        .with("may_edit", request.may(group.resource, Action::Edit)))
}

/// A setting as the template draws it.
fn shown(
    request: &AdminRequest,
    group: &Group,
    item: &Item,
    now: &Current,
    texts: &Texts,
    wrong: &[FieldError],
) -> Value {
    let path = item.path();
    let problem = |name: &str| wrong.iter().find(|at| at.field == name).map_or("", |at| at.message.as_str());
    let file = now.file.get(path);
    let file = file.filter(|file| now.values.get(path) != Some(*file)).map(|file| {
        let said = say(item, file, &request.site.time_zone);
        if said.is_empty() { "nothing".to_owned() } else { said }
    });
    let mut input = Input::of(&item.field, "");
    input.problem = problem(path).to_owned();
    let mut rows = Vec::new();
    match texts.get(path) {
        Some(Typed::Text(text)) => input.value.clone_from(text),
        Some(Typed::Rows(typed)) => {
            let blank = |row: &Values| row.values().all(String::is_empty);
            let mut typed = typed.clone();
            // A row to write into, always.
            if typed.last().is_none_or(|last| !blank(last)) {
                typed.push(Values::new());
            }
            for (place, row) in typed.iter().enumerate() {
                rows.push(json!({
                    "place": place,
                    "number": place + 1,
                    "blank": blank(row),
                    "first": place == 0,
                    "below": row.contains_key(BELOW),
                    "below_name": format!("{path}.{place}.{BELOW}"),
                    "below_problem": problem(&format!("{path}.{place}.{BELOW}")),
                    "cells": cells(item.columns(), path, place, row, &problem),
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
        "is_tree": matches!(item.shape, Shape::Tree(_)),
        "input": input,
        "rows": rows,
        "file": file,
        // For the partial, which does not see what is around it.
        "action": path_of(group),
        "may_edit": request.may(group.resource, Action::Edit),
    })
}

fn cells<'a>(
    fields: &'static [Field],
    path: &str,
    place: usize,
    row: &Values,
    problem: &impl Fn(&str) -> &'a str,
) -> Vec<Input> {
    let cell = |field: &'static Field| {
        let mut input = Input::of(field, row.get(field.name).map_or("", String::as_str));
        input.name = format!("{path}.{place}.{}", field.name);
        input.problem = problem(&input.name).to_owned();
        input.required = false;
        if field.name == "key" {
            input.kind = "hidden";
        }
        input
    };
    fields.iter().map(cell).collect()
}

/// The page between typing and saving: what will be another, and the code that people will scan.
fn confirmation(
    group: &'static Group,
    texts: &Texts,
    request: &AdminRequest,
    differences: &[Difference],
) -> Result<Page> {
    let mut inputs = vec![Input::hidden("mark", request.form.get("mark")), Input::hidden("sure", "yes")];
    for (path, text) in texts {
        if let Typed::Text(text) = text {
            inputs.push(Input::hidden(*path, text));
        }
    }
    let rows: Vec<Value> =
        differences.iter().map(|d| json!({ "label": d.label, "before": d.before, "after": d.after })).collect();
    Ok(Reply::page("settings-look", "Is this right?")
        .crumb("Settings", HOME)
        .crumb(group.label, path_of(group))
        .inputs(inputs)
        .with("action", path_of(group))
        .with("changes", rows))
}
