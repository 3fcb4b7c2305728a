//! Settings that come with a seed: its section `[settings]`, stored as a file in the data directory.
//!
//! A festival's name, address and bank account belong with its rows. The file overrides `config/festival.toml` and is
//! overridden by everything that somebody set: `config/local.toml`, the environment, the browser.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::InForce;
use super::section::leaves_of;
use crate::durable::{self, Existing};
use crate::error::{Error, Result};

/// Name of the file in the data directory.
pub const SEEDED: &str = "seeded.toml";

/// Sections that a seed may set, with those of modules at the top level; below `modules` it may set what organisers can
/// change in the browser. All others depend on the server.
const ALLOWED: &[&str] = &["product", "contact", "social", "menu", "analytics"];

/// Validates the section `[settings]` of a seed together with the loaded settings.
///
/// # Errors
/// [`Error::BadRequest`] with all keys that a seed may not set, or all invalid values.
pub fn check(in_force: &InForce, section: &toml::Table) -> Result<()> {
    let section = serde_json::to_value(section)?;
    let mut problems = disallowed_keys(in_force, &section);
    if problems.is_empty() {
        match in_force.apply_section(section) {
            Ok(_) => return Ok(()),
            Err(errors) => problems = errors,
        }
    }
    Err(Error::BadRequest(format!("the seed file's [settings]: {}", problems.join("; "))))
}

/// A message for each key that a seed may not set. Settings of disabled modules are allowed, as are their rows.
fn disallowed_keys(in_force: &InForce, section: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let allowed: Vec<&str> = ALLOWED.iter().copied().chain(in_force.top_level_sections()).collect();
    for (key, value) in section.as_object().into_iter().flatten() {
        if key == "modules" {
            let unknown = leaves_of(value.clone(), key).into_keys().filter(|path| !in_force.is_overridable(path));
            problems.extend(unknown.map(|path| format!("{path}: a seed may set what is changed in the browser only")));
        } else if !allowed.contains(&key.as_str()) {
            problems.push(format!("{key}: a seed may set {} only", allowed.join(", ")));
        }
    }
    problems
}

/// Stores the section `[settings]` of a seed in `data_dir` and returns the path of the file.
///
/// # Errors
/// If the file cannot be written.
pub fn write(data_dir: &Path, section: &toml::Table) -> Result<PathBuf> {
    let path = data_dir.join(SEEDED);
    let text = format!(
        "# Written by festival seed, and written anew by the next one. What you set in config/local.toml or in the browser\n\
         # lies over it. Remove this file to be rid of the settings that came with the seed.\n\n{section}"
    );
    durable::write(&path, text.as_bytes(), Existing::Replace)?;
    Ok(path)
}
