//! Reads the lists that the back office exports: a header of labels, and a column with the ids of the rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::entity::{Entity, Field, Kind};
use crate::importing::likeness::header_words;
use crate::importing::{
    CellError, Column, ColumnField, HeaderNames, ID, ImportOptions, ParsedSheet, Refusal, Row, RowPacker,
    column_fields, leave_out_unread,
};
use festival_base::text::shortened;
use festival_files::export::unescape_formula;
use festival_files::sheet::{Format, Sheet};

/// Length of the text in a cell of a workbook at most, in UTF-16 units. Exports cut longer texts.
const MAX_CELL_UNITS: usize = 32_767;

/// The letters and digits of a header, in which different spellings are equal.
fn letters(header: &str) -> impl Iterator<Item = char> {
    header.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Finds the field that a header means.
pub(super) fn field_of(entity: &Entity, header: &str) -> Option<&'static str> {
    let means = |name: &str| letters(header).eq(letters(name));
    let named = |field: &&'static Field| means(field.label) || means(field.name);
    if means(ID) { Some(ID) } else { entity.columns().find(named).map(|field| field.name) }
}

/// The names of columns in people's lists, each as its distinctive words, with the headings that list it. Every row of
/// a list is looked up here, to find its header and those that repeat it.
static HEADINGS: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let names = HeaderNames::parse(include_str!("headers.txt"));
    let mut headings = HashMap::<_, Vec<_>>::new();
    for heading in names.sections().collect::<BTreeSet<_>>() {
        names.of(heading).for_each(|name| headings.entry(telling_words(name).collect()).or_default().push(heading));
    }
    headings
});

/// Whether the words of a header are a name below a heading: the label of a field, or a part of names of people.
fn is_below(heading: &str, rest: &str) -> bool {
    HEADINGS.get(rest).is_some_and(|headings| headings.contains(&heading))
}

/// The words of a header that distinguish it from others.
fn telling_words(header: &str) -> impl Iterator<Item = String> {
    header_words(header).into_iter().filter(|word| !matches!(word.as_str(), "s" | "of" | "the"))
}

/// The headings in [`HEADINGS`] of the parts that names of people have in some lists.
const FIRST_NAME: &str = "First name";
const LAST_NAME: &str = "Last name";

/// The words of a header other than those for a row of the entity.
fn rest(entity: &Entity, header: &str) -> String {
    let nouns: Vec<String> = telling_words(entity.singular).chain(telling_words(entity.plural)).collect();
    telling_words(header).filter(|word| !nouns.contains(word)).collect()
}

/// Finds the field that a header means if it is not worded as in exports: by [`HEADINGS`], ignoring the words for a
/// row.
pub(super) fn guess(entity: &Entity, header: &str) -> Option<&'static str> {
    let rest = rest(entity, header);
    if rest.is_empty() {
        return telling_words(header).next().map(|_| entity.title().name);
    }
    let is_meant =
        |field: &&'static Field| is_below(field.label, &rest) || telling_words(field.label).collect::<String>() == rest;
    entity.columns().find(is_meant).map(|field| field.name)
}

/// Whether a header is that of an exported list: every column is known, and one has the ids, or all but the ids are
/// there.
pub(super) fn is_export(entity: &Entity, header: &[String]) -> bool {
    let fields: Option<BTreeSet<&str>> = header.iter().map(|header| field_of(entity, header)).collect();
    fields.is_some_and(|fields| fields.contains(ID) || entity.columns().all(|field| fields.contains(field.name)))
}

/// The fields that a column can fill: name and label.
pub(super) fn fields(entity: &'static Entity) -> Vec<(&'static str, &'static str)> {
    let fields = entity.columns().map(|field| (field.name, field.label));
    std::iter::once((ID, "Id")).chain(fields).collect()
}

/// Parses a table.
///
/// # Errors
/// If the whole table is refused.
pub(super) fn read(entity: &'static Entity, sheet: Sheet, options: &ImportOptions) -> Result<ParsedSheet, Refusal> {
    let mut sheet = if options.no_header { sheet.without_header() } else { sheet };
    let (columns, pairs) = columns(entity, &sheet, options)?;
    let unread = leave_out_unread(&mut sheet.rows, &columns, |_| false);
    let notes = sheet.notes.iter().map(ToString::to_string).chain(unread);
    let is_export = is_export(entity, &sheet.header);
    let mut parsed = ParsedSheet { columns, is_export, notes: notes.collect(), ..ParsedSheet::default() };
    if sheet.rows.is_empty() {
        parsed.notes.push("there are no rows in it, only a header".to_owned());
    }
    let mut packer = RowPacker::default();
    // Each row of the table is dropped once it is read: a long list is not in memory twice.
    for row in std::mem::take(&mut sheet.rows) {
        read_row((&mut parsed, &mut packer), (entity, &pairs), &sheet, &row, options);
    }
    Ok(parsed)
}

