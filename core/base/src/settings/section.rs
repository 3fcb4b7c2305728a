//! A module's own settings: typed structs, read from `[modules.<name>]` and from other sections of the settings file that
//! belong to the module, and included in the generated one.

use std::collections::BTreeMap;

use figment::Figment;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A module's own settings. Doc comments become the comments of the settings file, `Default` provides the defaults.
pub trait Section: DeserializeOwned + Serialize + JsonSchema + Default {
    /// Validates the settings and returns all problems that the types do not rule out: "key: what is wrong".
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The values of a section that are set, by key.
pub(crate) type OwnValues = BTreeMap<String, Value>;

/// A type-erased description of a module's section.
#[derive(Clone)]
pub struct SectionInfo {
    /// Its path in the settings file: "modules.films", "fees".
    pub path: String,
    /// Returns the JSON schema with the doc comments.
    pub schema: fn() -> Value,
    /// Returns all values, including defaults, or the problems of the section: "key: what is wrong".
    pub values: fn(&OwnValues) -> Result<Map<String, Value>, Vec<String>>,
    /// Reads the section from a figment that holds nothing else. Unlike `values`, its errors have the whole path.
    pub(super) extract: fn(&Figment) -> Result<BTreeMap<String, OwnValues>, Box<figment::Error>>,
}

/// The sections of all modules.
pub type Sections = Vec<SectionInfo>;

/// The path of a module's section is this and its name.
const MODULES: &str = "modules.";

impl SectionInfo {
    /// Describes `T`, the section at `path`.
    pub fn of<T: Section>(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            schema: || serde_json::to_value(schemars::schema_for!(T)).unwrap_or_default(),
            values: |own| Ok(object(&read::<T>(own)?)),
            extract: |figment| {
                let sections: BTreeMap<String, T> = figment.extract()?;
                Ok(sections
                    .iter()
                    .map(|(name, section)| (name.clone(), object(section).into_iter().collect()))
                    .collect())
            },
        }
    }

    /// Describes `[modules.<name>]` of a module without settings of its own.
    pub fn empty(module: &str) -> Self {
        Self::of::<NoSettings>(module_path(module))
    }

    /// Returns the module whose `[modules.<name>]` this is; `None` for a section at the top level.
    pub fn module(&self) -> Option<&str> {
        self.path.strip_prefix(MODULES)
    }
}

/// The path of a module's section.
pub(crate) fn module_path(module: &str) -> String {
    format!("{MODULES}{module}")
}

/// The sections at the top level, next to those of core.
pub(super) fn top_level(sections: &[SectionInfo]) -> impl Iterator<Item = &SectionInfo> {
    sections.iter().filter(|section| section.module().is_none())
}

/// The section of a module that has no settings.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
struct NoSettings {}

impl Section for NoSettings {}

/// Parses and validates a section.
///
/// # Errors
/// All unknown keys, each with a similar known one; otherwise all values of a wrong type; otherwise all problems.
pub(crate) fn read<T: Section>(own: &OwnValues) -> Result<T, Vec<String>> {
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

/// The values below `path` that are not tables, by their paths.
pub(super) fn leaves_of(value: Value, path: &str) -> BTreeMap<String, Value> {
    match value {
        Value::Object(inner) => {
            inner.into_iter().flat_map(|(key, value)| leaves_of(value, &join(path, &key))).collect()
        }
        _ => BTreeMap::from([(path.to_owned(), value)]),
    }
}

/// The path of a key in the table at `path`.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns the known word that is most similar to a misspelt one, if any is similar enough.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
