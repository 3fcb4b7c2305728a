//! JSON-LD: what a page says about itself to search engines, in the words of schema.org.
//!
//! A module describes what it owns, on its pages ([`Page::about`]) and on those of others; here it is put together with
//! the trail of pages that lead to the page. Nothing empty is said.

pub(crate) mod festival;

pub use festival::place;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::endpoint::RequestContext;
use crate::page::Page;
use crate::site::Site;
use festival_base::error::Error;

/// What a page says about itself.
#[derive(Debug, Default)]
pub struct About {
    /// The last steps of the way here, this page's own included. None: the page's registered name alone.
    pub trail: Vec<Step>,
    /// Things as schema.org describes them. Two with the same `@id` are one: the second adds to the first.
    pub things: Vec<Value>,
}

/// A page on the way to another.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is called.
    pub name: String,
    /// Its path with its query.
    pub path: String,
}

impl Step {
    /// The page called `name` at `path`.
    pub fn new(name: impl Into<String>, path: impl Into<String>) -> Self {
        Self { name: name.into(), path: path.into() }
    }
}

/// The address by which things on all pages refer to the festival's organisers.
pub fn organisation_id(request: &RequestContext) -> String {
    format!("{}/#organisation", request.base_url)
}

/// The address by which things refer to the festival's current edition.
pub fn festival_id(request: &RequestContext) -> String {
    format!("{}/#festival", request.base_url)
}

/// Everything that the page says; none where that is nothing. What cannot be had is left out and logged.
pub(crate) async fn of(site: &Arc<Site>, page: &Page, path: &str, request: RequestContext) -> Option<Value> {
    let mut about = About::default();
    for compute in site.contents.abouts_of(page) {
        match compute.run(request.clone()).await {
            Ok(more) => {
                about.trail.extend(more.trail);
                more.things.into_iter().for_each(|thing| add(&mut about.things, thing));
            }
            Err(Error::NotFound(_)) => {}
            Err(error) => tracing::error!(path, cause = error.for_terminal(), "JSON-LD of a page failed"),
        }
    }
    about.things.extend(breadcrumbs(site, page, path, about.trail, &request.base_url));
    let graph: Vec<Value> = about.things.into_iter().filter_map(filled).collect();
    (!graph.is_empty()).then(|| json!({ "@context": "https://schema.org", "@graph": graph }))
}

fn add(things: &mut Vec<Value>, thing: Value) {
    let id = thing.get("@id").cloned();
    let known = things.iter_mut().find(|known| id.is_some() && known.get("@id") == id.as_ref());
    match (known.and_then(Value::as_object_mut), thing) {
        (Some(known), Value::Object(more)) => known.extend(more),
        (_, thing) => things.push(thing),
    }
}

/// The way from the home page to this one; none on the home page, and none where the page has no name.
fn breadcrumbs(site: &Site, page: &Page, path: &str, trail: Vec<Step>, base_url: &str) -> Option<Value> {
    let mut steps = trail;
    if steps.is_empty() {
        steps.push(Step::new(page.name?, path));
    }
    let mut above = page.under;
    while let Some(path) = above {
        let page = site.contents.pages.iter().find(|page| page.path.for_openapi() == path)?;
        steps.insert(0, Step::new(page.name?, path));
        above = page.under;
    }
    let home = site.contents.pages.iter().find(|page| page.path.for_openapi() == "/")?;
    if page.path == home.path {
        return None;
    }
    steps.insert(0, Step::new(home.name?, "/"));
    let items: Vec<Value> = (1..)
        .zip(steps)
        .map(|(position, step)| {
            json!({
                "@type": "ListItem",
                "position": position,
                "name": step.name,
                "item": format!("{base_url}{}", step.path),
            })
        })
        .collect();
    Some(json!({ "@type": "BreadcrumbList", "itemListElement": items }))
}

/// The value without what is null or empty in it; none where nothing but a type is left.
fn filled(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()).map(Value::String),
        Value::Array(list) => {
            let list: Vec<Value> = list.into_iter().filter_map(filled).collect();
            (!list.is_empty()).then_some(Value::Array(list))
        }
        Value::Object(object) => {
            let object: Map<String, Value> =
                object.into_iter().filter_map(|(name, value)| Some((name, filled(value)?))).collect();
            object.keys().any(|name| name != "@type").then_some(Value::Object(object))
        }
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_empty_is_said() {
        let movie = json!({
            "@type": "Movie", "name": "Rain", "image": null, "description": " ", "duration": "", "actor": [],
            "director": { "@type": "Person", "name": null }, "dateCreated": 2025, "genre": ["", "x"],
        });
        let said = json!({ "@type": "Movie", "name": "Rain", "dateCreated": 2025, "genre": ["x"] });
        assert_eq!(filled(movie), Some(said));
        assert_eq!(filled(json!({ "@type": "Movie" })), None);
    }

    #[test]
    fn what_others_add_to_a_thing_becomes_one_with_it() {
        let mut things = vec![json!({ "@id": "a", "name": "A" }), json!({ "name": "no id" })];
        add(&mut things, json!({ "@id": "a", "more": 1 }));
        add(&mut things, json!({ "name": "no id either" }));
        assert_eq!(things[0], json!({ "@id": "a", "name": "A", "more": 1 }));
        assert_eq!(things.len(), 3);
    }
}
