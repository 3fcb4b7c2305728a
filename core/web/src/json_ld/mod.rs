//! JSON-LD: structured data about a page for search engines, in the vocabulary of schema.org.
//!
//! A module describes what it owns, on its own pages ([`Page::about`](crate::page::Page::about)) and on those of
//! others. This module merges the descriptions, adds breadcrumbs and leaves out empty values.

mod about;
pub(crate) mod festival;

pub use about::{About, Breadcrumb};
pub use festival::{organisers_and_festival, place};

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::site::{Page, RequestContext, Site};
use festival_base::error::Error;

/// Returns the `@id` of the festival's organisers, the same on all pages.
pub fn organisation_id(request: &RequestContext) -> String {
    format!("{}/#organisation", request.base_url)
}

/// Returns the `@id` of the current edition of the festival.
pub fn festival_id(request: &RequestContext) -> String {
    format!("{}/#festival", request.base_url)
}

/// Renders the JSON-LD of a page; none if it is empty. A description that fails is logged and left out.
pub(crate) async fn render(site: &Arc<Site>, page: &Page, path: &str, request: RequestContext) -> Option<Value> {
    let mut about = About::default();
    for compute in site.contents.json_ld_of(page) {
        match compute.call(request.clone()).await {
            Ok(more) => {
                about.trail.extend(more.trail);
                more.things.into_iter().for_each(|thing| merge(&mut about.things, thing));
            }
            Err(Error::NotFound(_)) => {}
            Err(error) => tracing::error!(path, cause = error.for_terminal(), "JSON-LD of a page failed"),
        }
    }
    about.things.extend(breadcrumb_list(site, page, path, about.trail, &request.base_url));
    let graph: Vec<Value> = about.things.into_iter().filter_map(without_empty).collect();
    (!graph.is_empty()).then(|| json!({ "@context": "https://schema.org", "@graph": graph }))
}

/// Adds a thing, or its properties to the one with the same `@id`.
fn merge(things: &mut Vec<Value>, thing: Value) {
    let id = thing.get("@id").cloned();
    let existing = things.iter_mut().find(|existing| id.is_some() && existing.get("@id") == id.as_ref());
    match (existing.and_then(Value::as_object_mut), thing) {
        (Some(existing), Value::Object(more)) => existing.extend(more),
        (_, thing) => things.push(thing),
    }
}

/// Returns the `BreadcrumbList` from the home page to this one; none on the home page, and none if the page or one
/// above it has no name.
fn breadcrumb_list(site: &Site, page: &Page, path: &str, mut trail: Vec<Breadcrumb>, base_url: &str) -> Option<Value> {
    if trail.is_empty() {
        trail.push(Breadcrumb::new(page.name?, path));
    }
    let mut parent = page.parent;
    while let Some(path) = parent {
        let page = site.contents.pages.iter().find(|page| page.path.for_openapi() == path)?;
        trail.insert(0, Breadcrumb::new(page.name?, path));
        parent = page.parent;
    }
    let home = site.contents.pages.iter().find(|page| page.path.for_openapi() == "/")?;
    if page.path == home.path {
        return None;
    }
    trail.insert(0, Breadcrumb::new(home.name?, "/"));
    let items: Vec<Value> = (1..)
        .zip(trail)
        .map(|(position, breadcrumb)| {
            json!({
                "@type": "ListItem",
                "position": position,
                "name": breadcrumb.name,
                "item": format!("{base_url}{}", breadcrumb.path),
            })
        })
        .collect();
    Some(json!({ "@type": "BreadcrumbList", "itemListElement": items }))
}

/// Removes null and empty values, at any depth; none if at most a `@type` is left.
fn without_empty(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()).map(Value::String),
        Value::Array(list) => {
            let list: Vec<Value> = list.into_iter().filter_map(without_empty).collect();
            (!list.is_empty()).then_some(Value::Array(list))
        }
        Value::Object(object) => {
            let object: Map<String, Value> =
                object.into_iter().filter_map(|(name, value)| Some((name, without_empty(value)?))).collect();
            object.keys().any(|name| name != "@type").then_some(Value::Object(object))
        }
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_values_are_left_out() {
        let movie = json!({
            "@type": "Movie", "name": "Rain", "image": null, "description": " ", "duration": "", "actor": [],
            "director": { "@type": "Person", "name": null }, "dateCreated": 2025, "genre": ["", "x"],
        });
        let expected = json!({ "@type": "Movie", "name": "Rain", "dateCreated": 2025, "genre": ["x"] });
        assert_eq!(without_empty(movie), Some(expected));
        assert_eq!(without_empty(json!({ "@type": "Movie" })), None);
    }

    #[test]
    fn things_with_the_same_id_are_merged() {
        let mut things = vec![json!({ "@id": "a", "name": "A" }), json!({ "name": "no id" })];
        merge(&mut things, json!({ "@id": "a", "more": 1 }));
        merge(&mut things, json!({ "name": "no id either" }));
        assert_eq!(things[0], json!({ "@id": "a", "name": "A", "more": 1 }));
        assert_eq!(things.len(), 3);
    }
}
