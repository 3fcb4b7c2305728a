//! Finds the columns of each field.

use festival_core::importing::mapping::Source;
use festival_core::importing::{Column, ImportOptions, Mapping, Refusal};
use festival_core::sheet::Sheet;
use festival_core::text::shortened;

use super::fields::{self, COUNTRY, DIRECTOR, DURATION, FIELDS, ListField, NAME, ORIGINAL_TITLE, SYNOPSIS, YEAR};
use super::headers::{Meaning, fold_header, is_bare_name, is_english_title, meaning_of, numbered};

/// The columns of a list, by their use.
#[derive(Debug)]
pub(super) struct Columns {
    /// All of them, in the order of the file.
    pub(super) all: Vec<Column>,
    assigned: Vec<Assignment>,
    /// Somebody chose another column for the title than the headers suggest: the titles are not swapped.
    pub(super) title_is_chosen: bool,
}

impl Columns {
    /// The first column of a field, from 0.
    pub(super) fn first_of(&self, field: &str) -> Option<usize> {
        column_of(&self.assigned, field)
    }

    /// Whether a column holds several fields.
    pub(super) fn is_shared(&self, column: usize) -> bool {
        self.assigned.iter().filter(|(_, used)| *used == column).count() > 1
    }

    /// The columns of a field, from 0, in the order in which their values are joined.
    pub(super) fn of(&self, field: &str) -> impl Iterator<Item = usize> {
        self.assigned.iter().filter(move |(name, _)| *name == field).map(|(_, column)| *column)
    }
}

