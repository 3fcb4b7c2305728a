//! Exports a list: as a table, or as an archive of the files. Needs a recent password, and is audited.
//!
//! The file has no name while it is written, so that nothing is left of it after a fault or a power cut.

use std::fs::File;

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{self, ListQuery};
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db::{self, Select};
use festival_core::{Result, deadline};
use jiff::civil::DateTime;
use rocket::http::ContentType;
use serde_json::json;
use sqlx::AnyConnection;

use super::list::SubmissionList;
use crate::export::FileArchive;
use crate::submissions::{SubmissionKind, SubmissionReader};

/// Handles `GET export`: the page that says what will be exported.
pub(super) async fn confirm(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &SubmissionList { kind }).await?;
    let count = query.select.count(&mut connection).await?;
    let list = kind.list_path();
    Ok(Reply::page("submissions-export", format!("Export {}", kind.entity.plural))
        .crumb(kind.list_title(), request.address(&list, &[]))
        .with("count", count)
        .with("things", kind.noun(count.unsigned_abs()))
        .with("year", query.year())
        .with("narrowed", query.is_narrow())
        .with("has_files", kind.has_files())
        .with("action", request.address(&format!("{list}/export"), &[]))
        .with("back", request.address(&list, &[]))
        .shows_nobody()
        .into())
}

/// Handles `POST export`.
pub(super) async fn create(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    if !(kind.has_files() && request.form.get("format") == "files") {
        return collections::download(request, &SubmissionList { kind }).await;
    }
    request.site.has_room(0).await?;
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &SubmissionList { kind }).await?;
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let out = request.site.scratch()?;
    let (file, count) = write_archive(&request, &mut snapshot, kind, &query.select, out).await?;
    snapshot.rollback().await?;
    let exported = json!({ "rows": count, "format": "zip", "query": query.for_audit() });
    let name = format!("{}-{}.zip", kind.entity.slug(), query.year());
    let entry = Entry::new("export", kind.entity.table).after(exported);
    Ok(Reply::written(name, ContentType::ZIP, file)?.shows_people(entry))
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
