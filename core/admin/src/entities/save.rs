//! What the form of a row sends: read, written, or shown again with what is wrong; with both versions where somebody
//! else was first.

use serde_json::{Value, json};

use super::form::{Form, chosen_edition, page, printed};
use super::{alternative_texts, editor, files, home, plan, row_path};
use crate::audit::Entry;
use crate::reply::Reply;
use crate::request::{AdminRequest, nothing_here};
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing;
use festival_records::entity::{Entity, Kind, Values};

/// What was typed and chosen. Files that came are kept at once, so that a form that is refused does not lose them.
pub(super) async fn typed(request: &mut AdminRequest, entity: &Entity) -> Result<(Values, Vec<FieldError>)> {
    let mut values = Values::new();
    let mut wrong = std::mem::take(&mut request.wrong);
    for field in entity.columns() {
        let value = match field.kind {
            // A box that is not ticked is not sent.
            Kind::Flag if !request.form.has(field.name) => "no".to_owned(),
            Kind::Image | Kind::Document | Kind::Video => match request.files.remove(field.name) {
                Some(staged) => {
                    request.remark(&staged);
                    request.site.media.commit_public(&entity.slug(), staged).await?
                }
                None if request.form.get(&files::removed(field)) == "yes" => String::new(),
                None => {
                    let key = request.form.get(&files::kept(field)).to_owned();
                    if !key.is_empty() && request.site.media.open_public(&key).await.is_err() {
                        wrong.push(FieldError::new(
                            field.name,
                            "This file is not here any more. Please choose it again",
                        ));
                    }
                    key
                }
            },
            // As browsers send line ends.
            _ => request.form.get(field.name).replace("\r\n", "\n"),
        };
        values.insert(field.name.to_owned(), value);
    }
    if request.form.has(plan::MOMENT) {
        values.insert(plan::MOMENT.to_owned(), request.form.get(plan::MOMENT).to_owned());
    }
    alternative_texts::typed(request, entity, &mut values);
    Ok((values, wrong))
}

pub(super) async fn create(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let (values, wrong) = typed(&mut request, entity).await?;
    let mut connection = request.read().await?;
    let edition = chosen_edition(&mut connection, entity, request.form.get("edition")).await?;
    let form = Form { id: None, mark: "", edition, values: &values };
    if keeps_only(&request, &wrong) {
        return Ok(page(&request, &mut connection, entity, &form).await?.into());
    }
    // Whoever waits for the turn to write holds nothing that others need.
    drop(connection);
    let written =
        if wrong.is_empty() { insert(&request, entity, edition, &values).await } else { Err(Error::Invalid(wrong)) };
    match written {
        Ok(id) => Ok(onward(&request, entity, id, "is written")),
        Err(error) => {
            let mut connection = request.read().await?;
            Ok(page(&request, &mut connection, entity, &form).await?.refused(error)?.into())
        }
    }
}

/// Whether the form only brings a file that is to be kept until the rest comes: it is shown again, and nothing is
/// written.
fn keeps_only(request: &AdminRequest, wrong: &[FieldError]) -> bool {
    request.form.get("then") == "keep" && wrong.is_empty()
}

async fn insert(request: &AdminRequest, entity: &'static Entity, edition: Option<i64>, values: &Values) -> Result<i64> {
    let (mut values, plan) = plan::read(request, values)?;
    alternative_texts::read(request, entity, &mut values).await?;
    let editor = editor(request)?;
    let mut write = request.write().await?;
    let id = editing::create(&request.site.records, &mut write, entity, edition, &values, &editor).await?;
    request.audit(&mut write, Entry::new("add", entity.table).id(id)).await?;
    plan::keep(request, &mut write, entity, (id, plan), &editor).await?;
    write.commit().await?;
    Ok(id)
}