/// Finds the fields of the columns, by choice or by their headers.
fn columns(
    entity: &'static Entity,
    sheet: &Sheet,
    options: &ImportOptions,
) -> Result<(Vec<Column>, Vec<ColumnField>), Refusal> {
    let header = &sheet.header;
    let mut guessed: Vec<&'static str> = header.iter().filter_map(|header| field_of(entity, header)).collect();
    let mut guess_free = |header: &str| {
        let field = guess(entity, header).filter(|field| !guessed.contains(field));
        guessed.extend(field);
        field
    };
    let known: Vec<&'static str> = fields(entity).into_iter().map(|(name, _)| name).collect();
    let mut pairs = column_fields(&known, header, options, |index| {
        field_of(entity, &header[index]).or_else(|| guess_free(&header[index]))
    })?;
    let is_chosen =
        |field: &str| options.columns.is_some() || options.mappings.iter().any(|mapping| mapping.field == field);
    for (index, (column, field)) in pairs.iter().enumerate() {
        let first = pairs[..index].iter().find(|(_, other)| other == field);
        if let Some((first, _)) = first.filter(|_| !(is_chosen(field) && separator(entity, field).is_some())) {
            let reason = format!(
                "the columns \"{}\" and \"{}\" are both taken for {}; say what each column is",
                header[*first].trim(),
                header[*column].trim(),
                label(entity, field)
            );
            return Err(Refusal { reason, columns: described(entity, header, &pairs) });
        }
    }
    let title = entity.title().name;
    if options.mappings.iter().all(|mapping| mapping.field != title) {
        join_parts_of_names(entity, header, options.columns.is_none(), &mut pairs);
    }
    let columns = described(entity, header, &pairs);
    let fills =
        |name: &str| columns.iter().any(|column| column.field == Some(name)) || options.for_all.contains_key(name);
    // Without ids every line is a new row, and its required fields need a column.
    let missing: Vec<&str> = entity
        .columns()
        .filter(|field| field.required && field.default.is_empty() && !fills(field.name) && !fills(ID))
        .map(|field| field.label)
        .collect();
    if missing.is_empty() && columns.iter().any(|column| column.field.is_some_and(|field| field != ID)) {
        return Ok((columns, pairs));
    }
    let needed = if missing.is_empty() { entity.title().label.to_owned() } else { missing.join(", ") };
    let needed = format!("needed are {needed}, or the column Id of a list that was taken from here");
    Err(Refusal::of_other_table(entity.plural, &needed, columns))
}

/// The columns in the order of the file, with the fields that they fill.
fn described(entity: &Entity, header: &[String], pairs: &[ColumnField]) -> Vec<Column> {
    let column = |(index, header): (usize, &String)| {
        let field = pairs.iter().find(|(column, _)| *column == index).map(|(_, field)| *field);
        let why = if field.is_some() { String::new() } else { format!("no field of a {}", entity.singular) };
        Column { header: header.trim().to_owned(), field, why }
    };
    header.iter().enumerate().map(column).collect()
}

/// Brings the columns of the title into the order in which a name is read, with those of first and last names if
/// `adds`.
fn join_parts_of_names(entity: &'static Entity, header: &[String], adds: bool, pairs: &mut Vec<ColumnField>) {
    let title = entity.title().name;
    let is_part = |column: usize, heading: &str| is_below(heading, &rest(entity, &header[column]));
    if adds {
        let is_free = |column: &usize| pairs.iter().all(|(other, _)| other != column);
        let parts = (0..header.len()).filter(is_free);
        let parts = parts.filter(|column| is_part(*column, FIRST_NAME) || is_part(*column, LAST_NAME));
        let parts: Vec<ColumnField> = parts.map(|column| (column, title)).collect();
        pairs.extend(parts);
    }
    pairs.sort_by_key(|(column, field)| match *field == title {
        true if is_part(*column, FIRST_NAME) => 0,
        true if is_part(*column, LAST_NAME) => 2,
        _ => 1,
    });
}

/// The separator between the values of several columns for a field; `None` if a field has only one column.
fn separator(entity: &'static Entity, field: &str) -> Option<&'static str> {
    match entity.field(field)?.kind {
        Kind::Text { .. } => Some(" "),
        Kind::Lines { .. } => Some("\n"),
        _ => None,
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

fn label(entity: &'static Entity, name: &str) -> &'static str {
    entity.field(name).map_or("Id", |field| field.label)
}

/// Reads a row, or adds its errors to the others.
fn read_row(
    (parsed, packer): (&mut ParsedSheet, &mut RowPacker),
    (entity, pairs): (&'static Entity, &[ColumnField]),
    sheet: &Sheet,
    from: &festival_files::sheet::Row,
    options: &ImportOptions,
) {
    let (mut id, mut values) = (None, BTreeMap::<&'static str, String>::new());
    let mut errors = Vec::new();
    let mut wrong = |column: &Column, value: &str, expected: String| {
        errors.push(CellError { line: from.line, header: column.header.clone(), value: shortened(value), expected });
    };
    for (index, field) in pairs.iter().copied() {
        let (column, cell) = (&parsed.columns[index], &from.cells[index]);
        // Exported CSV files have an apostrophe before what a spreadsheet would take for a formula.
        let cell = if sheet.format == Format::Delimited { unescape_formula(cell) } else { cell };
        if field == ID {
            let text = cell.trim();
            match text.parse() {
                Ok(number) if number > 0 => id = Some(number),
                _ if text.is_empty() => {}
                _ => wrong(column, text, "the number of a row, or nothing for a new one".to_owned()),
            }
            continue;
        }
        if sheet.format == Format::Xlsx && cell.encode_utf16().count() >= MAX_CELL_UNITS {
            wrong(column, cell, "a shorter text: a workbook cuts it here; take the list as CSV".to_owned());
        }
        match values.get_mut(field) {
            Some(value) => join(value, cell, separator(entity, field).unwrap_or(" ")),
            None => _ = values.insert(field, cell.to_owned()),
        }
    }
    for (name, value) in &options.for_all {
        let cell = values.entry(name).or_default();
        if cell.trim().is_empty() {
            cell.clone_from(value);
        }
    }
    if errors.is_empty() {
        parsed.rows.push(Row { line: from.line, id, values: packer.pack(&values) });
    } else {
        parsed.errors.extend(errors);
    }
}
