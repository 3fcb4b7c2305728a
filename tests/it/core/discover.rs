//! Metadata for search engines and browsers: JSON-LD, robots.txt, security.txt, manifest, sitemap.

use festival::modules;
use festival_core::sitemap::Address;
use festival_core::{Endpoint, Module, Page, Registry};
use jiff::SignedDuration;
use serde_json::Value;

use crate::support::{Database, SECRET, TestApp, attribute, json_ld_item, json_ld_items};

on_both!(
    every_page_has_canonical_url_and_breadcrumbs,
    home_page_has_festival_json_ld,
    robots_txt_disallows_private_paths,
    security_txt_names_the_contact_and_is_renewed,
    web_manifest_follows_the_settings,
    documents_are_cached_and_revalidated,
    documents_of_disabled_modules_are_404,
);

const BASE: &str = "https://festival.example";

async fn public_site(database: Database) -> TestApp {
    TestApp::with(database, |settings| settings.public_url = BASE.into()).await
}

/// Asserts the general rules for JSON-LD: no empty values, absolute URLs, times with an offset.
fn check_json_ld(value: &Value, place: &str) {
    match value {
        Value::Null => panic!("{place} is null"),
        Value::Array(list) => {
            assert!(!list.is_empty(), "{place} is empty");
            list.iter().for_each(|value| check_json_ld(value, place));
        }
        Value::Object(object) => {
            assert!(object.keys().any(|name| name != "@type"), "{place} has no properties");
            assert!(object.contains_key("@type") || object.len() == 1, "{place} has no type: {object:?}");
            object.iter().for_each(|(name, value)| check_json_ld(value, &format!("{place}.{name}")));
        }
        Value::String(text) => {
            assert!(!text.trim().is_empty(), "{place} is empty");
            let name = place.rsplit('.').next().unwrap();
            match name {
                "@id" | "url" | "item" | "image" | "logo" | "sameAs" | "mainEntityOfPage" => {
                    assert!(text.starts_with("https://"), "{place} is not an absolute URL: {text}");
                }
                "datePublished" | "dateModified" => assert_eq!(&text[19..], "+05:30", "{place}: {text}"),
                "startDate" if text.len() > 10 => assert_eq!(&text[19..], "+05:30", "{place}: {text}"),
                "startDate" | "endDate" => assert_eq!((text.len(), &text[4..5]), (10, "-"), "{place}: {text}"),
                _ => {}
            }
        }
        Value::Bool(_) | Value::Number(_) => {}
    }
}

async fn every_page_has_canonical_url_and_breadcrumbs(database: Database) {
    let app = public_site(database).await;
    for path in app.pages().await {
        let html = app.get(&path).await.text();
        assert_eq!(attribute(&html, "<link rel=\"canonical\"", "href"), format!("{BASE}{path}"));
        let things = json_ld_items(&html);
        things.iter().for_each(|json_ld_item| check_json_ld(json_ld_item, &path));
        let trails: Vec<&Value> =
            things.iter().filter(|json_ld_item| json_ld_item["@type"] == "BreadcrumbList").collect();
        if path == "/" || path == "/admin-panel" {
            assert!(trails.is_empty(), "{path}");
            continue;
        }
        let steps = trails[0]["itemListElement"].as_array().unwrap();
        assert_eq!((trails.len(), &steps[0]["item"]), (1, &Value::from(format!("{BASE}/"))), "{path}");
        assert_eq!(steps.last().unwrap()["item"], format!("{BASE}{path}"), "{path}");
        for (index, step) in steps.iter().enumerate() {
            assert_eq!(step["position"], index + 1, "{path}");
            let address = step["item"].as_str().unwrap().strip_prefix(BASE).unwrap();
            assert_eq!(app.get(address).await.status, 200, "{path}: {address}");
        }
    }
    // Missing pages have no JSON-LD.
    assert_eq!(json_ld_items(&app.get("/no-such-page").await.text()), Vec::<Value>::new());
    assert_eq!(json_ld_items(&app.get("/blog/999999").await.text()), Vec::<Value>::new());
}

