//! Finds the columns of each field.

use festival_core::text::shortened;

use super::fields::{self, COUNTRY, DIRECTOR, DURATION, FIELDS, ListField, NAME, ORIGINAL_TITLE, SYNOPSIS, YEAR};
use super::headers::{Meaning, fold_header, is_bare_name, is_english_title, meaning, numbered};
use super::{Ignored, ImportError, Mapping, Reason, Understood};

/// The columns of a list, by what they are used for.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) understood: Vec<Understood>,
    pub(super) ignored: Vec<Ignored>,
    /// A mapping gives the column of the title: it is neither doubted nor exchanged with the original title.
    pub(super) name_is_given: bool,
}

impl Columns {
    /// The first column of a field, from 0.
    pub(super) fn of(&self, field: &str) -> Option<usize> {
        self.all(field).next()
    }

    /// The columns of a field, from 0, in the order in which their values are joined.
    pub(super) fn all(&self, field: &str) -> impl Iterator<Item = usize> {
        self.understood
            .iter()
            .filter(move |understood| understood.field == field)
            .map(|understood| understood.column - 1)
    }
}

/// A field and its column, from 0.
type Assignment = (&'static str, usize);

/// Finds the columns by their headers and the mappings. `header` holds `#1`, `#2` if the list has none.
pub(super) fn decide(header: &[String], mappings: &[Mapping], has_header: bool) -> Result<Columns, ImportError> {
    let meanings: Vec<Meaning> = header.iter().map(|cell| meaning(cell)).collect();
    if has_header && looks_like_data(header, &meanings) {
        return Err(ImportError::NoHeader { seen: listed(header) });
    }
    let mut assigned: Vec<Assignment> = Vec::new();
    let mut mapped: Vec<&str> = Vec::new();
    for mapping in mappings {
        let columns = mapping.columns(header)?;
        let is_joined = fields::field(mapping.field).is_some_and(ListField::joins_columns);
        if !is_joined && (columns.len() > 1 || mapped.contains(&mapping.field)) {
            return Err(ImportError::MappedTwice { field: mapping.field });
        }
        mapped.push(mapping.field);
        assigned.extend(columns.into_iter().map(|column| (mapping.field, column)));
    }
    let name_is_given = column_of(&assigned, NAME).is_some();
    for field in FIELDS.iter().filter(|field| !mapped.contains(&field.name)) {
        let Some(best) = best_column(&meanings, field.name, &assigned) else { continue };
        let columns = if field.is_list { parts(header, best, &assigned) } else { vec![best] };
        assigned.extend(columns.into_iter().map(|column| (field.name, column)));
    }
    // `Title` beside `English Title` is the original one, unless there is a column for it.
    if !name_is_given
        && !mapped.contains(&ORIGINAL_TITLE)
        && column_of(&assigned, ORIGINAL_TITLE).is_none()
        && column_of(&assigned, NAME).is_some_and(|column| is_english_title(&header[column]))
    {
        assigned.extend(best_column(&meanings, NAME, &assigned).map(|column| (ORIGINAL_TITLE, column)));
    }
    if !has_header && !name_is_given {
        return Err(ImportError::NoTitleColumn { columns: header.len() });
    }
    if !name_is_given && !is_film_list(header, &assigned) {
        return Err(ImportError::NotFilms { seen: format!("the columns are {}", listed(header)) });
    }
    Ok(Columns {
        ignored: ignored(header, &meanings, &assigned),
        understood: understood(header, &assigned),
        name_is_given,
    })
}

fn column_of(assigned: &[Assignment], field: &str) -> Option<usize> {
    assigned.iter().find(|(known, _)| *known == field).map(|(_, column)| *column)
}

/// The unassigned column with the best name for a field; of two equals the left one.
fn best_column(meanings: &[Meaning], wanted: &str, assigned: &[Assignment]) -> Option<usize> {
    let is_free = |column: usize| assigned.iter().all(|(_, used)| *used != column);
    let ranked = meanings.iter().enumerate().filter_map(|(column, meaning)| match meaning {
        Meaning::Field { field, rank } if *field == wanted && is_free(column) => Some((*rank, column)),
        _ => None,
    });
    ranked.min().map(|(_, column)| column)
}

/// The columns that have the same header as `best`, or that header with a number, in the order of the numbers.
fn parts(header: &[String], best: usize, assigned: &[Assignment]) -> Vec<usize> {
    let number_of = |column: usize| numbered(&header[column]).unwrap_or_else(|| (fold_header(&header[column]), 0));
    let (stem, _) = number_of(best);
    let is_free = |column: &usize| assigned.iter().all(|(_, used)| used != column);
    let mut parts: Vec<(u32, usize)> = (0..header.len())
        .filter(is_free)
        .map(|column| (number_of(column), column))
        .filter(|((other, _), _)| *other == stem)
        .map(|((_, number), column)| (number, column))
        .collect();
    parts.sort_unstable();
    parts.into_iter().map(|(_, column)| column).collect()
}

/// Whether the columns are those of a film list. A title alone may name anything. A bare "Name" may also be a person's or
/// a festival's, and these have countries and years, too.
fn is_film_list(header: &[String], assigned: &[Assignment]) -> bool {
    let has = |wanted: &[&str]| wanted.iter().any(|field| column_of(assigned, field).is_some());
    let name = column_of(assigned, NAME);
    let is_bare = name.is_some_and(|column| is_bare_name(&header[column]));
    let is_certain = has(&[DIRECTOR, DURATION, SYNOPSIS]);
    let has_original = has(&[ORIGINAL_TITLE]);
    match (name.is_some(), is_bare) {
        (true, false) => is_certain || has_original || has(&[YEAR, COUNTRY]),
        (true, true) => is_certain || has_original,
        (false, _) => has_original && (is_certain || has(&[YEAR, COUNTRY])),
    }
}

/// Whether the first row is a film: it has a number and no known header.
fn looks_like_data(header: &[String], meanings: &[Meaning]) -> bool {
    let is_number = |cell: &String| cell.trim().replace(',', ".").parse::<f64>().is_ok();
    meanings.iter().all(|meaning| *meaning == Meaning::Unknown) && header.iter().any(is_number)
}

fn understood(header: &[String], assigned: &[Assignment]) -> Vec<Understood> {
    let columns = FIELDS.iter().flat_map(|field| assigned.iter().filter(|(name, _)| *name == field.name));
    let understood = |(field, column): &Assignment| Understood {
        field,
        column: column + 1,
        header: header[*column].trim().to_owned(),
    };
    columns.map(understood).collect()
}

fn ignored(header: &[String], meanings: &[Meaning], assigned: &[Assignment]) -> Vec<Ignored> {
    let unused = (0..header.len()).filter(|column| assigned.iter().all(|(_, used)| used != column));
    unused
        .map(|column| {
            let reason = match meanings[column] {
                Meaning::Personal => Reason::Personal,
                Meaning::Field { field, .. } if column_of(assigned, field).is_some() => Reason::Taken(field),
                Meaning::Field { field, .. } => Reason::Unwanted(field),
                Meaning::Unknown => Reason::Unknown,
            };
            Ignored { column: column + 1, header: header[column].trim().to_owned(), reason }
        })
        .collect()
}

/// The first headers, for a sentence.
fn listed(header: &[String]) -> String {
    const MAX_HEADERS: usize = 6;
    let names: Vec<String> = header.iter().take(MAX_HEADERS).map(|cell| shortened(cell)).collect();
    match header.len().saturating_sub(MAX_HEADERS) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
