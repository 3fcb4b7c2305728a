//! The handbook of organisers. Its chapters are in docs/handbook; the build of the frontend makes templates of them.

use serde::Deserialize;
use serde_json::json;

use crate::reply::Reply;
use crate::request::{AdminRequest, nothing_here};
use festival_base::error::Result;

pub(super) const HOME: &str = "/admin/handbook";

/// A chapter, as the build describes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Chapter {
    /// Name in addresses: "first-day".
    name: String,
    title: String,
    /// Paths of the screens that it is about, with all below them; "*/import": screens of this name below any other.
    screens: Vec<String>,
}

impl Chapter {
    /// How much of `path` a screen of the chapter matches, in characters.
    fn match_length(&self, path: &str) -> Option<usize> {
        let matched = |screen: &String| match screen.strip_prefix('*') {
            Some(end) => (path.ends_with(end) || path.contains(&format!("{end}/"))).then_some(usize::MAX),
            None => {
                let rest = path.strip_prefix(screen.as_str())?;
                (rest.is_empty() || rest.starts_with('/')).then_some(screen.len())
            }
        };
        self.screens.iter().filter_map(matched).max()
    }
}

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
    let name = request.params.get("chapter").map_or("", String::as_str);
    let chapters = request.admin.templates.handbook()?;
    let chapter = chapters.iter().find(|chapter| chapter.name == name).ok_or_else(nothing_here)?;
    Ok(Reply::page(format!("handbook/{name}"), chapter.title.as_str())
        .crumb("Handbook", HOME)
        .with("chapters", links(chapters, name))
        .into())
}

fn address(chapter: &Chapter) -> String {
    format!("{HOME}/{}", chapter.name)
}

fn links(chapters: &[Chapter], current: &str) -> Vec<serde_json::Value> {
    let link = |chapter: &Chapter| json!({ "title": chapter.title, "href": address(chapter), "current": chapter.name == current });
    chapters.iter().map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::Chapter;

    #[test]
    fn screens_belong_to_the_chapter_that_names_them_most_closely() {
        let chapter = |screens: &[&str]| Chapter {
            name: String::new(),
            title: String::new(),
            screens: screens.iter().map(|screen| (*screen).to_owned()).collect(),
        };
        let films = chapter(&["/admin", "/admin/films"]);
        assert_eq!(films.match_length("/admin/films/12/history"), Some(12));
        assert_eq!(films.match_length("/admin/filmsets"), Some(6));
        assert_eq!(chapter(&["/admin/films"]).match_length("/admin/filmsets"), None);
        let lists = chapter(&["*/import"]);
        assert_eq!(lists.match_length("/admin/films/import"), Some(usize::MAX));
        assert_eq!(lists.match_length("/admin/films/import/now"), Some(usize::MAX));
        assert_eq!(lists.match_length("/admin/films"), None);
    }
}