async fn home_page_has_festival_json_ld(database: Database) {
    let app = public_site(database).await;
    let html = app.get("/").await.text();
    let festival = json_ld_item(&html, "Festival");
    assert_eq!(festival["name"], "Twentieth \"first light\" edition");
    assert_eq!((&festival["startDate"], &festival["endDate"]), (&"2025-10-24".into(), &"2025-10-31".into()));
    assert_eq!(festival["location"]["address"]["addressLocality"], "Kochi");
    let organiser = json_ld_item(&html, "Organization");
    assert_eq!((&festival["organizer"]["@id"], &organiser["url"]), (&organiser["@id"], &format!("{BASE}/").into()));
    let events = festival["subEvent"].as_array().unwrap();
    let listed = app.get("/api/upcoming-events/").await.json();
    assert_eq!(events.len(), listed.as_array().unwrap().len());
    assert!(events.iter().any(|event| event["name"] == "Opening {{z}} & <b>lamp</b>"));
    for event in events {
        let twin = listed.as_array().unwrap().iter().find(|one| one["event"] == event["name"]).unwrap();
        assert_eq!(event["startDate"], twin["event_datetime"]);
        assert_eq!(event["location"]["name"], twin["location"]);
    }
    // Without the module that owns events the festival has none.
    let without = TestApp::without(database, "festivals").await;
    assert_eq!(json_ld_item(&without.get("/").await.text(), "Festival").get("subEvent"), None);
}

async fn robots_txt_disallows_private_paths(database: Database) {
    let app = public_site(database).await;
    let response = app.get("/robots.txt").await;
    assert_eq!(response.header("Content-Type"), "text/plain; charset=utf-8");
    let text = response.text();
    for path in ["/api/", "/archive/*/api/", "/admin/", "/admin-panel", "/success", "/analytics-ga4-view-via-looker"] {
        assert!(text.contains(&format!("\nDisallow: {path}\n")), "{path} in {text}");
    }
    assert!(
        text.starts_with("User-agent: *\n") && text.ends_with(&format!("\nSitemap: {BASE}/sitemap.xml\n")),
        "{text}"
    );
}

async fn security_txt_names_the_contact_and_is_renewed(database: Database) {
    let path = "/.well-known/security.txt";
    assert_eq!(public_site(database).await.get(path).await.status, 404, "without a contact there is no file");
    let app =
        TestApp::with(database, |settings| settings.security_contact = "mailto:security@festival.example".into()).await;
    let response = app.get(path).await;
    assert_eq!(response.header("Content-Type"), "text/plain; charset=utf-8");
    let contact = "Contact: mailto:security@festival.example\nExpires: 2026-01-24T06:30:00Z\n";
    assert!(response.text().starts_with(contact), "{}", response.text());
    app.clock.set(app.app.clock.now() + SignedDuration::from_hours(31 * 24));
    assert!(app.get(path).await.text().contains("Expires: 2026-02-24T06:30:00Z"), "the expiry date is renewed in time");
}

