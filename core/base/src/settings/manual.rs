//! Prints `config/festival.toml`: every setting with its default and the sentence of its doc comment.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{Sections, Settings, Sources};

/// The settings file as it stands in the repository: `settings` with a comment over every key.
///
/// The comments come from the doc comments of [`Settings`] and of the modules' own sections, so the file and the
/// program cannot disagree. The `sections` are printed in their order.
pub fn manual(settings: &Settings, sections: &Sections) -> Result<String, serde_json::Error> {
    manual_with(settings, sections, &Sources::new())
}

/// The same, and at every setting that is not built in where it comes from.
pub fn manual_with(settings: &Settings, sections: &Sections, from: &Sources) -> Result<String, serde_json::Error> {
    let schema = serde_json::to_value(schemars::schema_for!(Settings))?;
    let values = serde_json::to_value(settings)?;
    let mut out = String::from(
        "# Every setting with its default. Change what you need in config/local.toml (same keys) or in the\n\
         # environment: FESTIVAL_DATA_DIR=/srv/festival, FESTIVAL_MODULES__MAGAZINES__ENABLED=false.\n\
         # Address, port and database are Rocket's: Rocket.toml or ROCKET_PORT, ROCKET_DATABASES.\n",
    );
    if let Value::Object(values) = &values {
        table(&mut out, (&schema, &schema), values, "", from);
    }
    for (module, section) in sections {
        let path = format!("modules.{module}");
        let module = settings.modules.get(*module).cloned().unwrap_or_default();
        let _ = write!(out, "\n[{path}]\nenabled = {}\n", module.enabled);
        if let Some(section) = section
            && let Ok(values) = (section.values)(&module.own)
        {
            let schema = (section.schema)();
            table(&mut out, (&schema, &schema), &values, &path, from);
        }
    }
    Ok(out)
}

/// Follows a `$ref` to its definition.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|path| root.pointer(path.trim_start_matches('#')))
        .unwrap_or(schema)
}

fn comment(out: &mut String, schema: &Value) {
    for line in schema.get("description").and_then(Value::as_str).unwrap_or_default().lines() {
        let _ = writeln!(out, "# {line}");
    }
}

/// Writes plain keys first, as TOML wants it, then the sub-tables.
fn table(out: &mut String, (root, schema): (&Value, &Value), values: &Map<String, Value>, path: &str, from: &Sources) {
    let properties = |key: &str| schema.pointer(&format!("/properties/{key}"));
    for (key, value) in values.iter().filter(|(_, value)| !is_table(value)) {
        let _ = writeln!(out);
        if let Some(property) = properties(key) {
            comment(out, property);
        }
        let note = from.get(&below(path, key)).map_or(String::new(), |from| format!(" # from {from}"));
        let _ = writeln!(out, "{key} = {}{note}", literal(value));
    }
    for (key, value) in values {
        let inner_path = below(path, key);
        let property = properties(key);
        match value {
            Value::Object(inner) => {
                let _ = writeln!(out);
                if let Some(property) = property {
                    comment(out, property);
                }
                let _ = writeln!(out, "[{inner_path}]");
                let inner_schema = property.map_or(&Value::Null, |p| resolve(root, p));
                // Modules print their sections themselves.
                if inner_path != "modules" {
                    table(out, (root, inner_schema), inner, &inner_path, from);
                }
            }
            Value::Array(rows) if is_table(value) => {
                let _ = writeln!(out);
                if let Some(property) = property {
                    comment(out, property);
                }
                if let Some(from) = from.get(&inner_path) {
                    let _ = writeln!(out, "# from {from}");
                }
                for row in rows {
                    let _ = writeln!(out, "[[{inner_path}]]");
                    if let Value::Object(row) = row {
                        for (key, value) in row {
                            let _ = writeln!(out, "{key} = {}", literal(value));
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// The path of a key in a table.
fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn is_table(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(rows) => rows.first().is_some_and(Value::is_object),
        _ => false,
    }
}

/// A value on one line, tables inline.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => format!(
            "{{ {} }}",
            map.iter().map(|(key, value)| format!("{key} = {}", literal(value))).collect::<Vec<_>>().join(", ")
        ),
        other => other.to_string(), // JSON strings, numbers and booleans read the same in TOML.
    }
}
