//! What a page is rendered from: the API responses that it shows, its social card and its structured data.

use std::collections::BTreeMap;
use std::sync::Arc;

use rocket::http::Status;
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest as _, Sha256};

use super::DataDependency;
use super::requested::RequestedPage;
use crate::cache::CachedResponse;
use crate::card;
use crate::json_ld;
use crate::pattern::Params;
use crate::site::Site;
use festival_base::error::{Error, Result};
use festival_records::edition;

/// Everything that a page is rendered from.
pub(super) struct Gathered {
    pub(super) status: Status,
    /// What the engine renders: a `PageRequest` of `frontend/src/entry-server.tsx` as JSON.
    pub(super) request: String,
    /// What the browser hydrates the page with: a `Boot` as JSON, safe in a script element.
    pub(super) boot: String,
    pub(super) json_ld: Option<String>,
    /// The notice above a page of the archive, with the festival's own address.
    pub(super) archive: Option<ArchiveNotice>,
    /// Whether it is complete, and so may be cached until the data changes.
    pub(super) is_cacheable: bool,
}

impl Gathered {
    /// Returns a hash of the data, the version under which the HTML is cached.
    pub(super) fn stamp(&self) -> u64 {
        let mut hash = Sha256::new();
        hash.update(&self.request);
        hash.update(self.json_ld.as_deref().unwrap_or_default());
        hash.update(self.archive.as_ref().map_or("", |notice| &notice.edition));
        hash.finalize()[..8].iter().fold(0, |stamp, byte| stamp << 8 | u64::from(*byte))
    }
}

/// Gathers what `request` shows.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn gather(site: &Arc<Site>, request: &RequestedPage<'_>, status: Status) -> Result<Gathered> {
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
    let (card, about) = if status == Status::Ok {
        let card = card::meta(page, path, request.context(site)).await;
        (card, json_ld::render(site, page, path, request.context(site)).await)
    } else {
        (None, None)
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
        card: card.as_ref(),
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
pub(super) struct ArchiveNotice {
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

/// The API responses of a page by path, and the status of those that failed.
#[derive(Default)]
struct Collected {
    data: BTreeMap<String, Arc<CachedResponse>>,
    errors: BTreeMap<String, u16>,
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
