//! The source of each setting, for `festival config`.

use std::collections::BTreeMap;
use std::path::Path;

use figment::Figment;
use serde_json::Value;

use super::load::{SettingsError, figment};
use super::{Sections, Settings};

/// The source of each setting by its path: "config/local.toml", "the environment". Defaults are not included.
pub type Sources = BTreeMap<String, String>;

/// Returns the sources of the settings of a program that runs in `directory`.
pub fn sources(directory: &Path, sections: &Sections) -> Result<Sources, SettingsError> {
    let figment = figment(directory);
    let settings: Settings = figment.extract().map_err(|error| SettingsError(error.to_string()))?;
    let defaults = leaves(&Settings::default(), sections)?;
    let set = leaves(&settings, sections)?.into_iter().filter(|(path, value)| defaults.get(path) != Some(value));
    Ok(set.filter_map(|(path, _)| Some((path.clone(), source(&figment, directory, &path)?))).collect())
}

/// All values that are not tables, by their paths; the modules' sections with their defaults.
fn leaves(settings: &Settings, sections: &Sections) -> Result<BTreeMap<String, Value>, SettingsError> {
    let mut all = serde_json::to_value(settings).map_err(|error| SettingsError(error.to_string()))?;
    for (module, section) in sections {
        let module_settings = settings.modules.get(*module).cloned().unwrap_or_default();
        all["modules"][*module]["enabled"] = module_settings.enabled.into();
        let values = section.map(|section| (section.values)(&module_settings.own)).transpose();
        for (key, value) in values.map_err(|problems| SettingsError(problems.join("\n")))?.unwrap_or_default() {
            all["modules"][*module][key.as_str()] = value;
        }
    }
    let mut leaves = BTreeMap::new();
    collect(all, "", &mut leaves);
    Ok(leaves)
}

fn collect(value: Value, path: &str, leaves: &mut BTreeMap<String, Value>) {
    let Value::Object(inner) = value else {
        leaves.insert(path.to_owned(), value);
        return;
    };
    for (key, value) in inner {
        collect(value, &if path.is_empty() { key } else { format!("{path}.{key}") }, leaves);
    }
}

fn source(figment: &Figment, directory: &Path, path: &str) -> Option<String> {
    let metadata = figment.find_metadata(path)?;
    let file = metadata.source.as_ref().and_then(|source| source.file_path());
    match file {
        Some(file) => Some(file.strip_prefix(directory).unwrap_or(file).display().to_string()),
        None => metadata.name.contains("environment").then(|| "the environment".to_owned()),
    }
}
