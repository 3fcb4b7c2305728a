//! Converts a setting between its value in the settings file (JSON) and the inputs of a form, and compares two states of the
//! settings.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::group::BELOW;
use super::{Group, Item, ItemKind};
use festival_base::error::FieldError;
use festival_base::settings::{InForce, Settings};
use festival_records::entity::{Datum, Field, Kind, Values, trim};
use festival_web::site::Site;

/// Maximum number of rows of a setting.
const MAX_ROWS: usize = 60;

/// The input of a setting in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormValue {
    /// The text of an input.
    Text(String),
    /// The texts of rows of inputs.
    Rows(Vec<Values>),
}

/// Returns the values of a group in `settings`.
pub(super) fn group_values(
    in_force: &InForce,
    group: &Group,
    settings: &Settings,
    zone: &TimeZone,
) -> festival_base::error::Result<GroupValues> {
    let json = serde_json::to_value(settings)?;
    let value = |path: &str| match value_at(&json, path) {
        Some(value) => value.clone(),
        None => in_force.section_value(settings, path).unwrap_or_default(),
    };
    Ok(group.items.iter().map(|item| (item.path(), normalized(item, &value(item.path()), zone))).collect())
}

fn value_at<'a>(json: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(json, |value, name| value.get(name))
}

/// Returns the input that shows `value`.
pub fn form_value(item: &Item, value: &Value, zone: &TimeZone) -> FormValue {
    match item.kind {
        ItemKind::One => {
            let text = text_of(value);
            // A time is shown in the festival's time zone, however it is written in the file.
            FormValue::Text(item.field.parse(&text, zone).map_or(text, |datum| item.field.print(&datum, zone)))
        }
        ItemKind::Lines => FormValue::Text(array(value).iter().map(text_of).collect::<Vec<_>>().join("\n")),
        ItemKind::Rows(fields) => FormValue::Rows(array(value).iter().map(|row| row_of(fields, row)).collect()),
        ItemKind::Tree(fields) => {
            let mut rows = Vec::new();
            for top in array(value) {
                rows.push(row_of(fields, top));
                for inner in top.get("items").map(array).unwrap_or_default() {
                    let mut row = row_of(fields, inner);
                    row.insert(BELOW.to_owned(), "yes".to_owned());
                    rows.push(row);
                }
            }
            FormValue::Rows(rows)
        }
    }
}

/// Parses an input into the value of the settings file.
///
/// # Errors
/// The errors of all inputs, named `<path>` or `<path>.<row>.<field>`.
pub fn parse(item: &Item, input: &FormValue, zone: &TimeZone) -> Result<Value, Vec<FieldError>> {
    let path = item.path();
    match (item.kind, input) {
        (ItemKind::One, FormValue::Text(text)) => {
            parse_value(&item.field, text, zone).map_err(|message| field_error(path, message))
        }
        (ItemKind::Lines, FormValue::Text(text)) => {
            let check = |text| item.field.parse(text, zone).map(drop).map_err(|message| field_error(path, message));
            match ticked(item, text) {
                Some(mut keys) => keys.try_for_each(check)?,
                None => check(text)?,
            }
            Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).collect())
        }
        (ItemKind::Rows(fields), FormValue::Rows(rows)) => {
            let rows = filled_rows(fields, rows);
            if rows.is_empty() && item.field.required {
                return Err(field_error(path, "Keep at least one row".to_owned()));
            }
            let mut taken: Vec<String> = rows.iter().filter_map(|(_, row)| row.get("key").cloned()).collect();
            let objects = parse_rows(item, fields, &rows, zone)?;
            Ok(objects.into_iter().map(|row| with_key(fields, row, &mut taken)).map(Value::Object).collect())
        }
        (ItemKind::Tree(fields), FormValue::Rows(rows)) => parse_tree(item, fields, &filled_rows(fields, rows), zone),
        _ => Err(field_error(path, "This form is incomplete. Open it again".to_owned())),
    }
}

/// Returns the keys in the input of an item with choices to tick; `None` if it has none.
pub fn ticked<'t>(item: &Item, text: &'t str) -> Option<std::str::Lines<'t>> {
    matches!((item.kind, item.field.kind), (ItemKind::Lines, Kind::Choice(_))).then(|| text.lines())
}

/// Returns `value` in the form in which this program writes it.
pub(super) fn normalized(item: &Item, value: &Value, zone: &TimeZone) -> Value {
    parse(item, &form_value(item, value, zone), zone).unwrap_or_else(|_| value.clone())
}

fn field_error(name: &str, message: String) -> Vec<FieldError> {
    vec![FieldError::new(name, message)]
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    }
}

fn row_of(fields: &[Field], row: &Value) -> Values {
    fields.iter().map(|field| (field.name.to_owned(), row.get(field.name).map(text_of).unwrap_or_default())).collect()
}

fn parse_value(field: &Field, text: &str, zone: &TimeZone) -> Result<Value, String> {
    if field.required && trim(text).is_empty() {
        return Err(format!("Please fill in “{}”", field.label));
    }
    let datum = field.parse(text, zone)?;
    Ok(match (field.kind, datum) {
        (Kind::Flag, Datum::Integer(flag)) => json!(flag != 0),
        (_, Datum::Null) => json!(""),
        (_, Datum::Integer(number)) => json!(number),
        (_, Datum::Text(text) | Datum::Reference(text)) => json!(text),
    })
}

/// Returns the rows that are not blank, with their indexes in the form.
fn filled_rows<'a>(fields: &[Field], rows: &'a [Values]) -> Vec<(usize, &'a Values)> {
    let is_filled = |row: &Values| {
        fields
            .iter()
            .any(|field| field.name != "key" && row.get(field.name).is_some_and(|text| !text.trim().is_empty()))
    };
    rows.iter().enumerate().filter(|(_, row)| is_filled(row)).collect()
}

