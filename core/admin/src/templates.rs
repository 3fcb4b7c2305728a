//! The templates of the back office, in strict mode: core's are `templates/admin/*.hbs` of the built frontend, modules
//! register theirs.

use std::sync::OnceLock;

use handlebars::Handlebars;
use serde_json::Value;

use super::chapter::Chapter;
use festival_base::error::{Error, Result};
use festival_web::site::FrontendFiles;

/// Folder of the templates in the built frontend.
const FOLDER: &str = "templates/admin/";

/// What the build tells of the chapters of the handbook.
const HANDBOOK: &str = "templates/admin/handbook.json";

/// The names of core's templates, which no module may use.
pub fn core_templates(files: FrontendFiles) -> Vec<String> {
    let name = |path: &str| Some(path.strip_prefix(FOLDER)?.strip_suffix(".hbs")?.to_owned());
    (files.names)().iter().filter_map(|path| name(path)).collect()
}

/// The templates, compiled at first use.
pub(super) struct AdminTemplates {
    files: FrontendFiles,
    of_modules: Vec<(&'static str, &'static str)>,
    loaded: OnceLock<Result<Handlebars<'static>, String>>,
    handbook: OnceLock<Result<Vec<Chapter>, String>>,
}

impl AdminTemplates {
    /// The templates of core, from `files`, and those of the modules.
    pub(super) fn new(files: FrontendFiles, of_modules: Vec<(&'static str, &'static str)>) -> Self {
        Self { files, of_modules, loaded: OnceLock::new(), handbook: OnceLock::new() }
    }

    /// The chapters of the handbook, in order.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend is not built.
    pub(super) fn handbook(&self) -> Result<&[Chapter]> {
        let load = || {
            let file = (self.files.get)(HANDBOOK).ok_or("the back office is not built; run \"make frontend\"")?;
            serde_json::from_slice(&file.data).map_err(|error| format!("{HANDBOOK}: {error}"))
        };
        let chapters = self.handbook.get_or_init(load).as_ref().map_err(|error| Error::internal(error.clone()))?;
        Ok(chapters)
    }

    /// Renders `admin/<template>`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the templates cannot be compiled or use a name that `data` does not have.
    pub(super) fn render(&self, template: &str, data: &Value) -> Result<String> {
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
        let names = core_templates(self.files);
        if names.is_empty() {
            return Err("the back office is not built; run \"make frontend\"".into());
        }
        for name in names {
            let file = (self.files.get)(&format!("{FOLDER}{name}.hbs"));
            let file = file.ok_or("a template disappeared while it was read")?;
            register(&name, std::str::from_utf8(&file.data).map_err(|error| format!("{name}: {error}"))?)?;
        }
        for (name, text) in &self.of_modules {
            register(name, text)?;
        }
        Ok(handlebars)
    }
}
