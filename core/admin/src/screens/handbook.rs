//! The handbook of organisers. Its chapters are in docs/handbook; the build of the frontend turns them into templates.

use serde_json::json;

use crate::back_office::AdminRequest;
use crate::serving::reply::Reply;
use crate::serving::request::nothing_here;
use crate::serving::templates::Chapter;
use festival_base::error::Result;

pub(super) const HOME: &str = "/admin/handbook";

/// `GET /admin/handbook?screen=/admin/films`: goes to the chapter about a screen; without one, lists all.
pub(super) async fn index(request: AdminRequest) -> Result<Reply> {
    let chapters = request.admin.templates.handbook()?;
    let path = request.query.get("screen");
    let best = chapters.iter().filter_map(|chapter| Some((chapter.match_length(path)?, chapter)));
    if let Some((_, chapter)) = best.max_by_key(|(length, _)| *length) {
        return Ok(Reply::redirect(address(chapter)).into());
    }
    Ok(Reply::page("handbook", "Handbook").with("chapters", links(chapters, "")).into())
}

/// `GET /admin/handbook/{chapter}`
pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    let name: String = request.param("chapter")?;
    let chapters = request.admin.templates.handbook()?;
    let chapter = chapters.iter().find(|chapter| chapter.name == name).ok_or_else(nothing_here)?;
    Ok(Reply::page(format!("handbook/{name}"), chapter.title.as_str())
        .crumb("Handbook", HOME)
        .with("chapters", links(chapters, &name))
        .into())
}

fn address(chapter: &Chapter) -> String {
    format!("{HOME}/{}", chapter.name)
}

fn links(chapters: &[Chapter], current: &str) -> Vec<serde_json::Value> {
    let link = |chapter: &Chapter| json!({ "title": chapter.title, "href": address(chapter), "current": chapter.name == current });
    chapters.iter().map(link).collect()
}
