//! What is listed, as a file: a table, or all files that belong to it. It is asked for on a page that says what it is,
//! with the password typed a short while ago, and written down.

use std::io::{Seek, Write};

use festival_core::admin::audit::Entry;
use festival_core::admin::{Reply, Visit};
use festival_core::export::{self, Format, Select, TableWriter};
use festival_core::{Error, Result};
use jiff::civil::DateTime;
use rocket::http::ContentType;
use serde_json::json;
use sqlx::AnyConnection;

use super::{asked, one};
use crate::export::{FileArchive, Layout, on_clocks};
use crate::kept::{Kind, page};

/// How many are read at a time.
const STEP: u16 = 200;

pub(super) async fn ask(visit: Visit, kind: &'static Kind) -> Result<Reply> {
    let mut connection = visit.read().await?;
    let asked = asked::read(&visit, &mut connection, kind).await?;
    let count = asked.select.count(&mut connection).await?;
    let home = kind.home();
    Ok(Reply::page("submissions-export", format!("Take {} along", kind.entity.plural))
        .crumb(one::name_of_list(kind), visit.address(&home, &[]))
        .with("count", count)
        .with("things", if count == 1 { kind.entity.singular } else { kind.entity.plural })
        .with("year", &asked.year)
        .with("narrowed", asked.is_narrow())
        .with("has_files", kind.has_files())
        .with("action", visit.address(&format!("{home}/export"), &[]))
        .with("back", visit.address(&home, &[]))
        .into())
}

pub(super) async fn take(visit: Visit, kind: &'static Kind) -> Result<Reply> {
    let format = visit.form.get("format");
    let (ending, content_type) = match format {
        "csv" => ("csv", ContentType::CSV),
        "xlsx" => ("xlsx", ContentType::new("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        "files" if kind.has_files() => ("zip", ContentType::ZIP),
        _ => return Err(Error::BadRequest("Please choose a table or the files.".into())),
    };
    let mut connection = visit.read().await?;
    let asked = asked::read(&visit, &mut connection, kind).await?;
    let mut snapshot = export::snapshot(&mut connection, visit.app.db.backend()).await?;
    let out = visit.app.scratch()?;
    let (file, count) = match format {
        "files" => archive(&visit, &mut snapshot, kind, &asked.select, out).await?,
        _ => {
            let format = if ending == "csv" { Format::Csv } else { Format::Xlsx };
            table(&visit, &mut snapshot, kind, &asked.select, format, out).await?
        }
    };
    snapshot.rollback().await?;
    drop(connection);
    let mut write = visit.write().await?;
    let taken = json!({ "rows": count, "format": ending, "edition": asked.year, "status": asked.status });
    visit.audit(&mut write, Entry::new("export", kind.entity.table).after(taken)).await?;
    write.commit().await?;
    Reply::written(format!("{}-{}.{ending}", kind.entity.slug(), asked.year), content_type, file)
}

/// Writes the table and answers how many rows it has.
async fn table<W: Write + Send>(
    visit: &Visit,
    connection: &mut AnyConnection,
    kind: &Kind,
    select: &Select,
    format: Format,
    out: W,
) -> Result<(W, u64)> {
    let layout = Layout::for_people(kind, &visit.app.time_zone);
    let mut table = TableWriter::new(format, out, &layout.columns, true, &visit.app.data_dir("tmp"))?;
    let (mut after, mut count) = (0, 0);
    while let Some((last, submissions)) = page(connection, kind, select, after, STEP).await? {
        after = last;
        for submission in &submissions {
            table.row(&layout.row(submission))?;
            count += 1;
        }
    }
    Ok((table.finish()?, count))
}

/// Writes the archive and answers how many submissions it is of. What is missing in it is said in it.
async fn archive<W: Write + Seek>(
    visit: &Visit,
    connection: &mut AnyConnection,
    kind: &Kind,
    select: &Select,
    out: W,
) -> Result<(W, u64)> {
    let mut archive = FileArchive::new(out);
    let mut missing = String::new();
    let (mut after, mut count) = (0, 0);
    while let Some((last, submissions)) = page(connection, kind, select, after, STEP).await? {
        after = last;
        for submission in &submissions {
            let sent_at = on_clocks(submission.text("created_at"), &visit.app.time_zone).unwrap_or_default();
            let say = |words: &str| {
                missing.push_str(words);
                missing.push('\n');
            };
            archive.add(&visit.app, submission, sent_at, say).await?;
            count += 1;
        }
    }
    if !missing.is_empty() {
        let now: DateTime = visit.now().to_zoned(visit.app.time_zone.clone()).datetime();
        archive.add_text("missing.txt", now, &missing)?;
    }
    Ok((archive.finish()?, count))
}
