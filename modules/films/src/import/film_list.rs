//! Reads a table as a list of films.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};

use festival_core::entity::{Field, Reads};
use festival_core::importing::likeness::{fold, fold_people, fold_title};
use festival_core::importing::values::is_latin;
use festival_core::importing::{
    self, Columns, ID, ImportOptions, ListHeaders, ParsedSheet, Refusal, Row, RowReader, RowValues,
};
use festival_core::sheet::{self, Format, Sheet};
use festival_core::text::{shortened, single_spaced};

use super::fields::{CATEGORY, COUNTRY, DIRECTOR, DURATION, IMDB_ID, NAME, ORIGINAL_TITLE, REFERENCE, SYNOPSIS, YEAR};
use crate::film::FILM;

/// The longest title, in characters; a longer one is a synopsis in the wrong column.
const TITLE_LENGTH: usize = 300;
/// Lists of values, which may differ in rows of one film.
const IN_SEVERAL_COLUMNS: [Reads; 5] =
    [Reads::Names, Reads::People, Reads::Credits, Reads::Countries, Reads::Languages];

/// Reads a table as films, without duplicates. Empty cells count as missing; rows with a wrong value are left out and
/// reported. A film may be from the year after `this_year`.
///
/// # Errors
/// If the table is not a list of films, or lacks something that all rows need.
pub(super) fn read_films(sheet: Sheet, options: &ImportOptions, this_year: i64) -> Result<ParsedSheet, Refusal> {
    let mut sheet = if options.no_header { sheet.without_header() } else { sheet };
    let headers = ListHeaders::of(&FILM);
    let mut columns = Columns::decide(&headers, &sheet, options)?;
    check_columns(&headers, &mut columns, &sheet, options)?;
    // Somebody chose another column for the title than the headers suggest: the titles are not swapped.
    let title_is_chosen = options.mappings.iter().any(|mapping| mapping.field == NAME)
        || columns.is_chosen(NAME) && columns.first_of(NAME) != columns.best_by_header(NAME);
    let mut reader = RowReader::new(&headers, &sheet, columns, options, this_year);
    let columns = &mut reader.parsed.columns;
    let id_column = columns.iter().position(|column| column.field.is_none() && is_id(&column.header));
    if let Some(index) = id_column {
        (columns[index].field, columns[index].why) = (Some(ID), String::new());
    }
    // The id of a film here; none with another kind of id: other programs have ids, too.
    let id = |row: &sheet::Row| -> Option<i64> { row.cells[id_column?].trim().parse().ok().filter(|id| *id > 0) };
    let has_id = |row: &sheet::Row| {
        let id = sheet.header.iter().position(|header| is_id(header));
        id.is_some_and(|id| !row.cells[id].trim().is_empty())
    };
    let unread = importing::leave_out_unread(&mut sheet.rows, &reader.parsed.columns, has_id);
    reader.parsed.notes.extend(unread);
    leave_out_footnotes(&mut reader, &mut sheet.rows);
    leave_out_numbers(&mut reader, &mut sheet.rows);
    if sheet.rows.is_empty() {
        reader.warn(None, "there are no films in it, only a header");
    }
    let is_workbook = matches!(sheet.format, Format::Xlsx | Format::Ods);
    let mut films = Films { reader, title_is_chosen, is_workbook, exchanged_titles: None, without_id: None };
    let mut rows = Vec::with_capacity(sheet.rows.len());
    // Each row of the table is dropped when it has been read, so that a long list is not in memory twice.
    for row in sheet.rows {
        rows.extend(films.read(&row, id(&row)));
    }
    let mut reader = films.finish();
    let rows = without_duplicates(&mut reader, rows);
    Ok(ParsedSheet { rows, ..reader.finish() })
}

