//! Handles the submitted form of a row: stores it, merged with what others saved in the meantime, or shows it again with errors
//! or, after a conflict, with both versions.

use sqlx::AnyConnection;

use super::form::{Form, chosen_edition, page, printed};
use super::paths::{home, row_path};
use super::{files, plan};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::serving::frame::capitalized;
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use crate::versions::{Merge, Sides};
use festival_base::error::{Error, FieldError, Result};
use festival_records::editing::{self, Current, IS_PUBLISHED};
use festival_records::entity::{Datum, Entity, Field, Kind, Values};

/// Reads the submitted values and the errors of uploads. Uploaded files are stored at once, so that a form with errors
/// does not lose them.
pub(super) async fn submitted_values(request: &mut AdminRequest, entity: &Entity) -> Result<(Values, Vec<FieldError>)> {
    let mut values = Values::new();
    let mut errors = std::mem::take(&mut request.field_errors);
    for field in entity.columns() {
        let value = match field.kind {
            // Browsers do not send unticked checkboxes.
            Kind::Flag if !request.form.has(field.name) => "no".to_owned(),
            Kind::Image | Kind::Document | Kind::Video => match request.files.remove(field.name) {
                Some(staged) => {
                    request.add_remark(&staged);
                    request.site.media.commit_public(&entity.slug(), staged).await?
                }
                None if request.form.get(&files::removal_field(field)) == "yes" => String::new(),
                None => {
                    let key = request.form.get(&files::stored_key_field(field)).to_owned();
                    if !key.is_empty() && !request.site.media.has_public(&key).await? {
                        errors.push(FieldError::new(field.name, "This file no longer exists. Choose it again"));
                    }
                    key
                }
            },
            // Browsers send CRLF.
            _ => request.form.get(field.name).replace("\r\n", "\n"),
        };
        values.insert(field.name.to_owned(), value);
    }
    if request.form.has(plan::PUBLISH_AT) {
        values.insert(plan::PUBLISH_AT.to_owned(), request.form.get(plan::PUBLISH_AT).to_owned());
    }
    clear_outdated_texts(request, entity, &mut values).await?;
    Ok((values, errors))
}

/// Clears the alternative texts of removed pictures, and those of replaced pictures that still have the stored text.
async fn clear_outdated_texts(request: &AdminRequest, entity: &Entity, values: &mut Values) -> Result<()> {
    let current = match request.params.get("id") {
        Some(_) => editing::find(&mut *request.read().await?, entity, request.id()?).await?,
        None => None,
    };
    for (index, field) in entity.columns().enumerate() {
        let Some(picture) = field.picture().and_then(|name| entity.field(name)) else { continue };
        let key = values.get(picture.name).map_or("", String::as_str);
        // Where scripts run, they store the picture at once and set its text themselves.
        let is_replaced = key != request.form.get(&files::stored_key_field(picture));
        let stored = current.as_ref().and_then(|current| current.record.get(index));
        let is_unchanged =
            matches!((stored, values.get(field.name)), (Some(Datum::Text(old)), Some(new)) if old == new);
        if key.is_empty() || is_replaced && is_unchanged {
            values.insert(field.name.to_owned(), String::new());
        }
    }
    Ok(())
}

pub(super) async fn create(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let (values, errors) = submitted_values(&mut request, entity).await?;
    let mut connection = request.read().await?;
    let edition = chosen_edition(&mut connection, entity, request.form.get("edition")).await?;
    let edition = edition.map(|edition| edition.id);
    let form = Form { id: None, version: "", edition, values: &values };
    if is_upload_only(&request, &errors) {
        return Ok(page(&request, &mut connection, entity, &form).await?.into());
    }
    // Release the connection before waiting for a write transaction.
    drop(connection);
    let result =
        if errors.is_empty() { insert(&request, entity, edition, &values).await } else { Err(Error::Invalid(errors)) };
    match result {
        Ok((id, planned)) => Ok(redirect_after_saving(&request, entity, id, &format!("added.{planned}"))),
        Err(error) => {
            let mut connection = request.read().await?;
            Ok(page(&request, &mut connection, entity, &form).await?.refused(error)?.into())
        }
    }
}

/// Whether the form was sent by a script only to store a file: it is shown again with the file's key, and the row is
/// not written.
fn is_upload_only(request: &AdminRequest, errors: &[FieldError]) -> bool {
    request.form.get("then") == "keep" && errors.is_empty()
}

