//! The current edition: which one the site shows, and starting the next one.

use serde_json::{Value, json};

use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::dashboard;
use crate::identity::role::{Action, CONTENT};
use crate::serving::input::Input;
use crate::serving::reply::{Page, Reply};
use crate::serving::request::nothing_here;
use festival_base::error::Result;
use festival_records::edition::{self, EDITION, Edition};
use festival_records::entity::{Values, table};
use festival_records::next_edition;
use festival_web::site::Archive;

pub(super) const HOME: &str = "/admin/current-edition";
pub(super) const ARCHIVE: &str = "/admin/current-edition/archive";
pub(super) const MAKE_CURRENT: &str = "/admin/current-edition/make-current";
pub(super) const NEXT: &str = "/admin/current-edition/next";

/// The fields of the form for the next edition.
const FIELDS: [&str; 6] = ["year", "ordinal", "name", "starts_on", "ends_on", "submission_deadline"];

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let current = edition::find_current(&mut connection).await?.map(|current| current.id);
    let archived: Vec<i64> = edition::archived(&mut connection).await?.iter().map(|edition| edition.id).collect();
    let current_year = edition::find_current(&mut connection).await?.map(|current| current.year);
    let row = |edition: Edition| {
        json!({
            "archive": archived.contains(&edition.id).then(|| Archive::of(edition.year).path),
            "past": current_year.is_some_and(|year| edition.year < year),
            "id": edition.id,
            "year": edition.year,
            "name": edition.name,
            "href": format!("/admin/{}/{}", EDITION.slug(), edition.id),
            "dates": edition::dates_text(&edition.starts_on, &edition.ends_on),
            "current": Some(edition.id) == current,
        })
    };
    let rows: Vec<Value> = edition::all(&mut connection).await?.into_iter().map(row).collect();
    Ok(Reply::page("editions", "Current edition")
        .with("rows", rows)
        .with("next", NEXT)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .into())
}

/// Asks before the site shows another edition.
pub(super) async fn ask_to_activate(request: AdminRequest) -> Result<Reply> {
    let id: i64 = request.query.get("edition").parse().unwrap_or_default();
    let mut connection = request.read().await?;
    let current = edition::find_current(&mut connection).await?;
    let all = edition::all(&mut connection).await?;
    let edition = all.into_iter().find(|edition| edition.id == id).ok_or_else(nothing_here)?;
    let mut missing = Vec::new();
    for entity in request.site.records.enabled().filter(|entity| entity.per_edition) {
        let mut count = async |edition| table::count_in_edition(&mut connection, entity, edition).await;
        if let Some(current) = &current
            && count(id).await? == 0
            && count(current.id).await? > 0
        {
            missing.push(entity.plural);
        }
    }
    let missing = match missing.as_slice() {
        [] => String::new(),
        missing => format!("It has none of these yet: {}. ", missing.join(", ")),
    };
    drop(connection);
    let former = match &current {
        None => String::new(),
        Some(current) if edition.year > current.year => format!("{} goes to the archive.", current.name),
        Some(current) => format!("{} waits until you make it current again.", current.name),
    };
    let open = match &current {
        Some(current) if current.year < edition.year => {
            dashboard::tasks_left_behind(&request, current, &edition).await?
        }
        _ => Vec::new(),
    };
    Ok(Reply::page("confirmation", format!("Show {} on the site?", edition.name))
        .crumb("Current edition", HOME)
        .with("message", format!("Visitors see it at once, and what people send belongs to it. {missing}{former}"))
        .with("open", open)
        .inputs([Input::hidden("edition", id.to_string())])
        .with("action", HOME)
        .with("button", "Make current")
        .with("back", HOME)
        .into())
}

pub(super) async fn activate(request: AdminRequest) -> Result<Reply> {
    let id: i64 = request.form.get("edition").parse().unwrap_or_default();
    let mut write = request.write().await?;
    let all = edition::all(&mut write).await?;
    let edition = all.into_iter().find(|edition| edition.id == id).ok_or_else(nothing_here)?;
    edition::activate(&mut write, id).await?;
    request.commit(write, Entry::new("make current", EDITION.table).id(id)).await?;
    Ok(Reply::redirect(HOME).done(format!("The site shows {} now.", edition.name)).into())
}

/// Puts a past edition into the archive, or takes it out.
pub(super) async fn archive(request: AdminRequest) -> Result<Reply> {
    let id: i64 = request.form.get("edition").parse().unwrap_or_default();
    let is_public = request.form.get("archive") == "yes";
    let mut write = request.write().await?;
    let current = edition::current(&mut write).await?;
    let past = edition::all(&mut write).await?.into_iter().filter(|edition| edition.year < current.year);
    let edition = past.into_iter().find(|edition| edition.id == id).ok_or_else(nothing_here)?;
    edition::set_public(&mut write, id, is_public).await?;
    let action = if is_public { "archive" } else { "take out of the archive" };
    request.commit(write, Entry::new(action, EDITION.table).id(id)).await?;
    let place = if is_public { "is in the archive now" } else { "is no longer in the archive" };
    Ok(Reply::redirect(HOME).done(format!("{} {place}.", edition.name)).into())
}

pub(super) async fn show_next(request: AdminRequest) -> Result<Reply> {
    let last = edition::all(&mut *request.read().await?).await?.into_iter().next();
    let values = last.as_ref().map(next_edition::suggest).unwrap_or_default();
    Ok(form(&request, last.as_ref(), &values).into())
}

fn form(request: &AdminRequest, last: Option<&Edition>, values: &Values) -> Page {
    let input =
        |name: &str| Some(Input::of(EDITION.field(name)?, values.get(name).map(String::as_str).unwrap_or_default()));
    let carried_over =
        request.site.records.described.iter().filter(|entity| entity.is_enabled && entity.is_carried_over);
    let nouns: Vec<&str> = carried_over.map(|described| described.entity.plural).collect();
    Reply::page("next-edition", "Start the next edition")
        .crumb("Current edition", HOME)
        .with("action", NEXT)
        .with("last", last.map(|last| &last.name))
        .with("nouns", nouns.join(", "))
        .inputs(FIELDS.into_iter().filter_map(input))
}

pub(super) async fn start(request: AdminRequest) -> Result<Reply> {
    let values: Values = FIELDS.map(|name| (name.to_owned(), request.form.get(name).to_owned())).into();
    let last = edition::all(&mut *request.read().await?).await?.into_iter().next();
    match insert(&request, last.as_ref(), &values).await {
        Ok((is_current, copied)) => {
            let shown = if is_current { "The site shows it." } else { "The site still shows the current edition." };
            Ok(Reply::redirect(HOME).done(format!("{} started{copied}. {shown}", values["name"])).into())
        }
        Err(error) => Ok(form(&request, last.as_ref(), &values).refused(error)?.into()),
    }
}

/// Starts the edition and returns whether it is current, and what was copied: " with 6 venues and 4 categories".
async fn insert(request: &AdminRequest, last: Option<&Edition>, values: &Values) -> Result<(bool, String)> {
    let mut write = request.write().await?;
    let from = last.map(|last| last.id);
    let next = next_edition::start(&request.site.records, &mut write, values, from, &request.editor()?).await?;
    request.commit(write, Entry::new("start", EDITION.table).id(next.id).after(json!(values))).await?;
    let copied: Vec<String> = next
        .copied
        .iter()
        .map(|(entity, count)| format!("{count} {}", if *count == 1 { entity.singular } else { entity.plural }))
        .collect();
    let copied = if copied.is_empty() { String::new() } else { format!(" with {}", copied.join(", ")) };
    Ok((next.is_current, copied))
}
