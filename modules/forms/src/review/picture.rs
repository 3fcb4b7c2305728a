//! A picture that somebody sent, as large as it is. Works without a script: it is a page.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply, nothing_here};
use serde_json::json;

use super::{file, show, view};
use crate::submissions::Kind;

pub(super) async fn show(request: AdminRequest, kind: &'static Kind) -> Result<Reply> {
    let id = request.id()?;
    let mut connection = request.read().await?;
    let select = show::select(&mut connection, &request.scope(), (kind, id)).await?;
    let submission = show::find(&request, &mut connection, kind, &select).await?;
    let sent = file::named(&request, kind, &submission)?;
    let field = kind.entity.field(&sent.field).filter(|_| view::is_picture(sent)).ok_or_else(nothing_here)?;
    let page = format!("{}/{id}", kind.home());
    let title = format!("{} of {}", view::label_of(field), submission.text("reference"));
    // The picture itself is written down when it is sent.
    Ok(Reply::page("submission-file", title.as_str())
        .shows_people(Entry::new("view", kind.entity.table).id(id))
        .crumb(show::name_of_list(kind), request.address(&kind.home(), &[]))
        .crumb(submission.text(kind.title), request.address(&page, &[]))
        .with("file", json!({ "href": format!("{page}/files/{}", sent.field), "name": sent.name, "label": title }))
        .into())
}
