//! Reads the rows of a list.

use std::collections::BTreeMap;

use super::cells::{cleaned, is_address, is_control, without_references};
use super::codes::{COUNTRIES, countries, languages};
use super::columns::{Columns, leave_out_unread};
use super::duration::{self, Clock};
use super::headers::{ListHeaders, Meaning};
use super::list_field::{ListField, is_export};
use super::values::{self, without_brackets};
use super::{CellError, ID, ImportOptions, ParsedSheet, Refusal, Row, RowPacker};
use crate::editing::IS_PUBLISHED;
use crate::entity::{Entity, Reads};
use festival_base::text::{is_missing, shortened, single_spaced};
use festival_files::export::unescape_formula;
use festival_files::sheet::{self, Format, Sheet};

/// Length of the text in a cell of a workbook at most, in UTF-16 units. Exports cut longer texts.
const MAX_CELL_UNITS: usize = 32_767;

/// Reads a list of the rows of an entity: one that was exported here, or one of people.
///
/// # Errors
/// If the whole table is refused.
pub(super) fn read_list(
    entity: &'static Entity,
    sheet: Sheet,
    options: &ImportOptions,
    this_year: i64,
) -> Result<ParsedSheet, Refusal> {
    let mut sheet = if options.no_header { sheet.without_header() } else { sheet };
    let is_export = is_export(entity, &sheet.header);
    let headers =
        if is_export { ListHeaders::new(entity, ListField::exported(entity)).into() } else { ListHeaders::of(entity) };
    let columns = Columns::decide(&headers, &sheet, options)?;
    let described = columns.described();
    let fills = |name: &str| columns.first_of(name).is_some() || options.for_all.contains_key(name);
    // Without ids every line is a new row, and its required fields need a column.
    let missing: Vec<&str> = entity
        .columns()
        .filter(|field| field.required && field.default.is_empty() && !fills(field.name) && !fills(ID))
        .map(|field| field.label)
        .collect();
    if !missing.is_empty() || described.iter().all(|column| column.field.is_none_or(|field| field == ID)) {
        let needed = if missing.is_empty() { entity.title().label.to_owned() } else { missing.join(", ") };
        let needed = format!("needed are {needed}, or the column Id of a list that was taken from here");
        return Err(Refusal::of_other_table(entity.plural, &needed, described));
    }
    let unread = leave_out_unread(&mut sheet.rows, &described, |_| false);
    let mut reader = RowReader::new(&headers, &sheet, columns, options, this_year);
    reader.parsed.is_export = is_export;
    reader.parsed.notes.extend(unread);
    if sheet.rows.is_empty() {
        reader.warn(None, "there are no rows in it, only a header");
    }
    // Each row of the table is dropped once it is read: a long list is not in memory twice.
    for row in sheet.rows {
        let errors = reader.parsed.errors.len();
        let (id, values) = (reader.own_id(&row), reader.values(&row));
        if reader.parsed.errors.len() == errors {
            let row = Row { line: row.line, id, values: reader.packer.pack(&values) };
            reader.parsed.rows.push(row);
        }
    }
    let title = entity.title().name;
    let is_bare = |row: &&Row| row.values.iter().all(|(field, text)| field == title || text.trim().is_empty());
    let bare: Vec<&Row> = reader.parsed.rows.iter().filter(is_bare).collect();
    // A total or a footnote, perhaps.
    if let Some(first) = bare.first().filter(|_| !is_export && bare.len() * 2 < reader.parsed.rows.len()) {
        let more = if bare.len() > 1 { format!(", and {} more like it", bare.len() - 1) } else { String::new() };
        let text = format!("has nothing but \"{}\", unlike the other lines{more}", shortened(&first.values[title]));
        reader.warn(Some(first.line), &text);
    }
    Ok(reader.finish())
}

/// Reads rows one by one and reports what is wrong with them.
pub struct RowReader<'a> {
    headers: &'a ListHeaders,
    /// The columns of the list.
    pub columns: Columns<'a>,
    options: &'a ImportOptions,
    /// The current year; a film may be from the next one.
    this_year: i64,
    /// How the running times of each field are read.
    clocks: BTreeMap<&'static str, Clock>,
    format: Format,
    /// Cells without a value are written "NA".
    has_na: bool,
    /// Countries are written as codes, so that "NA" is Namibia.
    has_country_codes: bool,
    /// Fields whose columns have names in the form "Last, First".
    surnames_first: Vec<&'static str>,
    /// Years that were read from ambiguous text: the line and the field of the first of them, and their number.
    inexact_years: Option<(u64, String, usize)>,
    /// Packs the values of rows.
    pub packer: RowPacker,
    /// What was read apart from the rows.
    pub parsed: ParsedSheet,
}

