//! A file that somebody sent, to those who may have it. To everybody else it is not there.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{Reply, Visit, nothing_here};
use rocket::http::ContentType;
use serde_json::json;

use super::one;
use super::role::may_see;
use crate::kept::{Kind, SentFile, Submission};

/// The file that the path names, out of a submission that is open to whoever asks.
pub(super) fn named<'a>(visit: &Visit, kind: &Kind, submission: &'a Submission<'_>) -> Result<&'a SentFile> {
    let field = visit.params.get("field").and_then(|name| kind.entity.field(name)).ok_or_else(nothing_here)?;
    submission.file(field).filter(|_| may_see(visit, field)).ok_or_else(nothing_here)
}

pub(super) async fn send(visit: Visit, kind: &'static Kind) -> Result<Reply> {
    let id = visit.id()?;
    let mut connection = visit.read().await?;
    let select = one::select(&mut connection, &visit.scope(), (kind, id)).await?;
    let submission = one::find(&visit, &mut connection, kind, &select).await?;
    drop(connection);
    let file = named(&visit, kind, &submission)?;
    let (content, length) = visit.site.media.open_private(&file.key).await?;
    let entry = Entry::new("view file", kind.entity.table).id(id).after(json!({ "file": file.field }));
    // Called by what it is, not as its sender called it.
    let ending = file.key.rsplit_once('.').map_or("bin", |(_, ending)| ending);
    let name = format!("{} {}.{ending}", submission.text("reference"), file.field);
    let content_type = ContentType::parse_flexible(&file.mime).unwrap_or(ContentType::Binary);
    Ok(Reply::file(name, content_type, content, length).shows_people(entry))
}
