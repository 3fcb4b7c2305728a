//! From entry to catalogue: the drafts of films that are made of selected entries, from the fields that may be public.

use festival_core::admin::audit::Entry;
use festival_core::admin::{
    Action, AdminRequest, Choice, Input, Panel, Permission, Personal, Reply, Resource, RowContext, Screen,
};
use festival_core::checks::AcceptedKinds;
use festival_core::db::{Write, timestamp_text};
use festival_core::editing::{self, Editor};
use festival_core::edition::{self, Edition};
use festival_core::entity::{Entity, Values};
use festival_core::media::PreparedFile;
use festival_core::site::Site;
use festival_core::submissions::Submitted;
use festival_core::{Error, Registry, Result, pictures};
use rocket::tokio::io::AsyncReadExt as _;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::outline::AWARDS;
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

/// What is taken over, all of it public once the film is published: the field of the entry with its name for people, and
/// that of the film. Nothing else of an entry reaches the film.
const TAKEN: &[(&str, &str, &str)] = &[
    ("title_english", "Title of the film (English)", "name"),
    ("title_original", "Title of the film (original)", "original_title"),
    ("director_name", "Name of the director", "director_name"),
    ("producer_name", "Name of the producer", "producer_name"),
    ("cast_and_crew", "Cast and crew", "crew_details"),
    ("synopsis_long", "Long synopsis", "synopsis"),
    ("country_of_origin", "Country of origin", "country"),
    ("film_language", "Language of the film", "language"),
];
/// The pictures that are taken over: the field of the entry, its name for people, where it goes.
const PICTURES: &[(&str, &str, &str)] = &[
    (POSTER, "Poster of the film", "Poster"),
    (PORTRAIT, "Photo of the director", "Pictures, with an alternative text"),
];
const POSTER: &str = "film_poster";
const PORTRAIT: &str = "director_photo";

pub(crate) fn register(registry: &mut Registry) {
    registry
        .templates(festival_core::templates!["film-drafts"])
        .panels(Permission::To(&DRAFTS, Action::View), panel)
        .screen(Screen::get(PATH, Permission::To(&DRAFTS, Action::View), show).in_menu("selection", "Films of entries"))
        .screen(Screen::post(PATH, Permission::To(&DRAFTS, Action::Edit), make));
}

/// A selected entry.
#[derive(sqlx::FromRow)]
struct Selected {
    id: i64,
    reference: String,
    title_english: String,
    director_name: String,
    award_category: String,
    subtitles: String,
    duration_minutes: Option<i64>,
    year_of_production: Option<i64>,
    film_id: Option<i64>,
}

