//! The table that an import reads: from a file or standard input.

use std::io::Read as _;
use std::path::Path;

use festival_files::sheet::{self, Expected, Limits, Sheet, SheetError};

/// The name of standard input as a file.
const STANDARD_INPUT: &str = "-";

/// Reads the table in a file. `known` tells which headers the list may have.
///
/// # Errors
/// A sentence that says why it cannot be read, and what to do.
pub fn read_table(
    file: &Path,
    worksheet: Option<&str>,
    has_header: bool,
    known: &dyn Fn(&str) -> bool,
) -> Result<Sheet, String> {
    let limits = Limits::default();
    let name = if is_standard_input(file) {
        "standard input".to_owned()
    } else {
        file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    };
    let expected = Expected { known, worksheet, has_header };
    let bytes = read_bytes(file, &limits)?;
    sheet::read_expecting(&bytes, &name, &limits, &expected).map_err(|error| in_file(&name, &error))
}

/// Begins a sentence with the name of the file, unless it does.
pub fn in_file(name: &str, error: &impl ToString) -> String {
    let sentence = error.to_string();
    if sentence.starts_with(name) { sentence } else { format!("{name}: {sentence}") }
}

fn is_standard_input(file: &Path) -> bool {
    file == Path::new(STANDARD_INPUT)
}

/// Reads the file, of which one byte more than the limit is read.
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
