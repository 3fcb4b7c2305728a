//! Reading of lists in JSON: an array of objects, alone or inside other objects, or one object a line.
//!
//! A nested value becomes a column with a dotted name, `title.en`. A list becomes one cell, its items separated by
//! commas; of a list of objects, each key becomes a column, unless they are parts of one value.

use std::collections::{BTreeMap, HashMap};

use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use super::collector::Collector;
use super::table::CELL_MEMORY;
use super::{Format, Limits, Sheet, SheetError, encoding};
use crate::budget::Budget;

/// Memory of a file as a multiple of its size: its text in UTF-8, a reference to each value, the table.
const FILE_MEMORY: u64 = 16;
/// Memory of a parsed record as a multiple of its size, in the worst case of many empty objects.
const RECORD_MEMORY: u64 = 64;
/// How deep the list may be nested in other objects.
const MAX_WRAPPERS: usize = 4;

/// Reads a list.
pub(super) fn read(bytes: &[u8], limits: &Limits, budget: &Budget) -> Result<Sheet, SheetError> {
    budget.reserve(limits.memory_bytes)?;
    budget.hold(FILE_MEMORY * bytes.len() as u64)?;
    let (text, encoding) = encoding::decode(bytes)?;
    let records = find_records(&text)?;
    let longest = records.iter().map(|record| record.get().len()).max().unwrap_or_default();
    budget.hold(RECORD_MEMORY * longest as u64)?;

    let mut table = Collector::new(limits, budget);
    let (mut header, mut columns) = (Vec::new(), HashMap::new());
    let is_one_line = !text.trim_end().contains('\n');
    let mut lines = Lines { text: &text, offset: 0, line: 1 };
    let header_line = records.first().map_or(1, |record| lines.line_of(record));
    for (number, record) in (1..).zip(records) {
        let line = if is_one_line { number } else { lines.line_of(record) };
        budget.charge(record.get().len() as u64)?;
        let mut cells: Vec<String> = Vec::new();
        let record = serde_json::from_str(record.get()).map_err(|error| damaged(line, &error))?;
        for (path, cell) in flatten(record, limits.columns) {
            let column = *columns.entry(path).or_insert_with_key(|path: &String| {
                header.push(path.clone());
                header.len() - 1
            });
            if column >= limits.columns {
                return Err(SheetError::TooManyColumns { line, columns: column + 1, limit: limits.columns });
            }
            if cells.len() <= column {
                cells.resize(column + 1, String::new());
            }
            cells[column] = cell;
        }
        table.push(line, cells.iter().collect())?;
    }
    while let Some(prefix) = common_object(&header) {
        header.iter_mut().for_each(|name| *name = name.split_off(prefix));
    }
    let missing: usize = table.rows.iter().map(|row| header.len() - row.cells.len()).sum();
    budget.hold(CELL_MEMORY * missing as u64)?;
    for row in &mut table.rows {
        row.cells.resize(header.len());
    }
    Ok(Sheet { format: Format::Json, encoding, header_line, ..Sheet::of_documents(header, table.rows, Vec::new()) })
}

/// The length of the name of an object that contains all values, with its dot: `node.` in answers of GraphQL.
fn common_object(header: &[String]) -> Option<usize> {
    let (object, _) = header.first()?.split_once('.')?;
    let lies_in = |name: &String| name.strip_prefix(object).is_some_and(|rest| rest.starts_with('.'));
    (header.len() > 1 && header.iter().all(lies_in)).then_some(object.len() + 1)
}

fn damaged(line: u64, error: &serde_json::Error) -> SheetError {
    let line = line + u64::try_from(error.line()).unwrap_or(1).saturating_sub(1);
    SheetError::Json { line, reason: error.to_string() }
}

/// Returns the objects of the list.
///
/// # Errors
/// If the text is not JSON, or contains no list of objects.
fn find_records(text: &str) -> Result<Vec<&RawValue>, SheetError> {
    let values: Vec<&RawValue> =
        Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().map_err(|error| damaged(1, &error))?;
    let records = match values[..] {
        [single] => longest_list(single, MAX_WRAPPERS),
        _ => values,
    };
    if records.is_empty() { Err(SheetError::NoJsonList) } else { Ok(records) }
}