impl<'a> RowReader<'a> {
    /// A reader of the rows of a list. A film may be from the year after `this_year`.
    pub fn new(
        headers: &'a ListHeaders,
        sheet: &Sheet,
        columns: Columns<'a>,
        options: &'a ImportOptions,
        this_year: i64,
    ) -> Self {
        let notes = sheet.notes.iter().map(ToString::to_string).collect();
        let parsed = ParsedSheet { columns: columns.described(), notes, ..ParsedSheet::default() };
        let cells = |column: usize| sheet.rows.iter().map(move |row| &row.cells[column]);
        let read_as = |wanted: fn(Reads) -> bool| {
            let fields = headers.fields.iter().filter(move |field| wanted(field.reads));
            fields.map(|field| (field.name, columns.of(field.name))).collect::<Vec<_>>()
        };
        let country_columns: Vec<usize> =
            read_as(|reads| reads == Reads::Countries).into_iter().flat_map(|(_, columns)| columns).collect();
        let is_country_code =
            |cell: &str| cell.trim().len() == 2 && cell.trim() != "NA" && COUNTRIES.knows(cell.trim());
        let has_country_codes = country_columns.iter().copied().flat_map(cells).any(is_country_code);
        let titles = read_as(|reads| reads == Reads::Title);
        let other_columns = (0..sheet.header.len()).filter(|column| {
            let is_country = has_country_codes && country_columns.contains(column);
            titles.iter().all(|(_, columns)| columns.first() != Some(column)) && !is_country
        });
        let has_na = other_columns.flat_map(cells).any(|cell| cell.trim() == "NA");
        let named = read_as(|reads| matches!(reads, Reads::Names | Reads::People));
        let is_turned = |columns: &[usize]| values::are_surnames_first(columns.iter().copied().flat_map(cells));
        let turned: Vec<(&'static str, Vec<usize>)> =
            named.into_iter().filter(|(_, columns)| is_turned(columns)).collect();
        let minutes = read_as(|reads| reads == Reads::Minutes);
        let mut reader = Self {
            headers,
            columns,
            options,
            this_year,
            clocks: BTreeMap::new(),
            format: sheet.format,
            has_na,
            has_country_codes,
            surnames_first: turned.iter().map(|(field, _)| *field).collect(),
            inexact_years: None,
            packer: RowPacker::default(),
            parsed,
        };
        for (field, columns) in turned {
            let mut filled = columns.into_iter().flat_map(cells).filter(|cell| !is_missing(cell.trim()));
            let example = filled.next().map_or("", |cell| cell.trim());
            let text = format!(
                "{}: surnames that stand first were put last; \"{}\" was read as \"{}\"",
                reader.columns.header_of(field),
                shortened(example),
                shortened(&values::surnames_last(example)),
            );
            reader.warn(None, &text);
        }
        for (field, columns) in minutes {
            let Some(column) = columns.first() else { continue };
            let header = &sheet.header[*column];
            let (clock, is_guess) = duration::clock(header, cells(*column));
            reader.clocks.insert(field, clock);
            if is_guess {
                reader.warn(None, &format!("{header}: running times such as 1:45 were read as hours and minutes"));
            }
        }
        reader
    }

    /// Adds a remark for people, about a line or the whole list.
    pub fn warn(&mut self, line: Option<u64>, text: &str) {
        self.parsed.notes.push(line.map_or(text.to_owned(), |line| format!("line {line}: {text}")));
    }

    /// Reports a wrong value: its row is left out, unless the value counts as missing.
    pub fn report(&mut self, line: u64, field: &str, value: &str, expected: impl Into<String>) {
        let may_be_missing = self.headers.field(field).is_some_and(|field| !field.required);
        if self.options.blank_invalid && may_be_missing {
            let error = self.error(line, field, value, expected);
            self.parsed.blanked.push(error);
        } else {
            self.refuse(line, field, value, expected);
        }
    }

    /// Reports a row that is left out, and the value that is the reason.
    pub fn refuse(&mut self, line: u64, field: &str, value: &str, expected: impl Into<String>) {
        let error = self.error(line, field, value, expected);
        self.parsed.errors.push(error);
    }

    fn error(&self, line: u64, field: &str, value: &str, expected: impl Into<String>) -> CellError {
        let header = self.columns.header_of(field).to_owned();
        CellError { line, header, value: shortened(value), expected: expected.into() }
    }

    /// The id that a row gives for a stored one; anything else in its column is reported.
    fn own_id(&mut self, row: &sheet::Row) -> Option<i64> {
        let text = row.cells[self.columns.first_of(ID)?].trim();
        match text.parse() {
            Ok(number) if number > 0 => Some(number),
            _ if text.is_empty() => None,
            _ => {
                self.refuse(row.line, ID, text, "the number of a row, or nothing for a new one");
                None
            }
        }
    }

    /// The values of a row by field, and those of [`ImportOptions::for_all`] where it has none. Wrong ones are reported.
    pub fn values(&mut self, row: &sheet::Row) -> BTreeMap<&'static str, String> {
        let mut values = BTreeMap::new();
        let headers = self.headers;
        for field in headers.fields.iter().filter(|field| field.name != ID) {
            let value = match field.reads {
                Reads::Written => self.written(row, field),
                Reads::Year | Reads::Minutes => {
                    self.cell(row, field).and_then(|text| self.number(row.line, field, &text))
                }
                _ => self.cell(row, field),
            };
            values.extend(value.map(|value| (field.name, value)));
        }
        for (name, text) in &self.options.for_all {
            let is_written = headers.field(name).is_none_or(|field| field.reads == Reads::Written);
            let text = if is_written { text.clone() } else { single_spaced(&cleaned(text)) };
            if values.get(name).is_none_or(|value| value.trim().is_empty()) && (is_written || !text.is_empty()) {
                values.insert(*name, text);
            }
        }
        values
    }

