//! The document templates of the built frontend, and the engines that render their content.

use std::sync::OnceLock;

use handlebars::Handlebars;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::frontend_files::FrontendFiles;
use festival_base::error::{Error, Result};

use super::engine::Engines;

/// Everything that pages are rendered with.
pub struct Templates {
    files: FrontendFiles,
    documents: OnceLock<Result<Handlebars<'static>, String>>,
    pub(super) engines: Engines,
}

impl Templates {
    /// Templates of the built frontend, loaded by [`Self::load_now`] or when the first page is requested.
    pub fn new(files: FrontendFiles) -> Self {
        Self { files, documents: OnceLock::new(), engines: Engines::new(files) }
    }

    /// Loads the templates and starts an engine, so that the first visitors, who may be many, do not wait for it.
    pub async fn load_now(&self) {
        let _ = self.documents();
        self.engines.start_first().await;
    }

    /// Returns the document template of every page, with its styles and scripts and placeholders for the rendered
    /// content.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend was not built.
    pub(super) fn documents(&self) -> Result<&Handlebars<'static>> {
        self.documents.get_or_init(|| self.load()).as_ref().map_err(|e| Error::internal(e.clone()))
    }

    /// Calls a function of the frontend, one of `functions` in the `engine.ts` of a feature's folder.
    ///
    /// # Errors
    /// [`Error::Internal`] if the frontend was not built or has no such function, or the function fails.
    pub async fn call<T: DeserializeOwned>(&self, function: &'static str, argument: &impl Serialize) -> Result<T> {
        let permit = self.engines.acquire().await?;
        self.engines.call(&permit, function, serde_json::to_string(argument)?).await
    }

    fn load(&self) -> Result<Handlebars<'static>, String> {
        let mut handlebars = Handlebars::new();
        // Those in subfolders belong to the back office.
        for (name, text) in self.files.templates("templates/")?.iter().filter(|(name, _)| !name.contains('/')) {
            handlebars.register_template_string(name, text).map_err(|e| format!("templates/{name}.hbs: {e}"))?;
        }
        Ok(handlebars)
    }
}
