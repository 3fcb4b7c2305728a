//! Which columns of a list fill which fields, and rows that have nothing in them.

use super::duration;
use super::headers::{ListHeaders, Meaning};
use super::list_field::{BETWEEN_DAY_AND_TIME, ListField, is_label};
use super::mapping::Source;
use super::{Column, ImportOptions, Mapping, Refusal};
use crate::entity::Reads;
use festival_files::sheet::{self, Sheet};

/// A field and its column, from 0.
type Assignment = (&'static str, usize);

/// The columns of a list, by their use.
pub struct Columns<'a> {
    headers: &'a ListHeaders,
    header: Vec<String>,
    meanings: Vec<Meaning>,
    is_blank: Vec<bool>,
    assigned: Vec<Assignment>,
    /// How many of these somebody chose, whatever the headers say.
    chosen: usize,
}

impl<'a> Columns<'a> {
    /// Finds the columns by the mappings, by what was chosen, or by their headers, which are `#1`, `#2` if the list has
    /// none.
    ///
    /// # Errors
    /// If the list has no such column, or several that were chosen for a field with one value.
    pub fn decide(headers: &'a ListHeaders, sheet: &Sheet, options: &ImportOptions) -> Result<Self, Refusal> {
        let header = &*sheet.header;
        let cells = |column: usize| sheet.rows.iter().filter_map(move |row| row.cells.get(column));
        let mut columns = Self {
            headers,
            header: header.to_vec(),
            meanings: (0..).zip(header).map(|(column, name)| headers.meaning_of(name, cells(column))).collect(),
            is_blank: (0..header.len()).map(|column| cells(column).all(|cell| cell.trim().is_empty())).collect(),
            assigned: Vec::new(),
            chosen: 0,
        };
        let mut mapped: Vec<&str> = Vec::new();
        for mapping in all_mappings(&headers.fields, options) {
            mapped.push(mapping.field);
            for column in mapping.columns(header)? {
                columns.assigned.push((mapping.field, column));
                let field = headers.field(mapping.field).filter(|field| field.separator.is_none());
                columns.refuse_two(field, &columns.of(mapping.field))?;
            }
        }
        columns.chosen = columns.assigned.len();
        let mut twice = Vec::new();
        for field in headers.fields.iter().filter(|field| !mapped.contains(&field.name)) {
            let has_label =
                |column: &usize| field.is_found_by_label && is_label(&header[*column], [field.label, field.name]);
            let labelled: Vec<usize> = (0..header.len()).filter(has_label).collect();
            if labelled.len() > 1 {
                columns.assigned.extend(labelled.iter().map(|column| (field.name, *column)));
                columns.refuse_two(Some(field), &labelled)?;
            }
            let Some(best) = columns.best(field.name) else { continue };
            // "Date 1" and "Date 2", of two screenings in a line.
            let stem = headers.numbered(&header[best]).map_or_else(|| headers.fold(&header[best]), |(stem, _)| stem);
            let is_next = |column: usize| headers.numbered(&header[column]).is_some_and(|it| it.0 == stem && it.1 > 1);
            let is_same = |column: usize| header[column] == header[best] || column != best && is_next(column);
            let differs = |column: &usize| is_same(*column) && !cells(*column).eq(cells(best));
            let other = (0..header.len()).find(|column| !columns.is_blank[*column] && differs(column));
            twice.extend(other.filter(|_| !field.is_list()).map(|other| (field, [best, other])));
            let parts = match field.separator {
                _ if field.is_list() => columns.parts(best),
                _ if field.reads == Reads::Minutes => columns.parts_of_length(field.name, best, sheet),
                Some(BETWEEN_DAY_AND_TIME) => std::iter::once(best).chain(columns.time_of(best)).collect(),
                _ => vec![best],
            };
            columns.assigned.extend(parts.into_iter().map(|column| (field.name, column)));
        }
        // Tables side by side. One name alone may stand above the title in two languages.
        if let [(field, both), _, ..] = &twice[..] {
            columns.refuse_two(Some(field), both)?;
        }
        if let Some(title) = headers.title
            && options.mappings.iter().all(|mapping| mapping.field != title)
        {
            columns.join_parts_of_names(title, options.columns.is_none());
        }
        Ok(columns)
    }

    /// Refuses the list for this reason.
    pub fn refusal(&self, reason: String) -> Refusal {
        Refusal { reason, columns: self.described() }
    }

