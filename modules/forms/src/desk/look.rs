//! A picture that somebody sent, as large as it is. Works without a script: it is a page.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{Reply, Visit, nothing_here};
use serde_json::json;

use super::{file, one, shown};
use crate::kept::Kind;

pub(super) async fn show(visit: Visit, kind: &'static Kind) -> Result<Reply> {
    let id = visit.id()?;
    let mut connection = visit.read().await?;
    let select = one::select(&mut connection, &visit.scope(), (kind, id)).await?;
    let submission = one::find(&visit, &mut connection, kind, &select).await?;
    let sent = file::named(&visit, kind, &submission)?;
    let field = kind.entity.field(&sent.field).filter(|_| shown::is_picture(sent)).ok_or_else(nothing_here)?;
    let page = format!("{}/{id}", kind.home());
    let title = format!("{} of {}", shown::label_of(field), submission.text("reference"));
    // The picture itself is written down when it is sent.
    Ok(Reply::page("submission-file", title.as_str())
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(one::name_of_list(kind), visit.address(&kind.home(), &[]))
        .crumb(submission.text(kind.title), visit.address(&page, &[]))
        .with("file", json!({ "href": format!("{page}/files/{}", sent.field), "name": sent.name, "label": title }))
        .into())
}
