//! From entry to catalogue: the drafts of films that are made of selected entries, from the fields that may be public.

use std::collections::BTreeSet;

use festival_core::admin::audit::Entry;
use festival_core::admin::{
    Action, AdminRequest, Choice, Input, Panel, Permission, Personal, Reply, Resource, RowContext, Screen,
};
use festival_core::checks::AcceptedKinds;
use festival_core::db::{Write, timestamp_text};
use festival_core::editing::{self, Editor};
use festival_core::entity::{Entity, Values};
use festival_core::media::PreparedFile;
use festival_core::site::Site;
use festival_core::submissions::Submitted;
use festival_core::{Error, Registry, Result, edition, pictures};
use rocket::tokio::io::AsyncReadExt as _;
use serde::Serialize;
use serde_json::json;
use sqlx::AnyConnection;

use crate::outline::{by_name, find_award, title};
use crate::public_fields::{self, PORTRAIT, POSTER, SUBTITLES, SelectionSettings, taken};
use crate::role::CHAIR;
use crate::status::{DESK, FILMS};

/// The screen.
const PATH: &str = "/admin/selection/films";

/// Who makes films of entries.
const DRAFTS: Resource = Resource {
    key: "film-drafts",
    label: "Films of entries",
    grants: &[(&CHAIR, &[Action::View, Action::Edit]), (&DESK, &[Action::View, Action::Edit])],
    personal: Personal::StoredMail,
};

pub(crate) fn register(registry: &mut Registry) {
    registry.section::<SelectionSettings>();
    registry
        .templates(festival_core::templates!["film-drafts"])
        .settings_group(&public_fields::GROUP)
        .panels(Permission::To(&DRAFTS, Action::View), panel)
        .screen(Screen::get(PATH, Permission::To(&DRAFTS, Action::View), show).in_menu("selection", "Films of entries"))
        .screen(Screen::post(PATH, Permission::To(&DRAFTS, Action::Edit), make));
}

/// A selected entry.
#[derive(sqlx::FromRow, Serialize)]
struct Selected {
    id: i64,
    reference: String,
    title: String,
    director_name: String,
    #[serde(serialize_with = "by_name")]
    award_category: String,
    /// Its film, once there is one.
    film_id: Option<i64>,
}

/// The selected entries of an edition, each with its film.
async fn selected(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Selected>> {
    const SQL: &str = concat!(
        "SELECT f.id, f.reference, ",
        title!(),
        " AS title, f.director_name, f.award_category, s.film_id FROM film_submissions f \
         LEFT JOIN selection_films s ON s.film_submission_id = f.id \
         WHERE f.edition_id = $1 AND f.is_quarantined = 0 AND f.status = 'selected' ORDER BY f.award_category, f.id"
    );
    Ok(sqlx::query_as(SQL).bind(edition).fetch_all(connection).await?)
}

/// The films of the catalogue, as their module describes them.
fn film_entity(site: &Site) -> Result<&'static Entity> {
    let found = site.records.enabled().find(|entity| entity.table == "films");
    found.ok_or_else(|| Error::Unavailable("The module for films is switched off.".into()))
}

/// Name of the input with the section for the films of an award.
fn section_input(award: &str) -> String {
    format!("section-{award}")
}

/// Handles `GET`: the selected entries, what of them is taken over, and the sections that the films go into.
async fn show(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let entries = selected(&mut connection, edition.id).await?;
    let sections = sqlx::query_as("SELECT slug, name FROM categories WHERE edition_id = $1 ORDER BY position, id");
    let sections: Vec<(String, String)> = sections.bind(edition.id).fetch_all(&mut *connection).await?;
    drop(connection);
    let missing = entries.iter().filter(|entry| entry.film_id.is_none());
    let awards: BTreeSet<&str> = missing.clone().map(|entry| entry.award_category.as_str()).collect();
    let inputs = awards.into_iter().map(|award| {
        let name = find_award(award).unwrap_or("an award that is not known");
        // A single section needs no choice.
        let chosen = sections.iter().find(|(_, section)| sections.len() == 1 || section == name);
        let chosen = chosen.map_or("", |(slug, _)| slug);
        let choices = sections.iter().map(|(slug, name)| Choice::new(slug, name, chosen)).collect();
        Input::choice(section_input(award), format!("Section for {name}"), choices).value(chosen).required()
    });
    let (entry, film) = (FILMS.submissions(&request.site)?.entity(), film_entity(&request.site)?);
    let label = |entity: &Entity, name: &'static str| entity.field(name).map_or(name, |field| field.label);
    let taken = taken(&request.site).await?.into_iter().map(|(from, to)| [label(entry, from), label(film, to)]);
    Ok(Reply::page("film-drafts", "Films of selected entries")
        .with("waiting", missing.count())
        .with("may_choose", request.may(public_fields::GROUP.resource, Action::Edit))
        .with("has_sections", !sections.is_empty())
        .with("taken", taken.chain([["Reference", label(film, "reference")]]).collect::<Vec<_>>())
        .inputs(inputs)
        .lists_people("film_submissions", entries.len(), json!({ "status": "selected" }))
        .with("rows", &entries)
        .into())
}

/// Handles `POST`: makes the films that are missing. Entries that have one are left alone.
async fn make(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let entries = selected(&mut connection, edition.id).await?;
    drop(connection);
    let taken = taken(&request.site).await?;
    let (mut made, mut problems) = (0, Vec::new());
    for entry in entries.iter().filter(|entry| entry.film_id.is_none()) {
        let section = request.form.get(&section_input(&entry.award_category));
        if section.is_empty() {
            problems.push(format!("{} has no section", entry.reference));
            continue;
        }
        match make_film(&request, entry, section, &taken).await {
            Ok(is_new) => made += usize::from(is_new),
            Err(Error::Invalid(errors)) => {
                let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
                problems.push(format!("{}: {}", entry.reference, messages.join("; ")));
            }
            Err(error) => return Err(error),
        }
    }
    let films = if made == 1 { "1 film made".to_owned() } else { format!("{made} films made") };
    let redirect = Reply::redirect(PATH);
    Ok(match problems.as_slice() {
        [] => redirect.done(format!("{films}, not published yet.")).link("/admin/films", "Films").into(),
        problems => redirect.problem(format!("{films}. Not made: {}.", problems.join(", "))).into(),
    })
}

