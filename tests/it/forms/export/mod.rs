//! `festival forms export`: what people sent, out again.

mod archives;
mod large;
mod tables;
mod usage;

use std::path::Path;

use festival_core::db::Write;
use festival_core::entity::{Datum, Entity, Kind, table};
use festival_core::export::unescape_formula;
use festival_core::sheet::{self, Limits, Sheet};

use crate::support::{Database, Program, TestApp, festival};

/// What is kept of a submission beside its fields, unless a test says otherwise.
const BESIDE: [(&str, &str); 6] = [
    ("status", "new"),
    ("over_long", ""),
    ("consent_notice", "2025-1"),
    ("consented_at", "2025-10-20T06:30:00.000Z"),
    ("fingerprint", "never-outside"),
    ("subject_hash", "never-outside"),
];

/// A submission to be put into the database.
#[derive(Clone)]
struct Row {
    entity: &'static Entity,
    year: i64,
    reference: String,
    created_at: String,
    said: Vec<(&'static str, Datum)>,
}

impl Row {
    fn new(entity: &'static Entity, reference: &str) -> Self {
        Self {
            entity,
            year: 2025,
            reference: reference.to_owned(),
            created_at: "2025-10-20T06:30:05.000Z".into(),
            said: Vec::new(),
        }
    }

    /// The same with this text in a field or a column of the table.
    fn text(mut self, name: &'static str, text: &str) -> Self {
        self.said.push((name, Datum::Text(text.to_owned())));
        self
    }

    /// The same with this flag set.
    fn flag(mut self, name: &'static str) -> Self {
        self.said.push((name, Datum::Integer(1)));
        self
    }

    fn said(&self, name: &str) -> Option<Datum> {
        self.said.iter().rev().find(|(said, _)| *said == name).map(|(_, datum)| datum.clone())
    }

    /// Writes it and answers its id.
    async fn put(&self, app: &TestApp) -> i64 {
        let edition = app.id("editions", &format!("year = {}", self.year)).await;
        let mut write = app.app.db.write().await.unwrap();
        let id = self.insert(&mut write, edition).await;
        write.commit().await.unwrap();
        id
    }

    /// Writes it with others.
    async fn insert(&self, write: &mut Write, edition: i64) -> i64 {
        let record = self
            .entity
            .columns()
            .map(|field| {
                self.said(field.name).unwrap_or_else(|| match field.kind {
                    Kind::Integer { .. } => Datum::Integer(92),
                    Kind::Year => Datum::Integer(2025),
                    Kind::Phone => Datum::Text("+91 98470 12345".into()),
                    Kind::Choice(choices) => Datum::Text(choices[0].0.into()),
                    _ => Datum::Text(format!("{} {}", field.name, self.reference)),
                })
            })
            .collect();
        let mut beside = vec![("reference", Datum::Text(self.reference.clone()))];
        let own = match self.entity.table {
            "film_submissions" => vec![("award_category", "malayalam"), ("category_source", "field")],
            "delegates" => vec![("category_key", "delegate")],
            _ => Vec::new(),
        };
        for (name, usual) in BESIDE.into_iter().chain(own) {
            beside.push((name, self.said(name).unwrap_or_else(|| Datum::Text(usual.into()))));
        }
        for name in ["is_quarantined", "is_late", "is_possible_duplicate"] {
            beside.push((name, self.said(name).unwrap_or(Datum::Integer(0))));
        }
        match self.entity.table {
            "film_submissions" => {
                beside.push(("declared_feature_label", self.said("declared_feature_label").unwrap_or(Datum::Null)));
            }
            "delegates" => beside.push(("fee_inr", Datum::Integer(500))),
            _ => {}
        }
        let id = table::insert_with(write, self.entity, Some(edition), &record, &beside, &self.created_at).await;
        id.unwrap_or_else(|error| panic!("{}: {}", self.reference, error.for_terminal()))
    }
}

/// Gives the submission a file, in the store only if `bytes` are there.
async fn put_file(app: &TestApp, row: &Row, id: i64, field: &str, key: &str, mime: &str, bytes: Option<&[u8]>) {
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

/// The program on the site's own data, started in `folder`.
fn export(app: &TestApp, folder: &Path, arguments: &[&str]) -> Program {
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

/// A table that was written, read back as any program would.
fn read(bytes: &[u8], name: &str) -> Sheet {
    let limits = Limits { cell_bytes: 1 << 20, ..Limits::default() };
    sheet::read(bytes, name, &limits).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The column called `title`, from top to bottom, as it was sent.
fn column(sheet: &Sheet, title: &str) -> Vec<String> {
    let place = sheet.header.iter().position(|header| header == title);
    let place = place.unwrap_or_else(|| panic!("no column {title} in {:?}", sheet.header));
    sheet.rows.iter().map(|row| unescape_formula(&row.cells[place]).to_owned()).collect()
}
