//! Sends a file of a submission, or shows it as pictures on a page of its own, which works without a script.
//!
//! A file that the account may not see does not exist for it. PDFs come from strangers: their pages are rendered here
//! ([`festival_core::pdf_pages`]), so that nobody has to open them.

use festival_core::Result;
use festival_core::admin::audit::Entry;
use festival_core::admin::{AdminRequest, Reply, nothing_here};
use festival_core::entity::Field;
use festival_core::pdf_pages::PdfPages;
use rocket::http::ContentType;
use serde_json::{Value, json};

use super::view;
use crate::description::short_label;
use crate::role::may_see;
use crate::scope;
use crate::submissions::{SentFile, Submission, SubmissionKind};

/// Returns the submission named in the path.
async fn requested(request: &AdminRequest, kind: &'static SubmissionKind) -> Result<Submission> {
    let id = request.id()?;
    scope::find(request, &mut *request.read().await?, (kind, id)).await
}

/// Returns the file named in the path, with its field.
fn requested_file<'a>(request: &AdminRequest, submission: &'a Submission) -> Result<(&'static Field, &'a SentFile)> {
    let name = request.params.get("field").ok_or_else(nothing_here)?;
    let file = submission.files().iter().find(|file| file.field == *name).ok_or_else(nothing_here)?;
    let field = submission.kind.entity.field(file.field_name()).filter(|field| may_see(request, field));
    Ok((field.ok_or_else(nothing_here)?, file))
}

/// Handles `GET {id}/files/{field}`.
pub(super) async fn send(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let submission = requested(&request, kind).await?;
    let (_, file) = requested_file(&request, &submission)?;
    let content = request.site.media.open_private(&file.key).await?;
    let entry = Entry::new("view file", kind.entity.table).id(submission.id).after(json!({ "file": file.field }));
    // Named after the submission, not as its sender named it.
    let name = format!("{} {}.{}", submission.reference(), file.field, file.extension());
    let content_type = ContentType::parse_flexible(&file.mime).unwrap_or(ContentType::Binary);
    Ok(Reply::file(name, content_type, content).await?.shows_people(entry))
}

/// The picture in place of a page that cannot be rendered.
const NO_PAGE: &[u8] = include_bytes!("no_page.svg");

/// Handles `GET {id}/files/{field}/pages/{page}`: a page of a PDF as a picture.
pub(super) async fn send_page(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let number = request.param("page")?;
    let submission = requested(&request, kind).await?;
    let (_, file) = requested_file(&request, &submission)?;
    if !view::is_pdf(file) {
        return Err(nothing_here());
    }
    let media = &request.site.media;
    let picture = media.pdf_renderer().draw(media.open_private(&file.key).await?, number).await?;
    let name = format!("{} {} {number}", submission.reference(), file.field);
    Ok(match picture {
        Some(picture) => {
            let entry = Entry::new("view file", kind.entity.table).id(submission.id);
            let entry = entry.after(json!({ "file": file.field, "page": number }));
            Reply::bytes(format!("{name}.webp"), ContentType::WEBP, picture).shows_people(entry)
        }
        None => Reply::bytes(format!("{name}.svg"), ContentType::SVG, NO_PAGE.to_vec()).shows_nobody(),
    })
}

/// Handles `GET {id}/files/{field}/view`.
pub(super) async fn show_file(request: AdminRequest, kind: &'static SubmissionKind) -> Result<Reply> {
    let submission = requested(&request, kind).await?;
    let (field, file) = requested_file(&request, &submission)?;
    if !view::is_viewable(file) {
        return Err(nothing_here());
    }
    let page = submission.path();
    let href = format!("{page}/files/{}", file.field);
    let title = format!("{} of {}", short_label(field), submission.reference());
    let pages = if view::is_pdf(file) {
        let media = &request.site.media;
        let pages = media.pdf_renderer().list(media.open_private(&file.key).await?).await?;
        Some(page_data(&href, pages))
    } else {
        None
    };
    // The audit log gets the file itself when it is sent.
    Ok(Reply::page("submission-file", title.as_str())
        .shows_people(Entry::new("view", kind.entity.table).id(submission.id))
        .crumb(kind.list_title(), request.address(&kind.list_path(), &[]))
        .crumb(submission.title(), request.address(&page, &[]))
        .with("file", json!({ "href": href, "name": file.name, "label": title }))
        .with("pdf", pages)
        .into())
}

/// Returns the template's data for the PDF at `href`; `pages` is `None` if it cannot be read.
fn page_data(href: &str, pages: Option<PdfPages>) -> Value {
    let Some(PdfPages { count, sizes }) = pages else { return json!({ "pages": [], "rest": Value::Null }) };
    let pages = sizes.len();
    let page = |(index, (width, height)): (usize, &(u16, u16))| {
        let number = index + 1;
        json!({ "href": format!("{href}/pages/{number}"), "number": number, "of": count, "width": width, "height": height })
    };
    json!({
        "pages": sizes.iter().enumerate().map(page).collect::<Vec<_>>(),
        "rest": (pages < count).then(|| format!("These are the first {pages} of {count} pages.")),
    })
}