async fn web_manifest_follows_the_settings(database: Database) {
    let app = TestApp::with(database, |settings| {
        settings.product.name = "L\"amp".into();
        settings.frontend.theme_color = "#123abc".into();
    })
    .await;
    let response = app.get("/site.webmanifest").await;
    assert_eq!(response.header("Content-Type"), "application/manifest+json");
    let manifest: Value = serde_json::from_slice(&response.body).unwrap();
    assert_eq!((&manifest["short_name"], &manifest["lang"]), (&"L\"amp".into(), &"en".into()));
    assert_eq!((&manifest["theme_color"], &manifest["start_url"]), (&"#123abc".into(), &"/".into()));
    let home = app.get("/").await.text();
    assert_eq!(attribute(&home, "<meta name=\"theme-color\"", "content"), "#123abc");
    assert_eq!(attribute(&home, "<link rel=\"manifest\"", "href"), "/site.webmanifest");
    let icons = manifest["icons"].as_array().unwrap();
    let files = icons.iter().map(|icon| icon["src"].as_str().unwrap());
    for file in files.chain(["/favicon.ico", "/apple-touch-icon.png"]) {
        let icon = app.get(file).await;
        assert_eq!(icon.status, 200, "{file}");
        assert!(icon.header("Content-Type").starts_with("image/"), "{file}");
        if file.ends_with(".png") {
            // A PNG has its width and height in its first bytes.
            let side = u32::from_be_bytes(icon.body[16..20].try_into().unwrap());
            let declared = icons.iter().find(|icon| icon["src"] == file).map(|icon| icon["sizes"].clone());
            assert_eq!(declared.unwrap_or("180x180".into()), format!("{side}x{side}"), "{file}");
        }
    }
}

async fn documents_are_cached_and_revalidated(database: Database) {
    let app = public_site(database).await;
    for path in ["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/blogs/feed.xml", "/upcoming-events.ics"] {
        let first = app.get(path).await;
        let tag = first.header("ETag");
        assert_eq!((first.status, tag.is_empty()), (200, false), "{path}");
        assert!(!first.text().contains(SECRET), "{path}");
        let again = app.get_with(path, &[("If-None-Match", &tag)]).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
    let before = app.get("/blogs/feed.xml").await.text();
    app.write("UPDATE blogs SET title = 'Changed' WHERE is_published = 1 AND image IS NOT NULL").await;
    let after = app.get("/blogs/feed.xml").await.text();
    assert!(!before.contains("<title>Changed</title>") && after.contains("<title>Changed</title>"));
}

async fn documents_of_disabled_modules_are_404(database: Database) {
    for (module, path) in [("content", "/blogs/feed.xml"), ("festivals", "/upcoming-events.ics")] {
        let app = TestApp::without(database, module).await;
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

/// A module with more addresses than one sitemap file may hold.
struct Many;

impl Module for Many {
    fn name(&self) -> &'static str {
        "many"
    }

    fn register(&self, registry: &mut Registry) {
        let many = |_| async {
            let address = |id| Address { path: format!("/many/{id}"), changed_at: None };
            Ok((1..=100_001).map(address).collect())
        };
        registry.page(Page::new("/many/{id}", "download").listed(many)).endpoint(Endpoint::get(
            "/many/",
            "None.",
            |_| async { Ok(Vec::<i64>::new()) },
        ));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn long_sitemap_is_split_into_files() {
    let mut modules = modules();
    let plain = public_site(Database::Sqlite).await.get("/sitemap.xml").await.text().matches("<loc>").count();
    modules.push(Box::new(Many));
    let app = TestApp::with_modules(Database::Sqlite, &modules, |settings| settings.public_url = BASE.into()).await;
    let first = app.get("/sitemap.xml").await.text();
    let parts: Vec<&str> = first.split("<loc>").skip(1).map(|part| part.split_once("</loc>").unwrap().0).collect();
    assert_eq!(parts, [1, 2, 3].map(|part| format!("{BASE}/sitemap/{part}.xml")));
    assert!(first.contains("<sitemapindex "));
    let mut count = 0;
    for part in parts {
        let text = app.get(part.strip_prefix(BASE).unwrap()).await.text();
        let addresses = text.matches("<loc>").count();
        assert!(addresses <= 50_000 && text.contains("<urlset "), "{part}");
        count += addresses;
    }
    assert_eq!(count, plain + 100_001);
    for path in ["/sitemap/0.xml", "/sitemap/4.xml", "/sitemap/x.xml", "/sitemap/1"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn short_sitemap_is_one_file() {
    let app = TestApp::new(Database::Sqlite).await;
    assert_eq!(app.get("/sitemap/1.xml").await.status, 404);
}
