//! Settings that come with a seed: its section `[settings]`, kept as a file in the data directory.
//!
//! The name of a festival, its address and its bank account belong to its rows, and leave with them. The file lies over
//! `config/festival.toml` and below everything that somebody set: `config/local.toml`, the environment, the browser.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::InForce;
use crate::error::{Error, Result};

/// The file's name in the data directory.
pub const SEEDED: &str = "seeded.toml";

/// What a seed may set, and below `modules` what organisers change in the browser; the others belong to the machine.
const ALLOWED: &[&str] = &["product", "contact", "social", "menu", "fees", "payment", "analytics"];

/// Checks the section `[settings]` of a seed over the file's settings, by the rules of the file.
///
/// # Errors
/// [`Error::BadRequest`] with every key that may not stand there or cannot be used.
pub fn check(in_force: &InForce, section: &toml::Table) -> Result<()> {
    let section = serde_json::to_value(section)?;
    let mut wrong = not_allowed(in_force, &section);
    if wrong.is_empty() {
        match in_force.over_section(section) {
            Ok(_) => return Ok(()),
            Err(problems) => wrong = problems,
        }
    }
    Err(Error::BadRequest(format!("the seed file's [settings]: {}", wrong.join("; "))))
}

/// The keys that a seed may not set. A module that is switched off keeps its settings, as it keeps its rows.
fn not_allowed(in_force: &InForce, section: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (key, value) in section.as_object().into_iter().flatten() {
        if key == "modules" {
            let unknown = leaves(value, key).into_iter().filter(|path| !in_force.may_change(path));
            wrong.extend(unknown.map(|path| format!("{path}: a seed may set what is changed in the browser only")));
        } else if !ALLOWED.contains(&key.as_str()) {
            wrong.push(format!("{key}: a seed may set {} only", ALLOWED.join(", ")));
        }
    }
    wrong
}

/// The paths of everything that is no table.
fn leaves(value: &Value, path: &str) -> Vec<String> {
    match value {
        Value::Object(entries) => {
            entries.iter().flat_map(|(key, value)| leaves(value, &format!("{path}.{key}"))).collect()
        }
        _ => vec![path.to_owned()],
    }
}

/// Keeps the section `[settings]` of a seed in `data_dir`; answers the file.
///
/// # Errors
/// If the file cannot be written.
pub fn write(data_dir: &Path, section: &toml::Table) -> Result<PathBuf> {
    let path = data_dir.join(SEEDED);
    let text = format!(
        "# Written by festival seed, and written anew by the next one. What you set in config/local.toml or in the browser\n\
         # lies over it. Remove this file to be rid of the settings that came with the seed.\n\n{section}"
    );
    let new = data_dir.join(format!("{SEEDED}.new"));
    std::fs::write(&new, text)?;
    std::fs::rename(&new, &path)?;
    Ok(path)
}

/// Puts `over` over `base`, table by table; lists are replaced whole.
pub(super) fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
