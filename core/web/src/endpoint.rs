//! An address of the API that answers GET: where, what, and how it is computed.
//!
//! A handler is an async function from [`RequestContext`] to something that serialises. Core does the rest, the same
//! for all: routes, memory, ETag, compression, OpenAPI, and the data of pages.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use sqlx::Any;
use sqlx::pool::PoolConnection;
use ts_rs::TS;

use crate::pattern::{Params, Pattern};
use crate::site::Site;
use festival_base::error::{Error, Result};
use festival_records::edition;

type Handler = Box<dyn Fn(RequestContext) -> BoxFuture<'static, Result<Vec<u8>>> + Send + Sync>;

/// An address of the API.
pub struct Endpoint {
    /// The path under the API's mount.
    pub path: Pattern,
    /// One sentence for the API's description.
    pub summary: &'static str,
    /// The query parameters that it reads, with a sentence each; others are ignored.
    pub query: Vec<(&'static str, &'static str)>,
    schema: fn(&mut SchemaGenerator) -> Schema,
    types: fn(&ts_rs::Config) -> Result<()>,
    handler: Handler,
}

impl Endpoint {
    /// An endpoint at `path` that answers what `handler` computes.
    pub fn get<F, Fut, T>(path: &'static str, summary: &'static str, handler: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T>> + Send + 'static,
        T: Serialize + JsonSchema + TS + Send + 'static,
    {
        Self {
            path: Pattern::new(path),
            summary,
            query: Vec::new(),
            schema: |generator| generator.subschema_for::<T>(),
            types: crate::types::write::<T>,
            handler: Box::new(move |request| {
                let answer = handler(request);
                Box::pin(async move { Ok(serde_json::to_vec(&answer.await?)?) })
            }),
        }
    }

    /// Reads the query parameter `name`.
    #[must_use]
    pub fn reads(mut self, name: &'static str, meaning: &'static str) -> Self {
        self.query.push((name, meaning));
        self
    }

    /// Answers of an edition: the current one, or `?edition=2024`.
    #[must_use]
    pub fn per_edition(self) -> Self {
        self.reads("edition", "The year of another edition than the current one.")
    }

    /// The JSON text of the answer, computed now.
    pub async fn answer(&self, request: RequestContext) -> Result<Vec<u8>> {
        (self.handler)(request).await
    }

    /// The JSON schema of the answer.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// Writes the TypeScript types of the answer where `config` says.
    pub fn write_types(&self, config: &ts_rs::Config) -> Result<()> {
        (self.types)(config)
    }
}

/// What an endpoint is asked: the parameters of its path, its query, and the site that answers.
#[derive(Clone)]
pub struct RequestContext {
    /// The site.
    pub site: Arc<Site>,
    /// The holes of the path.
    pub params: Params,
    /// The query parameters that the endpoint reads.
    pub query: BTreeMap<&'static str, String>,
    /// The site's address in front of every path, without a slash at its end.
    pub base_url: Arc<str>,
}

impl RequestContext {
    /// The path's `{id}`. What is no number names nothing: 404.
    pub fn id(&self) -> Result<i64> {
        let text = self.params.get("id").map_or("", String::as_str);
        text.parse().map_err(|_| Error::NotFound("There is nothing with this id.".into()))
    }

    /// A connection for reading.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }

    /// The id of the edition that is asked for: `?edition=2024`, else the current one. Before the first edition it
    /// is one that no row has, so that lists are empty.
    pub async fn edition_id(&self) -> Result<i64> {
        let mut connection = self.read().await?;
        let edition = match self.query.get("edition") {
            None => return Ok(edition::find_current(&mut connection).await?.map_or(0, |edition| edition.id)),
            Some(text) => match text.parse() {
                Ok(year) => edition::find_by_year(&mut connection, year).await?,
                Err(_) => None,
            },
        };
        let year = self.query.get("edition").map_or("", String::as_str);
        edition.map(|edition| edition.id).ok_or_else(|| Error::NotFound(format!("There is no edition \"{year}\".")))
    }

    /// The absolute address of a picture or document by its key in the public media store.
    pub fn media_url(&self, key: Option<String>) -> Option<String> {
        key.map(|key| format!("{}/media/{key}", self.base_url))
    }

    /// The key of a picture in the public media store, out of its absolute address.
    pub fn media_key(&self, url: Option<String>) -> Option<String> {
        let key = url?.strip_prefix(&*self.base_url)?.strip_prefix("/media/")?.to_owned();
        Some(key)
    }

    /// The answer is true until `moment` at the latest, though nobody may write anything until then.
    pub fn true_until(&self, moment: Timestamp) {
        self.site.expiries.add(moment);
    }

    /// The festival's time zone.
    pub fn time_zone(&self) -> &TimeZone {
        &self.site.time_zone
    }
}