    /// Refuses two columns for a field that has only one.
    fn refuse_two(&self, field: Option<&ListField>, columns: &[usize]) -> Result<(), Refusal> {
        let (Some(field), [first, second, ..]) = (field, columns) else { return Ok(()) };
        let [first, second] = [first, second].map(|column| self.header[*column].trim());
        let label = field.label;
        Err(self.refusal(format!(
            "the columns \"{first}\" and \"{second}\" are both taken for {label}; say what each column is"
        )))
    }

    /// The columns of a field, from 0, in the order in which their values are joined.
    pub fn of(&self, field: &str) -> Vec<usize> {
        self.assigned.iter().filter(|(name, _)| *name == field).map(|(_, column)| *column).collect()
    }

    /// The first column of a field, from 0.
    pub fn first_of(&self, field: &str) -> Option<usize> {
        self.assigned.iter().find(|(known, _)| *known == field).map(|(_, column)| *column)
    }

    /// The header of a field's first column, or the name of the field if it has none.
    pub fn header_of<'s>(&'s self, field: &'s str) -> &'s str {
        self.first_of(field).map_or(field, |column| self.header[column].trim())
    }

    /// Whether a column holds several fields.
    pub(super) fn is_shared(&self, column: usize) -> bool {
        self.assigned.iter().filter(|(_, used)| *used == column).count() > 1
    }

    /// Whether somebody chose the column of a field.
    pub fn is_chosen(&self, field: &str) -> bool {
        self.assigned[..self.chosen].iter().any(|(known, _)| *known == field)
    }

    /// Whether a header means any field.
    pub fn knows_any(&self) -> bool {
        self.meanings.iter().any(|meaning| *meaning != Meaning::Unknown)
    }

    /// Takes another column whose header means the field `like` for `field`.
    pub fn take_another(&mut self, field: &'static str, like: &str) {
        self.assigned.extend(self.best(like).map(|column| (field, column)));
    }

    /// The free column with the best name for a field.
    fn best(&self, field: &str) -> Option<usize> {
        self.ranked(field).filter(|(_, _, column)| self.is_free(*column)).min().map(|(_, _, column)| column)
    }

    /// The column with the best name for a field, whatever was chosen.
    pub fn best_by_header(&self, field: &str) -> Option<usize> {
        self.ranked(field).min().map(|(_, _, column)| column)
    }

    /// The columns whose headers mean a field: those with values before others, then by how well the header describes it;
    /// of two equals the left one comes first.
    fn ranked(&self, wanted: &str) -> impl Iterator<Item = (bool, usize, usize)> {
        self.meanings.iter().enumerate().filter_map(move |(column, meaning)| match meaning {
            Meaning::Field { field, rank } if *field == wanted => Some((self.is_blank[column], *rank, column)),
            _ => None,
        })
    }

    /// Whether a column fills no field.
    pub fn is_free(&self, column: usize) -> bool {
        self.assigned.iter().all(|(_, used)| *used != column)
    }

    /// Takes another column for a field whose values are joined in the order of the list.
    pub fn add(&mut self, field: &'static str, column: usize) {
        let after = |(known, other): &Assignment| *known == field && *other > column;
        let at = self.assigned.iter().position(after).unwrap_or(self.assigned.len());
        self.assigned.insert(at, (field, column));
    }

    /// A number of a length with the unit that the header of its column names.
    pub(super) fn with_unit(&self, text: String, column: usize) -> String {
        match duration::unit_of(&self.header[column]) {
            Some((unit, _)) if text.ends_with(char::is_numeric) => format!("{text} {unit}"),
            _ => text,
        }
    }

    /// The columns with the hours, minutes and seconds of a length, in this order. Columns that each have all of it, in
    /// hours and in minutes, are no such parts.
    fn parts_of_length(&self, field: &str, best: usize, sheet: &Sheet) -> Vec<usize> {
        let is_part = |column: usize, wanted: &str| {
            let is_of_field = matches!(self.meanings[column], Meaning::Field { field: name, .. } if name == field);
            let unit = duration::unit_of(&self.header[column]).filter(|_| !self.is_blank[column]);
            // "Sec." may be a section.
            let cells = sheet.rows.iter().map(|row| row.cells[column].trim()).filter(|cell| !cell.is_empty());
            let are_numbers = || cells.clone().all(|cell| cell.starts_with(char::is_numeric));
            self.is_free(column)
                && unit.is_some_and(|(unit, is_alone)| unit == wanted && (is_of_field || is_alone && are_numbers()))
        };
        let columns = ["h", "min", "s"].map(|unit| (0..self.header.len()).find(|column| is_part(*column, unit)));
        let parts: Vec<usize> = columns.into_iter().flatten().collect();
        let number = |row: &sheet::Row, column: usize| row.cells[column].trim().parse::<f64>().ok();
        let is_twice = |pair: &[usize]| {
            let numbers = sheet.rows.iter().filter_map(|row| Some((number(row, pair[0])?, number(row, pair[1])?)));
            let mut numbers = numbers.filter(|(above, _)| *above > 0.0).peekable();
            numbers.peek().is_some() && numbers.all(|(above, below)| above.fract() > 0.0 || below >= 60.0)
        };
        if parts.contains(&best) && !parts.windows(2).any(is_twice) { parts } else { vec![best] }
    }

