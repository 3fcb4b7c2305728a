//! A module's structured data about a page.

use serde_json::Value;

/// Structured data about a page.
#[derive(Debug, Default)]
pub struct About {
    /// The end of the breadcrumb trail, up to the page itself. Empty: the page under its registered name.
    pub trail: Vec<Breadcrumb>,
    /// Things in the sense of schema.org. Those with the same `@id` are merged, later properties over earlier ones.
    pub things: Vec<Value>,
}

/// A page in a breadcrumb trail.
#[derive(Clone, Debug)]
pub struct Breadcrumb {
    /// Its displayed name.
    pub name: String,
    /// Its path with its query.
    pub path: String,
}

impl Breadcrumb {
    /// A breadcrumb with this name and path.
    pub fn new(name: impl Into<String>, path: impl Into<String>) -> Self {
        Self { name: name.into(), path: path.into() }
    }
}
