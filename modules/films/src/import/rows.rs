//! Reads a row of a table as a film.

use std::collections::BTreeMap;

use festival_core::export::unescape_formula;
use festival_core::importing::duration::{self, Clock};
use festival_core::importing::{CellError, ID, ImportOptions, ParsedSheet, Row, RowPacker};
use festival_core::sheet::{self, Format, Sheet};
use festival_core::text::{Cleaning, clean, is_missing, shortened, single_spaced};

use super::cells::{self, TITLE_LENGTH, is_latin, without_brackets};
use super::codes::COUNTRIES;
use super::columns::Columns;
use super::fields::{self, FIELDS, ListField};
use crate::film::FILM;

/// Reads rows one by one and reports what is wrong with them.
pub(super) struct RowReader<'a> {
    header: Vec<String>,
    columns: Columns,
    options: &'a ImportOptions,
    /// The current year; a film may be from the next one.
    this_year: i64,
    clock: Clock,
    format: Format,
    /// Cells without a value are written "NA".
    has_na: bool,
    /// Countries are written as codes, so that "NA" is Namibia.
    has_country_codes: bool,
    /// Fields whose columns have names in the form "Last, First".
    surnames_first: Vec<&'static str>,
    /// Years that were read from ambiguous text: the first of them, and their number.
    inexact_years: Option<(u64, String, usize)>,
    /// The first line whose titles were swapped, its title, and the number of such lines.
    exchanged_titles: Option<(u64, String, usize)>,
    /// The column with the ids of films here.
    id_column: Option<usize>,
    packer: RowPacker,
    /// Results of reading the list apart from its rows.
    pub(super) parsed: ParsedSheet,
}

/// Whether a header is that of the ids in exports.
pub(super) fn is_id(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(ID)
}

impl<'a> RowReader<'a> {
    pub(super) fn new(sheet: &Sheet, columns: Columns, options: &'a ImportOptions, this_year: i64) -> Self {
        let notes = sheet.notes.iter().map(ToString::to_string).collect();
        let mut parsed = ParsedSheet { columns: columns.all.clone(), notes, ..ParsedSheet::default() };
        let cells = |column: usize| sheet.rows.iter().map(move |row| &row.cells[column]);
        let is_country_code =
            |cell: &str| matches!(cell.trim().len(), 2) && cell.trim() != "NA" && COUNTRIES.knows(cell.trim());
        let has_country_codes = columns.of(fields::COUNTRY).flat_map(cells).any(is_country_code);
        let other_columns = (0..sheet.header.len()).filter(|column| {
            let is_country = has_country_codes && columns.of(fields::COUNTRY).any(|country| country == *column);
            Some(*column) != columns.first_of(fields::NAME) && !is_country
        });
        let has_na = other_columns.flat_map(cells).any(|cell| cell.trim() == "NA");
        let people = FIELDS.iter().filter(|field| field.has_people);
        let surnames_first: Vec<&'static str> = people
            .map(|field| field.name)
            .filter(|field| cells::are_surnames_first(columns.of(field).flat_map(cells)))
            .collect();
        let id_column = parsed.columns.iter().position(|column| column.field.is_none() && is_id(&column.header));
        if let Some(index) = id_column {
            (parsed.columns[index].field, parsed.columns[index].why) = (Some(ID), String::new());
        }
        let mut reader = Self {
            header: sheet.header.clone(),
            columns,
            options,
            this_year,
            clock: Clock::Either,
            format: sheet.format,
            has_na,
            has_country_codes,
            surnames_first,
            inexact_years: None,
            exchanged_titles: None,
            id_column,
            packer: RowPacker::default(),
            parsed,
        };
        for field in reader.surnames_first.clone() {
            let mut filled = reader.columns.of(field).flat_map(cells).filter(|cell| !is_missing(cell.trim()));
            let example = filled.next().map_or("", |cell| cell.trim());
            let text = format!(
                "{}: surnames that stand first were put last; \"{}\" was read as \"{}\"",
                reader.header_of(field),
                shortened(example),
                shortened(&cells::surnames_last(example)),
            );
            drop(filled);
            reader.warn(None, &text);
        }
        if let Some(column) = reader.columns.first_of(fields::DURATION) {
            let header = &sheet.header[column];
            let (clock, is_guess) = duration::clock(header, sheet.rows.iter().map(|row| &row.cells[column]));
            reader.clock = clock;
            if is_guess {
                reader.warn(None, &format!("{header}: running times such as 1:45 were read as hours and minutes"));
            }
        }
        reader
    }

