//! Reads a table as a list of films.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, RandomState};

use festival_core::importing::{self, ImportOptions, ParsedSheet, Refusal, Row};
use festival_core::sheet::Sheet;

use super::columns;
use super::fields::{self, FIELDS, ListField};
use super::likeness::match_key;
use super::rows::{RowReader, is_id};

/// Reads a table as films, without duplicates. Empty cells count as missing; rows with a wrong value are left out and
/// reported. A film may be from the year after `this_year`.
///
/// # Errors
/// If the table is not a list of films, or lacks something that all rows need.
pub(super) fn read_films(sheet: Sheet, options: &ImportOptions, this_year: i64) -> Result<ParsedSheet, Refusal> {
    let mut sheet = if options.no_header { sheet.without_header() } else { sheet };
    let columns = columns::decide(&sheet, options)?;
    let category = options.for_all.get(fields::CATEGORY).map(String::as_str).unwrap_or_default();
    if columns.first_of(fields::CATEGORY).is_none() && category.trim().is_empty() {
        let reason = "no column says which section the films belong to; say which one does, or give the section of all \
                      films that name none";
        return Err(Refusal { reason: reason.to_owned(), columns: columns.all });
    }
    let unread = importing::leave_out_unread(&mut sheet.rows, &columns.all, |row| {
        let id = sheet.header.iter().position(|header| is_id(header));
        id.is_some_and(|id| !row.cells[id].trim().is_empty())
    });
    let mut reader = RowReader::new(&sheet, columns, options, this_year);
    reader.parsed.notes.extend(unread);
    if sheet.rows.is_empty() {
        reader.warn(None, "there are no films in it, only a header");
    }
    let mut rows = Vec::with_capacity(sheet.rows.len());
    // Each row of the table is dropped when it has been read, so that a long list is not in memory twice.
    for row in sheet.rows {
        rows.extend(reader.read(&row));
    }
    reader.finish();
    let rows = without_duplicates(&mut reader, rows);
    Ok(ParsedSheet { rows, ..reader.parsed })
}

/// Whether a row may be the film of the row before, by another director: lists that were joined from tables have a row for
/// each. Its title and all other single values are the same, including a year or a running time.
fn may_continue(last: &Row, row: &Row) -> bool {
    let same = |field: &ListField| last.values.get(field.name) == row.values.get(field.name);
    let has = |field| last.values.contains_key(field) && row.values.contains_key(field);
    let is_directed_otherwise = has(fields::DIRECTOR) && last.values[fields::DIRECTOR] != row.values[fields::DIRECTOR];
    is_directed_otherwise
        && (has(fields::YEAR) || has(fields::DURATION))
        && FIELDS.iter().all(|field| field.is_list || same(field))
}

/// Removes rows of the same film: of equal rows the first is kept, a contradicting one is an error.
fn without_duplicates(reader: &mut RowReader<'_>, mut rows: Vec<Row>) -> Vec<Row> {
    let state = RandomState::new();
    let key = |row: &Row| match_key(&row.values);
    // Rows by the hash of their key: almost every row has one of its own.
    let mut first: HashMap<u64, usize> = HashMap::with_capacity(rows.len());
    let mut others: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut stays = vec![false; rows.len()];
    let mut last: Option<&Row> = None;
    for (index, row) in rows.iter().enumerate() {
        if let Some(last) = last.filter(|last| may_continue(last, row)) {
            let text = format!("has the title of line {}, and another director; both will be films", last.line);
            reader.warn(Some(row.line), &text);
        }
        let own = key(row);
        let hash = state.hash_one(&own);
        let same_hash = first.get(&hash).into_iter().chain(others.get(&hash).into_iter().flatten());
        let same_key: Vec<&Row> = same_hash.map(|other| &rows[*other]).filter(|other| key(other) == own).collect();
        let equal = same_key.iter().find(|other| other.values == row.values);
        // Rows with ids of their own are the same only if all of their values are: other programs have ids, too.
        if let Some(other) = equal.or_else(|| same_key.iter().find(|other| other.id == row.id)) {
            let (line, other) = (other.line, &other.values);
            let difference = FIELDS.iter().find(|field| other.get(field.name) != row.values.get(field.name));
            match difference.map(|field| field.name) {
                None => {
                    reader.warn(Some(row.line), &format!("repeats line {line} and was left out"));
                    continue;
                }
                // Without directors, a title in another spelling may be another film.
                Some(fields::NAME) if !other.contains_key(fields::DIRECTOR) => {
                    reader.warn(Some(row.line), &format!("may be the same film as in line {line}"));
                }
                Some(field) => {
                    let expected = format!("the same as in line {line}: it is the same film in the same section");
                    reader.refuse_row(row.line, field, &row.values[field], expected);
                    continue;
                }
            }
        }
        stays[index] = true;
        last = Some(row);
        match first.entry(hash) {
            Entry::Vacant(entry) => _ = entry.insert(index),
            Entry::Occupied(_) => others.entry(hash).or_default().push(index),
        }
    }
    let mut stays = stays.into_iter();
    rows.retain(|_| stays.next().unwrap_or_default());
    rows
}