/// A field and its column, from 0.
type Assignment = (&'static str, usize);

/// Finds the columns by the mappings, by what was chosen, or by their headers, which are `#1`, `#2` if the list has
/// none.
pub(super) fn decide(sheet: &Sheet, options: &ImportOptions) -> Result<Columns, Refusal> {
    let (header, has_header) = (&*sheet.header, !options.no_header);
    let cells = |column: usize| sheet.rows.iter().filter_map(move |row| row.cells.get(column));
    let meanings: Vec<Meaning> =
        header.iter().enumerate().map(|(column, name)| meaning_of(name, cells(column))).collect();
    if has_header && looks_like_data(header, &meanings) {
        let reason = format!(
            "the first row ({}) looks like a film, not like a header; say that it is one, and what each column is",
            first_cells(header)
        );
        return Err(Refusal { reason, columns: columns(header, &meanings, &[]) });
    }
    let is_blank: Vec<bool> =
        (0..header.len()).map(|column| cells(column).all(|cell| cell.trim().is_empty())).collect();
    let best_column = |field: &str, assigned: &[Assignment]| best_column((&meanings, &is_blank), field, assigned);
    let mut assigned: Vec<Assignment> = Vec::new();
    let mut mapped: Vec<&str> = Vec::new();
    for mapping in all_mappings(options) {
        let columns = mapping.columns(header)?;
        let is_joined = fields::field(mapping.field).is_some_and(ListField::joins_columns);
        if !is_joined && (columns.len() > 1 || mapped.contains(&mapping.field)) {
            let field = mapping.field.replace('_', " ");
            let reason = format!("two columns are taken for {field}; leave one");
            return Err(Refusal { reason, columns: self::columns(header, &meanings, &assigned) });
        }
        mapped.push(mapping.field);
        assigned.extend(columns.into_iter().map(|column| (mapping.field, column)));
    }
    let name_is_given = column_of(&assigned, NAME).is_some();
    for field in FIELDS.iter().filter(|field| !mapped.contains(&field.name)) {
        let Some(best) = best_column(field.name, &assigned) else { continue };
        let columns = if field.is_list { parts(header, best, &assigned) } else { vec![best] };
        assigned.extend(columns.into_iter().map(|column| (field.name, column)));
    }
    // `Title` next to `English Title` is the original one, unless there is a column for it.
    if !name_is_given
        && !mapped.contains(&ORIGINAL_TITLE)
        && column_of(&assigned, ORIGINAL_TITLE).is_none()
        && column_of(&assigned, NAME).is_some_and(|column| is_english_title(&header[column]))
    {
        assigned.extend(best_column(NAME, &assigned).map(|column| (ORIGINAL_TITLE, column)));
    }
    if !has_header && !name_is_given {
        let reason = format!(
            "say which column of this list without a header is the title, and what the others are; there are {}",
            header.len()
        );
        return Err(Refusal { reason, columns: columns(header, &meanings, &assigned) });
    }
    let all = columns(header, &meanings, &assigned);
    if !name_is_given && !is_film_list(header, &assigned) {
        let needed =
            "needed are a title and at least one of director, year, duration, country, synopsis or original title";
        return Err(Refusal::of_other_table("films", needed, all));
    }
    let by_header = best_column(NAME, &[]);
    let title_is_chosen = options.mappings.iter().any(|mapping| mapping.field == NAME)
        || name_is_given && column_of(&assigned, NAME) != by_header;
    Ok(Columns { all, assigned, title_is_chosen })
}

/// The mappings, and those for the chosen columns: a field without a chosen column has none, whatever the headers say.
fn all_mappings(options: &ImportOptions) -> Vec<Mapping> {
    let mut mappings = options.mappings.clone();
    let Some(columns) = &options.columns else { return mappings };
    for field in FIELDS.iter().map(|field| field.name) {
        if options.mappings.iter().any(|mapping| mapping.field == field) {
            continue;
        }
        let chosen = (1..).zip(columns).filter(|(_, name)| *name == field);
        let chosen: Vec<Source> = chosen.map(|(number, _)| Source::Column(number)).collect();
        let sources = if chosen.is_empty() { vec![Source::None] } else { chosen };
        mappings.extend(sources.into_iter().map(|source| Mapping { field, source }));
    }
    mappings
}

fn column_of(assigned: &[Assignment], field: &str) -> Option<usize> {
    assigned.iter().find(|(known, _)| *known == field).map(|(_, column)| *column)
}

/// The unassigned column with the best name for a field, preferably one with values; of two equals the left one.
fn best_column((meanings, is_blank): (&[Meaning], &[bool]), wanted: &str, assigned: &[Assignment]) -> Option<usize> {
    let is_free = |column: usize| assigned.iter().all(|(_, used)| *used != column);
    let ranked = meanings.iter().enumerate().filter_map(|(column, meaning)| match meaning {
        Meaning::Field { field, rank } if *field == wanted && is_free(column) => {
            Some((is_blank[column], *rank, column))
        }
        _ => None,
    });
    ranked.min().map(|(_, _, column)| column)
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

/// The columns in the order of the file, with the fields that they fill or why they are left out.
fn columns(header: &[String], meanings: &[Meaning], assigned: &[Assignment]) -> Vec<Column> {
    let column = |(index, header): (usize, &String)| {
        let field = assigned.iter().find(|(_, column)| *column == index).map(|(field, _)| *field);
        let together = fields_together(header);
        let why = match meanings[index] {
            _ if field.is_some() => String::new(),
            Meaning::Personal => "personal data, not read".to_owned(),
            Meaning::Field { field, .. } if column_of(assigned, field).is_some() => {
                format!("another column fills {}", field.replace('_', " "))
            }
            Meaning::Field { .. } => "as it was chosen".to_owned(),
            Meaning::Unknown if together.len() > 1 => {
                format!("{} in one; map the column to each of them, or split it", together.join(" and "))
            }
            Meaning::Subtitles | Meaning::Publication | Meaning::Unknown => "no field of a film".to_owned(),
        };
        Column { header: header.trim().to_owned(), field, why }
    };
    header.iter().enumerate().map(column).collect()
}

/// The fields that a header like "Country / Year" names.
fn fields_together(header: &str) -> Vec<String> {
    let parts = header.split(['/', ',', '&', '+', ';']).flat_map(|part| part.split(" and "));
    let field_of = |part: &str| match meaning_of(part, std::iter::empty()) {
        Meaning::Field { field, .. } => Some(field.replace('_', " ")),
        _ => None,
    };
    parts.map(field_of).collect::<Option<Vec<String>>>().unwrap_or_default()
}

/// The first cells of a row, for a sentence.
fn first_cells(row: &[String]) -> String {
    const MAX_CELLS: usize = 6;
    let names: Vec<String> = row.iter().take(MAX_CELLS).map(|cell| shortened(cell)).collect();
    match row.len().saturating_sub(MAX_CELLS) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