    pub(super) fn warn(&mut self, line: Option<u64>, text: &str) {
        self.parsed.notes.push(line.map_or(text.to_owned(), |line| format!("line {line}: {text}")));
    }

    /// The header of a field's column, or its name if it has none.
    fn header_of(&self, field: &'static str) -> &str {
        self.columns.first_of(field).map_or(field, |column| self.header[column].trim())
    }

    /// Reports a wrong value: its row is left out, unless the value counts as missing.
    fn report_error(&mut self, line: u64, field: &'static str, value: &str, expected: impl Into<String>) {
        let may_be_missing = FILM.field(field).is_some_and(|field| !field.required);
        if self.options.blank_invalid && may_be_missing {
            let error = self.error(line, field, value, expected);
            self.parsed.blanked.push(error);
        } else {
            self.refuse_row(line, field, value, expected);
        }
    }

    /// Reports a row that is left out, and the value that is the reason.
    pub(super) fn refuse_row(&mut self, line: u64, field: &'static str, value: &str, expected: impl Into<String>) {
        let error = self.error(line, field, value, expected);
        self.parsed.errors.push(error);
    }

    fn error(&self, line: u64, field: &'static str, value: &str, expected: impl Into<String>) -> CellError {
        let header = self.header_of(field).to_owned();
        CellError { line, header, value: shortened(value), expected: expected.into() }
    }

    /// Reads a row; `None` if a value is wrong.
    pub(super) fn read(&mut self, row: &sheet::Row) -> Option<Row> {
        let errors = self.parsed.errors.len();
        let mut values = BTreeMap::new();
        let (mut name, mut original_title) = self.titles(row);
        for field in FIELDS {
            let value = match field.name {
                fields::NAME => name.take(),
                fields::ORIGINAL_TITLE => original_title.take(),
                fields::CATEGORY => self.category(row),
                fields::YEAR | fields::DURATION => {
                    self.cell(row, field).and_then(|text| self.number(row.line, field.name, &text))
                }
                _ => self.cell(row, field),
            };
            values.extend(value.map(|value| (field.name, value)));
        }
        let id = self.id(row);
        (self.parsed.errors.len() == errors).then(|| Row { line: row.line, id, values: self.packer.pack(&values) })
    }

    /// The id of a film here; `None` without one, or with another kind of id: other programs have ids, too.
    fn id(&self, row: &sheet::Row) -> Option<i64> {
        row.cells[self.id_column?].trim().parse().ok().filter(|id| *id > 0)
    }

    /// The text of a field, cleaned and normalized; `None` if its cells are empty.
    fn cell(&mut self, row: &sheet::Row, field: &ListField) -> Option<String> {
        let columns: Vec<usize> = self.columns.of(field.name).collect();
        let is_shared = columns.iter().any(|column| self.columns.is_shared(*column));
        let texts: Vec<String> = columns.into_iter().filter_map(|column| self.text(row, field, column)).collect();
        let texts = if is_shared { texts.iter().map(|text| self.part_of(text, field.name)).collect() } else { texts };
        Some((field.normalize)(&texts.join(field.separator))).filter(|text| !text.is_empty())
    }

    /// The part for one field of a cell that holds several, "India, 2024, 92 min".
    fn part_of(&self, text: &str, field: &str) -> String {
        let separators = [',', '/', ';', '|', '\n', '·'];
        let parts = text.split(separators).map(str::trim).flat_map(|part| match part.rsplit_once(' ') {
            Some((before, year)) if year.len() == 4 && cells::year(year, self.this_year).is_ok() => [before, year],
            _ => [part, ""],
        });
        let field_of = |part: &str| match part {
            _ if cells::year(part, self.this_year).is_ok() => fields::YEAR,
            _ if duration::minutes(part, self.clock).is_ok() => fields::DURATION,
            _ => "",
        };
        let is_number = [fields::YEAR, fields::DURATION].contains(&field);
        let wanted = parts.filter(|part| field_of(part) == if is_number { field } else { "" });
        cells::joined(wanted)
    }

