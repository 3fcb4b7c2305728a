//! The source of each setting, for `festival config`.

use std::collections::BTreeMap;
use std::path::Path;

use figment::Figment;
use serde_json::Value;

use super::load::{SettingsError, extract, figment};
use super::section::leaves_of;
use super::{SectionInfo, Settings};

/// The source of each setting by its path: "config/local.toml", "the environment". Defaults are not included.
pub type Sources = BTreeMap<String, String>;

/// Returns the sources of the settings of a program that runs in `directory`.
pub fn sources(directory: &Path, sections: &[SectionInfo]) -> Result<Sources, SettingsError> {
    let figment = figment(directory);
    let settings = extract(&figment, sections)?;
    let defaults = leaves(&Settings::default(), sections)?;
    let set = leaves(&settings, sections)?.into_iter().filter(|(path, value)| defaults.get(path) != Some(value));
    Ok(set.filter_map(|(path, _)| Some((path.clone(), source(&figment, directory, &path)?))).collect())
}

/// All values that are not tables, by their paths; the modules' sections with their defaults.
fn leaves(settings: &Settings, sections: &[SectionInfo]) -> Result<BTreeMap<String, Value>, SettingsError> {
    let mut all = settings.to_json().map_err(|error| SettingsError(error.to_string()))?;
    for section in sections {
        let own = settings.own_values(&section.path).cloned().unwrap_or_default();
        let values = (section.values)(&own).map_err(|problems| SettingsError(problems.join("\n")))?;
        match section.module() {
            Some(module) => {
                all["modules"][module] = values.into();
                all["modules"][module]["enabled"] = settings.module_enabled(module).into();
            }
            None => all[section.path.as_str()] = values.into(),
        }
    }
    Ok(leaves_of(all, ""))
}

fn source(figment: &Figment, directory: &Path, path: &str) -> Option<String> {
    let metadata = figment.find_metadata(path)?;
    let file = metadata.source.as_ref().and_then(|source| source.file_path());
    match file {
        Some(file) => Some(file.strip_prefix(directory).unwrap_or(file).display().to_string()),
        None => metadata.name.contains("environment").then(|| "the environment".to_owned()),
    }
}
