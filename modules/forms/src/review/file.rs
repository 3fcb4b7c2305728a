//! A file that somebody sent, to those who may have it. To everybody else it is not there.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply, nothing_here};
use rocket::http::ContentType;
use serde_json::json;

use super::role::may_see;
use super::show;
use crate::submissions::{Kind, SentFile, Submission};

/// The file that the path names, out of a submission that is open to whoever asks.
pub(super) fn named<'a>(request: &AdminRequest, kind: &Kind, submission: &'a Submission<'_>) -> Result<&'a SentFile> {
    let field = request.params.get("field").and_then(|name| kind.entity.field(name)).ok_or_else(nothing_here)?;
    submission.file(field).filter(|_| may_see(request, field)).ok_or_else(nothing_here)
}

pub(super) async fn send(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let select = show::select(&mut connection, &request.scope(), (kind, id)).await?;
    let submission = show::find(&request, &mut connection, kind, &select).await?;
    drop(connection);
    let file = named(&request, kind, &submission)?;
    let (content, length) = request.site.media.open_private(&file.key).await?;
    let entry = Entry::new("view file", kind.entity.table).id(id).after(json!({ "file": file.field }));
    // Called by what it is, not as its sender called it.
    let ending = file.key.rsplit_once('.').map_or("bin", |(_, ending)| ending);
    let name = format!("{} {}.{ending}", submission.text("reference"), file.field);
    let content_type = ContentType::parse_flexible(&file.mime).unwrap_or(ContentType::Binary);
    Ok(Reply::file(name, content_type, content, length).shows_people(entry))
}
