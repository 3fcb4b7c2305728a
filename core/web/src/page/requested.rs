//! A request for a page: the relevant parts of its address, and the key under which the page is cached.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::QueryParameter;
use crate::pattern::Params;
use crate::site::Page;
use crate::site::RequestContext;
use crate::site::Site;

/// Maximum length of a text in a query that a page is rendered with, in bytes. Longer ones are ignored.
const MAX_TEXT_BYTES: usize = 300;

/// A request for a page: its path with the path parameters, and the query parameters that the page reads.
pub(super) struct RequestedPage<'a> {
    pub(super) page: &'a Page,
    pub(super) path: &'a str,
    pub(super) params: Params,
    pub(super) query: BTreeMap<&'static str, String>,
    pub(super) base_url: &'a Arc<str>,
    /// Whether it is a preview: without scripts, below a notice that says so.
    pub(super) is_preview: bool,
}

impl RequestedPage<'_> {
    pub(super) fn key(&self) -> String {
        let query: String = self.query.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
        format!("page {} {} {}{query}", self.base_url, self.page.template, self.page.path.fill(&self.params))
    }

    pub(super) fn context(&self, site: &Arc<Site>) -> RequestContext {
        let (params, query) = (self.params.clone(), self.query.clone());
        RequestContext { site: site.clone(), params, query, base_url: self.base_url.clone() }
    }

    /// Reads the page's parameters from the query. Values that are not ids are ignored.
    pub(super) fn read_query(&mut self, query_value: impl Fn(&str) -> Option<String>) {
        for parameter in &self.page.reads {
            if let Some(value) = query_value(parameter.name)
                && is_id(&value)
                && parameter.default != Some(&value)
            {
                self.query.insert(parameter.name, value);
            }
        }
        for name in &self.page.texts {
            let value = query_value(name).map(|value| value.trim().to_owned());
            if let Some(value) = value.filter(|value| !value.is_empty() && value.len() <= MAX_TEXT_BYTES) {
                self.query.insert(name, value);
            }
        }
    }

    pub(super) fn remove_texts(&mut self) {
        let texts = &self.page.texts;
        self.query.retain(|name, _| !texts.contains(name));
    }

    /// Returns the value of a parameter in the query, or its default.
    pub(super) fn value<'b>(&'b self, parameter: &QueryParameter) -> Option<&'b str> {
        self.query.get(parameter.name).map(String::as_str).or(parameter.default)
    }

    /// Returns the API path of the response that a parameter selects.
    pub(super) fn api_path(&self, parameter: &QueryParameter) -> Option<String> {
        let mut params = self.params.clone();
        params.insert(parameter.name, self.value(parameter)?.to_owned());
        Some(parameter.path.fill(&params) + "/")
    }
}

/// Whether a text is a positive number in its canonical form. Nothing else may get into a path of the API.
fn is_id(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| number > 0 && number.to_string() == text)
}
