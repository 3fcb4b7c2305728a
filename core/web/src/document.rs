//! Documents that are neither pages nor API responses: feeds, calendars, the sitemap, the manifest.

use rocket::http::ContentType;

use crate::pattern::Pattern;
use festival_base::error::Result;
use festival_base::{AsyncFn, AsyncFunction};

/// A document at an address of its own, cached like an API response.
pub struct Document<C> {
    /// Its path.
    pub path: Pattern,
    pub(crate) content_type: ContentType,
    pub(crate) file_name: Option<&'static str>,
    pub(crate) compute: AsyncFn<C, Result<Vec<u8>>>,
}

impl<C: 'static> Document<C> {
    /// A document at `path` with the body that `handler` returns. `content_type` is the value of the header, for
    /// example "text/calendar; charset=utf-8".
    pub fn get<T: Into<Vec<u8>>>(
        path: &'static str,
        content_type: &'static str,
        handler: impl AsyncFunction<C, Result<T>>,
    ) -> Self {
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