    /// The text of a field as it is written; `None` if the list has no column for it.
    fn written(&mut self, row: &sheet::Row, field: &ListField) -> Option<String> {
        let mut value: Option<String> = None;
        for column in self.columns.of(field.name) {
            let cell = self.unescaped(&row.cells[column]);
            if self.format == Format::Xlsx && cell.encode_utf16().count() >= MAX_CELL_UNITS {
                let expected = "a shorter text: a workbook cuts it here; take the list as CSV";
                self.refuse(row.line, field.name, cell, expected);
            }
            let is_error = !self.parsed.is_export && self.is_error(row.line, field, cell.trim());
            let cell = if is_error { "" } else { cell };
            match &mut value {
                Some(value) => join(value, cell, field.separator.unwrap_or(" ")),
                None => value = Some(cell.to_owned()),
            }
        }
        // "draft"
        let is_state = field.name == IS_PUBLISHED && !self.parsed.is_export;
        if is_state { value.map(|value| self.headers.flag(value)) } else { value }
    }

    /// The text of a field, cleaned and in the form that it is stored in; `None` if its cells are empty.
    fn cell(&mut self, row: &sheet::Row, field: &ListField) -> Option<String> {
        let columns = self.columns.of(field.name);
        let is_shared = columns.iter().any(|column| self.columns.is_shared(*column));
        let has_units = field.reads == Reads::Minutes && columns.len() > 1;
        let mut text_of = |column| {
            let text = self.text(row, field, column)?;
            Some(if has_units { self.columns.with_unit(text, column) } else { text })
        };
        let texts: Vec<String> = columns.into_iter().filter_map(&mut text_of).collect();
        let texts = if is_shared { texts.iter().map(|text| self.part_of(text, field)).collect() } else { texts };
        let text = texts.join(field.separator.unwrap_or(" "));
        let text = match field.reads {
            Reads::People => values::people(&text),
            Reads::Names => values::names(&text),
            Reads::Countries => countries(&text),
            Reads::Languages => languages(&text),
            Reads::Flag => self.headers.flag(text),
            Reads::Title | Reads::OriginalTitle | Reads::Paragraphs | Reads::Credits => text,
            _ => single_spaced(&text),
        };
        Some(text).filter(|text| !text.is_empty())
    }

    /// The part for one field of a cell that holds several, "India, 2024, 92 min".
    fn part_of(&self, text: &str, field: &ListField) -> String {
        let is_year = |part: &str| values::year(part, self.this_year).is_ok();
        let separators = [',', '/', ';', '|', '\n', '·'];
        let parts = text.split(separators).map(str::trim).flat_map(|part| match part.rsplit_once(' ') {
            Some((before, year)) if year.len() == 4 && is_year(year) => [before, year],
            _ => [part, ""],
        });
        let clock = self.clocks.values().next().copied().unwrap_or(Clock::Either);
        let kind_of = |part: &str| match part {
            _ if is_year(part) => Some(Reads::Year),
            _ if duration::minutes(part, clock).is_ok() => Some(Reads::Minutes),
            _ => None,
        };
        let wanted = Some(field.reads).filter(|reads| matches!(reads, Reads::Year | Reads::Minutes));
        values::joined(parts.filter(|part| kind_of(part) == wanted))
    }

