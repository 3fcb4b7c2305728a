//! The templates of the back office, in strict mode, and the chapters of the handbook: core's are `templates/admin/*.hbs` of
//! the built frontend, modules register theirs.

use std::sync::OnceLock;

use handlebars::Handlebars;
use serde::Deserialize;
use serde_json::Value;

use festival_base::error::{Error, Result};
use festival_web::site::FrontendFiles;

/// Folder of the templates in the built frontend.
const FOLDER: &str = "templates/admin/";

/// The descriptions of the handbook's chapters, written by the build.
const HANDBOOK: &str = "templates/admin/handbook.json";

/// The names of core's templates, which no module may use.
pub fn core_templates(files: FrontendFiles) -> Vec<String> {
    files.template_names(FOLDER)
}

/// A template of a module.
#[derive(Clone, Copy)]
pub struct ModuleTemplate {
    /// The module. The styles of its feature apply to the screens of its templates, and to no others.
    pub module: &'static str,
    /// Its name, which no other template has.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The templates, compiled at first use.
pub(crate) struct AdminTemplates {
    files: FrontendFiles,
    of_modules: Vec<ModuleTemplate>,
    loaded: OnceLock<Result<Handlebars<'static>, String>>,
    handbook: OnceLock<Result<Vec<Chapter>, String>>,
}

impl AdminTemplates {
    /// The templates of core, from `files`, and those of the modules.
    pub(crate) fn new(files: FrontendFiles, of_modules: Vec<ModuleTemplate>) -> Self {
        Self { files, of_modules, loaded: OnceLock::new(), handbook: OnceLock::new() }
    }

    /// The chapters of the handbook, in order.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend is not built.
    pub(crate) fn handbook(&self) -> Result<&[Chapter]> {
        let load = || {
            let file = (self.files.get)(HANDBOOK).ok_or("the frontend is not built; run \"make frontend\"")?;
            serde_json::from_slice(&file.data).map_err(|error| format!("{HANDBOOK}: {error}"))
        };
        let chapters = self.handbook.get_or_init(load).as_ref().map_err(|error| Error::internal(error.clone()))?;
        Ok(chapters)
    }

    /// The module that the template `name` belongs to; `None` for one of core's.
    pub(crate) fn module_of(&self, name: &str) -> Option<&'static str> {
        self.of_modules.iter().find(|template| template.name == name).map(|template| template.module)
    }

    /// Renders `admin/<template>`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the templates cannot be compiled or use a name that `data` does not have.
    pub(crate) fn render(&self, template: &str, data: &Value) -> Result<String> {
        let loaded =
            self.loaded.get_or_init(|| self.load()).as_ref().map_err(|error| Error::internal(error.clone()))?;
        loaded
            .render(&format!("admin/{template}"), data)
            .map_err(|error| Error::internal(format!("template admin/{template}: {error}")))
    }

    fn load(&self) -> Result<Handlebars<'static>, String> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        // The content of a text area must not be indented with the template around it.
        handlebars.set_prevent_indent(true);
        let mut register = |template: &str, text: &str| {
            let name = format!("admin/{template}");
            handlebars.register_template_string(&name, text).map_err(|error| format!("{name}: {error}"))
        };
        for (name, text) in self.files.templates(FOLDER)? {
            register(&name, &text)?;
        }
        for template in &self.of_modules {
            register(template.name, template.text)?;
        }
        Ok(handlebars)
    }
}

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
