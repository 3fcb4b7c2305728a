//! Exports a list: as a table, or as an archive of the files. Needs a recent password, and is audited.
//!
//! The file has no name while it is written, so that nothing is left of it after a fault or a power cut.

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{self, ListQuery};
use festival_core::admin::privacy::PrivateArchive;
use festival_core::admin::{AdminRequest, Reply};
use festival_core::db;
use festival_core::{Result, deadline};
use rocket::http::ContentType;
use serde_json::json;

use super::list::SubmissionList;
use crate::export::add_files;
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

/// Handles `POST export`. `missing.txt` in an archive lists files that are missing.
pub(super) async fn create(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    if !(kind.has_files() && request.form.get("format") == "files") {
        return collections::download(request, &SubmissionList { kind }).await;
    }
    let mut connection = request.read().await?;
    let query = ListQuery::read(&request, &mut connection, &SubmissionList { kind }).await?;
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let mut archive = PrivateArchive::to_download(&request.site).await?;
    let mut reader = SubmissionReader::new(&request.site.secrets, kind, &query.select);
    let mut count = 0;
    while let Some(submission) = reader.next(&mut snapshot).await? {
        archive = add_files(archive, &request.site, &submission).await?;
        deadline::progress();
        count += 1;
    }
    snapshot.rollback().await?;
    let now = request.now().to_zoned(request.site.time_zone.clone()).datetime();
    let file = archive.finish_with_problems(now).await?;
    let exported = json!({ "rows": count, "format": "zip", "query": query.for_audit() });
    let name = format!("{}-{}.zip", kind.entity.slug(), query.year());
    let entry = Entry::new("export", kind.entity.table).after(exported);
    Ok(Reply::written(name, ContentType::ZIP, file)?.shows_people(entry))
}
