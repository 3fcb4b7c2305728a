//! What the site serves whichever modules are enabled: `/site/`, the OpenAPI document, the home page, and the files
//! that crawlers and browsers request: `robots.txt`, `security.txt` (RFC 9116) and `site.webmanifest`.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use ts_rs::TS;

use super::{ARCHIVE, SiteContents, facts};
use crate::card;
use crate::json_ld;
use crate::page_text::{self, PAGE_PICTURE, PAGE_TEXT};
use crate::public_url::PublicUrl;
use crate::site::Document;
use crate::site::Page;
use crate::site::{Endpoint, RequestContext};
use crate::sitemap;
use festival_base::error::{Error, Result};

/// The API's description, an OpenAPI document.
#[derive(Serialize, JsonSchema, TS)]
#[ts(type = "unknown")]
struct Description(serde_json::Value);

/// Returns what the site serves whichever modules are enabled.
pub fn own_contents() -> SiteContents {
    let xml = "application/xml; charset=utf-8";
    SiteContents {
        endpoints: [
            Endpoint::get(
                "/site/",
                "The site's facts: names, dates, modules, menus, and those that modules add.",
                facts::find_site,
            ),
            Endpoint::get("/openapi.json", "This description.", |request: RequestContext| async move {
                Ok(Description(crate::openapi::document(&request.site)))
            }),
            Endpoint::get("/pages/{slug}/", "The text of a page.", page_text::find_page_text),
        ]
        .map(Arc::new)
        .into(),
        documents: [
            Document::get("/sitemap.xml", xml, sitemap::root),
            Document::get("/sitemap/{part}.xml", xml, sitemap::part),
            Document::get("/robots.txt", "text/plain; charset=utf-8", robots_txt),
            Document::get("/.well-known/security.txt", "text/plain; charset=utf-8", security_txt),
            Document::get("/site.webmanifest", "application/manifest+json", web_manifest),
        ]
        .map(Arc::new)
        .into(),
        pages: [
            Page::new("/", "home")
                .depends_on(["/pages/home/"])
                .breadcrumb("Home")
                .json_ld(json_ld::festival::about)
                .card(|request| async move { Ok(card::for_home_page(&request).await) }),
            Page::new("/admin-panel", "admin-panel").unlisted(),
        ]
        .map(Arc::new)
        .into(),
        public_urls: BTreeMap::from([
            (PAGE_TEXT.table, PublicUrl::OnPageShowing("/pages/{slug}/")),
            (PAGE_PICTURE.table, PublicUrl::OnPageShowing("/pages/{page}/")),
        ]),
        ..SiteContents::default()
    }
}

/// Returns the text of `robots.txt`.
async fn robots_txt(request: RequestContext) -> Result<String> {
    let api = request.site.settings.api_prefix();
    let unlisted =
        request.site.contents.pages.iter().filter(|page| !page.in_sitemap).map(|page| page.path.for_openapi());
    let mut text = String::from("User-agent: *\n");
    // The API of the archive is below each of its years.
    let closed = [format!("{api}/"), format!("{ARCHIVE}/*{api}/"), "/admin/".to_owned()];
    for path in closed.into_iter().chain(unlisted) {
        text.push_str(&format!("Disallow: {path}\n"));
    }
    Ok(format!("{text}\nSitemap: {}/sitemap.xml\n", request.base_url))
}

/// Time until the date in the `Expires` field: 90 days.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
/// Lifetime of the cached document, after which `Expires` is computed again: 30 days.
const CACHE_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Returns the text of `security.txt`.
///
/// # Errors
/// [`Error::NotFound`] if `security_contact` is not set.
async fn security_txt(request: RequestContext) -> Result<String> {
    let contact = &request.site.settings.security_contact;
    if contact.is_empty() {
        return Err(Error::NotFound("There is no such document.".into()));
    }
    let now = request.site.clock.now();
    request.expire_at(now.saturating_add(CACHE_LIFETIME).map_err(Error::internal)?);
    let expires = now.saturating_add(VALID_FOR).map_err(Error::internal)?.strftime("%Y-%m-%dT%H:%M:%SZ");
    let canonical = format!("{}/.well-known/security.txt", request.base_url);
    Ok(format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, ml\nCanonical: {canonical}\n"))
}

/// Returns the manifest as JSON. Its icons are files of the built frontend.
async fn web_manifest(request: RequestContext) -> Result<String> {
    let product = &request.site.settings.product;
    let colour = &request.site.settings.frontend.theme_color;
    let icon = |file: &str, sizes: &str, content_type: &str, purpose: &str| json!({ "src": format!("/{file}"), "sizes": sizes, "type": content_type, "purpose": purpose });
    let manifest = json!({
        "id": "/",
        "name": product.full_name,
        "short_name": product.name,
        "description": product.tagline,
        "lang": "en",
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": colour,
        "background_color": colour,
        "icons": [
            icon("icon-192.png", "192x192", "image/png", "any"),
            icon("icon-512.png", "512x512", "image/png", "any"),
            icon("icon-maskable-512.png", "512x512", "image/png", "maskable"),
            icon("favicon.svg", "any", "image/svg+xml", "any"),
        ],
    });
    Ok(manifest.to_string())
}