fn parse_rows(
    item: &Item,
    fields: &[Field],
    rows: &[(usize, &Values)],
    zone: &TimeZone,
) -> Result<Vec<Map<String, Value>>, Vec<FieldError>> {
    if rows.len() > MAX_ROWS {
        return Err(field_error(item.path(), format!("Use at most {MAX_ROWS} rows")));
    }
    let mut errors = Vec::new();
    let mut objects = Vec::new();
    for (index, row) in rows {
        let mut object = Map::new();
        for field in fields {
            match parse_value(field, row.get(field.name).map_or("", String::as_str), zone) {
                Ok(value) => drop(object.insert(field.name.to_owned(), value)),
                Err(message) => {
                    errors.push(FieldError::new(format!("{}.{index}.{}", item.path(), field.name), message));
                }
            }
        }
        objects.push(object);
    }
    if errors.is_empty() { Ok(objects) } else { Err(errors) }
}

/// Adds a key to a row without one, if its fields have one: derived from its label and different from all in `taken`.
fn with_key(fields: &[Field], mut row: Map<String, Value>, taken: &mut Vec<String>) -> Map<String, Value> {
    let has_key = row.get("key").and_then(Value::as_str).is_some_and(|key| !key.is_empty());
    if has_key || !fields.iter().any(|field| field.name == "key") {
        return row;
    }
    let label = row.get("label").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let words: Vec<&str> = label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = if words.is_empty() { "category".to_owned() } else { words.join("-") };
    let mut numbered = (2..).map(|number| format!("{name}-{number}"));
    let key = match taken.contains(&name) {
        true => numbered.find(|key| !taken.contains(key)).unwrap_or_default(),
        false => name.clone(),
    };
    taken.push(key.clone());
    row.insert("key".to_owned(), json!(key));
    row
}

fn parse_tree(
    item: &Item,
    fields: &[Field],
    rows: &[(usize, &Values)],
    zone: &TimeZone,
) -> Result<Value, Vec<FieldError>> {
    let mut tops: Vec<(usize, Map<String, Value>, Vec<Value>)> = Vec::new();
    let mut errors = Vec::new();
    let input_name = |index: usize, name: &str| format!("{}.{index}.{name}", item.path());
    for ((index, row), object) in rows.iter().zip(parse_rows(item, fields, rows, zone)?) {
        let has_address = object.get("href").is_some_and(|href| href != "");
        match (row.get(BELOW).is_some_and(|below| below == "yes"), tops.last_mut()) {
            (false, _) => tops.push((*index, object, Vec::new())),
            (true, None) => errors.push(FieldError::new(input_name(*index, BELOW), "There is no group above this row")),
            (true, Some(_)) if !has_address => {
                errors.push(FieldError::new(input_name(*index, "href"), "A link in a group needs an address"));
            }
            (true, Some((_, _, below))) => below.push(Value::Object(object)),
        }
    }
    for (index, object, below) in &mut tops {
        let has_address = object.get("href").is_some_and(|href| href != "");
        if has_address && !below.is_empty() {
            let message = "A group has no address: clear the address, or take the links out of the group";
            errors.push(FieldError::new(input_name(*index, "href"), message));
        } else if !has_address && below.is_empty() {
            errors.push(FieldError::new(input_name(*index, "href"), "Enter an address, or add links to the group"));
        }
        // In the file a group has no address, and a link no links.
        if !below.is_empty() {
            object.remove("href");
            object.insert("items".to_owned(), Value::Array(std::mem::take(below)));
        }
    }
    let tree = tops.into_iter().map(|(_, object, _)| Value::Object(object)).collect();
    if errors.is_empty() { Ok(tree) } else { Err(errors) }
}

/// Formats a value for display; a list has a line for each row.
pub fn display_text(item: &Item, value: &Value, zone: &TimeZone) -> String {
    let row = |row: &Values| {
        let texts = item.columns().iter().filter(|field| field.name != "key");
        let texts: Vec<&str> =
            texts.filter_map(|field| row.get(field.name)).map(String::as_str).filter(|text| !text.is_empty()).collect();
        let inset = if row.contains_key(BELOW) { "   " } else { "" };
        format!("{inset}{}", texts.join(" · "))
    };
    match form_value(item, value, zone) {
        FormValue::Text(text) => {
            let shown = |text: &str| match item.field.parse(text, zone) {
                Ok(datum) => item.field.display(&datum, zone),
                Err(_) => text.to_owned(),
            };
            match ticked(item, &text) {
                Some(keys) => keys.map(shown).collect::<Vec<_>>().join(", "),
                None => shown(&text),
            }
        }
        FormValue::Rows(rows) => rows.iter().map(row).collect::<Vec<_>>().join("\n"),
    }
}

/// Values of the settings of a group, by path.
pub type GroupValues = BTreeMap<&'static str, Value>;

/// A changed setting.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The path.
    pub path: &'static str,
    /// The label.
    pub label: &'static str,
    /// The value before, for display.
    pub before: String,
    /// The value after, for display.
    pub after: String,
}

/// Returns the settings in which two states differ.
pub fn differences(site: &Site, group: &Group, before: &GroupValues, after: &GroupValues) -> Vec<Difference> {
    let zone = &site.time_zone;
    let text = |values: &GroupValues, item: &Item| {
        values.get(item.path()).map(|value| display_text(item, value, zone)).unwrap_or_default()
    };
    let differing = group.items.iter().filter(|item| before.get(item.path()) != after.get(item.path()));
    differing
        .map(|item| Difference {
            path: item.path(),
            label: item.field.label,
            before: text(before, item),
            after: text(after, item),
        })
        .collect()
}
