//! Reading a staged table, previewing and writing the import.

use super::form::ImportForm;
use super::{MAX_BYTES, MAX_ROWS};
use crate::BackOffice;
use crate::entities::editor;
use crate::entities::form::chosen_edition;
use crate::request::AdminRequest;
use festival_base::error::{Error, Result};
use festival_files::budget::Cancellation;
use festival_files::sheet::{self, Expected, Limits};
use festival_records::entity::Entity;
use festival_records::importing::{self, Import, ImportOptions, Imported, Outcome, ParsedSheet};
use festival_records::text::shortened;

/// A parsed table.
pub(super) struct Table {
    /// Header and first non-empty cell of each column.
    pub(super) header: Vec<(String, String)>,
    /// The fields that a column can be assigned to: name, label.
    pub(super) fields: Vec<(&'static str, &'static str)>,
    /// The interpretation of the rows, or why they cannot be read.
    pub(super) reading: Result<ParsedSheet, String>,
}

/// Parses a table; the inner error is a message if it is not one.
pub(super) async fn read(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    bytes: Vec<u8>,
) -> Result<Result<Table, String>> {
    let (admin, options, name) = (request.admin.clone(), form.options.clone(), form.staged.name.clone());
    let parse = move |asker: &Cancellation| read_bytes(&admin, entity, &bytes, &name, &options, asker);
    // Parsing is slow and must not block the request threads.
    let table = request.site.media.work_on_file(&request.site.settings.uploads, parse).await?;
    table.ok_or_else(|| Error::internal("a table could not be read"))
}

fn read_bytes(
    admin: &BackOffice,
    entity: &'static Entity,
    bytes: &[u8],
    name: &str,
    options: &ImportOptions,
    asker: &Cancellation,
) -> Result<Table, String> {
    let limits = Limits { file_bytes: MAX_BYTES, rows: MAX_ROWS, ..Limits::default() };
    let registered = admin.contents.reader_of(entity);
    let known = |header: &str| importing::knows(registered, entity, header);
    let expected = Expected { known: &known, worksheet: None, has_header: !options.no_header };
    let sheet = sheet::read_within(bytes, name, &limits, &expected, &limits.budget(asker));
    let sheet = sheet.map_err(|error| error.to_string())?;
    let example = |index: usize| {
        let mut cells = sheet.rows.iter().map(|row| row.cells[index].trim());
        shortened(cells.find(|cell| !cell.is_empty()).unwrap_or_default())
    };
    let header = sheet.header.iter().enumerate().map(|(index, header)| (header.trim().to_owned(), example(index)));
    let header = header.collect();
    let reader = importing::reader(registered, entity, &sheet.header);
    Ok(Table {
        header,
        fields: reader.fields(entity),
        reading: reader.read(&admin.site.records, entity, sheet, options),
    })
}

/// Returns header and interpretation of a table that can be read.
pub(super) fn readable(table: &Result<Table, String>) -> Option<(Vec<String>, ParsedSheet)> {
    let table = table.as_ref().ok()?;
    let header = table.header.iter().map(|(header, _)| header.clone()).collect();
    Some((header, table.reading.as_ref().ok()?.clone()))
}

/// Plans the import without writing it.
pub(super) async fn preview(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    (header, reading): &(Vec<String>, ParsedSheet),
) -> Result<Outcome> {
    let edition = chosen_edition(&mut *request.read().await?, entity, &form.year).await?;
    let import = Import {
        records: &request.site.records,
        entity,
        edition,
        editor: &editor(request)?,
        source: &form.staged.name,
        options: &form.options,
        decisions: &form.decisions,
        progress: &|_| (),
    };
    let reader = importing::reader(request.admin.contents.reader_of(entity), entity, header);
    importing::rehearse(&import, reader, reading).await
}

/// Plans the import again and writes it if `accept` approves the outcome.
pub(super) async fn write(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    (header, reading): &(Vec<String>, ParsedSheet),
    accept: impl Fn(&Outcome) -> bool,
) -> Result<Imported> {
    let edition = chosen_edition(&mut *request.read().await?, entity, &form.year).await?;
    let import = Import {
        records: &request.site.records,
        entity,
        edition,
        editor: &editor(request)?,
        source: &form.staged.name,
        options: &form.options,
        decisions: &form.decisions,
        progress: &|_| (),
    };
    let reader = importing::reader(request.admin.contents.reader_of(entity), entity, header);
    importing::write(&import, reader, reading, accept).await
}