/// Makes the film of an entry of what is taken over, unless there is one by now. Returns whether it did.
async fn make_film(request: &AdminRequest, entry: &Selected, section: &str, taken: &[(&str, &str)]) -> Result<bool> {
    let (site, account) = (&request.site, request.account()?);
    let (film, editor) = (film_entity(site)?, Editor::new(Some(account.id), account.name.clone()));
    let mut connection = request.read().await?;
    let found = FILMS.submissions(site)?.find(site, &mut connection, entry.id).await?;
    drop(connection);
    let Some(submitted) = found else { return Ok(false) };
    let is_taken = |name| taken.iter().any(|(from, _)| *from == name);
    let mut values = values(&submitted, section, taken);
    // Files first, so that no row names a missing one; what has no row is swept.
    if is_taken(POSTER)
        && let Some(poster) = public_picture(site, &submitted, POSTER, &film.slug()).await?
    {
        values.insert("poster".into(), site.media.store_public(poster).await?);
        values.insert("poster_alt".into(), format!("Poster of {}", entry.title));
    }
    let portrait = match is_taken(PORTRAIT) {
        true => public_picture(site, &submitted, PORTRAIT, "pictures").await?,
        false => None,
    };
    let portrait = match portrait {
        Some(portrait) => Some(site.media.store_public(portrait).await?),
        None => None,
    };
    let mut write = request.write().await?;
    if !claim(&mut write, entry.id).await? {
        return Ok(false);
    }
    // Unusual values were accepted with the entry; the film is made without them.
    if let Err(errors) = film.parse(&values, &site.time_zone) {
        values.retain(|name, _| name == "category" || !errors.iter().any(|error| error.field == *name));
    }
    let id = editing::create(&site.records, &mut write, film, Some(submitted.edition_id), &values, &editor).await?;
    let insert = sqlx::query(
        "INSERT INTO selection_films (film_submission_id, film_id, made_at, made_by) VALUES ($1, $2, $3, $4)",
    );
    let insert = insert.bind(entry.id).bind(id).bind(timestamp_text(request.now()));
    insert.bind(&account.name).execute(&mut *write).await?;
    if let Some(key) = portrait {
        let text = format!("Portrait of {}", entry.director_name);
        match pictures::describe(&site.records, &mut write, &key, ("", &text), &editor).await {
            // The same picture came with another entry, and has its text.
            Ok(_) | Err(Error::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let change = json!({ "submission": entry.reference });
    request.commit(write, Entry::new("add", film.table).id(id).after(change)).await?;
    Ok(true)
}

/// Locks an entry; returns whether it is still selected and has no film.
async fn claim(write: &mut Write, entry: i64) -> Result<bool> {
    let locked = sqlx::query(
        "UPDATE film_submissions SET status = status WHERE id = $1 AND status = 'selected' \
         AND NOT EXISTS (SELECT 1 FROM selection_films f WHERE f.film_submission_id = film_submissions.id)",
    );
    Ok(locked.bind(entry).execute(&mut **write).await?.rows_affected() == 1)
}

/// The values of the film, without pictures.
fn values(submitted: &Submitted, section: &str, taken: &[(&str, &str)]) -> Values {
    let value = |(from, to): &(&str, &str)| {
        let text = match (*from, submitted.text(from)) {
            (SUBTITLES, "Yes") => "English",
            (SUBTITLES, _) => "",
            (_, text) => text,
        };
        ((*to).to_owned(), text.to_owned())
    };
    let texts = taken.iter().filter(|(from, _)| ![POSTER, PORTRAIT].contains(from)).map(value);
    let others = [("category", section), ("reference", &submitted.reference), ("is_published", "no")];
    texts.chain(others.map(|(name, text)| (name.to_owned(), text.to_owned()))).collect()
}

/// Reads a private picture of an entry, cleaned as an uploaded one, for `folder` of the public store; `None` if there is
/// none or it cannot be shown.
async fn public_picture(site: &Site, submitted: &Submitted, field: &str, folder: &str) -> Result<Option<PreparedFile>> {
    let Some(file) = submitted.files.iter().find(|file| file.field.name == field && !file.is_replaced) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let mut content = site.media.open_private(&file.key).await?.content().await?;
    content.read_to_end(&mut bytes).await?;
    match site.media.prepare_public(&site.settings.uploads, AcceptedKinds::Picture, folder, bytes).await {
        Ok(prepared) => Ok(Some(prepared)),
        Err(Error::BadRequest(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The panel on the page of an entry: its film.
async fn panel(context: RowContext) -> Result<Vec<Panel>> {
    if context.table != FILMS.table {
        return Ok(Vec::new());
    }
    let film = sqlx::query_as(
        "SELECT f.id, f.name FROM films f JOIN selection_films s ON s.film_id = f.id WHERE s.film_submission_id = $1",
    );
    let film: Option<(i64, String)> = film.bind(context.id).fetch_optional(&mut *context.site.db.read().await?).await?;
    let panel = |(id, name)| Panel {
        heading: "In the catalogue",
        lines: Vec::new(),
        links: vec![(format!("/admin/films/{id}"), name)],
    };
    Ok(film.map(panel).into_iter().collect())
}
