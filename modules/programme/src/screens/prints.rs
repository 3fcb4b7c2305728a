//! The screen that takes files of digital cinema: prints and their keys are filled from them.

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, Screen};
use festival_core::bundle::Bundle;
use festival_core::checks::AcceptedKinds;
use festival_core::error::FieldError;
use festival_core::upload::{AcceptedFile, Accepts};
use festival_core::{Error, Result, edition};
use serde_json::{Value, json};

use super::placing::editor;
use crate::cinema::{self, Import, Line, MAX_ARCHIVE_BYTES, MAX_BYTES, Outcome};

/// Path of the screen.
pub(super) const HOME: &str = "/admin/programme/prints";
/// Folder of the files in the private store, until they are read.
const FOLDER: &str = "prints";
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

pub(super) async fn store(mut request: AdminRequest) -> Result<Reply> {
    let mut errors = std::mem::take(&mut request.field_errors);
    let mut files = Vec::new();
    for field in [FIELD].iter().chain(&FURTHER) {
        let Some(mut staged) = request.files.remove(field) else { continue };
        let media = &request.site.media;
        let key = media.commit_private(FOLDER, &mut staged).await?;
        let bytes = media.open_private(&key).await?.read().await?;
        media.delete_private(&key).await?;
        files.push((staged.name.clone(), bytes));
    }
    if files.is_empty() && errors.is_empty() {
        errors.push(FieldError::new(FIELD, "Choose a file"));
    }
    if !errors.is_empty() {
        return Ok(page(&request).refused(Error::Invalid(errors))?.into());
    }
    let read = |asker: &_| cinema::read_files(files, |bytes| Bundle::of_bytes(bytes, asker));
    let files = request.site.media.work_on_file(&request.site.settings.uploads, read).await?;
    let mut write = request.write_private().await?;
    let import = Import {
        records: &request.site.records,
        edition: edition::current(&mut write).await?.id,
        connection: &mut write,
        editor: editor(&request)?,
        film: request.form.get("film").trim(),
    };
    let lines = import.store(files.unwrap_or_default()).await?;
    let is_changed = |line: &&Line| matches!(line.outcome, Outcome::New | Outcome::Changed);
    let changed = lines.iter().filter(is_changed).count();
    if changed > 0 {
        let entry = Entry::new("import", "prints").after(json!({ "files": lines.len(), "changed": changed }));
        request.commit(write, entry).await?;
    }
    let row = |line: &Line| json!({ "file": line.file, "outcome": line.outcome.label(), "text": line.text });
    let rows: Vec<Value> = lines.iter().map(row).collect();
    Ok(page(&request).with("rows", rows).into())
}