/// Leaves out footnotes, "* Indian premiere", and the marks that refer to them.
fn leave_out_footnotes(reader: &mut RowReader<'_>, rows: &mut Vec<sheet::Row>) {
    const MARKS: [char; 3] = ['*', '†', '‡'];
    let is_footnote = |row: &sheet::Row| row.single_cell().is_some_and(|text| text.trim().starts_with(MARKS));
    for row in rows.iter().filter(|row| is_footnote(row)) {
        let text = format!(
            "\"{}\" is a footnote; it was left out, as were its marks",
            shortened(row.single_cell().unwrap_or_default())
        );
        reader.warn(Some(row.line), &text);
    }
    if rows.iter().any(is_footnote) {
        rows.retain(|row| !is_footnote(row));
        rows.iter_mut().for_each(|row| row.cells = row.cells.iter().map(|cell| cell.trim_end_matches(MARKS)).collect());
    }
}

/// Leaves out the numbers before titles, "1. River", "2. Hill", if every line has the next one or begins again.
fn leave_out_numbers(reader: &mut RowReader<'_>, rows: &mut [sheet::Row]) {
    let Some(column) = reader.columns.first_of(NAME).filter(|_| rows.len() > 2) else { return };
    let parts = |row: &sheet::Row| -> Option<(u64, String)> {
        let (number, title) = row.cells[column].trim().split_once(['.', ')'])?;
        Some((number.parse().ok()?, title.strip_prefix(' ')?.to_owned()))
    };
    let numbered: Option<Vec<(u64, String)>> = rows.iter().map(parts).collect();
    let numbered = numbered.filter(|list| list.first().is_some_and(|first| first.0 == 1));
    let follows = |pair: &[(u64, String)]| pair[1].0 == 1 || pair[1].0 == pair[0].0 + 1;
    let Some(numbered) = numbered.filter(|list| list.windows(2).all(follows)) else { return };
    reader.warn(None, "the numbers before the titles were left out");
    for (row, (_, title)) in rows.iter_mut().zip(&numbered) {
        row.cells =
            row.cells.iter().enumerate().map(|(at, cell)| if at == column { title.as_str() } else { cell }).collect();
    }
}

/// Whether a header is that of the ids in exports.
fn is_id(header: &str) -> bool {
    header.trim().eq_ignore_ascii_case(ID)
}

/// Refuses what is no list of films, and finds the column of the original title if its header does not say so.
fn check_columns(
    headers: &ListHeaders,
    columns: &mut Columns<'_>,
    sheet: &Sheet,
    options: &ImportOptions,
) -> Result<(), Refusal> {
    let header = &*sheet.header;
    // The first row is a film: it has a number and no known header.
    let is_number = |cell: &String| cell.trim().replace(',', ".").parse::<f64>().is_ok();
    if !options.no_header && !columns.knows_any() && header.iter().any(is_number) {
        return Err(columns.refusal(format!(
            "the first row ({}) looks like a film, not like a header; say that it is one, and what each column is",
            first_cells(header)
        )));
    }
    let is_english = |column: usize| headers.is_english_title(&header[column]);
    let is_given = columns.is_chosen(NAME);
    // `Title` next to `English Title` is the original one, unless there is a column for it.
    if !is_given
        && options.columns.is_none()
        && options.mappings.iter().all(|mapping| mapping.field != ORIGINAL_TITLE)
        && columns.first_of(ORIGINAL_TITLE).is_none()
        && columns.first_of(NAME).is_some_and(is_english)
    {
        columns.take_another(ORIGINAL_TITLE, NAME);
    }
    if options.no_header && !is_given {
        return Err(columns.refusal(format!(
            "say which column of this list without a header is the title, and what the others are; there are {}",
            header.len()
        )));
    }
    // A title alone may name anything. A bare "Name" may also be a person's or a festival's, and these have countries and
    // years, too.
    let has = |wanted: &[&str]| wanted.iter().any(|field| columns.first_of(field).is_some());
    let is_bare = columns.first_of(NAME).is_some_and(|column| headers.is_bare_name(&header[column]));
    let is_certain = has(&[DIRECTOR, DURATION, SYNOPSIS]);
    let is_film_list = match (has(&[NAME]), is_bare) {
        (true, false) => is_certain || has(&[ORIGINAL_TITLE, YEAR, COUNTRY]),
        (true, true) => is_certain || has(&[ORIGINAL_TITLE]),
        (false, _) => has(&[ORIGINAL_TITLE]) && (is_certain || has(&[YEAR, COUNTRY])),
    };
    if !is_given && !is_film_list {
        let needed =
            "needed are a title and at least one of director, year, duration, country, synopsis or original title";
        return Err(Refusal::of_other_table("films", needed, columns.described()));
    }
    if !has(&[CATEGORY]) && options.for_all.get(CATEGORY).is_none_or(|name| name.trim().is_empty()) {
        let reason = "no column says which section the films belong to; say which one does, or give the section of all \
                      films that name none";
        return Err(columns.refusal(reason.to_owned()));
    }
    Ok(())
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

/// Reads rows as films.
struct Films<'a> {
    reader: RowReader<'a>,
    title_is_chosen: bool,
    is_workbook: bool,
    /// The first line whose titles were swapped, its title, and the number of such lines.
    exchanged_titles: Option<(u64, String, usize)>,
    /// The first line whose IMDb id is none, what it has instead, and the number of such lines.
    without_id: Option<(u64, String, usize)>,
}

