//! One row of a table to one film.

use festival_core::export::unescape_formula;
use festival_core::sheet::{Row, Sheet};
use festival_core::text::shortened;

use super::cells::{self, TITLE_LENGTH, clean, is_latin, is_missing, single_spaced};
use super::columns::Columns;
use super::duration::{self, Clock};
use super::{CellError, Field, FilmRow, FilmValues, Options, Report, Warning, country};

/// Reads rows one by one and writes down what is wrong with them.
pub(super) struct Reader<'a> {
    header: &'a [String],
    columns: Columns,
    options: &'a Options,
    clock: Clock,
    pub(super) report: Report,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sheet: &'a Sheet, columns: Columns, options: &'a Options) -> Self {
        let report = Report {
            encoding: sheet.encoding,
            delimiter: sheet.delimiter,
            worksheet: sheet.worksheet.clone(),
            header_line: (!options.no_header).then_some(sheet.header_line),
            understood: columns.understood.clone(),
            ignored: columns.ignored.clone(),
            ..Report::default()
        };
        let mut reader = Self { header: &sheet.header, columns, options, clock: Clock::Either, report };
        if let Some(column) = reader.columns.of(Field::DurationMinutes) {
            let header = &sheet.header[column];
            let (clock, by_rule) = duration::clock(header, sheet.rows.iter().map(|row| row.cells[column].as_str()));
            reader.clock = clock;
            if by_rule {
                reader.warn(None, &format!("{header}: running times such as 1:45 were read as hours and minutes"));
            }
        }
        reader
    }

    pub(super) fn warn(&mut self, line: Option<u64>, text: &str) {
        self.report.warnings.push(Warning { line, text: text.to_owned() });
    }

    /// The header a field has in the file, for a sentence.
    fn heading(&self, field: Field) -> String {
        self.columns.of(field).map_or(field.name(), |column| self.header[column].trim()).to_owned()
    }

    pub(super) fn wrong(&mut self, line: u64, field: Field, value: &str, expected: impl Into<String>) {
        let (header, value) = (self.heading(field), shortened(value));
        self.report.errors.push(CellError { line, header, value, expected: expected.into() });
    }

    /// One row; `None` where a value is wrong or the header is repeated.
    pub(super) fn read(&mut self, row: &Row) -> Option<FilmRow> {
        if !self.options.no_header && row.cells == self.header {
            self.warn(Some(row.line), "repeats the header and was left out");
            return None;
        }
        let errors = self.report.errors.len();
        let cell = |reader: &mut Self, field| reader.cell(row, field);
        let year = cell(self, Field::Year).and_then(|text| self.value(row.line, Field::Year, &text));
        let duration_minutes =
            cell(self, Field::DurationMinutes).and_then(|text| self.value(row.line, Field::DurationMinutes, &text));
        let (name, original_title) = self.titles(row);
        let values = FilmValues {
            name,
            original_title,
            director_name: cell(self, Field::DirectorName),
            category: self.category(row),
            country: cell(self, Field::Country),
            year,
            duration_minutes,
            language: cell(self, Field::Language),
            synopsis: cell(self, Field::Synopsis),
            cast_details: cell(self, Field::CastDetails),
            crew_details: cell(self, Field::CrewDetails),
            writer_name: cell(self, Field::WriterName),
            producer_name: cell(self, Field::ProducerName),
        };
        (self.report.errors.len() == errors).then_some(FilmRow { line: row.line, values })
    }

    /// The text of a field, cleaned and in the form the field has; `None` where the row says nothing.
    fn cell(&mut self, row: &Row, field: Field) -> Option<String> {
        let cell = &row.cells[self.columns.of(field)?];
        // Our own CSV files put an apostrophe before what a spreadsheet would take for a formula.
        let cell = if self.report.worksheet.is_none() { unescape_formula(cell) } else { cell };
        if cell.contains(|letter| cells::is_invisible(letter) && letter != '\u{feff}' && letter != '\u{200b}') {
            let heading = self.heading(field);
            self.warn(Some(row.line), &format!("{heading}: control characters were taken out"));
        }
        let text = clean(cell);
        if is_missing(field, &text) {
            return None;
        }
        if matches!(text.as_str(), "#REF!" | "#VALUE!" | "#NAME?" | "#DIV/0!" | "#NUM!" | "#NULL!") {
            self.wrong(row.line, field, &text, "a value; the spreadsheet has an error here");
            return None;
        }
        Some(match field {
            Field::DirectorName => cells::people(&text),
            Field::Language | Field::WriterName | Field::ProducerName => cells::names(&text),
            Field::Country => country::names(&text),
            Field::Category | Field::Year | Field::DurationMinutes => single_spaced(&text),
            Field::Name | Field::OriginalTitle | Field::Synopsis | Field::CastDetails | Field::CrewDetails => text,
        })
        .filter(|text| !text.is_empty())
    }

    fn value(&mut self, line: u64, field: Field, text: &str) -> Option<i64> {
        let value = match field {
            Field::Year => cells::year(text, self.options.this_year),
            _ => duration::minutes(text, self.clock),
        };
        value.map_err(|expected| self.wrong(line, field, text, expected)).ok()
    }

    fn category(&mut self, row: &Row) -> String {
        let category = self.cell(row, Field::Category).or_else(|| {
            let given = clean(self.options.category.as_deref()?);
            Some(single_spaced(&given)).filter(|name| !name.is_empty())
        });
        category.unwrap_or_else(|| {
            self.wrong(row.line, Field::Category, "", "the section of the film, or one for all that name none");
            String::new()
        })
    }

    /// The shown and the original title. The shown one is in Latin letters if either is.
    fn titles(&mut self, row: &Row) -> (String, Option<String>) {
        let name = self.cell(row, Field::Name);
        let original = self.cell(row, Field::OriginalTitle).filter(|text| {
            let fits = !is_text(text);
            if !fits {
                let heading = self.heading(Field::OriginalTitle);
                self.warn(
                    Some(row.line),
                    &format!("{heading}: {} is a text, not a title, and was left out", shortened(text)),
                );
            }
            fits
        });
        let (name, original) = match (name, original) {
            (Some(name), Some(original)) if !self.columns.name_is_given && !is_latin(&name) && is_latin(&original) => {
                (original, Some(name))
            }
            (Some(name), original) => (name, original),
            (None, Some(original)) => (original, None),
            (None, None) => {
                self.wrong(row.line, Field::Name, "", "the title of the film");
                return (String::new(), None);
            }
        };
        if is_text(&name) {
            self.wrong(row.line, Field::Name, &name, format!("a title of at most {TITLE_LENGTH} characters"));
        }
        let (name, original) = (single_spaced(&name), original.map(|text| single_spaced(&text)));
        let original = original.filter(|original| *original != name);
        (name, original)
    }
}

/// Is this longer than a title?
fn is_text(text: &str) -> bool {
    text.chars().count() > TITLE_LENGTH
}
