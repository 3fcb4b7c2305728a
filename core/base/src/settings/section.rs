//! A module's own settings: a typed struct of the module, read from `[modules.<name>]`, printed into the manual.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::did_you_mean;

/// A module's own settings. Its doc comments are the manual, its `Default` is what holds where nothing is set.
pub trait Section: DeserializeOwned + Serialize + JsonSchema + Default {
    /// What is wrong with these settings, beyond what types can say: "key: what is wrong".
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What is known of a module's section without its type.
#[derive(Clone, Copy)]
pub struct SectionInfo {
    /// The JSON schema, with the doc comments.
    pub schema: fn() -> Value,
    /// All its values, those that are set and the defaults, or what is wrong with it.
    pub values: fn(&BTreeMap<String, Value>) -> Result<Map<String, Value>, Vec<String>>,
}

impl SectionInfo {
    /// What is known of `T`.
    pub fn of<T: Section>() -> Self {
        Self {
            schema: || serde_json::to_value(schemars::schema_for!(T)).unwrap_or_default(),
            values: |own| Ok(object(&read::<T>(own)?)),
        }
    }
}

/// Reads a section; every unknown key is named, with the known one that is near.
pub(crate) fn read<T: Section>(own: &BTreeMap<String, Value>) -> Result<T, Vec<String>> {
    let known = object(&T::default());
    let unknown: Vec<String> = own
        .keys()
        .filter(|key| !known.contains_key(*key))
        .map(|key| match did_you_mean(key, known.keys().map(String::as_str)) {
            Some(near) => format!("{key}: unknown setting; did you mean \"{near}\"?"),
            None => format!("{key}: unknown setting"),
        })
        .collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    // One by one, so that the complaint can name the key.
    let wrong: Vec<String> = own
        .iter()
        .filter_map(|(key, value)| {
            let one = Map::from_iter([(key.clone(), value.clone())]);
            serde_json::from_value::<T>(Value::Object(one)).err().map(|error| format!("{key}: {error}"))
        })
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let all = Map::from_iter(own.iter().map(|(key, value)| (key.clone(), value.clone())));
    let section: T = serde_json::from_value(Value::Object(all)).map_err(|error| vec![error.to_string()])?;
    let problems = section.problems();
    if problems.is_empty() { Ok(section) } else { Err(problems) }
}

fn object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}
