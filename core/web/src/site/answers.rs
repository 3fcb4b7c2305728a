//! The site's responses, from the cache or computed now.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

use rocket::http::Status;

use super::{Document, Endpoint, RequestContext, Site};
use crate::cache::{CachedResponse, Computing, Other};
use crate::metrics::CacheOutcome;
use crate::pattern::Params;
use festival_base::error::{Error, Result};

impl Site {
    /// Returns the page or document of `key`, from the cache if it is up to date. Otherwise `compute` returns it, and
    /// whether it may be cached. While one request computes a new response, the others get the outdated one, if there is
    /// one, and so do all while the database is unavailable.
    ///
    /// Not for responses that others are computed from: those would be cached as up to date.
    ///
    /// # Errors
    /// Those of `compute`.
    pub(crate) async fn cached(
        &self,
        key: String,
        compute: impl Future<Output = Result<(Arc<CachedResponse>, bool)>> + Send,
    ) -> Result<Arc<CachedResponse>> {
        if let Some(answer) = self.cache.get(&key, self.cache_version()) {
            self.metrics.cache(CacheOutcome::Hit);
            return Ok(answer);
        }
        let outdated = self.cache.former(&key);
        let permit = self.cache.computing(&key);
        if let (Err(_), Some(outdated)) = (&permit, &outdated) {
            self.metrics.cache(CacheOutcome::Stale);
            return Ok(outdated.clone());
        }
        let _permit = match self.permit(permit, &key).await {
            Continue(permit) => permit,
            Break(answer) => return Ok(answer),
        };
        let version = self.cache_version();
        let (outcome, answer) = match (compute.await, outdated) {
            (Ok((answer, true)), _) => {
                answer.set_key(&key);
                self.cache.put(key, version, answer.clone());
                (CacheOutcome::Miss, Ok(answer))
            }
            // The new response is incomplete.
            (Ok((answer, false)), Some(outdated)) if answer.status() == Status::Ok => {
                (CacheOutcome::Stale, Ok(outdated))
            }
            (Ok((answer, false)), _) => (CacheOutcome::Miss, Ok(answer)),
            (Err(Error::Unavailable(_)), Some(outdated)) => (CacheOutcome::Stale, Ok(outdated)),
            (Err(error), _) => (CacheOutcome::Miss, Err(error)),
        };
        self.metrics.cache(outcome);
        answer
    }

    /// Continues with the permit to compute the response for `key`. While another request has it, waits for that one, and
    /// breaks off with its response: those who come together when nothing is cached do not all compute the same. If it
    /// was not cached, or if the data has changed meanwhile, all continue.
    async fn permit(
        &self,
        permit: Result<Computing, Other>,
        key: &str,
    ) -> ControlFlow<Arc<CachedResponse>, Option<Computing>> {
        match permit {
            Ok(permit) => Continue(Some(permit)),
            Err(other) => {
                other.ended().await;
                let Some(answer) = self.cache.get(key, self.cache_version()) else { return Continue(None) };
                self.metrics.cache(CacheOutcome::Hit);
                Break(answer)
            }
        }
    }

    /// Returns the API's response at `path`, without the mount, from the cache if it is up to date. Pages and the API
    /// share the cache.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such endpoint; those of the endpoint.
    pub async fn api(self: &Arc<Self>, path: &str, base_url: &Arc<str>) -> Result<Arc<CachedResponse>> {
        let (endpoint, params) = self
            .contents
            .endpoint_at(path)
            .ok_or_else(|| Error::NotFound(format!("There is no {path} in this API.")))?;
        self.answer(endpoint, params, BTreeMap::new(), base_url).await
    }

    /// Returns the response of `endpoint`, from the cache if it is up to date.
    ///
    /// # Errors
    /// Those of the endpoint.
    pub async fn answer(
        self: &Arc<Self>,
        endpoint: &Endpoint,
        params: Params,
        query: BTreeMap<&'static str, String>,
        base_url: &Arc<str>,
    ) -> Result<Arc<CachedResponse>> {
        // Postgres does not store NUL, so no name contains it.
        if params.values().any(|value| value.contains('\0')) {
            return Err(Error::NotFound("There is nothing at this address.".into()));
        }
        let mut key = format!("api {base_url} {}", endpoint.path.fill(&params));
        for (name, value) in &query {
            key.push_str(&format!(" {name}={value}"));
        }
        if let Some(answer) = self.cache.get(&key, self.cache_version()) {
            self.metrics.cache(CacheOutcome::Hit);
            return Ok(answer);
        }
        let _permit = match self.permit(self.cache.computing(&key), &key).await {
            Continue(permit) => permit,
            Break(answer) => return Ok(answer),
        };
        self.metrics.cache(CacheOutcome::Miss);
        let version = self.cache_version();
        let request = RequestContext { site: self.clone(), params, query, base_url: base_url.clone() };
        let answer = Arc::new(CachedResponse::json(endpoint.handler.call(request).await?));
        answer.set_key(&key);
        self.cache.put(key, version, answer.clone());
        Ok(answer)
    }

    /// Returns the document at `path`, from the cache if it is up to date.
    ///
    /// # Errors
    /// [`Error::NotFound`] if `path` does not match the document's pattern; those of its handler.
    pub(crate) async fn document(
        self: &Arc<Self>,
        document: &Document,
        path: &str,
        base_url: &Arc<str>,
    ) -> Result<Arc<CachedResponse>> {
        let params: Params =
            document.path.matches(path).ok_or_else(|| Error::NotFound("There is no such document.".into()))?;
        let key = format!("document {base_url} {}", document.path.fill(&params));
        let request =
            RequestContext { site: self.clone(), params, query: Default::default(), base_url: base_url.clone() };
        let compute = async {
            let bytes = document.compute.call(request).await?;
            let mut answer = CachedResponse::new(Status::Ok, document.content_type.clone(), bytes);
            if let Some(name) = document.file_name {
                answer = answer.saved_as(name);
            }
            Ok((Arc::new(answer), true))
        };
        self.cached(key, compute).await
    }
}
