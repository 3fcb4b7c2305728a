//! What is listed, as a file: a table, or all files that belong to it. It is asked for on a page that says what it is,
//! with the password typed a short while ago, and written down.
//!
//! The file has no name while it is written: whatever ends the work, a fault or a power cut, nothing of it stays.

use std::fs::File;

use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::{self, Select};
use festival_core::export::{Format, TableWriter};
use festival_core::{Error, Result, blocking, deadline};
use jiff::civil::DateTime;
use rocket::http::ContentType;
use serde_json::json;
use sqlx::AnyConnection;

use super::{list_query, show};
use crate::export::{FileArchive, Layout, on_clocks};
use crate::submissions::{Kind, page};

/// How many are read at a time.
const STEP: u16 = 200;

pub(super) async fn ask(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let asked = list_query::read(&request, &mut connection, kind).await?;
    let count = asked.select.count(&mut connection).await?;
    let home = kind.home();
    Ok(Reply::page("submissions-export", format!("Export {}", kind.entity.plural))
        .crumb(show::name_of_list(kind), request.address(&home, &[]))
        .with("count", count)
        .with("things", if count == 1 { kind.entity.singular } else { kind.entity.plural })
        .with("year", &asked.year)
        .with("narrowed", asked.is_narrow())
        .with("has_files", kind.has_files())
        .with("action", request.address(&format!("{home}/export"), &[]))
        .with("back", request.address(&home, &[]))
        .shows_nobody()
        .into())
}

pub(super) async fn create(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let format = request.form.get("format");
    let (ending, content_type) = match format {
        "csv" => ("csv", ContentType::CSV),
        "xlsx" => ("xlsx", ContentType::new("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        "files" if kind.has_files() => ("zip", ContentType::ZIP),
        _ => return Err(Error::BadRequest("Please choose a table or the files.".into())),
    };
    request.site.has_room(0).await?;
    let mut connection = request.read().await?;
    let asked = list_query::read(&request, &mut connection, kind).await?;
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let out = request.site.scratch()?;
    let (file, count) = match format {
        "files" => archive(&request, &mut snapshot, kind, &asked.select, out).await?,
        _ => {
            let format = if ending == "csv" { Format::Csv } else { Format::Xlsx };
            table(&request, &mut snapshot, kind, &asked.select, format, out).await?
        }
    };
    snapshot.rollback().await?;
    let taken = json!({ "rows": count, "format": ending, "asked": asked.said() });
    let name = format!("{}-{}.{ending}", kind.entity.slug(), asked.year);
    let entry = Entry::new("export", kind.entity.table).after(taken);
    Ok(Reply::written(name, content_type, file)?.shows_people(entry))
}

/// Writes the table and answers how many rows it has.
async fn table(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &Kind,
    select: &Select,
    format: Format,
    out: File,
) -> Result<(File, u64)> {
    let layout = Layout::for_people(kind, &request.site.time_zone);
    let mut table = TableWriter::new(format, out, &layout.columns, true, &request.site.data_dir("tmp"))?;
    let (mut after, mut count) = (0, 0);
    while let Some((last, submissions)) = page(connection, &request.site.secrets, kind, select, after, STEP).await? {
        after = last;
        deadline::progress();
        count += submissions.len() as u64;
        request.site.has_room(0).await?;
        let rows: Vec<_> = submissions.iter().map(|submission| layout.row(submission)).collect();
        table = blocking(move || {
            rows.iter().try_for_each(|row| table.row(row))?;
            Ok(table)
        })
        .await?;
    }
    Ok((blocking(move || table.finish()).await?, count))
}

/// Writes the archive and answers how many submissions it is of. What is missing in it is said in it.
async fn archive(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &Kind,
    select: &Select,
    out: File,
) -> Result<(File, u64)> {
    let mut archive = FileArchive::new(out);
    let mut missing = String::new();
    let (mut after, mut count) = (0, 0);
    while let Some((last, submissions)) = page(connection, &request.site.secrets, kind, select, after, STEP).await? {
        after = last;
        for submission in &submissions {
            let sent_at = on_clocks(submission.text("created_at"), &request.site.time_zone).unwrap_or_default();
            let size = submission.files().iter().map(|file| file.size).sum::<i64>();
            // ListQuery for each: others take room meanwhile.
            request.site.has_room(size.unsigned_abs()).await?;
            let (begun, wrong) = archive.add(&request.site, submission, sent_at).await?;
            archive = begun;
            deadline::progress();
            for words in wrong {
                missing.push_str(&words);
                missing.push('\n');
            }
            count += 1;
        }
    }
    let now: DateTime = request.now().to_zoned(request.site.time_zone.clone()).datetime();
    Ok((archive.finish_with("missing.txt", now, missing).await?, count))
}
