//! The source of each setting, for `festival config`.

use std::collections::BTreeMap;
use std::path::Path;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use figment::value::{Dict, Value};

use super::load::{SettingsError, figment};

/// The source of each setting by its path: "config/local.toml", "the environment". Defaults are not included.
pub type Sources = BTreeMap<String, String>;

/// Returns the sources of the settings of a program that runs in `directory`.
pub fn sources(directory: &Path, defaults: &str) -> Result<Sources, SettingsError> {
    let (figment, built_in) = (figment(directory, defaults), Figment::from(Toml::string(defaults)));
    let all: Dict = figment.extract().map_err(|error| SettingsError(error.to_string()))?;
    let mut paths = Vec::new();
    leaves(&all, "", &mut paths);
    let set = paths.into_iter().filter(|path| figment.find_value(path).ok() != built_in.find_value(path).ok());
    Ok(set.filter_map(|path| Some((path.clone(), source(&figment, directory, &path)?))).collect())
}

/// Collects the paths of all values that are not tables.
fn leaves(dict: &Dict, prefix: &str, paths: &mut Vec<String>) {
    for (key, value) in dict {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Dict(_, inner) => leaves(inner, &path, paths),
            _ => paths.push(path),
        }
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