/// Returns the id of the new row, and the sentence about its scheduled publication.
async fn insert(
    request: &AdminRequest,
    entity: &'static Entity,
    edition: Option<i64>,
    values: &Values,
) -> Result<(i64, String)> {
    let (values, plan) = plan::split(request, values)?;
    let editor = request.editor()?;
    let mut write = request.write().await?;
    let id = editing::create(&request.site.records, &mut write, entity, edition, &values, &editor).await?;
    request.audit(&mut write, Entry::new("add", entity.table).id(id)).await?;
    let planned = plan::sentence(request, plan.as_deref());
    plan::store(request, &mut write, entity, (id, plan), &editor).await?;
    write.commit().await?;
    Ok((id, planned))
}

pub(super) async fn change(mut request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let (values, errors) = submitted_values(&mut request, entity).await?;
    let version = request.form.get("version").to_owned();
    if is_upload_only(&request, &errors) {
        let mut connection = request.read().await?;
        let edition = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?.edition;
        let form = Form { id: Some(id), version: &version, edition, values: &values };
        return Ok(page(&request, &mut connection, entity, &form).await?.into());
    }
    let result = if errors.is_empty() {
        update(&request, entity, id, &version, &values).await
    } else {
        Err(Error::Invalid(errors))
    };
    let error = match result {
        Ok(Some(planned)) => return Ok(redirect_after_saving(&request, entity, id, &format!("saved.{planned}"))),
        Ok(None) => return Ok(redirect_after_saving(&request, entity, id, "not changed: there was nothing to save.")),
        Err(error) => error,
    };
    let mut connection = request.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    if !matches!(error, Error::Conflict(_)) {
        let form = Form { id: Some(id), version: &version, edition: current.edition, values: &values };
        return Ok(page(&request, &mut connection, entity, &form).await?.refused(error)?.into());
    }
    let merge = merge(&request, &mut connection, entity, (&current, &version), &values).await?;
    if merge.differences.is_empty() {
        drop(connection);
        return save_merged(&request, entity, &current, &merge).await;
    }
    // The form shows the entered values, and saving again overwrites the stored ones.
    let form = Form { id: Some(id), version: &current.version(), edition: current.edition, values: &merge.values };
    let page = page(&request, &mut connection, entity, &form).await?;
    let error = merge.conflict(&format!("This {} was", entity.singular), error);
    Ok(merge.refused(page, error)?.into())
}

/// Saves a form that touches no field that others changed in the meantime.
async fn save_merged(
    request: &AdminRequest,
    entity: &'static Entity,
    current: &Current,
    merge: &Merge<Values>,
) -> Result<Reply> {
    match update(request, entity, current.id, &current.version(), &merge.values).await {
        Ok(changed) => {
            let saved = if changed.is_some() { "saved" } else { "not changed: there was nothing to save" };
            let theirs = match (&*merge.by, merge.taken.is_empty()) {
                ("", true) => ".".to_owned(),
                ("", false) => format!(". Others changed {}.", merge.taken_labels()),
                (by, true) => format!(". It was changed by {by}, too."),
                (by, false) => format!(". {} was changed by {by}; that stays.", merge.taken_labels()),
            };
            let planned = changed.unwrap_or_default();
            Ok(redirect_after_saving(request, entity, current.id, &format!("{saved}{theirs}{planned}")))
        }
        Err(error) => {
            let mut connection = request.read().await?;
            let form = Form {
                id: Some(current.id),
                version: &current.version(),
                edition: current.edition,
                values: &merge.values,
            };
            Ok(page(request, &mut connection, entity, &form).await?.refused(error)?.into())
        }
    }
}

/// Returns the sentence about the scheduled publication; `None` if there was nothing to save.
async fn update(
    request: &AdminRequest,
    entity: &'static Entity,
    id: i64,
    version: &str,
    values: &Values,
) -> Result<Option<String>> {
    let (values, plan) = plan::split(request, values)?;
    let editor = request.editor()?;
    let mut write = request.write().await?;
    let change = editing::update(&request.site.records, &mut write, entity, (id, version), &values, &editor).await?;
    let changed = change.is_some();
    if let Some(change) = change {
        let entry = Entry::new("edit", entity.table).id(id);
        request.audit(&mut write, entry.before(change.before).after(change.after)).await?;
    }
    let sentence = plan::sentence(request, plan.as_deref());
    let planned = plan::store(request, &mut write, entity, (id, plan), &editor).await?;
    if !(changed || planned) {
        return Ok(None);
    }
    write.commit().await?;
    Ok(Some(sentence))
}

