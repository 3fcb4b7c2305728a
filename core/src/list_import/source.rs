//! The table that an import reads: from a file or standard input.

use std::io::Read as _;
use std::path::Path;

use festival_files::bundle::Bundle;
use festival_files::sheet::{self, Expected, Limits, Sheet, SheetError};
use festival_records::entity::Entity;
use festival_records::importing::{self, Reader};

use super::arguments::ListArguments;

/// The name of standard input as a file.
const STANDARD_INPUT: &str = "-";

/// Reads the table in a file.
///
/// # Errors
/// A sentence that says why it cannot be read, and what to do.
fn read_table(file: &Path, expected: &Expected<'_>) -> Result<Sheet, String> {
    let limits = Limits::default();
    let name = if is_standard_input(file) {
        "standard input".to_owned()
    } else {
        file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    let bytes = read_bytes(file, &limits)?;
    sheet::read_expecting(&bytes, &name, &limits, expected).map_err(|error| in_file(&name, &error))
}

/// Reads the table in a file, or in a folder or ZIP archive of files ([`importing::read_bundle`]), and opens the files
/// that came with it.
///
/// # Errors
/// A sentence that says why it cannot be read, and what to do.
pub(super) fn read_source(
    registered: Option<&dyn Reader>,
    entity: &'static Entity,
    arguments: &ListArguments,
) -> Result<(Sheet, Option<Bundle>), String> {
    let file = &*arguments.file;
    let known = |header: &str| importing::knows(registered, entity, header);
    let worksheet = arguments.worksheet.as_deref();
    let expected =
        Expected { known: &known, worksheet, has_header: !arguments.options.no_header, ..Expected::default() };
    let bundle = open_bundle(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let table = match &bundle {
        None => read_table(file, &expected)?,
        Some(bundle) => {
            let table = importing::read_bundle(registered, entity, bundle, &Limits::default(), &expected);
            table.map_err(|error| in_file(&arguments.file_name(), &error))?
        }
    };
    let bundle = match &arguments.files {
        None => bundle,
        Some(files) => {
            Some(Bundle::open(files).map_err(|error| format!("--files {} cannot be read: {error}", files.display()))?)
        }
    };
    Ok((table, bundle))
}

/// Opens a folder, or an archive that is not a workbook. A file that cannot be opened is left to the reader of tables,
/// which says why.
fn open_bundle(file: &Path) -> std::io::Result<Option<Bundle>> {
    if is_standard_input(file) {
        return Ok(None);
    }
    if file.is_dir() {
        return Bundle::open(file).map(Some);
    }
    let mut signature = Vec::new();
    // A pipe can be read only once.
    if file.is_file() {
        std::fs::File::open(file)?.take(4).read_to_end(&mut signature)?;
    }
    if signature != b"PK\x03\x04" {
        return Ok(None);
    }
    Ok(Bundle::open(file).ok().filter(|bundle| !bundle.is_document()))
}

/// Begins a sentence with the name of the file, unless it already does.
pub(super) fn in_file(name: &str, error: &impl ToString) -> String {
    let sentence = error.to_string();
    if sentence.starts_with(name) { sentence } else { format!("{name}: {sentence}") }
}

fn is_standard_input(file: &Path) -> bool {
    file == Path::new(STANDARD_INPUT)
}

/// Reads the file, at most one byte more than the limit.
fn read_bytes(file: &Path, limits: &Limits) -> Result<Vec<u8>, String> {
    let unreadable = |error| format!("{} cannot be read: {error}", file.display());
    let mut bytes = Vec::new();
    let limit = limits.file_bytes as u64 + 1;
    if is_standard_input(file) {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        let size = opened.metadata().map_err(unreadable)?.len();
        if size >= limit {
            let bytes = usize::try_from(size).unwrap_or(usize::MAX);
            return Err(SheetError::FileTooLarge { bytes, limit: limits.file_bytes }.to_string());
        }
        opened.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    Ok(bytes)
}
