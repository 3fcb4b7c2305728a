//! What the site serves whichever modules are enabled: `/site/`, the OpenAPI document, the home page, and the files
//! that crawlers and browsers request.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::{SiteContents, facts};
use crate::card;
use crate::json_ld;
use crate::manifest;
use crate::page_text::{self, PAGE_PICTURE, PAGE_TEXT};
use crate::public_url::PublicUrl;
use crate::robots;
use crate::security_txt;
use crate::site::Document;
use crate::site::Page;
use crate::site::{Endpoint, RequestContext};
use crate::sitemap;

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
            Document::get("/robots.txt", "text/plain; charset=utf-8", robots::text),
            Document::get("/.well-known/security.txt", "text/plain; charset=utf-8", security_txt::text),
            Document::get("/site.webmanifest", "application/manifest+json", manifest::text),
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
