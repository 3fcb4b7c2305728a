//! Rendering of pages: the API responses that a page shows, and the HTML that is made from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::Status;
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest as _, Sha256};

use crate::cache::CachedResponse;
use crate::card;
use crate::json_ld;
use crate::pattern::Params;
use crate::site::{Archive, Site};
use festival_base::error::{Error, Result};
use festival_records::edition;

use super::DataDependency;
use super::engine::RenderedPage;
use super::requested::RequestedPage;
use crate::site::Page;

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

/// Everything that a page is rendered from.
struct Gathered {
    status: Status,
    /// What the engine renders: a `PageRequest` of `frontend/src/entry-server.tsx` as JSON.
    request: String,
    /// What the browser hydrates the page with: a `Boot` as JSON, safe in a script element.
    boot: String,
    json_ld: Option<String>,
    /// The notice above a page of the archive, with the festival's own address.
    archive: Option<ArchiveNotice>,
    /// Whether it is complete, and so may be cached until the data changes.
    is_cacheable: bool,
}

impl Gathered {
    /// Returns a hash of the data, the version under which the HTML is cached.
    fn stamp(&self) -> u64 {
        let mut hash = Sha256::new();
        hash.update(&self.request);
        hash.update(self.json_ld.as_deref().unwrap_or_default());
        hash.update(self.archive.as_ref().map_or("", |notice| &notice.edition));
        hash.finalize()[..8].iter().fold(0, |stamp, byte| stamp << 8 | u64::from(*byte))
    }
}

async fn gather(site: &Arc<Site>, request: &RequestedPage<'_>, status: Status) -> Result<Gathered> {
    let RequestedPage { page, path, params, base_url, .. } = request;
    let mut collected = Collected::default();
    collected.add(site, "/site/".to_owned(), base_url).await;
    for dependency in site.contents.dependencies_of(page) {
        match dependency {
            DataDependency::One(pattern) => collected.add(site, pattern.fill(params) + "/", base_url).await,
            DataDependency::Each { list, item, first } => {
                let list = list.fill(&Params::new()) + "/";
                collected.add(site, list.clone(), base_url).await;
                for id in collected.ids(&list) {
                    let path = item.fill(&Params::from([("id", id.to_string())])) + "/";
                    collected.add(site, path.clone(), base_url).await;
                    collected.shorten(&path, *first)?;
                }
            }
        }
    }
    for path in page.reads.iter().filter_map(|parameter| request.api_path(parameter)) {
        collected.add(site, path, base_url).await;
    }
    // A page about a single thing that does not exist is a 404.
    let missing = !params.is_empty() && collected.errors.values().any(|status| *status == Status::NotFound.code);
    let status = if missing { Status::NotFound } else { status };
    let complete = collected.errors.values().all(|status| *status == Status::NotFound.code);
    if status == Status::Ok {
        collected.card = card::meta(page, request.path, request.context(site)).await;
    }
    let about = if status == Status::Ok {
        json_ld::render(site, page, request.path, request.context(site)).await
    } else {
        None
    };
    let mut data: BTreeMap<&str, &RawValue> = BTreeMap::new();
    for (path, answer) in &collected.data {
        data.insert(path, serde_json::from_slice(answer.bytes())?);
    }
    let errors = collected.errors.iter().map(|(path, status)| (path.as_str(), json!({ "status": status }))).collect();
    let texts = page.texts.iter().filter_map(|name| Some((*name, request.query.get(name)?.as_str())));
    let picked = page.reads.iter().filter_map(|parameter| Some((parameter.name, request.value(parameter)?)));
    let query = picked.chain(texts).collect();
    let base = site.path();
    let api = format!("{base}{}", site.settings.api_prefix());
    let past = site.archive.is_some();
    let boot = Boot { api: &api, base, past, path, params, query, status: status.code, data, errors };
    let boot = serde_json::value::to_raw_value(&boot)?;
    // A page that is not about the edition has its only address outside of the archive.
    let canonical = if site.contents.is_of_edition(page) { base_url } else { site.root_url(base_url) };
    let named = page.reads.iter().find_map(|parameter| request.query.get_key_value(parameter.name));
    let request = serde_json::to_string(&PageRequest {
        template: page.template,
        base_url: canonical,
        named: named.map(|(name, value)| json!({ "name": name, "value": value })),
        card: collected.card.as_ref(),
        boot: &boot,
    })?;
    Ok(Gathered {
        status,
        request,
        boot: safe_in_script(boot.get()),
        json_ld: about.map(|about| safe_in_script(&about.to_string())),
        archive: archive_notice(site, base_url).await?,
        is_cacheable: complete && !missing,
    })
}

