//! A module's own settings: a typed struct, read from `[modules.<name>]` and included in the generated settings file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::did_you_mean;

/// A module's own settings. Doc comments become the comments of the settings file, `Default` provides the defaults.
pub trait Section: DeserializeOwned + Serialize + JsonSchema + Default {
    /// Validates the settings and returns all problems that the types do not rule out: "key: what is wrong".
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A type-erased description of a module's section.
#[derive(Clone, Copy)]
pub struct SectionInfo {
    /// Returns the JSON schema with the doc comments.
    pub schema: fn() -> Value,
    /// Returns all values, including defaults, or the problems of the section.
    pub values: fn(&BTreeMap<String, Value>) -> Result<Map<String, Value>, Vec<String>>,
}

impl SectionInfo {
    /// Describes `T`.
    pub fn of<T: Section>() -> Self {
        Self {
            schema: || serde_json::to_value(schemars::schema_for!(T)).unwrap_or_default(),
            values: |own| Ok(object(&read::<T>(own)?)),
        }
    }
}

/// Parses and validates a section.
///
/// # Errors
/// All unknown keys, each with a similar known one; otherwise all values of a wrong type; otherwise all problems.
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
    // Key by key, so that the message can name the key.
    let type_errors: Vec<String> = own
        .iter()
        .filter_map(|(key, value)| {
            let single = Map::from_iter([(key.clone(), value.clone())]);
            serde_json::from_value::<T>(Value::Object(single)).err().map(|error| format!("{key}: {error}"))
        })
        .collect();
    if !type_errors.is_empty() {
        return Err(type_errors);
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