    /// The columns that have the same header as `best`, or that header with a number, in the order of the numbers.
    fn parts(&self, best: usize) -> Vec<usize> {
        let number_of = |column: usize| {
            let header = &self.header[column];
            self.headers.numbered(header).unwrap_or_else(|| (self.headers.fold(header), 0))
        };
        let (stem, _) = number_of(best);
        let mut parts: Vec<(u32, usize)> = (0..self.header.len())
            .filter(|column| self.is_free(*column))
            .map(|column| (number_of(column), column))
            .filter(|((other, _), _)| *other == stem)
            .map(|((_, number), column)| (number, column))
            .collect();
        parts.sort_unstable();
        parts.into_iter().map(|(_, column)| column).collect()
    }

    /// The free column with the time to a column with a day: "Arrival time" to "Arrival" or "Arrival date", "Time" to "Date".
    fn time_of(&self, day: usize) -> Option<usize> {
        let words = |column: usize| self.headers.words(&self.header[column]);
        let mut wanted = words(day);
        match wanted.iter_mut().find(|word| word.as_str() == "date") {
            Some(word) => "time".clone_into(word),
            None => wanted.push("time".to_owned()),
        }
        (0..self.header.len()).find(|column| self.is_free(*column) && words(*column) == wanted)
    }

    /// Brings the columns of the title into the order in which a name is read, with those of the parts of names if `adds`
    /// and there are first or last names.
    fn join_parts_of_names(&mut self, title: &'static str, adds: bool) {
        let places: Vec<Option<usize>> = self.header.iter().map(|header| self.headers.place_in_name(header)).collect();
        if adds && places.iter().any(|place| matches!(place, Some(1 | 3))) {
            let parts = (0..places.len()).filter(|column| places[*column].is_some() && self.is_free(*column));
            let parts: Vec<Assignment> = parts.map(|column| (title, column)).collect();
            self.assigned.extend(parts);
        }
        // A column called "Name" stands where middle names do.
        let place = |column: usize| places[column].unwrap_or(2);
        self.assigned.sort_by_key(|(field, column)| if *field == title { place(*column) } else { 2 });
    }

    /// The columns in the order of the file, with the fields that they fill or why they are left out.
    pub fn described(&self) -> Vec<Column> {
        let column = |(index, header): (usize, &String)| {
            let field = self.assigned.iter().find(|(_, column)| *column == index).map(|(field, _)| *field);
            let together = self.headers.fields_together(header);
            let why = match self.meanings[index] {
                _ if field.is_some() => String::new(),
                Meaning::Personal => "personal data, not read".to_owned(),
                Meaning::Field { field, .. } if self.first_of(field).is_some() => {
                    format!("another column fills {}", field.replace('_', " "))
                }
                Meaning::Field { .. } => "as it was chosen".to_owned(),
                Meaning::Unknown if together.len() > 1 => {
                    format!("{} in one; map the column to each of them, or split it", together.join(" and "))
                }
                Meaning::ByCells { .. } | Meaning::Unknown => {
                    let singular = self.headers.singular;
                    let article = if singular.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                    format!("no field of {article} {singular}")
                }
            };
            Column { header: header.trim().to_owned(), field, why }
        };
        self.header.iter().enumerate().map(column).collect()
    }
}

/// The mappings, and those for the chosen columns: a field without a chosen column has none, whatever the headers say.
fn all_mappings(fields: &[ListField], options: &ImportOptions) -> Vec<Mapping> {
    let mut mappings = options.mappings.clone();
    let Some(columns) = &options.columns else { return mappings };
    for field in fields.iter().map(|field| field.name) {
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
