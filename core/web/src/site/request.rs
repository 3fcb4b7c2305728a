//! The methods of a request that handlers use.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::pool::PoolConnection;
use sqlx::{Any, FromRow};
use ts_rs::TS;

use super::RequestContext;
use crate::endpoint::{EDITION, Endpoint};
use festival_base::error::{Error, Result};
use festival_records::edition;
use festival_records::entity::{Entity, table};

impl Endpoint<RequestContext> {
    /// An endpoint that responds with the published rows of `entity` in an edition, see [`RequestContext::published`].
    pub fn published<T>(path: &'static str, summary: &'static str, entity: &'static Entity) -> Self
    where
        T: for<'r> FromRow<'r, AnyRow> + Serialize + JsonSchema + TS + Send + Unpin + 'static,
    {
        let list = move |request: RequestContext| async move { request.published::<T>(entity).await };
        Self::get(path, summary, list).per_edition()
    }
}

impl RequestContext {
    /// Returns the path parameter `{id}`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not a number.
    pub fn id(&self) -> Result<i64> {
        self.param("id").map_err(|_| Error::NotFound("There is nothing with this id.".into()))
    }

    /// Returns the path parameter `{name}`.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is no `T`.
    pub fn param<T: FromStr>(&self, name: &str) -> Result<T> {
        let text = self.params.get(name).map_or("", String::as_str);
        text.parse().map_err(|_| Error::NotFound("There is nothing at this address.".into()))
    }

    /// Returns a connection for reading.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if none becomes free in time.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        self.site.db.read().await
    }

    /// Returns the id of the requested edition: that of `?edition=2024`, or the one that the site shows. Without any
    /// edition it is 0, which no row has, so that lists are empty.
    ///
    /// # Errors
    /// [`Error::NotFound`] if visitors may see no edition of the requested year.
    pub async fn edition_id(&self) -> Result<i64> {
        let Some(year) = self.query.get(EDITION) else {
            let edition = self.site.edition(&mut *self.read().await?).await?;
            return Ok(edition.map_or(0, |edition| edition.id));
        };
        let visible = edition::visible(&mut *self.read().await?).await?;
        let edition = visible.into_iter().find(|edition| edition.year.to_string() == *year);
        edition.map(|edition| edition.id).ok_or_else(|| Error::NotFound(format!("There is no edition \"{year}\".")))
    }

    /// Whether the site shows rows of this edition at addresses with their id: those of the archive it is for, else those
    /// of every edition that visitors may see.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn shows_edition(&self, id: i64) -> Result<bool> {
        let mut connection = self.read().await?;
        let shown = match self.site.archive {
            Some(_) => self.site.edition(&mut connection).await?.into_iter().collect(),
            None => edition::visible(&mut connection).await?,
        };
        Ok(shown.iter().any(|edition| edition.id == id))
    }

    /// Reads what `sql` selects; its `$1` is the id of the requested edition, see [`RequestContext::edition_id`].
    ///
    /// # Errors
    /// Those of [`RequestContext::edition_id`]; if the database cannot be read.
    pub async fn rows_of_edition<T>(&self, sql: &'static str) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        let edition = self.edition_id().await?;
        Ok(sqlx::query_as(sql).bind(edition).fetch_all(&mut *self.read().await?).await?)
    }

    /// Reads the published rows of `entity` in the requested edition, with the addresses of their files.
    ///
    /// # Errors
    /// Those of [`RequestContext::edition_id`]; if the database cannot be read.
    pub async fn published<T>(&self, entity: &Entity) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        let edition = self.edition_id().await?;
        table::published(&mut *self.read().await?, entity, edition, format!("{}/media/", self.root_url())).await
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
