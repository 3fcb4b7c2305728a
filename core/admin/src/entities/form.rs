//! The form of a row: new, existing or copied. Submitted forms are handled by [`super::save`].

use sqlx::AnyConnection;

use super::paths::{home, preview_address, public_link, row_path};
use super::{files, plan};
use crate::back_office::AdminRequest;
use crate::identity::role::{Action, CONTENT};
use crate::serving::frame::capitalized;
use crate::serving::input::{Choice, Input};
use crate::serving::reply::{Page, Reply};
use crate::serving::request::nothing_here;
use festival_base::error::Result;
use festival_base::time_text;
use festival_records::editing::{self, Current};
use festival_records::edition::{self, EDITION, Edition};
use festival_records::entity::{Entity, Field, Kind, Values, table};
use festival_records::html;

/// Maximum length of a text that is shown to somebody who may not edit it, in characters.
const MAX_READ_CHARACTERS: usize = 100_000;

/// The content of a form.
pub(super) struct Form<'a> {
    /// Id of the row; `None` for a new one.
    pub(super) id: Option<i64>,
    /// Version of the row when it was read.
    pub(super) version: &'a str,
    pub(super) edition: Option<i64>,
    pub(super) values: &'a Values,
}

pub(super) async fn show_new(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let mut connection = request.read().await?;
    let chosen = chosen_edition(&mut connection, entity, request.query.get("edition")).await?;
    let mut edition = chosen.map(|edition| edition.id);
    let mut values: Values =
        entity.columns().map(|field| (field.name.to_owned(), default_value(&request, field))).collect();
    if entity.field("position").is_some() {
        let last = table::last_position(&mut connection, entity, edition).await?;
        values.insert("position".to_owned(), (last + 10).min(1_000_000).to_string());
    }
    if let Ok(id) = request.query.get("copy").parse() {
        let original = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
        edition = original.edition;
        values = printed(&request, &mut connection, entity, &original).await?;
    }
    for field in entity.columns().filter(|field| request.query.has(field.name)) {
        values.insert(field.name.to_owned(), request.query.get(field.name).chars().take(300).collect());
    }
    Ok(page(&request, &mut connection, entity, &Form { id: None, version: "", edition, values: &values }).await?.into())
}

/// Returns the value of a field in a new row: its default, or the current time for a required time.
fn default_value(request: &AdminRequest, field: &Field) -> String {
    match field.kind {
        Kind::DateTime if field.required => {
            request.now().to_zoned(request.site.time_zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string()
        }
        _ => field.default.to_owned(),
    }
}

pub(super) async fn show(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let mut values = printed(&request, &mut connection, entity, &current).await?;
    plan::add_planned(&request, &current, &mut values);
    let form = Form { id: Some(id), version: &current.version(), edition: current.edition, values: &values };
    let public_link = public_link(&request, entity, id, (&values, &current.record));
    Ok(page(&request, &mut connection, entity, &form).await?.with("public_link", public_link).into())
}

/// Returns the values of a row as the form shows them.
pub(super) async fn printed(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &Entity,
    current: &Current,
) -> Result<Values> {
    let mut record = current.record.clone();
    table::unresolve(connection, entity, &mut record).await?;
    Ok(entity.print(&record, &request.site.time_zone))
}

/// Returns the edition of this year, else the current one; `None` if the entity does not belong to editions.
pub(super) async fn chosen_edition(
    connection: &mut AnyConnection,
    entity: &Entity,
    year: &str,
) -> Result<Option<Edition>> {
    if !entity.per_edition {
        return Ok(None);
    }
    let named = match year.parse() {
        Ok(year) => edition::find_by_year(connection, year).await?,
        Err(_) => None,
    };
    match named {
        Some(edition) => Ok(Some(edition)),
        None => edition::current(connection).await.map(Some),
    }
}

/// The title of a row as people know it: of a reference, what its choices call the row.
fn shown_title<'i>(entity: &Entity, inputs: &'i [Input]) -> Option<&'i str> {
    let input = inputs.iter().find(|input| input.name == entity.title().name)?;
    let chosen = input.choices.iter().find(|choice| choice.chosen).map_or(&input.value, |choice| &choice.label);
    Some(chosen.as_str()).filter(|title| !title.is_empty())
}

pub(super) async fn page(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    entity: &Entity,
    form: &Form<'_>,
) -> Result<Page> {
    let mut inputs = vec![Input::hidden("version", form.version)];
    let mut year = String::new();
    if let Some(edition) = form.edition {
        let editions = table::choices(connection, &EDITION, None).await?;
        year = editions.into_iter().find(|choice| choice.id == edition).map(|choice| choice.key).unwrap_or_default();
        inputs.push(Input::hidden("edition", &year));
    }
    for field in entity.columns() {
        if let Some(pair) = plan::inputs(request, field, form.values) {
            inputs.extend(pair);
            continue;
        }
        let value = form.values.get(field.name).map_or("", String::as_str);
        let mut input = Input::of(field, value);
        if let Kind::Reference(target) = field.kind {
            let rows = table::choices(connection, target, form.edition).await?;
            input.choices = rows.into_iter().map(|row| Choice::new(row.key, row.name, value)).collect();
        }
        inputs.push(input);
    }
    let title = match form.id {
        None => format!("New {}", entity.singular),
        Some(id) => match shown_title(entity, &inputs) {
            Some(title) => title.to_owned(),
            None => format!("{} {id}", capitalized(entity.singular)),
        },
    };
    let may_edit = request.may(&CONTENT, Action::Edit);
    if !may_edit {
        // Shown as plain text: without HTML, and dates not in the format of the browser's inputs.
        for Input { kind, value, .. } in &mut inputs {
            match *kind {
                "html" => *value = html::excerpt(value, MAX_READ_CHARACTERS),
                "date" | "datetime" => *value = time_text::short_local(value).unwrap_or_default(),
                _ => {}
            }
        }
    }
    let action = form.id.map_or_else(|| format!("{}/new", home(entity)), |id| row_path(entity, id));
    Ok(Reply::page("entity-form", title)
        .crumb(capitalized(entity.plural), home(entity))
        .inputs(inputs)
        .with("action", action)
        .with("public_link", None::<String>)
        .with("preview", preview_address(request, entity, form.id))
        .with("is_new", form.id.is_none())
        .with("id", form.id)
        .with("home", home(entity))
        .with("singular", entity.singular)
        .with("year", year)
        .with("files", files::of(entity).next().is_some())
        .with("may_edit", may_edit)
        .with("may_delete", request.may(&CONTENT, Action::Delete))
        .with("differences", Vec::<serde_json::Value>::new())
        .with("taken", ""))
}