    /// A cell without the apostrophe that guards against formulas in exported CSV files.
    fn unescaped<'c>(&self, cell: &'c str) -> &'c str {
        if self.format == Format::Delimited { unescape_formula(cell) } else { cell }
    }

    /// The cleaned text of a cell; `None` if it has no value.
    fn text(&mut self, row: &sheet::Row, field: &ListField, column: usize) -> Option<String> {
        let cell = self.unescaped(&row.cells[column]);
        if cell.contains(is_control) {
            let text = format!("{}: control characters were taken out", self.header_of(field.name));
            self.warn(Some(row.line), &text);
        }
        let text = cleaned(cell);
        let is_bracketed = field.is_list && text.starts_with(['{', '[']);
        let text = if is_bracketed { without_brackets(&text).into_owned() } else { text };
        let is_namibia = text == "NA" && field.name == fields::COUNTRY && self.has_country_codes;
        if !is_namibia && field.is_missing(&text) || self.has_na && text == "NA" {
            return None;
        }
        if matches!(text.as_str(), "#REF!" | "#VALUE!" | "#NAME?" | "#DIV/0!" | "#NUM!" | "#NULL!") {
            self.report_error(row.line, field.name, &text, "a value; the spreadsheet has an error here");
            return None;
        }
        Some(if self.surnames_first.contains(&field.name) { cells::surnames_last(&text) } else { text })
    }

    fn number(&mut self, line: u64, field: &'static str, text: &str) -> Option<String> {
        let number = match field {
            fields::YEAR => cells::year(text, self.this_year).map(|year| {
                if !year.is_exact {
                    let first = || (line, format!("\"{}\" was read as {}", shortened(text), year.year), 0);
                    self.inexact_years.get_or_insert_with(first).2 += 1;
                }
                year.year
            }),
            _ => duration::minutes(text, self.clock),
        };
        let number = number.map_err(|expected| self.report_error(line, field, text, expected)).ok()?;
        Some(number.to_string())
    }

    /// Reports once what concerns many rows.
    pub(super) fn finish(&mut self) {
        if let Some((line, example, count)) = self.exchanged_titles.take() {
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            let text = format!(
                "\"{example}\", in Latin letters, is the title here and \"{}\" the original title{more}; choose the columns \
                 of both to leave them as they are",
                self.header_of(fields::NAME)
            );
            self.warn(Some(line), &text);
        }
        if let Some((line, example, count)) = self.inexact_years.take() {
            let header = self.header_of(fields::YEAR);
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            let text = format!("{header}: {example}{more}");
            self.warn(Some(line), &text);
        }
    }

    fn category(&mut self, row: &sheet::Row) -> Option<String> {
        let category = fields::field(fields::CATEGORY).and_then(|field| self.cell(row, field)).or_else(|| {
            let default = cleaned(self.options.for_all.get(fields::CATEGORY)?);
            Some(single_spaced(&default)).filter(|name| !name.is_empty())
        });
        // A film with a known id has a section.
        if category.is_none() && self.id(row).is_none() {
            let expected = "the section of the film, or one for all that name none";
            self.report_error(row.line, fields::CATEGORY, "", expected);
        }
        category
    }

    /// The displayed and the original title. The displayed one is in Latin letters if either is.
    fn titles(&mut self, row: &sheet::Row) -> (Option<String>, Option<String>) {
        let mut cell = |field| fields::field(field).and_then(|field| self.cell(row, field));
        let (name, original) = (cell(fields::NAME), cell(fields::ORIGINAL_TITLE));
        let (name, original) = (name.map(cells::article_first), original.map(cells::article_first));
        let original = original.filter(|text| {
            if is_too_long(text) {
                let header = self.header_of(fields::ORIGINAL_TITLE);
                let warning = format!("{header}: {} is a text, not a title, and was left out", shortened(text));
                self.warn(Some(row.line), &warning);
            }
            !is_too_long(text)
        });
        let (name, original) = match (name, original) {
            (Some(name), Some(original))
                if !self.columns.title_is_chosen && !is_latin(&name) && is_latin(&original) =>
            {
                self.exchanged_titles.get_or_insert_with(|| (row.line, shortened(&original), 0)).2 += 1;
                (original, Some(name))
            }
            (Some(name), original) => (name, original),
            (None, Some(original)) => (original, None),
            (None, None) => {
                self.report_error(row.line, fields::NAME, "", "the title of the film");
                return (None, None);
            }
        };
        if is_too_long(&name) {
            let expected = format!("a title of at most {TITLE_LENGTH} characters");
            self.report_error(row.line, fields::NAME, &name, expected);
        }
        let (name, original) = (single_spaced(&name), original.map(|text| single_spaced(&text)));
        let original = original.filter(|original| *original != name);
        (Some(name), original)
    }
}

/// Whether a text is too long for a title.
fn is_too_long(text: &str) -> bool {
    text.chars().count() > TITLE_LENGTH
}

fn cleaned(cell: &str) -> String {
    clean(cell, true, Cleaning::Compact).unwrap_or_default()
}

/// Whether a character is neither visible nor expected: a control character or a direction mark.
fn is_control(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
        || matches!(letter, '\u{fffe}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
