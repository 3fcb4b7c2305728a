//! A table to film rows and a report.

use std::collections::HashMap;

use festival_core::sheet::Sheet;

use super::rows::Reader;
use super::{Field, FilmRow, ImportError, Mapping, Report, columns, match_key};

/// What a person says about a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The section of films whose row names none.
    pub category: Option<String>,
    /// What the columns are, where their headers do not say it.
    pub mappings: Vec<Mapping>,
    /// The first row is a film.
    pub no_header: bool,
    /// The year it is; a film may be from the next one.
    pub this_year: i64,
}

/// The films of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilmList {
    /// Films whose every value could be read, no two of them the same.
    pub rows: Vec<FilmRow>,
    /// What there is to say besides.
    pub report: Report,
}

/// Reads a table as films. Rows with a wrong value are left out and named in the report.
///
/// # Errors
/// The table is no list of films, or something about all of it is missing; the sentence says what to do.
pub fn read_films(sheet: Sheet, options: &Options) -> Result<FilmList, ImportError> {
    let sheet = if options.no_header { sheet.without_header() } else { sheet };
    let columns = columns::decide(&sheet.header, &options.mappings, !options.no_header)?;
    let category = options.category.as_deref().unwrap_or_default();
    if columns.of(Field::Category).is_none() && category.trim().is_empty() {
        return Err(ImportError::NoCategory);
    }
    let mut reader = Reader::new(&sheet, columns, options);
    let mut rows = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        rows.extend(reader.read(row));
    }
    if sheet.rows.is_empty() {
        reader.warn(None, "there are no films in it, only a header");
    }
    let rows = without_doubles(&mut reader, rows);
    Ok(FilmList { rows, report: reader.report })
}

/// No two rows of a list are the same film: of equal rows the first stays, a contradicting one is an error.
fn without_doubles(reader: &mut Reader<'_>, rows: Vec<FilmRow>) -> Vec<FilmRow> {
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    let mut kept: Vec<FilmRow> = Vec::with_capacity(rows.len());
    for row in rows {
        let same_key = seen.entry(match_key(&row.values)).or_default();
        let equal = same_key.iter().find(|other| kept[**other].values == row.values);
        let Some(&other) = equal.or(same_key.first()) else {
            same_key.push(kept.len());
            kept.push(row);
            continue;
        };
        let (other, line) = (&kept[other].values, kept[other].line);
        let differing = Field::ALL.into_iter().find(|field| other.text(*field) != row.values.text(*field));
        match differing {
            None => reader.warn(Some(row.line), &format!("repeats line {line} and was left out")),
            // Without directors, a title in another spelling may be another film.
            Some(Field::Name) if other.director_name.is_none() => {
                reader.warn(Some(row.line), &format!("may be the same film as in line {line}"));
                same_key.push(kept.len());
                kept.push(row);
            }
            Some(field) => {
                let value = row.values.text(field).unwrap_or_default();
                let expected = format!("the same as in line {line}: it is the same film in the same section");
                reader.wrong(row.line, field, &value, expected);
            }
        }
    }
    kept
}
