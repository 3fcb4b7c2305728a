//! An address of the API that takes what people send: where, what, and who receives it.
//!
//! A receiver says first whether it wants what a request announces, and gets the body as it comes only then. Core
//! does the rest, the same for all: routes, error answers, OpenAPI.

use std::sync::Arc;

use rocket::http::Status;
use rocket::{Data, Request};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

use crate::http::open_body;
use crate::pattern::Pattern;
use crate::site::Site;
use festival_base::error::Result;
use festival_files::upload;

/// Takes what is sent to a [`Post`].
#[rocket::async_trait]
pub trait Receiver: Send + Sync + 'static {
    /// Refuses what is not welcome, whatever its body holds.
    async fn admit(&self, site: &Site, request: &Request<'_>) -> Result<()>;

    /// Reads the body and answers when what was sent is kept for good.
    async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply>;
}

/// An address of the API that answers POST.
pub struct Post {
    /// The path under the API's mount.
    pub path: Pattern,
    /// One sentence for the API's description.
    pub summary: &'static str,
    /// The content type that it takes.
    pub content_type: &'static str,
    /// The JSON schema of what it takes.
    pub body: Value,
    /// The query parameters and headers that it reads: where (`query`, `header`), name, a sentence.
    pub reads: Vec<(&'static str, &'static str, &'static str)>,
    /// The status of its success.
    pub success: Status,
    answer: fn(&mut SchemaGenerator) -> Schema,
    types: fn(&ts_rs::Config) -> Result<()>,
    receiver: Box<dyn Receiver>,
}

/// What is answered to something that was received.
pub struct Reply {
    /// The status.
    pub status: Status,
    /// The JSON text.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer with `status`.
    pub fn json(status: Status, answer: &impl Serialize) -> Result<Self> {
        Ok(Self { status, body: serde_json::to_vec(answer)? })
    }
}

impl Post {
    /// An address at `path` whose success is a `T` with 201.
    pub fn new<T: JsonSchema + TS + 'static>(
        path: &'static str,
        summary: &'static str,
        receiver: impl Receiver,
    ) -> Self {
        Self {
            path: Pattern::new(path),
            summary,
            content_type: "application/json",
            body: Value::Bool(true),
            reads: Vec::new(),
            success: Status::Created,
            answer: |generator| generator.subschema_for::<T>(),
            types: crate::types::write::<T>,
            receiver: Box::new(receiver),
        }
    }

    /// Takes `content_type`, which `schema` describes.
    #[must_use]
    pub fn takes(mut self, content_type: &'static str, schema: Value) -> Self {
        self.content_type = content_type;
        self.body = schema;
        self
    }

    /// Reads the query parameter `name`.
    #[must_use]
    pub fn reads_query(mut self, name: &'static str, meaning: &'static str) -> Self {
        self.reads.push(("query", name, meaning));
        self
    }

    /// Reads the header `name`.
    #[must_use]
    pub fn reads_header(mut self, name: &'static str, meaning: &'static str) -> Self {
        self.reads.push(("header", name, meaning));
        self
    }

    /// Its success has this status.
    #[must_use]
    pub fn succeeds(mut self, status: Status) -> Self {
        self.success = status;
        self
    }

    /// The JSON schema of its success.
    pub fn answer(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.answer)(generator)
    }

    /// Writes the TypeScript types of its success where `config` says.
    pub fn write_types(&self, config: &ts_rs::Config) -> Result<()> {
        (self.types)(config)
    }

    /// Receives what was sent.
    pub async fn receive(&self, site: &Arc<Site>, request: &Request<'_>, data: Data<'_>) -> Result<Reply> {
        if let Err(error) = self.receiver.admit(site, request).await {
            upload::discard_rest(open_body(data)).await;
            return Err(error);
        }
        self.receiver.receive(site, request, data).await
    }
}
