//! Reads submissions with their files, page by page.

use std::collections::HashMap;
use std::path::Path;

use festival_core::Result;
use festival_core::checks::{DAMAGED, texts};
use festival_core::db::Select;
use festival_core::entity::{Datum, Field};
use festival_core::export::safe_name;
use festival_core::secrets::Secrets;
use rocket::futures::TryStreamExt as _;
use sqlx::{AnyConnection, Row as _};

use super::kind::Kind;
use super::secret;
use crate::finding::{self, Finding};
use crate::submit::tables::{self, FileStatements};

/// The longest path in an archive, in characters.
const PATH: usize = 120;

/// A submission as it is kept.
pub(crate) struct Submission<'a> {
    /// Row id.
    pub(crate) id: i64,
    columns: &'a [&'static str],
    values: Vec<Datum>,
    files: Vec<SentFile>,
    /// The folder of its files in an archive.
    folder: String,
}

/// A file of a submission.
pub(crate) struct SentFile {
    pub(crate) field: String,
    /// What it was called on the sender's machine: to be shown only.
    pub(crate) name: String,
    /// Where it is in the private store.
    pub(crate) key: String,
    pub(crate) mime: String,
    /// What to know before opening it, separated by blanks.
    pub(crate) flags: String,
    /// In bytes.
    pub(crate) size: i64,
    /// Its path in an archive.
    pub(crate) path: String,
}

impl SentFile {
    /// Whether `flag` is one of its flags.
    pub(crate) fn has_flag(&self, flag: &str) -> bool {
        self.flags.split_whitespace().any(|known| known == flag)
    }

    /// What its sender should know of it; "" for most.
    pub(crate) fn remark(&self) -> &'static str {
        if self.has_flag(DAMAGED) { texts::damaged(&self.mime) } else { "" }
    }
}

impl<'a> Submission<'a> {
    /// A submission out of a row of `select`, without its files.
    pub(crate) fn new(secrets: &Secrets, kind: &Kind, select: &'a Select, id: i64, mut values: Vec<Datum>) -> Self {
        secret::decrypt(secrets, select.columns(), &mut values);
        let mut submission = Self { id, columns: select.columns(), values, files: Vec::new(), folder: String::new() };
        submission.folder = folder(kind, &submission);
        submission
    }

    /// What the column called `name` holds.
    pub(crate) fn value(&self, name: &str) -> &Datum {
        let place = self.columns.iter().position(|column| *column == name);
        place.and_then(|place| self.values.get(place)).unwrap_or(&Datum::Null)
    }

    /// The text in the column called `name`; "" where there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Datum::Text(text) => text,
            _ => "",
        }
    }

    /// The number in the column called `name`, if there is one.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Datum::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether the flag called `name` is set.
    pub(crate) fn flag(&self, name: &str) -> bool {
        *self.value(name) == Datum::Integer(1)
    }

    /// What was noted about single values when it arrived.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        finding::from_json(self.text("findings"))
    }

    /// The file that was sent in `field`.
    pub(crate) fn file(&self, field: &Field) -> Option<&SentFile> {
        self.files.iter().find(|file| file.field == field.name)
    }

    /// Its files, in the order of the form.
    pub(crate) fn files(&self) -> &[SentFile] {
        &self.files
    }
}

/// The submissions after the one with the id `after`, and the id of the last.
pub(crate) async fn page<'a>(
    connection: &mut AnyConnection,
    secrets: &Secrets,
    kind: &Kind,
    select: &'a Select,
    after: i64,
    limit: u16,
) -> Result<Option<(i64, Vec<Submission<'a>>)>> {
    let rows = select.page(connection, after, limit).await?;
    let Some((last, _)) = rows.last() else { return Ok(None) };
    let last = *last;
    let mut places = HashMap::with_capacity(rows.len());
    let mut submissions = Vec::with_capacity(rows.len());
    for (place, (id, values)) in rows.into_iter().enumerate() {
        places.insert(id, place);
        submissions.push(Submission::new(secrets, kind, select, id, values));
    }
    if let Some(files) = &tables::of(kind.entity)?.files {
        read_files(connection, files, (after, last), &places, &mut submissions).await?;
    }
    Ok(Some((last, submissions)))
}

/// Gives the submissions with ids after the first and up to the second number their files.
async fn read_files(
    connection: &mut AnyConnection,
    files: &FileStatements,
    (after, last): (i64, i64),
    places: &HashMap<i64, usize>,
    submissions: &mut [Submission<'_>],
) -> Result<()> {
    let mut rows = sqlx::query(files.list).bind(after).bind(last).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        // Others may lie between the ones that were asked for.
        let Some(place) = places.get(&row.try_get(0)?) else { continue };
        let submission = &mut submissions[*place];
        let (field, key): (String, String) = (row.try_get(1)?, row.try_get(2)?);
        let ending = Path::new(&key).extension().and_then(|ending| ending.to_str()).unwrap_or("bin");
        let path = format!("{}/{}", submission.folder, safe_name(&format!("{field}.{ending}"), PATH / 3));
        let (mime, size) = (row.try_get(3)?, row.try_get(4)?);
        let (name, flags) = (row.try_get(5)?, row.try_get(6)?);
        submission.files.push(SentFile { field, name, key, mime, flags, size, path });
    }
    Ok(())
}

/// `ML-2025-0042 The Rain Road`. References differ, so that folders do; every path in them stays short enough.
fn folder(kind: &Kind, submission: &Submission<'_>) -> String {
    let files = kind.entity.fields.iter().filter(|field| !field.has_column());
    let longest = files.map(|field| field.name.len()).max().unwrap_or_default();
    let room = PATH - longest - "/.webp".len();
    safe_name(&format!("{} {}", submission.text("reference"), submission.text(kind.title)), room)
}
