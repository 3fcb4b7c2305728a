//! The chapters of the handbook, and the screens that they are about.

use serde::Deserialize;

/// A chapter, as the build describes it.
#[derive(Debug, Deserialize)]
pub(crate) struct Chapter {
    /// Name in addresses: "first-day".
    pub(crate) name: String,
    pub(crate) title: String,
    /// Paths of the screens that it is about, with all below them; "*/import": screens of this name below any other.
    screens: Vec<String>,
}

impl Chapter {
    /// How much of `path` a screen of the chapter matches, in characters.
    pub(crate) fn match_length(&self, path: &str) -> Option<usize> {
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