/// Returns the address of the form for another row, with the edition, required references and required times of this
/// one.
fn another(request: &AdminRequest, entity: &Entity) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("edition", request.form.get("edition"));
    let is_kept = |field: &&Field| field.required && matches!(field.kind, Kind::Reference(_) | Kind::DateTime);
    for field in entity.columns().filter(is_kept) {
        query.append_pair(field.name, request.form.get(field.name));
    }
    format!("{}/new?{}", home(entity), query.finish())
}

/// Redirects to the list, to the same form, or to a new form, with a message: the name of the row and `outcome`.
fn redirect_after_saving(request: &AdminRequest, entity: &Entity, id: i64, outcome: &str) -> Reply {
    let to = match request.form.get("then") {
        "stay" => row_path(entity, id),
        "another" => another(request, entity),
        _ => home(entity),
    };
    let title = request.form.get(entity.title().name).trim();
    let name = if title.is_empty() { capitalized(entity.singular) } else { format!("“{title}”") };
    let is_open = request.form.get("then") == "stay";
    let redirect = Reply::redirect(to).done(format!("{name} {outcome}{}", request.remarks));
    if is_open { redirect } else { redirect.link(row_path(entity, id), format!("Open {}", entity.singular)) }.into()
}

/// Merges the values that were entered over `seen_version` with the stored ones. Without a history back to that
/// version, every field that differs counts as changed by both.
pub(super) async fn merge(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &'static Entity,
    (current, seen_version): (&Current, &str),
    mine: &Values,
) -> Result<Merge<Values>> {
    let meanwhile = editing::changed_meanwhile(connection, entity, current, seen_version).await?;
    let theirs = form_values(request, connection, entity, current).await?;
    let seen = match &meanwhile {
        Some(meanwhile) => Some(form_values(request, connection, entity, &meanwhile.seen).await?),
        None => None,
    };
    let last = meanwhile.as_ref().and_then(|meanwhile| meanwhile.revisions.first());
    let mut merge = Merge::new(request, mine.clone(), last);
    for field in entity.columns() {
        // A form without this input changes nothing.
        let Some(entered) = mine.get(field.name) else { continue };
        let is_equal = |left: &Values, right: &Values| is_equal(request, field, left, right);
        let stored = theirs.get(field.name).cloned().unwrap_or_default();
        let names = (field.name, field.label);
        match Sides::of(mine, &theirs, seen.as_ref(), is_equal) {
            Sides::Mine => {}
            Sides::Theirs => {
                merge.taken.push(names);
                merge.values.insert(field.name.to_owned(), stored);
                if field.name == IS_PUBLISHED {
                    let time = theirs.get(plan::PUBLISH_AT).cloned().unwrap_or_default();
                    merge.values.insert(plan::PUBLISH_AT.to_owned(), time);
                }
            }
            Sides::Both if field.name == IS_PUBLISHED => {
                merge.differ(names, &plan::state_text(&theirs), &plan::state_text(mine));
            }
            Sides::Both => merge.differ(names, &stored, entered),
        }
    }
    Ok(merge)
}

/// The values of a row as its form has them, with its time of publication.
async fn form_values(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &Entity,
    row: &Current,
) -> Result<Values> {
    let mut values = printed(request, connection, entity, row).await?;
    plan::add_planned(request, row, &mut values);
    Ok(values)
}

/// Whether two forms have the same value of a field. Browsers omit the seconds of a time: parsed values are compared.
fn is_equal(request: &AdminRequest, field: &Field, left: &Values, right: &Values) -> bool {
    let text = |values: &Values| values.get(field.name).cloned().unwrap_or_default();
    if field.name == IS_PUBLISHED && plan::scheduled_time(left) != plan::scheduled_time(right) {
        return false;
    }
    let parse = |text: &str| field.parse(text, &request.site.time_zone);
    let (left, right) = (text(left), text(right));
    left == right || matches!((parse(&left), parse(&right)), (Ok(left), Ok(right)) if left == right)
}
