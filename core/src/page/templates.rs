//! The templates of the built frontend and the helpers that they call.

use std::sync::OnceLock;

use handlebars::{Context, Handlebars, Helper, HelperDef, RenderContext, RenderError, ScopedJson};
use serde_json::Value;

use crate::admin;
use crate::app::FrontendFiles;
use crate::error::{Error, Result};
use crate::lang;

/// The templates of the built frontend, read once.
pub struct Templates {
    files: FrontendFiles,
    loaded: OnceLock<Result<Handlebars<'static>, String>>,
}

impl Templates {
    /// Templates from the built frontend; read when the first page is asked for.
    pub fn new(files: FrontendFiles) -> Self {
        Self { files, loaded: OnceLock::new() }
    }

    pub(super) fn get(&self) -> Result<&Handlebars<'static>> {
        self.loaded.get_or_init(|| self.load()).as_ref().map_err(|e| Error::internal(e.clone()))
    }

    fn load(&self) -> Result<Handlebars<'static>, String> {
        let mut handlebars = Handlebars::new();
        handlebars.register_helper("api", Box::new(ApiHelper));
        handlebars.register_helper("lang", Box::new(LangHelper));
        for name in (self.files.names)() {
            let page = name.strip_prefix("templates/").filter(|_| !name.starts_with(admin::TEMPLATES));
            let Some(template) = page.and_then(|name| name.strip_suffix(".hbs")) else {
                continue;
            };
            let file = (self.files.get)(&name).ok_or("a template vanished while it was read")?;
            let text = std::str::from_utf8(&file.data).map_err(|e| format!("{name}: {e}"))?;
            handlebars.register_template_string(template, text).map_err(|e| format!("{name}: {e}"))?;
        }
        if handlebars.get_templates().is_empty() {
            return Err("the website is not built; run \"make frontend\"".into());
        }
        Ok(handlebars)
    }
}

/// `(api "/categories/" category.id "/films/")`: joins its parts and gives that answer out of the page's data.
struct ApiHelper;

impl HelperDef for ApiHelper {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        let mut path = String::new();
        for part in helper.params() {
            match part.value() {
                Value::String(text) => path.push_str(text),
                Value::Null => {}
                other => path.push_str(&other.to_string()),
            }
        }
        let found = context.data().get("data").and_then(|data| data.get(&path));
        Ok(ScopedJson::Derived(found.cloned().unwrap_or(Value::Null)))
    }
}

/// `{{lang film.name}}`: the language of a text for a `lang` attribute.
struct LangHelper;

impl HelperDef for LangHelper {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        let text = helper.param(0).and_then(|param| param.value().as_str()).unwrap_or_default();
        Ok(ScopedJson::Derived(lang::of(text).into()))
    }
}
