//! `festival forms export`: submissions as tables, JSON and archives.

mod archives;
mod large;
mod tables;
mod usage;

use std::path::Path;

use festival_core::db::Write;
use festival_core::entity::{Datum, Entity, Kind, table};
use festival_core::export::unescape_formula;
use festival_core::sheet::{self, Limits, Sheet};

use crate::support::{CommandOutput, Database, TestApp, festival};

/// Columns of a submission other than its fields, unless a test sets them.
const DEFAULT_COLUMNS: [(&str, &str); 6] = [
    ("status", "new"),
    ("over_long", ""),
    ("consent_notice", "2025-1"),
    ("consented_at", "2025-10-20T06:30:00.000Z"),
    ("fingerprint", "never-outside"),
    ("subject_hash", "never-outside"),
];

/// A submission to insert.
#[derive(Clone)]
struct Row {
    entity: &'static Entity,
    year: i64,
    reference: String,
    created_at: String,
    values: Vec<(&'static str, Datum)>,
}

impl Row {
    fn new(entity: &'static Entity, reference: &str) -> Self {
        Self {
            entity,
            year: 2025,
            reference: reference.to_owned(),
            created_at: "2025-10-20T06:30:05.000Z".into(),
            values: Vec::new(),
        }
    }

    /// Sets the text of a field or column.
    fn text(mut self, name: &'static str, text: &str) -> Self {
        self.values.push((name, Datum::Text(text.to_owned())));
        self
    }

    /// Sets a flag.
    fn flag(mut self, name: &'static str) -> Self {
        self.values.push((name, Datum::Integer(1)));
        self
    }

    fn value(&self, name: &str) -> Option<Datum> {
        self.values.iter().rev().find(|(known, _)| *known == name).map(|(_, datum)| datum.clone())
    }

    /// Inserts it and returns its id.
    async fn insert(&self, app: &TestApp) -> i64 {
        let edition = app.id("editions", &format!("year = {}", self.year)).await;
        let mut write = app.app.db.write().await.unwrap();
        let id = self.insert_in_transaction(&mut write, edition).await;
        write.commit().await.unwrap();
        id
    }

    /// Inserts it in a transaction and returns its id.
    async fn insert_in_transaction(&self, write: &mut Write, edition: i64) -> i64 {
        let record = self
            .entity
            .columns()
            .map(|field| {
                self.value(field.name).unwrap_or_else(|| match field.kind {
                    Kind::Integer { .. } => Datum::Integer(92),
                    Kind::Year => Datum::Integer(2025),
                    Kind::Phone => Datum::Text("+91 98470 12345".into()),
                    Kind::Choice(choices) => Datum::Text(choices[0].0.into()),
                    _ => Datum::Text(format!("{} {}", field.name, self.reference)),
                })
            })
            .collect();
        let mut columns = vec![("reference", Datum::Text(self.reference.clone()))];
        let own = match self.entity.table {
            "film_submissions" => vec![("award_category", "malayalam"), ("category_source", "field")],
            "delegates" => vec![("category_key", "delegate")],
            _ => Vec::new(),
        };
        for (name, usual) in DEFAULT_COLUMNS.into_iter().chain(own) {
            columns.push((name, self.value(name).unwrap_or_else(|| Datum::Text(usual.into()))));
        }
        for name in ["is_quarantined", "is_late", "is_possible_duplicate"] {
            columns.push((name, self.value(name).unwrap_or(Datum::Integer(0))));
        }
        match self.entity.table {
            "film_submissions" => {
                columns.push(("declared_feature_label", self.value("declared_feature_label").unwrap_or(Datum::Null)));
                columns.extend([("fee_inr", Datum::Integer(5000)), ("fee_usd", Datum::Integer(60))]);
            }
            "delegates" => columns.push(("fee_inr", Datum::Integer(500))),
            _ => {}
        }
        let id = table::insert_with(write, self.entity, Some(edition), &record, &columns, &self.created_at).await;
        id.unwrap_or_else(|error| panic!("{}: {}", self.reference, error.for_terminal()))
    }
}

/// Adds a file to the submission; its content is stored only if `bytes` are given.
async fn add_file(app: &TestApp, row: &Row, id: i64, field: &str, key: &str, mime: &str, bytes: Option<&[u8]>) {
    let owner = if row.entity.table == "delegates" { "delegate_id" } else { "film_submission_id" };
    let size = bytes.map_or(3, <[u8]>::len);
    app.write(&format!(
        "INSERT INTO submission_files ({owner}, field, key, name, mime, size, sha256, flags, created_at) \
         VALUES ({id}, '{field}', '{key}', 'sent.bin', '{mime}', {size}, '', '', '')"
    ))
    .await;
    if let Some(bytes) = bytes {
        let path = app.directory.path().join("media/private").join(key);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Runs the export on the site's data, in `folder`.
pub(super) fn export(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let arguments: Vec<&str> = ["forms", "export"].into_iter().chain(arguments.iter().copied()).collect();
    festival(folder, &arguments, &borrowed(&environment(app)))
}

fn environment(app: &TestApp) -> [(&'static str, String); 2] {
    let url = app.database.url(app.directory.path());
    [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap().to_owned()),
        ("ROCKET_DATABASES", format!("{{festival={{url=\"{url}\"}}}}")),
    ]
}

fn borrowed<'a>(environment: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    environment.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

/// Parses an exported table.
fn read(bytes: &[u8], name: &str) -> Sheet {
    let limits = Limits { cell_bytes: 1 << 20, ..Limits::default() };
    sheet::read(bytes, name, &limits).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The values of a column, without the guard against formulas.
fn column(sheet: &Sheet, title: &str) -> Vec<String> {
    let index = sheet.header.iter().position(|header| header == title);
    let index = index.unwrap_or_else(|| panic!("no column {title} in {:?}", sheet.header));
    sheet.rows.iter().map(|row| unescape_formula(&row.cells[index]).to_owned()).collect()
}