pub(super) async fn change(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let (values, wrong) = typed(&mut request, entity).await?;
    let mark = request.form.get("mark").to_owned();
    if keeps_only(&request, &wrong) {
        let mut connection = request.read().await?;
        let edition = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?.edition;
        let form = Form { id: Some(id), mark: &mark, edition, values: &values };
        return Ok(page(&request, &mut connection, entity, &form).await?.into());
    }
    let written =
        if wrong.is_empty() { update(&request, entity, id, &mark, &values).await } else { Err(Error::Invalid(wrong)) };
    let error = match written {
        Ok(true) => return Ok(onward(&request, entity, id, "is saved")),
        Ok(false) => return Ok(onward(&request, entity, id, "was like that already")),
        Err(error) => error,
    };
    let mut connection = request.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let overtaken = matches!(error, Error::Conflict(_));
    let mut theirs = printed(&request, &mut connection, entity, &current).await?;
    plan::show(&request, &current, &mut theirs);
    // Whoever has seen what the other wrote may save over it.
    let mark = if overtaken { &current.version } else { &mark };
    let form = Form { id: Some(id), mark, edition: current.edition, values: &values };
    let mut page = page(&request, &mut connection, entity, &form).await?;
    if overtaken {
        page = page.with("differences", differences(&request, entity, &theirs, &values));
    }
    Ok(page.refused(error)?.into())
}

/// What differs between what is there now and what was typed: fields, what is said of pictures, the moment of
/// publishing.
fn differences(request: &AdminRequest, entity: &Entity, theirs: &Values, mine: &Values) -> Vec<Value> {
    let mut differences = Vec::new();
    let mut compare = |label: &str, name: &str, (theirs, mine): (&str, &str)| {
        if theirs != mine {
            differences.push(json!({ "label": label, "name": name, "theirs": theirs, "mine": mine }));
        }
    };
    let both = |name: &str| {
        let said = |values: &'_ Values| values.get(name).cloned();
        let theirs = said(theirs).unwrap_or_default();
        // A form without the line says nothing.
        (theirs.clone(), said(mine).unwrap_or(theirs))
    };
    for field in entity.columns() {
        let (theirs, mine) = both(field.name);
        // Browsers leave out the seconds of a moment: the same value in another spelling is no difference.
        let read = |text: &str| field.parse(text, &request.site.time_zone);
        if !matches!((read(&theirs), read(&mine)), (Ok(theirs), Ok(mine)) if theirs == mine) {
            compare(field.label, field.name, (&theirs, &mine));
        }
        if matches!(field.kind, Kind::Image) {
            let (theirs, mine) = both(&alternative_texts::name(field));
            compare(&alternative_texts::label(field), &alternative_texts::name(field), (&theirs, &mine));
        }
    }
    compare(plan::LABEL, plan::MOMENT, (plan::moment(theirs), plan::moment(mine)));
    differences
}

async fn update(request: &AdminRequest, entity: &'static Entity, id: i64, mark: &str, values: &Values) -> Result<bool> {
    let (mut values, plan) = plan::read(request, values)?;
    alternative_texts::read(request, entity, &mut values).await?;
    let editor = editor(request)?;
    let mut write = request.write().await?;
    let change = editing::update(&request.site.records, &mut write, entity, (id, mark), &values, &editor).await?;
    let changed = change.is_some();
    if let Some(change) = change {
        let entry = Entry::new("edit", entity.table).id(id);
        request.audit(&mut write, entry.before(change.before).after(change.after)).await?;
    }
    let planned = plan::keep(request, &mut write, entity, (id, plan), &editor).await?;
    if changed || planned {
        write.commit().await?;
    }
    Ok(changed || planned)
}

/// Where somebody goes on after saving: to the list, to the same form, to the next new one.
fn onward(request: &AdminRequest, entity: &Entity, id: i64, what: &str) -> Reply {
    let to = match request.form.get("then") {
        "stay" => row_path(entity, id),
        "another" => format!("{}/new?edition={}", home(entity), request.form.get("edition")),
        _ => home(entity),
    };
    let title = request.form.get(entity.title().name).trim();
    let name = if title.is_empty() { format!("The {}", entity.singular) } else { format!("“{title}”") };
    Reply::redirect(to).done(format!("{name} {what}.{}", request.remarks)).into()
}
