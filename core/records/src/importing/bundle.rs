//! Lists that come with their files, in a folder or a ZIP archive.

use super::{ImportOptions, ParsedSheet, Reader, Refusal};
use crate::Records;
use crate::entity::Entity;
use festival_files::bundle::{Bundle, file_name};
use festival_files::sheet::{self, Expected, Limits, Sheet};

/// The extensions of lists.
const LISTS: &[&str] = &["csv", "tsv", "xlsx", "xlsm", "ods", "json"];

/// Reads a table whose files are in `bundle`: those that belong to a row are named in it.
///
/// # Errors
/// Those of [`Reader::read`].
pub fn read_with_files(
    reader: &dyn Reader,
    (records, entity, options): (&Records, &'static Entity, &ImportOptions),
    sheet: Sheet,
    bundle: Option<&Bundle>,
) -> Result<ParsedSheet, Refusal> {
    let sheet = sheet.in_zone(&records.time_zone);
    let name_files = bundle.and_then(|bundle| reader.name_files(bundle, &sheet));
    let mut parsed = reader.read(records, entity, sheet, options)?;
    if let Some(name_files) = name_files {
        name_files(&mut parsed);
    }
    parsed.decide_orders(records, entity, options)?;
    Ok(parsed)
}

/// Reads the list among the files; if there is none, the reader of the entity makes one from the documents.
///
/// # Errors
/// A sentence that says what is wrong, and what to do.
pub fn read_bundle(
    registered: Option<&dyn Reader>,
    entity: &'static Entity,
    bundle: &Bundle,
    limits: &Limits,
    expected: &Expected<'_>,
) -> Result<Sheet, String> {
    let lists: Vec<&str> = bundle.with_extension(LISTS).collect();
    match lists[..] {
        [] => registered.and_then(|reader| reader.read_documents(entity, bundle)).unwrap_or_else(|| {
            Err(format!(
                "there is no list of {} among the files (CSV, TSV, XLSX, ODS or JSON); add one that names the other files",
                entity.plural
            ))
        }),
        [path] => {
            let bytes = bundle.read(path, limits.file_bytes as u64);
            let bytes = bytes.map_err(|error| format!("{path} cannot be read: {error}"))?;
            sheet::read_expecting(&bytes, file_name(path), limits, expected).map_err(|error| error.to_string())
        }
        _ => Err(format!("there is more than one list among the files: {}; leave one of them", lists.join(", "))),
    }
}
