//! Which columns of a table fill which fields, and rows that have nothing in them.

use super::{Column, ImportOptions};
use festival_files::sheet;

/// A column, from 0, and a field that it fills.
pub type ColumnField = (usize, &'static str);

/// Returns which columns fill which fields: as the mappings say, else as chosen, else by `guess`, which gets the
/// index of a column. Several columns of a field are in the order in which their values are joined.
///
/// # Errors
/// A sentence that says what to do, if the table has no such column.
pub fn column_fields(
    fields: &[&'static str],
    header: &[String],
    options: &ImportOptions,
    mut guess: impl FnMut(usize) -> Option<&'static str>,
) -> Result<Vec<ColumnField>, String> {
    let mut pairs: Vec<ColumnField> = Vec::new();
    for mapping in &options.mappings {
        let columns = mapping.columns(header)?;
        pairs.extend(columns.into_iter().map(|column| (column, mapping.field)));
    }
    let mapped = pairs.len();
    for index in 0..header.len() {
        let field = match &options.columns {
            Some(chosen) => fields.iter().copied().find(|field| chosen.get(index).is_some_and(|name| name == field)),
            None => guess(index),
        };
        let is_free = |field: &&str| {
            options.mappings.iter().all(|mapping| mapping.field != *field)
                && pairs[..mapped].iter().all(|(column, _)| *column != index)
        };
        pairs.extend(field.filter(is_free).map(|field| (index, field)));
    }
    Ok(pairs)
}

/// Removes the rows that have no value in the columns that are read, such as rows that were only numbered in advance,
/// except those that `keeps` accepts. Returns a note about them.
pub fn leave_out_unread(
    rows: &mut Vec<sheet::Row>,
    columns: &[Column],
    keeps: impl Fn(&sheet::Row) -> bool,
) -> Option<String> {
    let mut unread = Vec::new();
    rows.retain(|row| {
        let mut cells = columns.iter().zip(row.cells.iter());
        let is_read = cells.any(|(column, cell)| column.field.is_some() && !cell.trim().is_empty()) || keeps(row);
        if !is_read {
            unread.push(row.line);
        }
        is_read
    });
    let (first, others) = unread.split_first()?;
    let like = if others.is_empty() { String::new() } else { format!(", and {} more like it", others.len()) };
    Some(format!("line {first}: nothing is in the columns that are read; it was left out{like}"))
}
