//! The built frontend.

use rust_embed::EmbeddedFile;

/// The built frontend, `dist/`: embedded in the program, or read from disk in a development build.
#[derive(Clone, Copy)]
pub struct FrontendFiles {
    /// A file by its path in `dist/`.
    pub get: fn(&str) -> Option<EmbeddedFile>,
    /// The paths of all files.
    pub names: fn() -> Vec<String>,
}

impl FrontendFiles {
    /// The names of the templates in `folder` and its subfolders: their paths in it without the extension.
    pub fn template_names(&self, folder: &str) -> Vec<String> {
        let name = |path: &str| Some(path.strip_prefix(folder)?.strip_suffix(".hbs")?.to_owned());
        (self.names)().iter().filter_map(|path| name(path)).collect()
    }

    /// The templates in `folder` and its subfolders: names, as in [`Self::template_names`], and texts.
    ///
    /// # Errors
    /// A sentence, if there are none, as the frontend is not built, or if one is not UTF-8.
    pub fn templates(&self, folder: &str) -> Result<Vec<(String, String)>, String> {
        let read = |name: String| {
            let path = format!("{folder}{name}.hbs");
            let file = (self.get)(&path).ok_or_else(|| format!("{path} disappeared while it was read"))?;
            let text = String::from_utf8(file.data.into_owned()).map_err(|error| format!("{path}: {error}"))?;
            Ok((name, text))
        };
        let templates: Vec<_> = self.template_names(folder).into_iter().map(read).collect::<Result<_, String>>()?;
        if templates.is_empty() {
            return Err("the frontend is not built; run \"make frontend\"".to_owned());
        }
        Ok(templates)
    }
}
