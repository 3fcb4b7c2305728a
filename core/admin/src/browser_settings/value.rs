//! Between a setting as the file holds it (JSON) and what a form shows and sends.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::group::BELOW;
use super::{Group, Item, Shape};
use festival_base::error::FieldError;
use festival_base::settings::{InForce, Settings};
use festival_records::entity::{Datum, Field, Kind, Values, trim};

/// The most rows of a setting.
const MOST_ROWS: usize = 60;

/// A setting as a form shows it and sends it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The text of an input.
    Text(String),
    /// The texts of rows of inputs.
    Rows(Vec<Values>),
}

/// The values of a group in `settings`.
pub(super) fn settled(
    in_force: &InForce,
    group: &Group,
    settings: &Settings,
    zone: &TimeZone,
) -> festival_base::error::Result<Settled> {
    let json = serde_json::to_value(settings)?;
    let value = |path: &str| match value_at(&json, path) {
        Some(value) => value.clone(),
        None => in_force.section_value(settings, path).unwrap_or_default(),
    };
    Ok(group.items.iter().map(|item| (item.path(), normal(item, &value(item.path()), zone))).collect())
}

fn value_at<'a>(json: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(json, |value, name| value.get(name))
}

/// What the form shows of `value`.
pub fn typed(item: &Item, value: &Value, zone: &TimeZone) -> Typed {
    match item.shape {
        Shape::One => {
            let text = text_of(value);
            // A moment is shown on the festival's clock, however it was written.
            Typed::Text(item.field.parse(&text, zone).map_or(text, |datum| item.field.print(&datum, zone)))
        }
        Shape::Lines => Typed::Text(array(value).iter().map(text_of).collect::<Vec<_>>().join("\n")),
        Shape::Rows(fields) => Typed::Rows(array(value).iter().map(|row| row_of(fields, row)).collect()),
        Shape::Tree(fields) => {
            let mut rows = Vec::new();
            for top in array(value) {
                rows.push(row_of(fields, top));
                for inner in top.get("items").map(array).unwrap_or_default() {
                    let mut row = row_of(fields, inner);
                    row.insert(BELOW.to_owned(), "yes".to_owned());
                    rows.push(row);
                }
            }
            Typed::Rows(rows)
        }
    }
}

/// What was typed, as the file would hold it. What is wrong is said of the input: `<path>` or `<path>.<row>.<field>`.
pub fn read(item: &Item, typed: &Typed, zone: &TimeZone) -> Result<Value, Vec<FieldError>> {
    let path = item.path();
    match (item.shape, typed) {
        (Shape::One, Typed::Text(text)) => one(&item.field, text, zone).map_err(|words| wrong(path, words)),
        (Shape::Lines, Typed::Text(text)) => {
            item.field.parse(text, zone).map_err(|words| wrong(path, words))?;
            Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).collect())
        }
        (Shape::Rows(fields), Typed::Rows(rows)) => {
            let rows = filled(fields, rows);
            if rows.is_empty() && item.field.required {
                return Err(wrong(path, "Leave at least one".to_owned()));
            }
            let mut taken: Vec<String> = rows.iter().filter_map(|(_, row)| row.get("key").cloned()).collect();
            let read = objects(item, fields, &rows, zone)?;
            Ok(read.into_iter().map(|row| keyed(fields, row, &mut taken)).map(Value::Object).collect())
        }
        (Shape::Tree(fields), Typed::Rows(rows)) => tree(item, fields, &filled(fields, rows), zone),
        _ => Err(wrong(path, "This form is damaged. Open it again".to_owned())),
    }
}

/// The same value in the one way in which this program writes it.
pub(super) fn normal(item: &Item, value: &Value, zone: &TimeZone) -> Value {
    read(item, &typed(item, value, zone), zone).unwrap_or_else(|_| value.clone())
}

