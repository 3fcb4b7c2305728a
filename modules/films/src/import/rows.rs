//! Reads a row of a table as a film.

use festival_core::entity::Values;
use festival_core::export::unescape_formula;
use festival_core::importing::{CellError, ID, Row};
use festival_core::sheet::{self, Sheet};
use festival_core::text::shortened;

use super::cells::{self, TITLE_LENGTH, clean, is_latin, is_missing, single_spaced};
use super::columns::Columns;
use super::duration::{self, Clock};
use super::fields::{self, FIELDS, ListField};
use super::film_list::ReadOptions;
use super::{Ignored, Report, Understood, Warning};

/// Reads rows one by one and reports what is wrong with them.
pub(super) struct RowReader<'a> {
    header: &'a [String],
    columns: Columns,
    options: &'a ReadOptions,
    clock: Clock,
    /// The column with the ids of films here.
    id_column: Option<usize>,
    pub(super) report: Report,
}

/// Whether a header is that of the ids that exports have.
fn is_id(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(ID)
}

impl<'a> RowReader<'a> {
    pub(super) fn new(sheet: &'a Sheet, columns: Columns, options: &'a ReadOptions) -> Self {
        let report = Report {
            encoding: sheet.encoding,
            delimiter: sheet.delimiter,
            worksheet: sheet.worksheet.clone(),
            header_line: (!options.no_header).then_some(sheet.header_line),
            understood: columns.understood.clone(),
            ignored: columns.ignored.clone(),
            ..Report::default()
        };
        let id_column = report.ignored.iter().position(|column| is_id(&column.header));
        let mut reader =
            Self { header: &sheet.header, columns, options, clock: Clock::Either, id_column: None, report };
        if let Some(index) = id_column {
            let Ignored { column, header, .. } = reader.report.ignored.remove(index);
            reader.report.understood.push(Understood { field: ID, column, header });
            reader.id_column = Some(column - 1);
        }
        if let Some(column) = reader.columns.of(fields::DURATION) {
            let header = &sheet.header[column];
            let (clock, is_guess) = duration::clock(header, sheet.rows.iter().map(|row| row.cells[column].as_str()));
            reader.clock = clock;
            if is_guess {
                reader.warn(None, &format!("{header}: running times such as 1:45 were read as hours and minutes"));
            }
        }
        reader
    }

    pub(super) fn warn(&mut self, line: Option<u64>, text: &str) {
        self.report.warnings.push(Warning { line, text: text.to_owned() });
    }

    /// The header of a field's column, or its name if it has none.
    fn header_of(&self, field: &'static str) -> &str {
        self.columns.of(field).map_or(field, |column| self.header[column].trim())
    }

    pub(super) fn report_error(&mut self, line: u64, field: &'static str, value: &str, expected: impl Into<String>) {
        let header = self.header_of(field).to_owned();
        self.report.errors.push(CellError { line, header, value: shortened(value), expected: expected.into() });
    }

    /// Reads a row; `None` if a value is wrong or the row repeats the header.
    pub(super) fn read(&mut self, row: &sheet::Row) -> Option<Row> {
        if !self.options.no_header && row.cells == self.header {
            self.warn(Some(row.line), "repeats the header and was left out");
            return None;
        }
        let errors = self.report.errors.len();
        let mut values = Values::new();
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
            values.extend(value.map(|value| (field.name.to_owned(), value)));
        }
        let id = self.id(row);
        (self.report.errors.len() == errors).then_some(Row { line: row.line, id, values })
    }

    /// The id of a film here; `None` if there is none, or something else: other programs have ids, too.
    fn id(&self, row: &sheet::Row) -> Option<i64> {
        row.cells[self.id_column?].trim().parse().ok().filter(|id| *id > 0)
    }

    /// The text of a field, cleaned and normalized; `None` for an empty cell.
    fn cell(&mut self, row: &sheet::Row, field: &ListField) -> Option<String> {
        let cell = &row.cells[self.columns.of(field.name)?];
        // Exported CSV files have an apostrophe before what a spreadsheet would take for a formula.
        let cell = if self.report.worksheet.is_none() { unescape_formula(cell) } else { cell };
        if cell.contains(|letter| cells::is_invisible(letter) && letter != '\u{feff}' && letter != '\u{200b}') {
            let text = format!("{}: control characters were taken out", self.header_of(field.name));
            self.warn(Some(row.line), &text);
        }
        let text = clean(cell);
        if is_missing(field.name, &text) {
            return None;
        }
        if matches!(text.as_str(), "#REF!" | "#VALUE!" | "#NAME?" | "#DIV/0!" | "#NUM!" | "#NULL!") {
            self.report_error(row.line, field.name, &text, "a value; the spreadsheet has an error here");
            return None;
        }
        Some((field.normalize)(&text)).filter(|text| !text.is_empty())
    }

    fn number(&mut self, line: u64, field: &'static str, text: &str) -> Option<String> {
        let number = match field {
            fields::YEAR => cells::year(text, self.options.this_year),
            _ => duration::minutes(text, self.clock),
        };
        let number = number.map_err(|expected| self.report_error(line, field, text, expected)).ok()?;
        Some(number.to_string())
    }

    fn category(&mut self, row: &sheet::Row) -> Option<String> {
        let category = fields::field(fields::CATEGORY).and_then(|field| self.cell(row, field)).or_else(|| {
            let default = self.options.category.as_deref().filter(|_| self.id(row).is_none())?;
            let default = clean(default);
            Some(single_spaced(&default)).filter(|name| !name.is_empty())
        });
        // A film that an id names has a section.
        if category.is_none() && self.id(row).is_none() {
            let expected = "the section of the film, or one for all that name none";
            self.report_error(row.line, fields::CATEGORY, "", expected);
        }
        category
    }

    /// The shown and the original title. The shown one is in Latin letters if either is.
    fn titles(&mut self, row: &sheet::Row) -> (Option<String>, Option<String>) {
        let mut cell = |field| fields::field(field).and_then(|field| self.cell(row, field));
        let (name, original) = (cell(fields::NAME), cell(fields::ORIGINAL_TITLE));
        let original = original.filter(|text| {
            if is_too_long(text) {
                let header = self.header_of(fields::ORIGINAL_TITLE);
                let warning = format!("{header}: {} is a text, not a title, and was left out", shortened(text));
                self.warn(Some(row.line), &warning);
            }
            !is_too_long(text)
        });
        let (name, original) = match (name, original) {
            (Some(name), Some(original)) if !self.columns.name_is_given && !is_latin(&name) && is_latin(&original) => {
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
