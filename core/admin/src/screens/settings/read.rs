//! Reads a submitted settings form: values, rows, and the buttons that move rows.

use std::collections::BTreeMap;

use crate::browser_settings::{BELOW, FormValue, Group, Item, ItemKind};
use crate::serving::fields::Fields;
use festival_base::error::{Error, FieldError};
use festival_records::entity::{Kind, Values};
use jiff::tz::TimeZone;
use serde_json::Value;

/// Maximum number of rows that are read for a setting.
const MAX_ROWS: usize = 100;

/// The inputs of a form, by path.
pub(super) type FormValues = BTreeMap<&'static str, FormValue>;

/// Reads the inputs of all settings of a group.
pub(super) fn form_values(group: &Group, form: &Fields) -> FormValues {
    group.items.iter().map(|item| (item.path(), form_value(item, form))).collect()
}

fn form_value(item: &Item, form: &Fields) -> FormValue {
    let path = item.path();
    match item.kind {
        ItemKind::One if matches!(item.field.kind, Kind::Flag) && !form.has(path) => FormValue::Text("no".to_owned()),
        // Browsers send CRLF, and each ticked choice as a value of its own.
        ItemKind::One => FormValue::Text(form.get(path).replace("\r\n", "\n")),
        ItemKind::Lines => FormValue::Text(form.all(path).collect::<Vec<_>>().join("\n").replace("\r\n", "\n")),
        ItemKind::Rows(fields) | ItemKind::Tree(fields) => {
            let row = |index: usize| -> Option<Values> {
                let input_name = |name: &str| format!("{path}.{index}.{name}");
                if !fields.iter().any(|field| form.has(&input_name(field.name))) {
                    return None;
                }
                let mut row: Values = fields
                    .iter()
                    .map(|field| (field.name.to_owned(), form.get(&input_name(field.name)).to_owned()))
                    .collect();
                if form.has(&input_name(BELOW)) {
                    row.insert(BELOW.to_owned(), "yes".to_owned());
                }
                Some(row)
            };
            FormValue::Rows((0..MAX_ROWS).map_while(row).collect())
        }
    }
}

/// Parses the inputs into values as in the settings file.
///
/// # Errors
/// [`Error::Invalid`] with the errors of all inputs.
pub(super) fn values(
    group: &Group,
    inputs: &FormValues,
    zone: &TimeZone,
) -> Result<BTreeMap<&'static str, Value>, Error> {
    let mut values = BTreeMap::new();
    let mut errors: Vec<FieldError> = Vec::new();
    for item in group.items {
        let Some(input) = inputs.get(item.path()) else { continue };
        match crate::browser_settings::parse(item, input, zone) {
            Ok(value) => drop(values.insert(item.path(), value)),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(Error::Invalid(errors)) }
}

/// Applies the button of a row: "up:menu.footer:3", "down", "remove", "add:menu.footer". Returns whether `button` was one.
pub(super) fn rearrange(inputs: &mut FormValues, button: &str) -> bool {
    let mut parts = button.split(':');
    let (Some(verb), Some(path)) = (parts.next(), parts.next()) else { return false };
    let index = parts.next().and_then(|index| index.parse::<usize>().ok()).unwrap_or(0);
    let Some(FormValue::Rows(rows)) = inputs.iter_mut().find(|(key, _)| **key == path).map(|(_, input)| input) else {
        return false;
    };
    match verb {
        "add" => rows.push(Values::new()),
        "remove" if index < rows.len() => drop(rows.remove(index)),
        "up" if (1..rows.len()).contains(&index) => rows.swap(index - 1, index),
        "down" if index + 1 < rows.len() => rows.swap(index, index + 1),
        _ => return false,
    }
    true
}
