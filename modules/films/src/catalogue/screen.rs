//! Catalogue and press kit in the back office.

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Permission, Reply, Screen};
use festival_core::{Error, Registry, Result, edition, templates};
use rocket::http::ContentType;
use serde_json::json;

use super::command::Publication;
use super::selection::Selection;

const PATH: &str = "/admin/catalogue";
/// The publications: key, name.
const KINDS: [(&str, &str); 3] = [
    ("a5", "Catalogue on A5: a film on each page"),
    ("a4", "Catalogue on A4: several films on a page"),
    ("press-kit", "Press kit: posters, stills and texts, a folder for each film"),
];

/// Adds the screens.
pub(crate) fn register(registry: &mut Registry) {
    let export = Permission::To(&CONTENT, Action::Export);
    registry
        .templates(templates!["film-catalogue"])
        .screen(Screen::get(PATH, export, show).in_menu("films", "Catalogue and press kit"))
        .screen(Screen::post(PATH, export, download));
}

async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let name = edition.name.clone();
    let count = Selection::load(&mut connection, edition, false).await?.count();
    let chosen = request.form.get("kind");
    let chosen = if chosen.is_empty() { KINDS[0].0 } else { chosen };
    let choices = KINDS.iter().map(|(key, label)| Choice::new(*key, *label, chosen)).collect();
    let kind = Input::choice("kind", "What", choices).value(chosen).required();
    let drafts =
        Input::new("flag", "drafts", "With films that the site does not show yet").value(request.form.get("drafts"));
    Ok(Reply::page("film-catalogue", "Catalogue and press kit")
        .with("edition", name)
        .with("films", count)
        .with("action", PATH)
        .inputs(vec![kind, drafts]))
}

async fn download(request: AdminRequest) -> Result<Reply> {
    let publication = match request.form.get("kind") {
        "press-kit" => Some(Publication::PressKit),
        paper if KINDS.iter().any(|(key, _)| *key == paper) => Publication::of_name("catalogue", paper),
        _ => None,
    };
    let Some(publication) = publication else {
        let error = Error::BadRequest("Choose the catalogue or the press kit.".into());
        return Ok(page(&request).await?.refused(error)?.into());
    };
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let year = edition.year;
    let selection = Selection::load(&mut connection, edition, request.form.get("drafts") == "yes").await?;
    drop(connection);
    let file = publication.write(&request.site, &selection, request.site.scratch()?, || ()).await?;
    let write = request.write_private().await?;
    let details = json!({ "rows": selection.count(), "format": request.form.get("kind") });
    request.commit(write, Entry::new("export", "films").after(details)).await?;
    let (name, content_type) = match publication {
        Publication::Catalogue(_) => ("catalogue", ContentType::HTML),
        Publication::PressKit => ("press-kit", ContentType::ZIP),
    };
    Reply::written(format!("{name}-{year}.{}", publication.extension()), content_type, file)
}