impl<'a> Films<'a> {
    /// Reads a row, which may have the id of a stored film; `None` if a value is wrong.
    fn read(&mut self, row: &sheet::Row, id: Option<i64>) -> Option<Row> {
        let errors = self.reader.parsed.errors.len();
        let mut values = self.reader.values(row);
        self.titles(row.line, &mut values);
        // A workbook makes dates of the title "9/11" and of the reference "1/2026".
        for field in [NAME, ORIGINAL_TITLE, REFERENCE] {
            let is_day = |text: &&String| text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
            if let Some(text) = values.get(field).filter(is_day).filter(|_| self.is_workbook) {
                self.reader.report(row.line, field, text, "a text; the cell holds a date");
            }
        }
        if let Some(text) = values.remove(IMDB_ID) {
            match imdb_id_in(&text) {
                Some(id) => _ = values.insert(IMDB_ID, id),
                None => self.without_id.get_or_insert_with(|| (row.line, shortened(&text), 0)).2 += 1,
            }
        }
        // A film with a known id has a section.
        if id.is_none() && !values.contains_key(CATEGORY) {
            self.reader.report(row.line, CATEGORY, "", "the section of the film, or one for all that name none");
        }
        let is_right = self.reader.parsed.errors.len() == errors;
        is_right.then(|| Row { line: row.line, id, values: self.reader.packer.pack(&values) })
    }

    /// Sets the displayed and the original title. The displayed one is in Latin letters if either is.
    fn titles(&mut self, line: u64, values: &mut BTreeMap<&'static str, String>) {
        let [name, original] = [NAME, ORIGINAL_TITLE].map(|field| values.remove(field).map(article_first));
        let original = original.filter(|text| {
            if is_too_long(text) {
                let header = self.reader.columns.header_of(ORIGINAL_TITLE);
                let warning = format!("{header}: {} is a text, not a title, and was left out", shortened(text));
                self.reader.warn(Some(line), &warning);
            }
            !is_too_long(text)
        });
        let (name, original) = match (name, original) {
            (Some(name), Some(original)) if !self.title_is_chosen && !is_latin(&name) && is_latin(&original) => {
                self.exchanged_titles.get_or_insert_with(|| (line, shortened(&original), 0)).2 += 1;
                (original, Some(name))
            }
            (Some(name), original) => (name, original),
            (None, Some(original)) => (original, None),
            (None, None) => return self.reader.report(line, NAME, "", "the title of the film"),
        };
        if is_too_long(&name) {
            let expected = format!("a title of at most {TITLE_LENGTH} characters");
            self.reader.report(line, NAME, &name, expected);
        }
        let name = single_spaced(&name);
        let original = original.map(|text| single_spaced(&text)).filter(|original| *original != name);
        values.insert(NAME, name);
        values.extend(original.map(|original| (ORIGINAL_TITLE, original)));
    }

