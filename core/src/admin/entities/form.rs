//! The form of a row: new, changed, copied; with its files.

use sqlx::AnyConnection;

use super::{capital, editor, files, home, plan, preview, row_path, words};
use crate::admin::audit::Entry;
use crate::admin::input::{Choice, Input};
use crate::admin::reply::{Page, Reply};
use crate::admin::role::{Action, CONTENT};
use crate::admin::visit::{Visit, nothing_here};
use crate::editing;
use crate::edition::{self, EDITION};
use crate::entity::{Datum, Entity, Field, Kind, Listing, Record, Values, table};
use crate::error::{Error, FieldError, Result};

/// A form as it is shown.
struct Form<'a> {
    /// The row; none for a new one.
    id: Option<i64>,
    /// How the row was when it was read.
    mark: &'a str,
    edition: Option<i64>,
    values: &'a Values,
}

pub(super) async fn show_new(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let mut connection = visit.read().await?;
    let mut edition = chosen_edition(&mut connection, entity, visit.query.get("edition")).await?;
    let mut values: Values = entity.columns().map(|field| (field.name.to_owned(), empty(&visit, field))).collect();
    if entity.field("position").is_some() {
        values.insert("position".to_owned(), after_the_last(&visit, &mut connection, entity, edition).await?);
    }
    if let Ok(id) = visit.query.get("copy").parse() {
        let original = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
        values = printed(&visit, &mut connection, entity, original.record).await?;
        edition = original.edition;
    }
    for field in entity.columns().filter(|field| visit.query.has(field.name)) {
        values.insert(field.name.to_owned(), visit.query.get(field.name).chars().take(300).collect());
    }
    Ok(page(&visit, &mut connection, entity, &Form { id: None, mark: "", edition, values: &values }).await?.into())
}