/// Returns the longest list of objects in `value`; an empty one if there is none.
fn longest_list(value: &RawValue, depth: usize) -> Vec<&RawValue> {
    let is_object = |value: &&RawValue| value.get().starts_with('{');
    if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(value.get()) {
        return if items.iter().all(is_object) { items } else { Vec::new() };
    }
    if depth == 0 {
        return Vec::new();
    }
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
    let lists = members.into_values().map(|member| longest_list(member, depth - 1));
    lists.max_by_key(Vec::len).unwrap_or_default()
}

/// Returns the cells of a record with the names of their columns, at most one more than `max_columns`: that is enough
/// to know that there are too many.
fn flatten(record: Value, max_columns: usize) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    collect(record, String::new(), max_columns, &mut cells);
    cells
}

fn collect(value: Value, path: String, max_columns: usize, cells: &mut Vec<(String, String)>) {
    let mut add = |path, text| add(cells, max_columns, path, text);
    match value {
        Value::Object(members) if let Some(text) = single_value(&members).filter(|_| !path.is_empty()) => {
            add(path, text)
        }
        Value::Object(members) => {
            for (key, member) in members {
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                collect(member, path, max_columns, cells);
            }
        }
        Value::Array(items) => items.into_iter().for_each(|item| collect(item, path.clone(), max_columns, cells)),
        // The column is there, even if no row has a value.
        Value::Null => add(path, String::new()),
        Value::Bool(flag) => add(path, flag.to_string()),
        Value::Number(number) => add(path, number.to_string()),
        Value::String(text) => add(path, text.replace("\r\n", "\n").replace('\r', "\n")),
    }
}

/// The text of an object whose members are parts of one value: `{"first": "Uma", "last": "Rao"}`,
/// `{"hours": 1, "minutes": 32}`.
fn single_value(members: &Map<String, Value>) -> Option<String> {
    const NAME: [&[&str]; 3] = [&["first", "firstname"], &["middle", "middlename"], &["last", "lastname"]];
    const TIME: [&[&str]; 3] = [&["hours"], &["minutes"], &["seconds"]];
    if !(1..=3).contains(&members.len()) {
        return None;
    }
    let parts: BTreeMap<String, String> = members
        .iter()
        .map(|(key, value)| {
            let text = value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|number| number.to_string()));
            Some((key.to_lowercase().replace(['_', ' '], ""), text.or_else(|| value.is_null().then(String::new))?))
        })
        .collect::<Option<_>>()?;
    let [name, time] = [NAME, TIME].map(|kinds| kinds.map(|keys| keys.iter().find_map(|key| parts.get(*key))));
    let is_whole = |found: [Option<&String>; 3]| found.iter().flatten().count() == parts.len();
    if is_whole(name) && parts.len() > 1 {
        let given = name.into_iter().flatten().map(|part| part.trim()).filter(|part| !part.is_empty());
        return Some(given.collect::<Vec<_>>().join(" "));
    }
    let are_numbers = parts.values().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let units = time.into_iter().zip(["h", "m", "s"]);
    let units = units.filter_map(|(number, unit)| {
        let number = number.filter(|number| !matches!(number.as_str(), "" | "0"))?;
        Some(format!("{number}{unit}"))
    });
    (is_whole(time) && are_numbers).then(|| units.collect::<Vec<_>>().join(" "))
}

/// Adds a cell, or an item to the cell of a list.
fn add(cells: &mut Vec<(String, String)>, max_columns: usize, path: String, text: String) {
    let has_room = cells.len() <= max_columns;
    match cells.iter_mut().find(|(known, _)| *known == path) {
        Some((_, cell)) if text.is_empty() || cell.is_empty() => cell.push_str(&text),
        Some((_, cell)) => {
            cell.push_str(", ");
            cell.push_str(&text);
        }
        None if has_room => cells.push((path, text)),
        None => {}
    }
}

/// Counts lines up to records, which come in the order of the text.
struct Lines<'a> {
    text: &'a str,
    offset: usize,
    line: u64,
}

impl Lines<'_> {
    fn line_of(&mut self, record: &RawValue) -> u64 {
        let offset = record.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let passed = self.text.as_bytes().get(self.offset..offset).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset = self.offset.max(offset);
        self.line
    }
}
