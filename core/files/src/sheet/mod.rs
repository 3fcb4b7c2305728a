//! Reading of tables: CSV, TSV and similar formats in all common encodings, JSON, XLSX and ODS.
//!
//! Nothing here knows what the columns mean. Ambiguous files, whose values could end up in the wrong column, are
//! refused with the line and advice.

mod arrange;
mod collector;
mod double_encoding;
mod encoding;
mod error;
mod hidden;
mod json;
mod kind;
mod limits;
mod memory;
mod ods;
mod records;
mod table;
mod text;
mod workbook;
mod xml;

#[cfg(test)]
mod tests;

pub use arrange::Expected;
pub use error::{RaggedRow, SheetError};
pub use limits::Limits;
pub(crate) use memory::count_parts;
pub use table::{Format, Note, Row, Sheet};

use crate::budget::{Budget, Cancellation};

/// Reads a table. Its kind is detected by content; `file_name` is only used in messages.
///
/// # Errors
/// A [`SheetError`] that says what is wrong, where, and what to do.
pub fn read(bytes: &[u8], file_name: &str, limits: &Limits) -> Result<Sheet, SheetError> {
    read_expecting(bytes, file_name, limits, &Expected::default())
}

/// Like [`read`], with what the caller knows about the table.
///
/// # Errors
/// Those of [`read`].
pub fn read_expecting(
    bytes: &[u8],
    file_name: &str,
    limits: &Limits,
    expected: &Expected<'_>,
) -> Result<Sheet, SheetError> {
    read_within(bytes, file_name, limits, expected, &limits.budget(&Cancellation::default()))
}

/// Like [`read_expecting`], within a budget that can be cancelled.
///
/// # Errors
/// Those of [`read`], and [`SheetError::BudgetExceeded`] if the budget is exhausted or cancelled.
pub fn read_within(
    bytes: &[u8],
    file_name: &str,
    limits: &Limits,
    expected: &Expected<'_>,
    budget: &Budget,
) -> Result<Sheet, SheetError> {
    if bytes.len() > limits.file_bytes {
        return Err(SheetError::FileTooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    if bytes.starts_with(b"PK") {
        memory::count_parts(bytes, budget)?;
    }
    let kind = kind::detect(bytes, file_name)?;
    if let (Some(name), kind::TableKind::Text | kind::TableKind::Json) = (expected.worksheet, kind) {
        return Err(SheetError::NoWorksheets { name: name.to_owned() });
    }
    let mut sheet = match kind {
        kind::TableKind::Workbook => workbook::read(bytes, limits, expected, budget),
        kind::TableKind::Text => text::read(bytes, limits, expected, budget),
        kind::TableKind::Json => json::read(bytes, limits, budget),
        kind::TableKind::OpenDocument => ods::read(bytes, limits, expected, budget),
    }?;
    double_encoding::mend(&mut sheet);
    Ok(sheet)
}