/// What stands in a field of a new row: its default; a moment that must be said is now.
fn empty(visit: &Visit, field: &Field) -> String {
    match field.kind {
        Kind::DateTime if field.required => {
            visit.now().to_zoned(visit.app.time_zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string()
        }
        _ => field.default.to_owned(),
    }
}

/// The position behind all rows of the edition.
async fn after_the_last(
    visit: &Visit,
    connection: &mut AnyConnection,
    entity: &Entity,
    edition: Option<i64>,
) -> Result<String> {
    let mut listing = Listing { edition, ..Listing::first(1) };
    listing.sort = entity.field("position").map(|field| (field, true));
    let last = table::list(connection, visit.app.db.backend(), entity, &listing).await?;
    let place = entity.position("position").unwrap_or_default();
    let position = match last.rows.first().and_then(|row| row.record.get(place)) {
        Some(Datum::Integer(position)) => position + 10,
        _ => 10,
    };
    Ok(position.min(1_000_000).to_string())
}

pub(super) async fn show(visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let id = visit.id()?;
    let mut connection = visit.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let record = current.record.clone();
    let mut values = printed(&visit, &mut connection, entity, current.record).await?;
    plan::show(&visit, &mut connection, entity, id, &mut values).await?;
    let form = Form { id: Some(id), mark: &current.mark, edition: current.edition, values: &values };
    let seen = preview::seen(&visit, entity, id, (&values, &record));
    Ok(page(&visit, &mut connection, entity, &form).await?.with("seen", seen).into())
}

/// What a row holds, as the form says it.
pub(super) async fn printed(
    visit: &Visit,
    connection: &mut AnyConnection,
    entity: &Entity,
    mut record: Record,
) -> Result<Values> {
    table::unresolve(connection, entity, &mut record).await?;
    Ok(entity.print(&record, &visit.app.time_zone))
}

/// The edition with this year, else the current one.
pub(super) async fn chosen_edition(connection: &mut AnyConnection, entity: &Entity, year: &str) -> Result<Option<i64>> {
    if !entity.per_edition {
        return Ok(None);
    }
    let named = match year.parse() {
        Ok(year) => edition::of_year(connection, year).await?,
        Err(_) => None,
    };
    match named {
        Some(edition) => Ok(Some(edition.id)),
        None => Ok(Some(edition::current(connection).await?.id)),
    }
}

async fn page(visit: &Visit, connection: &mut AnyConnection, entity: &Entity, form: &Form<'_>) -> Result<Page> {
    let title = match form.id {
        None => format!("New {}", entity.singular),
        Some(id) => match form.values.get(entity.title().name).filter(|title| !title.is_empty()) {
            Some(title) => title.clone(),
            None => format!("{} {id}", capital(entity.singular)),
        },
    };
    let mut inputs = vec![Input::hidden("mark", form.mark)];
    let mut year = String::new();
    if let Some(edition) = form.edition {
        let editions = table::choices(connection, &EDITION, None).await?;
        year = editions.into_iter().find(|choice| choice.id == edition).map(|choice| choice.key).unwrap_or_default();
        inputs.push(Input::hidden("edition", &year));
    }
    for field in entity.columns() {
        if let Some(pair) = plan::inputs(visit, field, form.values) {
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
        if matches!(field.kind, Kind::Image) {
            inputs.push(words::input(visit, connection, field, value).await?);
        }
    }
    let action = form.id.map_or_else(|| format!("{}/new", home(entity)), |id| row_path(entity, id));
    let may_edit = visit.may(&CONTENT, Action::Edit);
    Ok(Reply::page("entity-form", title)
        .crumb(capital(entity.plural), home(entity))
        .inputs(inputs)
        .with("action", action)
        .with("seen", None::<String>)
        .with("preview", preview::action(visit, entity, form.id))
        .with("is_new", form.id.is_none())
        .with("id", form.id)
        .with("home", home(entity))
        .with("singular", entity.singular)
        .with("year", year)
        .with("files", files::of(entity).next().is_some())
        .with("may_edit", may_edit)
        .with("may_delete", visit.may(&CONTENT, Action::Delete))
        .with("differences", Vec::<serde_json::Value>::new()))
}

/// What was typed and chosen. Files that came are kept at once, so that a form that is refused does not lose them.
pub(super) async fn typed(visit: &mut Visit, entity: &Entity) -> Result<(Values, Vec<FieldError>)> {
    let mut values = Values::new();
    let mut wrong = std::mem::take(&mut visit.wrong);
    for field in entity.columns() {
        let value = match field.kind {
            // A box that is not ticked is not sent.
            Kind::Flag if !visit.form.has(field.name) => "no".to_owned(),
            Kind::Image | Kind::Document | Kind::Video => match visit.files.remove(field.name) {
                Some(staged) => visit.app.media.keep_public(&entity.slug(), staged).await?,
                None if visit.form.get(&files::removed(field)) == "yes" => String::new(),
                None => {
                    let key = visit.form.get(&files::kept(field)).to_owned();
                    if !key.is_empty() && visit.app.media.open_public(&key).await.is_err() {
                        wrong.push(FieldError::new(
                            field.name,
                            "This file is not here any more. Please choose it again",
                        ));
                    }
                    key
                }
            },
            // As browsers send line ends.
            _ => visit.form.get(field.name).replace("\r\n", "\n"),
        };
        values.insert(field.name.to_owned(), value);
    }
    if visit.form.has(plan::MOMENT) {
        values.insert(plan::MOMENT.to_owned(), visit.form.get(plan::MOMENT).to_owned());
    }
    Ok((values, wrong))
}

pub(super) async fn create(mut visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let (values, wrong) = typed(&mut visit, entity).await?;
    let mut connection = visit.read().await?;
    let edition = chosen_edition(&mut connection, entity, visit.form.get("edition")).await?;
    // Whoever waits for the turn to write holds nothing that others need.
    drop(connection);
    let written =
        if wrong.is_empty() { insert(&visit, entity, edition, &values).await } else { Err(Error::Invalid(wrong)) };
    match written {
        Ok(id) => Ok(onward(&visit, entity, id, "is written")),
        Err(error) => {
            let form = Form { id: None, mark: "", edition, values: &values };
            let mut connection = visit.read().await?;
            Ok(page(&visit, &mut connection, entity, &form).await?.refused(error)?.into())
        }
    }
}

async fn insert(visit: &Visit, entity: &'static Entity, edition: Option<i64>, values: &Values) -> Result<i64> {
    let (values, plan) = plan::read(visit, values)?;
    let editor = editor(visit)?;
    let mut write = visit.write().await?;
    let id = editing::create(&visit.app, &mut write, entity, edition, &values, &editor).await?;
    visit.audit(&mut write, Entry::new("add", entity.table).id(id)).await?;
    plan::keep(visit, &mut write, entity, (id, plan), &editor).await?;
    words::keep(visit, &mut write, entity, &values).await?;
    write.commit().await?;
    Ok(id)
}

pub(super) async fn change(mut visit: Visit, entity: &'static Entity) -> Result<Reply> {
    let id = visit.id()?;
    let (values, wrong) = typed(&mut visit, entity).await?;
    let mark = visit.form.get("mark").to_owned();
    let written =
        if wrong.is_empty() { update(&visit, entity, id, &mark, &values).await } else { Err(Error::Invalid(wrong)) };
    let error = match written {
        Ok(true) => return Ok(onward(&visit, entity, id, "is saved")),
        Ok(false) => return Ok(onward(&visit, entity, id, "was like that already")),
        Err(error) => error,
    };
    let mut connection = visit.read().await?;
    let current = editing::find(&mut connection, entity, id).await?.ok_or_else(nothing_here)?;
    let overtaken = matches!(error, Error::Conflict(_));
    let mut theirs = printed(&visit, &mut connection, entity, current.record).await?;
    plan::show(&visit, &mut connection, entity, id, &mut theirs).await?;
    // Whoever has seen what the other wrote may save over it.
    let mark = if overtaken { &current.mark } else { &mark };
    let form = Form { id: Some(id), mark, edition: current.edition, values: &values };
    let mut page = page(&visit, &mut connection, entity, &form).await?;
    if overtaken {
        let differing = |field: &&'static Field| theirs.get(field.name) != values.get(field.name);
        let said = |field: &'static Field| {
            serde_json::json!({
                "label": field.label,
                "name": field.name,
                "theirs": theirs.get(field.name),
                "mine": values.get(field.name),
            })
        };
        let differences: Vec<_> = entity.columns().filter(differing).map(said).collect();
        page = page.with("differences", differences);
    }
    Ok(page.refused(error)?.into())
}

async fn update(visit: &Visit, entity: &'static Entity, id: i64, mark: &str, values: &Values) -> Result<bool> {
    let (values, plan) = plan::read(visit, values)?;
    let editor = editor(visit)?;
    let mut write = visit.write().await?;
    let changed = editing::change(&visit.app, &mut write, entity, (id, mark), &values, &editor).await?;
    if changed {
        visit.audit(&mut write, Entry::new("edit", entity.table).id(id)).await?;
    }
    let planned = plan::keep(visit, &mut write, entity, (id, plan), &editor).await?;
    let said = words::keep(visit, &mut write, entity, &values).await?;
    let anything = changed || planned || said;
    if anything {
        write.commit().await?;
    }
    Ok(anything)
}

/// Where somebody goes on after saving: to the list, to the same form, to the next new one.
fn onward(visit: &Visit, entity: &Entity, id: i64, what: &str) -> Reply {
    let to = match visit.form.get("then") {
        "stay" => row_path(entity, id),
        "another" => format!("{}/new?edition={}", home(entity), visit.form.get("edition")),
        _ => home(entity),
    };
    let title = visit.form.get(entity.title().name).trim();
    let name = if title.is_empty() { format!("The {}", entity.singular) } else { format!("“{title}”") };
    Reply::redirect(to).done(format!("{name} {what}.")).into()
}