/// The notice above every page of the archive.
#[derive(serde::Serialize)]
struct ArchiveNotice {
    /// "The 19th Festival, 24 to 31 October 2024".
    edition: String,
    /// The festival's own address.
    home: String,
}

async fn archive_notice(site: &Site, base_url: &str) -> Result<Option<ArchiveNotice>> {
    if site.path().is_empty() {
        return Ok(None);
    }
    let edition = site.edition(&mut *site.db.read().await?).await?;
    Ok(edition.map(|edition| ArchiveNotice {
        edition: format!("{}, {}", edition.name, edition::dates_text(&edition.starts_on, &edition.ends_on)),
        home: format!("{}/", site.root_url(base_url)),
    }))
}

/// The API responses of a page by path, the status of those that failed, and its social card.
#[derive(Default)]
struct Collected {
    data: BTreeMap<String, Arc<CachedResponse>>,
    errors: BTreeMap<String, u16>,
    card: Option<card::Meta>,
}

impl Collected {
    async fn add(&mut self, site: &Arc<Site>, path: String, base_url: &Arc<str>) {
        if self.data.contains_key(&path)
            || self.errors.contains_key(&path)
            || site.contents.endpoint_at(&path).is_none()
        {
            return; // Collected already, or its module is disabled.
        }
        match site.api(&path, base_url).await {
            Ok(answer) => {
                self.data.insert(path, answer);
            }
            Err(error) => {
                if matches!(error, Error::Internal(_)) {
                    tracing::error!(path, cause = error.for_terminal(), "a part of a page failed");
                }
                self.errors.insert(path, error.status().code);
            }
        }
    }

    /// Truncates the list at `path` to its `first` elements.
    fn shorten(&mut self, path: &str, first: usize) -> Result<()> {
        let Some(answer) = self.data.get(path) else { return Ok(()) };
        let list: Vec<&RawValue> = serde_json::from_slice(answer.bytes())?;
        if let Some(beginning) = list.get(..first) {
            let beginning = CachedResponse::json(serde_json::to_vec(beginning)?);
            self.data.insert(path.to_owned(), Arc::new(beginning));
        }
        Ok(())
    }

    fn ids(&self, list: &str) -> Vec<i64> {
        #[derive(serde::Deserialize)]
        struct Element {
            id: i64,
        }
        let Some(answer) = self.data.get(list) else { return Vec::new() };
        let elements: Vec<Element> = serde_json::from_slice(answer.bytes()).unwrap_or_default();
        elements.into_iter().map(|element| element.id).collect()
    }
}

/// What the browser hydrates a page with: `Boot` in `frontend/src/shared/api/boot.ts`.
#[derive(serde::Serialize)]
struct Boot<'a> {
    api: &'a str,
    base: &'a str,
    past: bool,
    path: &'a str,
    params: &'a Params,
    query: BTreeMap<&'a str, &'a str>,
    status: u16,
    data: BTreeMap<&'a str, &'a RawValue>,
    errors: BTreeMap<&'a str, Value>,
}

/// What the engine renders a page from: `PageRequest` in `frontend/src/entry-server.tsx`.
#[derive(serde::Serialize)]
struct PageRequest<'a> {
    template: &'a str,
    base_url: &'a str,
    /// The query parameter that belongs to the page's canonical address.
    named: Option<Value>,
    card: Option<&'a card::Meta>,
    boot: &'a RawValue,
}

/// Escapes JSON so that it cannot end the script element that contains it.
fn safe_in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_escaped_for_script_elements() {
        let text = serde_json::to_string("</script><!-- & \u{2028}").unwrap_or_default();
        let safe = safe_in_script(&text);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        let back: String = serde_json::from_str(&safe).unwrap_or_default();
        assert_eq!(back, "</script><!-- & \u{2028}");
    }
}
