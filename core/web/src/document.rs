//! Documents that are neither pages nor API responses: feeds, calendars, the sitemap, the manifest.

use std::future::Future;
use std::sync::Arc;

use rocket::http::{ContentType, Status};

use crate::cache::CachedResponse;
use crate::endpoint::RequestContext;
use crate::pattern::{Params, Pattern};
use crate::site::Site;
use festival_base::AsyncFn;
use festival_base::error::{Error, Result};

/// A document at an address of its own, cached like an API response.
pub struct Document {
    /// Its path.
    pub path: Pattern,
    content_type: ContentType,
    file_name: Option<&'static str>,
    compute: AsyncFn<RequestContext, Result<Vec<u8>>>,
}

impl Document {
    /// A document at `path` with the body that `handler` returns. `content_type` is the value of the header, for
    /// example "text/calendar; charset=utf-8".
    pub fn get<F, Fut, T>(path: &'static str, content_type: &'static str, handler: F) -> Self
    where
        F: Fn(RequestContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T>> + Send + 'static,
        T: Into<Vec<u8>>,
    {
        let compute = AsyncFn::new(move |request| {
            let body = handler(request);
            async move { Ok(body.await?.into()) }
        });
        let content_type = content_type.parse().unwrap_or(ContentType::Binary);
        Self { path: Pattern::new(path), content_type, file_name: None, compute }
    }

    /// Browsers download the document under this name instead of displaying it.
    #[must_use]
    pub fn saved_as(mut self, name: &'static str) -> Self {
        self.file_name = Some(name);
        self
    }
}

/// Returns the document at `path`, from the cache if it is up to date.
///
/// # Errors
/// [`Error::NotFound`] if `path` does not match the document's pattern; those of its handler.
pub(crate) async fn answer(
    site: &Arc<Site>,
    document: &Document,
    path: &str,
    base_url: &Arc<str>,
) -> Result<Arc<CachedResponse>> {
    let params: Params =
        document.path.matches(path).ok_or_else(|| Error::NotFound("There is no such document.".into()))?;
    let key = format!("document {base_url} {}", document.path.fill(&params));
    let request = RequestContext { site: site.clone(), params, query: Default::default(), base_url: base_url.clone() };
    let compute = async {
        let bytes = document.compute.call(request).await?;
        let mut answer = CachedResponse::new(Status::Ok, document.content_type.clone(), bytes);
        if let Some(name) = document.file_name {
            answer = answer.saved_as(name);
        }
        Ok((Arc::new(answer), true))
    };
    site.cached(key, compute).await
}
