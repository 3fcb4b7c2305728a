//! What a form of settings sent: the texts, the rows, and what is to be done with a row.

use std::collections::BTreeMap;

use crate::browser_settings::{BELOW, Group, Item, Shape, Typed};
use crate::request::Fields;
use festival_base::error::{Error, FieldError};
use festival_records::entity::{Kind, Values};
use jiff::tz::TimeZone;
use serde_json::Value;

/// The most rows that are read.
const MOST: usize = 100;

/// The texts of a form, by path.
pub(super) type Texts = BTreeMap<&'static str, Typed>;

/// What was typed.
pub(super) fn texts(group: &Group, form: &Fields) -> Texts {
    group.items.iter().map(|item| (item.path(), text(item, form))).collect()
}

fn text(item: &Item, form: &Fields) -> Typed {
    let path = item.path();
    match item.shape {
        Shape::One if matches!(item.field.kind, Kind::Flag) && !form.has(path) => Typed::Text("no".to_owned()),
        // As browsers send line ends.
        Shape::One | Shape::Lines => Typed::Text(form.get(path).replace("\r\n", "\n")),
        Shape::Rows(fields) | Shape::Tree(fields) => {
            let row = |place: usize| -> Option<Values> {
                let at = |name: &str| format!("{path}.{place}.{name}");
                if !fields.iter().any(|field| form.has(&at(field.name))) {
                    return None;
                }
                let mut row: Values =
                    fields.iter().map(|field| (field.name.to_owned(), form.get(&at(field.name)).to_owned())).collect();
                if form.has(&at(BELOW)) {
                    row.insert(BELOW.to_owned(), "yes".to_owned());
                }
                Some(row)
            };
            Typed::Rows((0..MOST).map_while(row).collect())
        }
    }
}

/// What was typed, as the file would hold it; what is wrong at all inputs.
pub(super) fn values(group: &Group, texts: &Texts, zone: &TimeZone) -> Result<BTreeMap<&'static str, Value>, Error> {
    let mut values = BTreeMap::new();
    let mut wrong: Vec<FieldError> = Vec::new();
    for item in group.items {
        let Some(typed) = texts.get(item.path()) else { continue };
        match crate::browser_settings::read(item, typed, zone) {
            Ok(value) => drop(values.insert(item.path(), value)),
            Err(errors) => wrong.extend(errors),
        }
    }
    if wrong.is_empty() { Ok(values) } else { Err(Error::Invalid(wrong)) }
}

/// Does what a button beside a row says: "up:menu.footer:3", "down", "remove", "add:menu.footer". Answers whether
/// there was such a button.
pub(super) fn rearrange(texts: &mut Texts, deed: &str) -> bool {
    let mut parts = deed.split(':');
    let (Some(verb), Some(path)) = (parts.next(), parts.next()) else { return false };
    let place = parts.next().and_then(|place| place.parse::<usize>().ok()).unwrap_or(0);
    let Some(Typed::Rows(rows)) = texts.iter_mut().find(|(known, _)| **known == path).map(|(_, typed)| typed) else {
        return false;
    };
    match verb {
        "add" => rows.push(Values::new()),
        "remove" if place < rows.len() => drop(rows.remove(place)),
        "up" if (1..rows.len()).contains(&place) => rows.swap(place - 1, place),
        "down" if place + 1 < rows.len() => rows.swap(place, place + 1),
        _ => return false,
    }
    true
}
