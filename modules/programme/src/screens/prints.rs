//! The screen that takes files of digital cinema: prints and their keys are filled from them.

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, Screen};
use festival_core::bundle::Bundle;
use festival_core::checks::AcceptedKinds;
use festival_core::db::Write;
use festival_core::error::FieldError;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, Result, edition};
use serde_json::{Value, json};

use super::placing::editor;
use crate::cinema::{self, Import, Imported, Line, MAX_ARCHIVE_BYTES, MAX_BYTES, Outcome};

/// Path of the screen.
pub(super) const HOME: &str = "/admin/programme/prints";
/// Path that imports what the screen has shown.
pub(super) const NOW: &str = "/admin/programme/prints/now";
/// Folder of uploaded files in the private store, which are deleted after an hour.
const FOLDER: &str = "imports";
/// The field of a file, and those for further ones, which a script adds.
const FIELD: &str = "files";
const FURTHER: [&str; 19] = [
    "files2", "files3", "files4", "files5", "files6", "files7", "files8", "files9", "files10", "files11", "files12",
    "files13", "files14", "files15", "files16", "files17", "files18", "files19", "files20",
];

/// Makes `screen` accept XML files and archives.
pub(super) fn accepting_files(screen: Screen) -> Screen {
    let file = |(field, bytes)| AcceptedFile::new(field, AcceptedKinds::Table).max_bytes(bytes);
    let further = FURTHER.iter().map(|field| (*field, MAX_BYTES));
    screen.accepts(Accepts {
        texts: vec!["film".to_owned()],
        files: [(FIELD, MAX_ARCHIVE_BYTES)].into_iter().chain(further).map(file).collect(),
        tolerate_errors: true,
        ..Accepts::default()
    })
}

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).into())
}

fn page(request: &AdminRequest) -> Page {
    let mut files = Input::new("file", FIELD, "Playlists (CPL) and keys (KDM)").required();
    files.hint = "XML files, or a ZIP archive of them. Drop them here.".into();
    files.accept = ".xml,.zip";
    let film = Input::text("film", "Film").value(request.form.get("film"));
    let film = film.hint("Its title or number, only if the files do not tell which film they are of.");
    Reply::page("programme-prints", "Prints from files")
        .inputs([files, film])
        .with("action", HOME)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
}

/// Handles `POST`: keeps the files, and shows what their import would do.
pub(super) async fn receive(mut request: AdminRequest) -> Result<Reply> {
    let mut errors = std::mem::take(&mut request.field_errors);
    let mut uploads = Vec::new();
    for field in [FIELD].iter().chain(&FURTHER) {
        let Some(mut staged) = request.files.remove(field) else { continue };
        let key = request.site.media.commit_private(FOLDER, &mut staged).await?;
        uploads.push(Upload { key, name: staged.name.clone() });
    }
    if uploads.is_empty() && errors.is_empty() {
        errors.push(FieldError::new(FIELD, "Choose a file"));
    }
    if !errors.is_empty() {
        return Ok(page(&request).refused(Error::Invalid(errors))?.into());
    }
    let (imported, write) = import(&request, &uploads).await?;
    write.rollback().await?;
    let hidden = |upload: &Upload| [Input::hidden("file", &upload.key), Input::hidden("name", &upload.name)];
    let inputs = uploads.iter().flat_map(hidden).chain([Input::hidden("film", request.form.get("film"))]);
    let inputs: Vec<Input> = inputs.collect();
    let page = page(&request).with("heading", "This would be imported").with("rows", rows(&imported));
    // Nothing to confirm if no file changes anything.
    Ok(page.with("confirm", imported.is_changed().then(|| json!({ "action": NOW, "inputs": inputs }))).into())
}

/// Handles `POST now`: imports the files that the page before has shown.
pub(super) async fn store(request: AdminRequest) -> Result<Reply> {
    let names = request.form.all("name");
    let upload = |(key, name): (&str, &str)| Upload { key: key.to_owned(), name: name.to_owned() };
    let uploads: Vec<Upload> = request.form.all("file").zip(names).map(upload).collect();
    let (imported, write) = match import(&request, &uploads).await {
        Err(Error::Conflict(sentence)) => return Ok(Reply::redirect(HOME).problem(sentence).into()),
        imported => imported?,
    };
    if imported.is_changed() {
        let changed = imported.count(Outcome::New) + imported.count(Outcome::Changed);
        let entry = Entry::new("import", "prints").id(imported.id);
        request.commit(write, entry.after(json!({ "files": imported.lines.len(), "changed": changed }))).await?;
    }
    for upload in &uploads {
        request.site.media.delete_private(&upload.key).await?;
    }
    Ok(page(&request).with("heading", "Imported").with("rows", rows(&imported)).into())
}

/// A file in the private store.
struct Upload {
    key: String,
    name: String,
}

/// Imports files in a transaction that is not committed yet.
///
/// # Errors
/// [`Error::Conflict`] if a file is no longer there.
async fn import(request: &AdminRequest, uploads: &[Upload]) -> Result<(Imported, Write)> {
    let expired = || Error::Conflict("The files are no longer there. Choose them again.".into());
    let mut files = Vec::new();
    for Upload { key, name } in uploads {
        let rest = key.strip_prefix(FOLDER).and_then(|rest| rest.strip_prefix('/'));
        if !rest.is_some_and(|rest| rest.ends_with(".table")) {
            return Err(expired());
        }
        let file = match request.site.media.open_private(key).await {
            Err(Error::NotFound(_)) => return Err(expired()),
            file => file?,
        };
        files.push((name.clone(), file.read().await?));
    }
    let read = |asker: &_| cinema::read_files(files, |bytes| Bundle::of_bytes(bytes, asker));
    let files = request.site.media.work_on_file(&request.site.settings.uploads, read).await?;
    let mut write = request.write_private().await?;
    let import = Import {
        records: &request.site.records,
        edition: edition::current(&mut write).await?.id,
        connection: &mut write,
        editor: editor(request)?,
        film: request.form.get("film").trim(),
    };
    let imported = import.store(files.unwrap_or_default()).await?;
    Ok((imported, write))
}

fn rows(imported: &Imported) -> Vec<Value> {
    let row = |line: &Line| json!({ "file": line.file, "outcome": line.outcome.label(), "text": line.text });
    imported.lines.iter().map(row).collect()
}
