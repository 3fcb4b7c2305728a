//! GET endpoints of the API.
//!
//! A handler is an async function from [`RequestContext`] to a value that serialises to JSON. Routes, caching, ETags,
//! compression, OpenAPI and the data of pages are the same for all endpoints.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::any::AnyRow;
use sqlx::pool::PoolConnection;
use sqlx::{Any, FromRow};
use ts_rs::TS;

use crate::pattern::{Params, Pattern};
use crate::site::Site;
use festival_base::AsyncFn;
use festival_base::error::{Error, Result};
use festival_records::edition;

/// The query parameter that names another edition.
const EDITION: &str = "edition";

/// A GET endpoint of the API.
pub struct Endpoint {
    /// The path under the API's mount.
    pub path: Pattern,
    /// One sentence for the API's description.
    pub summary: &'static str,
    /// The query parameters that it reads, each with a description and its JSON schema; others are ignored.
    pub query: Vec<(&'static str, &'static str, Value)>,
    schema: fn(&mut SchemaGenerator) -> Schema,
    types: fn(&ts_rs::Config) -> Result<()>,
    handler: AsyncFn<RequestContext, Result<Vec<u8>>>,
}

impl Endpoint {
    /// An endpoint at `path` that responds with what `handler` returns.
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
            handler: AsyncFn::new(move |request| {
                let response = handler(request);
                async move { Ok(serde_json::to_vec(&response.await?)?) }
            }),
        }
    }

    /// Reads the query parameter `name`, a whole number.
    #[must_use]
    pub fn reads(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push((name, description, json!({ "type": "integer" })));
        self
    }

    /// Reads the query parameter `name`, a date as in 2025-10-24.
    #[must_use]
    pub fn reads_date(mut self, name: &'static str, description: &'static str) -> Self {
        self.query.push((name, description, json!({ "type": "string", "format": "date" })));
        self
    }

    /// Declares the query parameter `edition`; see [`RequestContext::edition_id`].
    #[must_use]
    pub fn per_edition(self) -> Self {
        self.reads(EDITION, "The year of another edition than the current one.")
    }

    /// Whether it answers for another edition on demand.
    pub(crate) fn is_per_edition(&self) -> bool {
        self.query.iter().any(|(name, ..)| *name == EDITION)
    }

    /// Computes the response, as JSON.
    ///
    /// # Errors
    /// Those of the handler.
    pub async fn answer(&self, request: RequestContext) -> Result<Vec<u8>> {
        self.handler.call(request).await
    }

    /// Returns the JSON schema of the response.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// Exports the TypeScript types of the response as `config` says.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_types(&self, config: &ts_rs::Config) -> Result<()> {
        (self.types)(config)
    }
}

/// A request to an endpoint, page or document: the parameters of its path and query, and the site.
#[derive(Clone)]
pub struct RequestContext {
    /// The site.
    pub site: Arc<Site>,
    /// The parameters of the path.
    pub params: Params,
    /// The declared query parameters that the request has.
    pub query: BTreeMap<&'static str, String>,
    /// The site's address without a trailing slash, to be put before every path: "https://festival.example", or
    /// "https://festival.example/archive/2024" in the archive.
    pub base_url: Arc<str>,
}

impl RequestContext {
    /// Returns the path parameter `{id}`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not a number.
    pub fn id(&self) -> Result<i64> {
        let text = self.params.get("id").map_or("", String::as_str);
        text.parse().map_err(|_| Error::NotFound("There is nothing with this id.".into()))
    }

    /// Returns a connection for reading.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if none becomes free in time.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }

    /// Returns the id of the requested edition: that of `?edition=2024`, or the one that the site shows. Without any edition it is
    /// 0, which no row has, so that lists are empty.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no edition of the requested year.
    pub async fn edition_id(&self) -> Result<i64> {
        let mut connection = self.read().await?;
        let edition = match self.query.get(EDITION) {
            None => return Ok(self.site.edition(&mut connection).await?.map_or(0, |edition| edition.id)),
            Some(text) => match text.parse() {
                Ok(year) => edition::find_by_year(&mut connection, year).await?,
                Err(_) => None,
            },
        };
        let year = self.query.get(EDITION).map_or("", String::as_str);
        edition.map(|edition| edition.id).ok_or_else(|| Error::NotFound(format!("There is no edition \"{year}\".")))
    }

    /// Reads what `sql` selects; its `$1` is the id of the requested edition, see [`RequestContext::edition_id`].
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no edition of the requested year; if the database cannot be read.
    pub async fn rows_of_edition<T>(&self, sql: &'static str) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        let edition = self.edition_id().await?;
        Ok(sqlx::query_as(sql).bind(edition).fetch_all(&mut *self.read().await?).await?)
    }

    /// The festival's address without a trailing slash, also for what the archive shows.
    pub fn root_url(&self) -> &str {
        self.site.root_url(&self.base_url)
    }

    /// Returns the absolute URL of a file in the public media store, by its key.
    pub fn media_url(&self, key: Option<String>) -> Option<String> {
        key.map(|key| format!("{}/media/{key}", self.root_url()))
    }

    /// Returns the key in the public media store that an absolute URL refers to; the inverse of
    /// [`RequestContext::media_url`].
    pub fn media_key(&self, url: Option<String>) -> Option<String> {
        let key = url?.strip_prefix(self.root_url())?.strip_prefix("/media/")?.to_owned();
        Some(key)
    }

    /// Expires the cached response at `time`, even if no data has changed until then.
    pub fn expire_at(&self, time: Timestamp) {
        self.site.expiries.add(time);
    }

    /// The festival's time zone.
    pub fn time_zone(&self) -> &TimeZone {
        &self.site.time_zone
    }
}
