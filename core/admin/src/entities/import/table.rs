//! Reading a staged table, previewing and writing the import.

use std::collections::BTreeMap;

use super::form::ImportForm;
use crate::back_office::{AdminRequest, BackOffice};
use crate::entities::form::chosen_edition;
use festival_base::error::{Error, Result};
use festival_base::text::shortened;
use festival_files::budget::Cancellation;
use festival_files::bundle::Bundle;
use festival_files::sheet::{self, Expected, Format, Limits};
use festival_records::entity::Entity;
use festival_records::importing::{
    self, Attachments, Import, ImportOptions, Imported, Outcome, ParsedSheet, Refusal, SavedMapping,
};
use jiff::civil::Date;

/// Maximum size of a table, in bytes. Larger ones can be imported on the command line.
pub(super) const MAX_BYTES: usize = 20 << 20;
/// Maximum number of rows.
pub(super) const MAX_ROWS: usize = 10_000;

/// A parsed table.
pub(super) struct Table {
    /// Header and first non-empty cell of each column.
    pub(super) header: Vec<(String, String)>,
    /// The fields that a column can be assigned to: name, label.
    pub(super) fields: Vec<(&'static str, &'static str)>,
    /// The name of the saved mapping that the columns come from, if any.
    pub(super) mapping: Option<String>,
    /// The names of the saved mappings that could be used instead.
    pub(super) other_mappings: Vec<String>,
    /// The field of each column, where the header does not decide.
    pub(super) columns: Option<Vec<String>>,
    /// The interpretation of the rows, or why they cannot be read.
    pub(super) reading: Result<ParsedSheet, Refusal>,
    /// The names of the files that came with the table, by their keys.
    pub(super) files: BTreeMap<String, String>,
    /// The archive that the table is from.
    bundle: Option<Bundle>,
    /// Whether its columns have names of its author's own, which another list may repeat.
    pub(super) has_own_columns: bool,
}

/// Parses a table; the inner error is a message if it is not one.
pub(super) async fn read(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    bytes: Vec<u8>,
    stores_files: bool,
) -> Result<Result<Table, String>> {
    let saved = importing::saved_mappings(&mut *request.read().await?, Some(entity)).await?;
    let saved = Saved { mappings: saved, chosen: form.mapping.clone() };
    let (admin, options, name) = (request.admin.clone(), form.options.clone(), form.staged.name.clone());
    let parse = move |asker: &Cancellation| read_bytes(&admin, entity, bytes, &name, (options, &saved), asker);
    // Parsing is slow and must not block the request threads.
    let uploads = &request.site.settings.uploads;
    let table = request.site.media.work_on_file(uploads, parse).await?;
    let mut table = table.ok_or_else(|| Error::internal("a table could not be read"))?;
    if let Ok(Table { bundle: Some(bundle), reading: Ok(parsed), files, .. }) = &mut table {
        let attachments =
            Attachments { records: &request.site.records, uploads, bundle, stores: stores_files, progress: &|| {} };
        *files = attachments.attach(entity, parsed, form.options.blank_invalid).await?;
    }
    Ok(table)
}

fn read_bytes(
    admin: &BackOffice,
    entity: &'static Entity,
    bytes: Vec<u8>,
    name: &str,
    (mut options, saved): (ImportOptions, &Saved),
    asker: &Cancellation,
) -> Result<Table, String> {
    let limits = Limits { file_bytes: MAX_BYTES, rows: MAX_ROWS, ..Limits::default() };
    let registered = admin.contents.reader_of(entity);
    let known = |header: &str| importing::knows(registered, entity, header);
    let expected = Expected { known: &known, has_header: !options.no_header, ..Expected::default() };
    let bundle = if bytes.starts_with(b"PK\x03\x04") { Bundle::of_bytes(bytes.clone(), asker).ok() } else { None };
    let bundle = bundle.filter(|bundle| !bundle.is_document());
    let sheet = match &bundle {
        Some(bundle) => importing::read_bundle(registered, entity, bundle, &limits, &expected)?,
        None => {
            let sheet = sheet::read_within(&bytes, name, &limits, &expected, &limits.budget(asker));
            sheet.map_err(|error| error.to_string())?
        }
    };
    let example = |index: usize| {
        let mut cells = sheet.rows.iter().map(|row| row.cells[index].trim());
        shortened(cells.find(|cell| !cell.is_empty()).unwrap_or_default())
    };
    let header = sheet.header.iter().enumerate().map(|(index, header)| (header.trim().to_owned(), example(index)));
    let header = header.collect();
    let reader = importing::reader(registered, entity, &sheet.header);
    // A saved mapping does not replace columns that were chosen one by one.
    let has_own_columns = sheet.format != Format::Documents;
    let mapping = saved.find(&sheet.header).filter(|_| options.columns.is_none());
    if let Some(mapping) = mapping {
        options.columns = Some(mapping.fields(&sheet.header));
    }
    let used = mapping.map(|mapping| mapping.name.clone());
    let names = saved.mappings.iter().map(|mapping| mapping.name.clone());
    Ok(Table {
        other_mappings: names.filter(|name| Some(name) != used.as_ref()).collect(),
        mapping: used,
        columns: options.columns.clone(),
        header,
        fields: reader.headers(entity).fields.iter().map(|field| (field.name, field.label)).collect(),
        reading: importing::read_with_files(reader, (&admin.site.records, entity, &options), sheet, bundle.as_ref()),
        files: BTreeMap::new(),
        bundle: bundle.map(Bundle::outliving_its_job),
        has_own_columns,
    })
}

/// The saved mappings of an entity.
struct Saved {
    mappings: Vec<SavedMapping>,
    /// The name of the chosen one; "" for none of them.
    chosen: Option<String>,
}

impl Saved {
    /// The chosen mapping, otherwise the latest one that was saved for this header.
    fn find(&self, header: &[String]) -> Option<&SavedMapping> {
        match &self.chosen {
            Some(name) => self.mappings.iter().find(|mapping| mapping.name == *name),
            None => self.mappings.iter().find(|mapping| mapping.fits(header)),
        }
    }
}

/// Returns the rows of a table that can be read.
pub(super) fn readable(table: &Result<Table, String>) -> Option<ParsedSheet> {
    table.as_ref().ok()?.reading.as_ref().ok().cloned()
}

/// The first and the last day of the edition that the list is imported into.
pub(super) async fn edition_days(request: &AdminRequest, entity: &Entity, year: &str) -> Result<Option<(Date, Date)>> {
    let edition = chosen_edition(&mut *request.read().await?, entity, year).await?;
    Ok(edition.and_then(|edition| edition.days()))
}

/// Plans the import without writing it.
pub(super) async fn preview(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    reading: &ParsedSheet,
) -> Result<Outcome> {
    match write(request, entity, form, reading, |_| false).await? {
        Imported::Refused(outcome) | Imported::Written(outcome, _) => Ok(outcome),
    }
}

/// Plans the import again and writes it if `accept` approves the outcome.
pub(super) async fn write(
    request: &AdminRequest,
    entity: &'static Entity,
    form: &ImportForm,
    reading: &ParsedSheet,
    accept: impl Fn(&Outcome) -> bool,
) -> Result<Imported> {
    let edition = chosen_edition(&mut *request.read().await?, entity, &form.year).await?;
    let import = Import {
        records: &request.site.records,
        entity,
        edition: edition.map(|edition| edition.id),
        editor: &request.editor()?,
        source: &form.staged.name,
        options: &form.options,
        decisions: &form.decisions,
        progress: &|_| (),
    };
    importing::write(&import, request.admin.contents.reader_of(entity), reading, accept).await
}
