//! Generates `config/festival.toml`: every setting with its default and its doc comment.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::section::{join, top_level};
use super::{SectionInfo, Settings, Sources};

/// Returns `settings` as a commented settings file, as it is in the repository, with the source of every setting in
/// `sources`.
///
/// The comments are the doc comments of [`Settings`] and of the modules' sections, which follow in the order of
/// `sections`.
pub fn manual(settings: &Settings, sections: &[SectionInfo], sources: &Sources) -> Result<String, serde_json::Error> {
    let schema = serde_json::to_value(schemars::schema_for!(Settings))?;
    let mut values = serde_json::to_value(settings)?;
    let mut out = String::from(
        "# Every setting with its default. Change what you need in config/local.toml (same keys) or in the\n\
         # environment: FESTIVAL_DATA_DIR=/srv/festival, FESTIVAL_MODULES__MAGAZINES__ENABLED=false.\n\
         # Address, port and database are Rocket's: Rocket.toml or ROCKET_PORT, ROCKET_DATABASES.\n",
    );
    if let Value::Object(values) = &mut values {
        values.remove("modules");
        table(&mut out, (&schema, &schema), values, "", sources);
    }
    let heading = |out: &mut String, schema: &Value, path: &str| {
        out.push('\n');
        comment(out, schema);
        let _ = writeln!(out, "[{path}]");
    };
    let own_table = |out: &mut String, section: &SectionInfo, schema: &Value| {
        let own = settings.own_values(&section.path).cloned().unwrap_or_default();
        if let Ok(values) = (section.values)(&own) {
            table(out, (schema, schema), &values, &section.path, sources);
        }
    };
    for section in top_level(sections) {
        let schema = (section.schema)();
        heading(&mut out, &schema, &section.path);
        own_table(&mut out, section, &schema);
    }
    heading(&mut out, &schema["properties"]["modules"], "modules");
    for section in sections {
        let Some(module) = section.module() else { continue };
        let _ = write!(out, "\n[{}]\nenabled = {}\n", section.path, settings.module_enabled(module));
        own_table(&mut out, section, &(section.schema)());
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

/// Writes plain keys first, as TOML requires, then the sub-tables.
fn table(
    out: &mut String,
    (root, schema): (&Value, &Value),
    values: &Map<String, Value>,
    path: &str,
    sources: &Sources,
) {
    let begin = |out: &mut String, key: &str| {
        out.push('\n');
        comment(out, &schema["properties"][key]);
    };
    for (key, value) in values.iter().filter(|(_, value)| !is_table(value)) {
        begin(out, key);
        let note = sources.get(&join(path, key)).map_or(String::new(), |from| format!(" # from {from}"));
        let _ = writeln!(out, "{key} = {}{note}", literal(value));
    }
    for (key, value) in values {
        let inner_path = join(path, key);
        match value {
            Value::Object(inner) => {
                begin(out, key);
                let _ = writeln!(out, "[{inner_path}]");
                table(out, (root, resolve(root, &schema["properties"][key])), inner, &inner_path, sources);
            }
            Value::Array(rows) if is_table(value) => {
                begin(out, key);
                if let Some(from) = sources.get(&inner_path) {
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

fn is_table(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(rows) => rows.first().is_some_and(Value::is_object),
        _ => false,
    }
}

/// A value on one line, tables inline.
fn literal(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| String::new(), |value| value.to_string())
}
