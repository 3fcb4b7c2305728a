//! Loading of the settings from their sources, later ones overriding earlier ones: the defaults of [`Settings`],
//! `config/festival.toml`, settings from a seed, `config/local.toml`, environment variables `FESTIVAL_*`.
//! Changes made in the browser override all of them: see [`super::InForce`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use figment::providers::{Env, Format as _, Serialized, Toml};
use figment::value::{Dict, Value};
use figment::{Figment, error::Kind};

use super::section::did_you_mean;
use super::seeded::SEEDED;
use super::{SectionInfo, Settings, check, section};

/// Invalid settings. The message names the file, the key and what was expected, one problem per line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

/// Loads the settings for a program that runs in `directory`, whose modules own `sections`.
///
/// # Errors
/// If a setting is unknown or invalid. Those in `[modules.<name>]` are checked when the modules are registered.
pub fn load(directory: &Path, sections: &[SectionInfo]) -> Result<Settings, SettingsError> {
    extract(&figment(directory), sections)
}

/// All sources of settings, merged in order.
pub(super) fn figment(directory: &Path) -> Figment {
    let with_file = |figment: Figment, path: PathBuf| {
        if path.exists() { figment.merge(Toml::file_exact(path)) } else { figment }
    };
    let base = with_file(defaults(), directory.join("config/festival.toml"));
    let with_local = |figment: Figment| {
        let figment = with_file(figment, directory.join("config/local.toml"));
        // FESTIVAL_TEST_* are for the tests.
        figment.merge(Env::prefixed("FESTIVAL_").split("__").filter(|key| !key.starts_with("test_")))
    };
    let data_dir: Option<PathBuf> = with_local(base.clone()).extract_inner("data_dir").ok();
    match data_dir {
        Some(data_dir) => with_local(with_file(base, directory.join(data_dir).join(SEEDED))),
        None => with_local(base),
    }
}

fn defaults() -> Figment {
    Figment::from(Serialized::defaults(Settings::default()))
}

/// Returns the defaults merged with `overrides`, a text like `config/local.toml`, ignoring files and environment.
///
/// # Errors
/// Those of [`load`].
pub fn defaults_with(overrides: &str, sections: &[SectionInfo]) -> Result<Settings, SettingsError> {
    extract(&defaults().merge(Toml::string(overrides)), sections)
}

pub(super) fn extract(figment: &Figment, sections: &[SectionInfo]) -> Result<Settings, SettingsError> {
    let names: Vec<&str> = section::top_level(sections).map(|section| section.path.as_str()).collect();
    let mut values: Dict =
        figment.extract().map_err(|error| SettingsError(describe(figment, &error, &names).join("\n")))?;
    let mut lines = Vec::new();
    let mut own = BTreeMap::new();
    for section in section::top_level(sections) {
        let Some((name, value)) = values.remove_entry(&section.path) else { continue };
        own.extend(extract_valid(figment, &names, Dict::from([(name, value)]), &mut lines, section.extract)?);
    }
    let mut settings: Settings = extract_valid(figment, &names, values, &mut lines, |figment| Ok(figment.extract()?))?;
    settings.sections = own;
    lines.extend(check::problems(&settings));
    lines.extend(check::section_problems(&settings, section::top_level(sections)));
    if lines.is_empty() { Ok(settings) } else { Err(SettingsError(lines.join("\n"))) }
}

/// Reads `values` with `read`, and adds a line for each that is invalid. Reading stops at the first of them, which is
/// then left out to find the next one.
fn extract_valid<T>(
    figment: &Figment,
    sections: &[&str],
    mut values: Dict,
    lines: &mut Vec<String>,
    read: impl Fn(&Figment) -> Result<T, Box<figment::Error>>,
) -> Result<T, SettingsError> {
    loop {
        match read(&Figment::from(Serialized::globals(&values))) {
            Ok(read) => return Ok(read),
            Err(error) => {
                lines.extend(describe(figment, &error, sections));
                if !error.into_iter().any(|error| remove(&mut values, &error)) {
                    return Err(SettingsError(lines.join("\n")));
                }
            }
        }
    }
}

/// Removes the value that an error is about; a list as a whole. Returns whether there was one.
fn remove(values: &mut Dict, error: &figment::Error) -> bool {
    let mut path = error.path.clone();
    if let Kind::UnknownField(name, _) = &error.kind
        && path.last() != Some(name)
    {
        path.push(name.clone());
    }
    remove_at(values, &path)
}

fn remove_at(values: &mut Dict, path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    match values.get_mut(first) {
        Some(Value::Dict(_, inner)) if !rest.is_empty() => remove_at(inner, rest),
        _ => values.remove(first).is_some(),
    }
}

/// Formats figment's errors, one per line: source, key, what is wrong, what was expected. `sections` are those of
/// modules at the top level, next to those of core.
fn describe(figment: &Figment, error: &figment::Error, sections: &[&str]) -> Vec<String> {
    error
        .clone()
        .into_iter()
        .map(|error| {
            let metadata = error.path.iter().rev().enumerate().find_map(|(cut, _)| {
                let keys = &error.path[..error.path.len() - cut];
                figment.find_metadata(&keys.join("."))
            });
            // A file that cannot be read at all has no values.
            let source = match metadata.or(error.metadata.as_ref()) {
                Some(metadata) => match metadata.source.as_ref() {
                    Some(path) => format!("{path}"),
                    None if metadata.name.contains("environment") => "environment (FESTIVAL_...)".to_owned(),
                    None => "built-in settings".to_owned(),
                },
                None => "settings".to_owned(),
            };
            let mut key = error.path.clone();
            if let Kind::UnknownField(name, _) = &error.kind
                && key.last() != Some(name)
            {
                key.push(name.clone());
            }
            let message = match &error.kind {
                Kind::UnknownField(name, known) => {
                    let at_top = if key.len() == 1 { sections } else { &[] };
                    let known = [known, at_top].concat();
                    match did_you_mean(name, known.iter().copied()) {
                        Some(near) => format!("unknown setting; did you mean \"{near}\"?"),
                        None => format!("unknown setting; known here: {}", known.join(", ")),
                    }
                }
                // Digits alone are parsed as a number in the environment, and would lose leading zeros of an account
                // number.
                Kind::InvalidType(found, expected) if expected == "a string" && source.starts_with("environment") => {
                    format!("expected {expected}, found {found}; put it into double quotes inside the value: '\"...\"'")
                }
                Kind::InvalidType(found, expected) => format!("expected {expected}, found {found}"),
                Kind::MissingField(name) => format!("\"{name}\" is missing"),
                other => other.to_string(),
            };
            format!("{source}: {}: {message}", key.join("."))
        })
        .collect()
}
