//! Exports a list: as a table, or as an archive of the files. Needs a recent password, and is audited.
//!
//! The file has no name while it is written, so that nothing is left of it after a fault or a power cut.

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

use super::list_query;
use crate::export::{FileArchive, Layout};
use crate::submissions::{SubmissionKind, SubmissionReader};

/// Handles `GET export`: the page that says what will be exported.
pub(super) async fn confirm(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let query = list_query::read(&request, &mut connection, kind).await?;
    let count = query.select.count(&mut connection).await?;
    let list = kind.list_path();
    Ok(Reply::page("submissions-export", format!("Export {}", kind.entity.plural))
        .crumb(kind.list_title(), request.address(&list, &[]))
        .with("count", count)
        .with("things", kind.noun(count.unsigned_abs()))
        .with("year", &query.edition.year)
        .with("narrowed", query.is_narrow())
        .with("has_files", kind.has_files())
        .with("action", request.address(&format!("{list}/export"), &[]))
        .with("back", request.address(&list, &[]))
        .shows_nobody()
        .into())
}

/// Handles `POST export`.
pub(super) async fn create(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let format = request.form.get("format");
    let (extension, content_type) = match format {
        "csv" => ("csv", ContentType::CSV),
        "xlsx" => ("xlsx", ContentType::new("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet")),
        "files" if kind.has_files() => ("zip", ContentType::ZIP),
        _ => return Err(Error::BadRequest("Please choose a table or the files.".into())),
    };
    request.site.has_room(0).await?;
    let mut connection = request.read().await?;
    let query = list_query::read(&request, &mut connection, kind).await?;
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let out = request.site.scratch()?;
    let (file, count) = match format {
        "files" => write_archive(&request, &mut snapshot, kind, &query.select, out).await?,
        _ => {
            let format = if extension == "csv" { Format::Csv } else { Format::Xlsx };
            write_table(&request, &mut snapshot, kind, &query.select, format, out).await?
        }
    };
    snapshot.rollback().await?;
    let exported = json!({ "rows": count, "format": extension, "query": query.for_audit() });
    let name = format!("{}-{}.{extension}", kind.entity.slug(), query.edition.year);
    let entry = Entry::new("export", kind.entity.table).after(exported);
    Ok(Reply::written(name, content_type, file)?.shows_people(entry))
}

/// Writes the table and returns it with its number of rows.
async fn write_table(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &'static SubmissionKind,
    select: &Select,
    format: Format,
    out: File,
) -> Result<(File, u64)> {
    let layout = Layout::for_people(kind, &request.site.time_zone);
    let mut table = TableWriter::new(format, out, &layout.columns, true, &request.site.data_dir("tmp"))?;
    let mut count = 0;
    let mut reader = SubmissionReader::new(&request.site.secrets, kind, select);
    while let Some(submissions) = reader.next(connection).await? {
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

/// Writes the archive and returns it with its number of submissions. `missing.txt` in it lists files that are missing.
async fn write_archive(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    kind: &'static SubmissionKind,
    select: &Select,
    out: File,
) -> Result<(File, u64)> {
    let mut archive = FileArchive::new(out);
    let mut missing = String::new();
    let mut count = 0;
    let mut reader = SubmissionReader::new(&request.site.secrets, kind, select);
    while let Some(submissions) = reader.next(connection).await? {
        for submission in &submissions {
            let size = submission.files().iter().map(|file| file.size).sum::<i64>();
            // Checked for each submission, because other requests use space meanwhile.
            request.site.has_room(size.unsigned_abs()).await?;
            let problems;
            (archive, problems) = archive.add(&request.site, submission).await?;
            deadline::progress();
            for problem in problems {
                missing.push_str(&problem);
                missing.push('\n');
            }
            count += 1;
        }
    }
    let now: DateTime = request.now().to_zoned(request.site.time_zone.clone()).datetime();
    Ok((archive.finish_with("missing.txt", now, missing).await?, count))
}