/// The selected entries of an edition, each with its film.
async fn selected(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Selected>> {
    Ok(sqlx::query_as(
        "SELECT s.id, s.reference, s.title_english, s.director_name, s.award_category, s.subtitles, \
         s.duration_minutes, s.year_of_production, f.film_id FROM film_submissions s \
         LEFT JOIN selection_films f ON f.film_submission_id = s.id \
         WHERE s.edition_id = $1 AND s.is_quarantined = 0 AND s.status = 'selected' ORDER BY s.award_category, s.id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?)
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
    let sections: Vec<(String, String)> =
        sqlx::query_as("SELECT slug, name FROM categories WHERE edition_id = $1 ORDER BY position, id")
            .bind(edition.id)
            .fetch_all(&mut *connection)
            .await?;
    drop(connection);
    let inputs = awards_without_films(&entries).into_iter().map(|award| {
        // A single section needs no choice.
        let chosen = sections.first().filter(|_| sections.len() == 1).map_or("", |(slug, _)| slug);
        let choices = sections.iter().map(|(slug, name)| Choice::new(slug, name, chosen)).collect();
        Input::choice(section_input(&award), format!("Section for {}", award_label(&award)), choices)
            .value(chosen)
            .required()
    });
    let row = |entry: &Selected| {
        json!({
            "href": format!("/admin/film-submissions/{}", entry.id),
            "reference": entry.reference,
            "title": entry.title_english,
            "director": entry.director_name,
            "award": award_label(&entry.award_category),
            "film": entry.film_id.map(|id| format!("/admin/films/{id}")),
        })
    };
    let rows: Vec<Value> = entries.iter().map(row).collect();
    let taken = TAKEN
        .iter()
        .chain(PICTURES)
        .map(|(_, label, to)| json!({ "label": label, "to": field_label(&request.site, to) }));
    let more = [
        ("Subtitles, if English", "subtitle_language"),
        ("Duration in minutes", "duration_minutes"),
        ("Year of production", "year"),
        ("Reference", "reference"),
    ];
    let more = more.map(|(label, to)| json!({ "label": label, "to": field_label(&request.site, to) }));
    Ok(Reply::page("film-drafts", "Films of selected entries")
        .with("waiting", entries.iter().filter(|entry| entry.film_id.is_none()).count())
        .with("has_sections", !sections.is_empty())
        .with("taken", taken.chain(more).collect::<Vec<_>>())
        .inputs(inputs)
        .lists_people("film_submissions", rows.len(), json!({ "status": "selected" }))
        .with("rows", rows)
        .into())
}

/// The name of an award.
fn award_label(key: &str) -> &str {
    AWARDS.iter().find(|(award, _)| *award == key).map_or("an award that is not known", |(_, name)| name)
}

/// The name of a field of films for people, or the text itself.
fn field_label(site: &Site, name: &str) -> String {
    let field = film_entity(site).ok().and_then(|film| film.field(name));
    field.map_or(name, |field| field.label).to_owned()
}

/// The awards of the entries that have no film yet.
fn awards_without_films(entries: &[Selected]) -> Vec<String> {
    let missing = entries.iter().filter(|entry| entry.film_id.is_none());
    let mut awards: Vec<String> = missing.map(|entry| entry.award_category.clone()).collect();
    let place = |award: &String| AWARDS.iter().position(|(key, _)| key == award);
    awards.sort_by_key(place);
    awards.dedup();
    awards
}

/// Handles `POST`: makes the films that are missing. Entries that have one are left alone.
async fn make(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let entries = selected(&mut connection, edition.id).await?;
    drop(connection);
    let account = request.account()?;
    let editor = Editor::new(Some(account.id), account.name.clone());
    let (mut made, mut problems) = (0, Vec::new());
    for entry in entries.iter().filter(|entry| entry.film_id.is_none()) {
        let section = request.form.get(&section_input(&entry.award_category));
        if section.is_empty() {
            problems.push(format!("{} has no section", entry.reference));
            continue;
        }
        match make_film(&request, &edition, entry, section, &editor).await {
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

/// Makes the film of an entry, unless there is one by now. Returns whether it did.
async fn make_film(
    request: &AdminRequest,
    edition: &Edition,
    entry: &Selected,
    section: &str,
    editor: &Editor,
) -> Result<bool> {
    let site = &request.site;
    let film = film_entity(site)?;
    let mut connection = request.read().await?;
    let found = match site.contents.submissions_in(FILMS.table) {
        Some(submissions) => submissions.find(site, &mut connection, entry.id).await?,
        None => None,
    };
    drop(connection);
    let Some(submitted) = found else { return Ok(false) };
    let mut values = values(entry, &submitted, section);
    // Files first, so that no row names a missing one; what has no row is swept.
    if let Some(poster) = public_picture(site, &submitted, POSTER, &film.slug()).await? {
        values.insert("poster".into(), site.media.store_public(poster).await?);
        values.insert("poster_alt".into(), format!("Poster of {}", entry.title_english));
    }
    let portrait = match public_picture(site, &submitted, PORTRAIT, "pictures").await? {
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
    let id = editing::create(&site.records, &mut write, film, Some(edition.id), &values, editor).await?;
    sqlx::query("INSERT INTO selection_films (film_submission_id, film_id, made_at, made_by) VALUES ($1, $2, $3, $4)")
        .bind(entry.id)
        .bind(id)
        .bind(timestamp_text(request.now()))
        .bind(&request.account()?.name)
        .execute(&mut *write)
        .await?;
    if let Some(key) = portrait {
        let text = format!("Portrait of {}", entry.director_name);
        match pictures::describe(&site.records, &mut write, &key, ("", &text), editor).await {
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

/// The values of the film.
fn values(entry: &Selected, submitted: &Submitted, section: &str) -> Values {
    let mut values: Values =
        TAKEN.iter().map(|(from, _, to)| ((*to).to_owned(), submitted.text(from).to_owned())).collect();
    let number = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
    let subtitles = if entry.subtitles == "Yes" { "English" } else { "" };
    values.extend([
        ("category".to_owned(), section.to_owned()),
        ("subtitle_language".to_owned(), subtitles.to_owned()),
        ("duration_minutes".to_owned(), number(entry.duration_minutes)),
        ("year".to_owned(), number(entry.year_of_production)),
        ("reference".to_owned(), entry.reference.clone()),
        ("is_published".to_owned(), "no".to_owned()),
    ]);
    values
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
    let film: Option<(i64, String)> = sqlx::query_as(
        "SELECT f.id, f.name FROM films f JOIN selection_films s ON s.film_id = f.id WHERE s.film_submission_id = $1",
    )
    .bind(context.id)
    .fetch_optional(&mut *context.site.db.read().await?)
    .await?;
    let panel = |(id, name)| Panel {
        heading: "In the catalogue",
        lines: Vec::new(),
        links: vec![(format!("/admin/films/{id}"), name)],
    };
    Ok(film.map(panel).into_iter().collect())
}