fn wrong(name: &str, words: String) -> Vec<FieldError> {
    vec![FieldError::new(name, words)]
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

fn one(field: &Field, text: &str, zone: &TimeZone) -> Result<Value, String> {
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

/// The rows in which anything is filled in, with their places in the form.
fn filled<'a>(fields: &[Field], rows: &'a [Values]) -> Vec<(usize, &'a Values)> {
    let said = |row: &Values| {
        fields
            .iter()
            .any(|field| field.name != "key" && row.get(field.name).is_some_and(|text| !text.trim().is_empty()))
    };
    rows.iter().enumerate().filter(|(_, row)| said(row)).collect()
}

fn objects(
    item: &Item,
    fields: &[Field],
    rows: &[(usize, &Values)],
    zone: &TimeZone,
) -> Result<Vec<Map<String, Value>>, Vec<FieldError>> {
    if rows.len() > MOST_ROWS {
        return Err(wrong(item.path(), format!("At most {MOST_ROWS}, please")));
    }
    let mut wrong = Vec::new();
    let mut objects = Vec::new();
    for (place, row) in rows {
        let mut object = Map::new();
        for field in fields {
            match one(field, row.get(field.name).map_or("", String::as_str), zone) {
                Ok(value) => drop(object.insert(field.name.to_owned(), value)),
                Err(words) => wrong.push(FieldError::new(format!("{}.{place}.{}", item.path(), field.name), words)),
            }
        }
        objects.push(object);
    }
    if wrong.is_empty() { Ok(objects) } else { Err(wrong) }
}

/// The row with a key, where its fields have one: made from its label, and another than all that are `taken`.
fn keyed(fields: &[Field], mut row: Map<String, Value>, taken: &mut Vec<String>) -> Map<String, Value> {
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

fn tree(item: &Item, fields: &[Field], rows: &[(usize, &Values)], zone: &TimeZone) -> Result<Value, Vec<FieldError>> {
    let mut tops: Vec<(usize, Map<String, Value>, Vec<Value>)> = Vec::new();
    let mut wrong = Vec::new();
    let at = |place: usize, name: &str| format!("{}.{place}.{name}", item.path());
    for ((place, row), object) in rows.iter().zip(objects(item, fields, rows, zone)?) {
        let has_address = object.get("href").is_some_and(|href| href != "");
        match (row.get(BELOW).is_some_and(|below| below == "yes"), tops.last_mut()) {
            (false, _) => tops.push((*place, object, Vec::new())),
            (true, None) => wrong.push(FieldError::new(at(*place, BELOW), "There is nothing above it")),
            (true, Some(_)) if !has_address => {
                wrong.push(FieldError::new(at(*place, "href"), "A link below another needs an address"));
            }
            (true, Some((_, _, below))) => below.push(Value::Object(object)),
        }
    }
    for (place, object, below) in &mut tops {
        let has_address = object.get("href").is_some_and(|href| href != "");
        if has_address && !below.is_empty() {
            let words = "Links stand below it: leave its address empty, or move them up";
            wrong.push(FieldError::new(at(*place, "href"), words));
        } else if !has_address && below.is_empty() {
            wrong.push(FieldError::new(at(*place, "href"), "Give it an address, or put links below it"));
        }
        // As the file writes it: a group has no address, a link has no links.
        if !below.is_empty() {
            object.remove("href");
            object.insert("items".to_owned(), Value::Array(std::mem::take(below)));
        }
    }
    let tree = tops.into_iter().map(|(_, object, _)| Value::Object(object)).collect();
    if wrong.is_empty() { Ok(tree) } else { Err(wrong) }
}

/// What a value is, in words for people: a list has a line for each row.
pub fn say(item: &Item, value: &Value, zone: &TimeZone) -> String {
    let row = |row: &Values| {
        let texts = item.columns().iter().filter(|field| field.name != "key");
        let texts: Vec<&str> =
            texts.filter_map(|field| row.get(field.name)).map(String::as_str).filter(|text| !text.is_empty()).collect();
        let inset = if row.contains_key(BELOW) { "   " } else { "" };
        format!("{inset}{}", texts.join(" · "))
    };
    match typed(item, value, zone) {
        Typed::Text(text) => match item.field.parse(&text, zone) {
            Ok(datum) => item.field.display(&datum, zone),
            Err(_) => text,
        },
        Typed::Rows(rows) => rows.iter().map(row).collect::<Vec<_>>().join("\n"),
    }
}

/// The values of all settings of a group, by path.
pub(super) type Settled = BTreeMap<&'static str, Value>;