    /// A cell without the apostrophe that guards against formulas in exported CSV files.
    fn unescaped<'c>(&self, cell: &'c str) -> &'c str {
        if self.format == Format::Delimited { unescape_formula(cell) } else { cell }
    }

    /// The cleaned text of a cell; `None` if it has no value.
    fn text(&mut self, row: &sheet::Row, field: &ListField, column: usize) -> Option<String> {
        let cell = self.unescaped(&row.cells[column]);
        if cell.contains(is_control) {
            let text = format!("{}: control characters were taken out", self.columns.header_of(field.name));
            self.warn(Some(row.line), &text);
        }
        let text = cleaned(cell);
        let is_bracketed = field.is_list() && text.starts_with(['{', '[']);
        let text = if is_bracketed { without_brackets(&text).into_owned() } else { text };
        let text = match self.without_label(field, &text) {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        let is_long = matches!(field.reads, Reads::Paragraphs | Reads::Credits | Reads::Line);
        let text = if is_long { text } else { without_references(&text) };
        let has_people = matches!(field.reads, Reads::People | Reads::Credits);
        let text = if has_people && text.contains('@') { self.without_addresses(row.line, field, &text) } else { text };
        let is_namibia = text == "NA" && field.reads == Reads::Countries && self.has_country_codes;
        if !is_namibia && field.is_missing(&text) || self.has_na && text == "NA" {
            return None;
        }
        if self.is_error(row.line, field, &text) {
            return None;
        }
        Some(if self.surnames_first.contains(&field.name) { values::surnames_last(&text) } else { text })
    }

    /// The rest of a cell that begins with a name of its column: "Director: Uma Rao". A title may do that, too.
    fn without_label<'t>(&self, field: &ListField, text: &'t str) -> Option<&'t str> {
        use Reads::{Countries, Languages, Minutes, Names, People, Year};
        let (label, rest) = text.split_once(':').filter(|(label, _)| label.contains(char::is_alphabetic))?;
        let has_label = matches!(field.reads, Names | People | Countries | Languages | Year | Minutes)
            && matches!(self.headers.meaning(label), Meaning::Field { field: name, .. } if name == field.name);
        has_label.then(|| rest.trim_start())
    }

    /// Names without e-mail addresses beside them, which the site would show.
    fn without_addresses(&mut self, line: u64, field: &ListField, text: &str) -> String {
        let separator = |word: &str| word.len() - word.trim_end_matches(['\n', ',', ';']).len();
        let kept = |word| if is_address(word) { &word[word.len() - separator(word)..] } else { word };
        let names: String = text.split_inclusive([' ', '\n', ',', ';']).map(kept).collect();
        if names != text {
            let note = format!("{}: e-mail addresses were left out", self.columns.header_of(field.name));
            self.warn(Some(line), &note);
        }
        names.trim_end_matches([' ', ',', ';']).to_owned()
    }

    /// Whether a cell shows an error instead of its value, which is reported.
    fn is_error(&mut self, line: u64, field: &ListField, text: &str) -> bool {
        let is_error = values::is_error(text);
        if is_error {
            self.report(line, field.name, text, "a value; the spreadsheet has an error here");
        }
        is_error
    }

    fn number(&mut self, line: u64, field: &ListField, text: &str) -> Option<String> {
        // The apostrophe that makes a number a text in a spreadsheet.
        let text = text.trim_start_matches('\'');
        let number = if field.reads == Reads::Year {
            values::year(text, self.this_year).map(|year| {
                if !year.is_exact {
                    let header = self.columns.header_of(field.name);
                    let first = || (line, format!("{header}: \"{}\" was read as {}", shortened(text), year.year), 0);
                    self.inexact_years.get_or_insert_with(first).2 += 1;
                }
                year.year
            })
        } else {
            duration::minutes(text, self.clocks.get(field.name).copied().unwrap_or(Clock::Either))
        };
        let number = number.map_err(|expected| self.report(line, field.name, text, expected)).ok()?;
        Some(number.to_string())
    }

    /// Reports once what concerns many rows, and returns what was read.
    pub fn finish(mut self) -> ParsedSheet {
        if let Some((line, example, count)) = self.inexact_years.take() {
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            self.warn(Some(line), &format!("{example}{more}"));
        }
        self.parsed
    }
}

/// Adds the value of another column. If one contains the other, such as a full name and its parts, only the longer one
/// stays.
fn join(value: &mut String, other: &str, separator: &str) {
    let (one, two) = (value.trim(), other.trim());
    if one.contains(two) {
        return;
    }
    *value = if two.contains(one) { two.to_owned() } else { format!("{one}{separator}{two}") };
}
