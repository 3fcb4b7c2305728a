//! POST endpoints of the API: path, accepted content and the receiver of the body.
//!
//! A receiver first decides by the head of a request whether to admit it, and only then reads the body as a stream.
//! Routes, the status of success, error responses and OpenAPI are the same for all of them.

use std::sync::Arc;

use rocket::http::Status;
use rocket::{Data, Request};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use ts_rs::TS;

use crate::pattern::Pattern;
use crate::types::Declarations;
use festival_base::error::Result;

/// Handles the requests to a [`Post`] of a site `S`.
#[rocket::async_trait]
pub trait Receiver<S: Send + Sync + 'static>: Send + Sync + 'static {
    /// Admits the request by its head, then reads the body, and returns the JSON of the response once the submission is
    /// durably stored. Nothing may be read from `data` before a request is admitted.
    ///
    /// # Errors
    /// The response to a request that is rejected, or to a submission that is not stored.
    async fn receive(&self, site: &Arc<S>, request: &Request<'_>, data: Data<'_>) -> Result<Vec<u8>>;
}

/// A POST endpoint of the API.
#[must_use]
pub struct Post<S: Send + Sync + 'static> {
    /// The path under the API's mount.
    pub path: Pattern,
    /// One sentence for the API's description.
    pub summary: &'static str,
    /// The content type of the body.
    pub content_type: &'static str,
    /// The JSON schema of the body.
    pub body: Value,
    /// The query parameters and headers that it reads: place (`query` or `header`), name, description.
    pub reads: Vec<(&'static str, &'static str, &'static str)>,
    /// The status of a successful response.
    pub success: Status,
    /// Returns the JSON schema of a successful response.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Adds the TypeScript types of a successful response.
    pub types: fn(&mut Declarations),
    pub(crate) receiver: Box<dyn Receiver<S>>,
}

impl<S: Send + Sync + 'static> Post<S> {
    /// A POST endpoint at `path` that responds with a `T` and 201. It accepts any JSON until [`Post::takes`] says
    /// otherwise.
    pub fn new<T: JsonSchema + TS + 'static>(
        path: &'static str,
        summary: &'static str,
        receiver: impl Receiver<S>,
    ) -> Self {
        Self {
            path: Pattern::new(path),
            summary,
            content_type: "application/json",
            body: Value::Bool(true),
            reads: Vec::new(),
            success: Status::Created,
            schema: |generator| generator.subschema_for::<T>(),
            types: Declarations::add::<T>,
            receiver: Box::new(receiver),
        }
    }

    /// Accepts bodies of `content_type`, described by the JSON `schema`.
    pub fn takes(mut self, content_type: &'static str, schema: Value) -> Self {
        self.content_type = content_type;
        self.body = schema;
        self
    }

    /// Reads the query parameter `name`.
    pub fn reads_query(mut self, name: &'static str, description: &'static str) -> Self {
        self.reads.push(("query", name, description));
        self
    }

    /// Reads the header `name`.
    pub fn reads_header(mut self, name: &'static str, description: &'static str) -> Self {
        self.reads.push(("header", name, description));
        self
    }

    /// Sets the status of a successful response; the default is 201.
    pub fn succeeds(mut self, status: Status) -> Self {
        self.success = status;
        self
    }
}
