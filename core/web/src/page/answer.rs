//! Rendering of pages: the HTML that is made from what a page shows, and where it is cached.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::Status;
use serde_json::json;

use super::engine::RenderedPage;
use super::gathered::{Gathered, gather};
use super::requested::RequestedPage;
use crate::cache::CachedResponse;
use crate::pattern::Params;
use crate::site::{Archive, Page, Site};
use festival_base::error::{Error, Result};
use festival_records::edition;

/// Returns the page at `path`, from the cache if it is up to date. `query_value` returns the value of a query
/// parameter. A value for which the API has no response is ignored, so that arbitrary addresses cannot fill the cache.
/// Texts are ignored while another page is rendered with texts; the browser then applies them by itself.
///
/// # Errors
/// If the page cannot be rendered.
pub async fn answer(
    site: &Arc<Site>,
    page: &Page,
    path: &str,
    query_value: impl Fn(&str) -> Option<String>,
    base_url: &Arc<str>,
) -> Result<Arc<CachedResponse>> {
    let params = page.path.matches(path).unwrap_or_default();
    let mut request = RequestedPage { page, path, params, query: BTreeMap::new(), base_url, is_preview: false };
    request.read_query(query_value);
    // Held until the page is rendered.
    let permit;
    if !request.query.is_empty() {
        if let Some(answer) = site.cache.get(&request.key(), site.cache_version()) {
            return Ok(answer);
        }
        permit = site.templates.engines.acquire_for_texts();
        if permit.is_none() {
            request.remove_texts();
        }
        for parameter in &page.reads {
            let Some(path) = request.api_path(parameter) else { continue };
            if site.api(&path, base_url).await.is_err() {
                request.query.remove(parameter.name);
            }
        }
    }
    render(site, &request, Status::Ok).await
}

/// Loads templates and script if that has not been done yet. Called before a preview, whose transaction keeps others
/// from writing.
///
/// # Errors
/// [`Error::Internal`] if the frontend was not built.
pub fn prepare(site: &Site) -> Result<()> {
    site.templates.documents()?;
    site.templates.engines.script().map(|_| ())
}

/// Returns a preview of the page at `path`, on a site whose database holds a draft: without scripts, which would
/// request data from the real site, and below a notice. `None` if the site has no such page.
///
/// # Errors
/// If the page cannot be rendered.
pub async fn preview(
    site: &Arc<Site>,
    path: &str,
    query_value: impl Fn(&str) -> Option<String>,
    base_url: &Arc<str>,
) -> Result<Option<String>> {
    let Some((page, params)) = site.contents.page_at(path) else { return Ok(None) };
    let mut request = RequestedPage { page, path, params, query: BTreeMap::new(), base_url, is_preview: true };
    request.read_query(query_value);
    let gathered = gather(site, &request, Status::Ok).await?;
    if gathered.status != Status::Ok {
        return Ok(None);
    }
    let printed = print(site, &request, &gathered, "preview").await?;
    Ok(Some(String::from_utf8_lossy(printed.bytes()).into_owned()))
}

/// Returns the site's 404 page. It is the same for every path, so that arbitrary addresses cannot fill the cache.
///
/// # Errors
/// If the page cannot be rendered.
pub async fn not_found(site: &Arc<Site>, base_url: &Arc<str>) -> Result<Arc<CachedResponse>> {
    let page = Page::new("/404", "not-found");
    let (params, query) = (Params::new(), BTreeMap::new());
    let request = RequestedPage { page: &page, path: "/404", params, query, base_url, is_preview: false };
    render(site, &request, Status::NotFound).await
}

async fn render(site: &Arc<Site>, request: &RequestedPage<'_>, status: Status) -> Result<Arc<CachedResponse>> {
    let key = request.key();
    let printed = format!("printed {key}");
    let compute = async {
        if let Some(address) = archived_address(site, request).await? {
            return Ok((Arc::new(CachedResponse::moved(address)), true));
        }
        let gathered = gather(site, request, status).await?;
        Ok((print(site, request, &gathered, &printed).await?, gathered.is_cacheable))
    };
    site.cached(key, compute).await
}

/// The current address of the page, if it is about an edition that has since moved to the archive.
async fn archived_address(site: &Arc<Site>, request: &RequestedPage<'_>) -> Result<Option<String>> {
    let Some(year) = request.page.year.as_ref().filter(|_| site.archive.is_none()) else { return Ok(None) };
    let Some(year) = year.call(request.context(site)).await? else { return Ok(None) };
    if edition::find_archived(&mut *site.db.read().await?, year).await?.is_none() {
        return Ok(None);
    }
    let mut address =
        format!("{}{}{}", request.base_url, Archive::of(year).path, request.page.path.fill(&request.params));
    if !request.query.is_empty() {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&request.query).finish();
        address.push('?');
        address.push_str(&query);
    }
    Ok(Some(address))
}

/// Renders a page to HTML, or returns the HTML that was rendered from the same data: most writes change nothing that a
/// page shows.
async fn print(
    site: &Arc<Site>,
    request: &RequestedPage<'_>,
    gathered: &Gathered,
    key: &str,
) -> Result<Arc<CachedResponse>> {
    let stamp = gathered.stamp();
    if let Some(answer) = site.cache.get(key, stamp) {
        return Ok(answer);
    }
    let permit = site.templates.engines.acquire().await?;
    // Another request may have rendered the same page meanwhile.
    if let Some(answer) = site.cache.get(key, stamp) {
        return Ok(answer);
    }
    let rendered = match site.templates.engines.call(&permit, "renderPage", gathered.request.clone()).await {
        Ok(rendered) => rendered,
        Err(error) => RenderedPage::failed(error.for_terminal()),
    };
    if let Some(error) = &rendered.error {
        let path = request.path;
        tracing::error!(path, error, "a page could not be rendered on the server; browsers do it alone");
    }
    let context = json!({
        "archive": gathered.archive,
        "head": rendered.head,
        "body": rendered.body,
        "preview": request.is_preview,
        "theme_color": site.settings.frontend.theme_color,
        "json_ld": gathered.json_ld,
        "boot": gathered.boot,
    });
    let html = site.templates.documents()?.render(request.page.template, &context);
    let html = html.map_err(|e| Error::internal(format!("template {}: {e}", request.page.template)))?;
    let answer = Arc::new(CachedResponse::html(gathered.status, html));
    if rendered.error.is_none() {
        site.cache.put(key.to_owned(), stamp, answer.clone());
    }
    Ok(answer)
}
