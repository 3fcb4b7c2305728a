//! GET endpoints of the API.
//!
//! A handler is an async function from the request's context `C`, which is [`RequestContext`](crate::site::RequestContext), to a value that serialises to JSON. Routes, caching, ETags,
//! compression, OpenAPI and the data of pages are the same for all endpoints.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use ts_rs::TS;

use crate::pattern::Pattern;
use crate::types::Declarations;
use festival_base::error::Result;
use festival_base::{AsyncFn, AsyncFunction};

/// The query parameter that names another edition.
pub(crate) const EDITION: &str = "edition";

/// A GET endpoint of the API.
#[must_use]
pub struct Endpoint<C> {
    /// The path under the API's mount.
    pub path: Pattern,
    /// One sentence for the API's description.
    pub summary: &'static str,
    /// The query parameters that it reads, each with a description and its JSON schema; others are ignored.
    pub query: Vec<(&'static str, &'static str, Value)>,
    /// Returns the JSON schema of the response.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Adds the TypeScript types of the response.
    pub types: fn(&mut Declarations),
    /// Computes the response, as JSON.
    pub(crate) handler: AsyncFn<C, Result<Vec<u8>>>,
}

impl<C: 'static> Endpoint<C> {
    /// An endpoint at `path` that responds with what `handler` returns.
    pub fn get<T: Serialize + JsonSchema + TS + Send + 'static>(
        path: &'static str,
        summary: &'static str,
        handler: impl AsyncFunction<C, Result<T>>,
    ) -> Self {
        Self {
            path: Pattern::new(path),
            summary,
            query: Vec::new(),
            schema: |generator| generator.subschema_for::<T>(),
            types: Declarations::add::<T>,
            handler: AsyncFn::new(move |request| {
                let response = handler(request);
                async move { Ok(serde_json::to_vec(&response.await?)?) }
            }),
        }
    }

    /// Reads the query parameter `name`, a whole number.
    pub fn reads(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push((name, description, json!({ "type": "integer" })));
        self
    }

    /// Reads the query parameter `name`, a whole number from 0 to `most`.
    pub fn reads_up_to(mut self, name: &'static str, most: i64, description: &'static str) -> Self {
        self.query.push((name, description, json!({ "type": "integer", "minimum": 0, "maximum": most })));
        self
    }

    /// Reads the query parameter `name`, a date as in 2025-10-24.
    pub fn reads_date(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push((name, description, json!({ "type": "string", "format": "date" })));
        self
    }

    /// Declares the query parameter `edition`; see [`RequestContext::edition_id`](crate::site::RequestContext::edition_id).
    pub fn per_edition(self) -> Self {
        self.reads(EDITION, "The year of another edition than the current one.")
    }

    /// Whether it can respond for another edition on request.
    pub(crate) fn is_per_edition(&self) -> bool {
        self.query.iter().any(|(name, ..)| *name == EDITION)
    }
}