    /// Reports once what concerns many rows.
    fn finish(mut self) -> RowReader<'a> {
        if let Some((line, example, count)) = self.exchanged_titles {
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            let text = format!(
                "\"{example}\", in Latin letters, is the title here and \"{}\" the original title{more}; choose the columns \
                 of both to leave them as they are",
                self.reader.columns.header_of(NAME)
            );
            self.reader.warn(Some(line), &text);
        }
        if let Some((line, example, count)) = self.without_id {
            let more = if count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            let header = self.reader.columns.header_of(IMDB_ID);
            let text = format!("{header}: \"{example}\" is no id such as tt0048473 and was left out{more}");
            self.reader.warn(Some(line), &text);
        }
        self.reader
    }
}

/// Whether a text is too long for a title.
fn is_too_long(text: &str) -> bool {
    text.chars().count() > TITLE_LENGTH
}

/// Turns "Rain Road, The" into "The Rain Road", as titles are displayed.
pub(super) fn article_first(title: String) -> String {
    const ARTICLES: [&str; 14] =
        ["The", "An", "A", "Le", "La", "Les", "L'", "Der", "Das", "El", "Los", "Las", "Il", "Gli"];
    match title.rsplit_once(", ") {
        Some((rest, article)) if ARTICLES.contains(&article) && !rest.contains(", ") => {
            let space = if article.ends_with('\'') { "" } else { " " };
            format!("{article}{space}{rest}")
        }
        _ => title,
    }
}

/// The id in an address of the Internet Movie Database, `tt0048473`.
fn imdb_id_in(text: &str) -> Option<String> {
    let id = text.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|part| {
        let digits = part.strip_prefix("tt").unwrap_or_default();
        digits.len() >= 7 && digits.bytes().all(|digit| digit.is_ascii_digit())
    });
    id.map(str::to_owned)
}

/// The identity of a film within an edition: category, title in any spelling, and directors. A film in two categories is
/// listed twice.
fn match_key(film: &RowValues) -> String {
    let text = |field: &str| &film[field];
    // Folding removes control characters, so one can separate the parts.
    [&*fold(text(CATEGORY)), &fold_title(text(NAME)), &fold_people(text(DIRECTOR))].join("\u{1f}")
}

/// Whether the years of two rows do not tell films apart: remakes share a title.
fn may_share_year(one: &Row, other: &Row) -> bool {
    let years = [one, other].map(|row| &row.values[YEAR]);
    years[0] == years[1] || years.contains(&"")
}

/// Whether a row may be the film of the row before, by another director: lists that were joined from tables have a row for
/// each. Its title and all other single values are the same, including a year or a running time.
fn may_continue(last: &Row, row: &Row) -> bool {
    let same = |field: &Field| last.values.get(field.name) == row.values.get(field.name);
    let has = |field| last.values.contains_key(field) && row.values.contains_key(field);
    let is_directed_otherwise = has(DIRECTOR) && last.values[DIRECTOR] != row.values[DIRECTOR];
    is_directed_otherwise
        && (has(YEAR) || has(DURATION))
        && FILM.columns().all(|field| IN_SEVERAL_COLUMNS.contains(&field.reads) || same(field))
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
        let same_key = same_hash.map(|other| &rows[*other]).filter(|other| may_share_year(other, row));
        let same_key: Vec<&Row> = same_key.filter(|other| key(other) == own).collect();
        let equal = same_key.iter().find(|other| other.values == row.values);
        // Rows with ids of their own are the same only if all of their values are: other programs have ids, too.
        if let Some(other) = equal.or_else(|| same_key.iter().find(|other| other.id == row.id)) {
            let (line, other) = (other.line, &other.values);
            let difference = FILM.columns().find(|field| other.get(field.name) != row.values.get(field.name));
            match difference.map(|field| field.name) {
                None => {
                    reader.warn(Some(row.line), &format!("repeats line {line} and was left out"));
                    continue;
                }
                // Without directors, a title in another spelling may be another film, and so may one without a year.
                Some(NAME | YEAR) if !other.contains_key(DIRECTOR) => {
                    reader.warn(Some(row.line), &format!("may be the same film as in line {line}"));
                }
                Some(field) => {
                    let expected = format!("the same as in line {line}: it is the same film in the same section");
                    reader.refuse(row.line, field, &row.values[field], expected);
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
