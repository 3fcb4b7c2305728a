//! Sends a file of a submission, or shows a picture on a page of its own, which works without a script.
//!
//! A file that the account may not see does not exist for it.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply, nothing_here};
use festival_core::entity::Field;
use rocket::http::ContentType;
use serde_json::json;

use super::role::may_see;
use super::{show, view};
use crate::description::short_label;
use crate::submissions::{SentFile, Submission, SubmissionKind};

/// Returns the file that the path names, with its field.
fn requested_file<'a>(request: &AdminRequest, submission: &'a Submission) -> Result<(&'static Field, &'a SentFile)> {
    let field = request.params.get("field").and_then(|name| submission.kind.entity.field(name));
    let field = field.filter(|field| may_see(request, field)).ok_or_else(nothing_here)?;
    Ok((field, submission.file(field).ok_or_else(nothing_here)?))
}

/// Handles `GET {id}/files/{field}`.
pub(super) async fn send(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let submission = show::find(&request, &mut connection, (kind, id)).await?;
    drop(connection);
    let (_, file) = requested_file(&request, &submission)?;
    let content = request.site.media.open_private(&file.key).await?;
    let entry = Entry::new("view file", kind.entity.table).id(id).after(json!({ "file": file.field }));
    // Named after the submission, not as its sender named it.
    let extension = file.key.rsplit_once('.').map_or("bin", |(_, extension)| extension);
    let name = format!("{} {}.{extension}", submission.reference(), file.field);
    let content_type = ContentType::parse_flexible(&file.mime).unwrap_or(ContentType::Binary);
    Ok(Reply::file(name, content_type, content).await?.shows_people(entry))
}

/// Handles `GET {id}/files/{field}/view`.
pub(super) async fn show_picture(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let submission = show::find(&request, &mut connection, (kind, id)).await?;
    let (field, file) = requested_file(&request, &submission)?;
    if !view::is_picture(file) {
        return Err(nothing_here());
    }
    let page = submission.path();
    let title = format!("{} of {}", short_label(field), submission.reference());
    // The audit log gets the file itself when it is sent.
    Ok(Reply::page("submission-file", title.as_str())
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(show::list_title(kind), request.address(&kind.list_path(), &[]))
        .crumb(submission.title(), request.address(&page, &[]))
        .with("file", json!({ "href": format!("{page}/files/{}", file.field), "name": file.name, "label": title }))
        .into())
}
