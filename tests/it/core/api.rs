//! `/site/` and the OpenAPI document.

use std::collections::BTreeSet;

use festival_core::settings::Link;
use rocket::http::Method;
use serde_json::json;

use crate::support::{Database, TestApp, set_section};

on_both!(
    site_facts_are_served,
    documents_appear_on_their_pages,
    menu_omits_missing_documents,
    site_works_without_an_edition
);

async fn site_facts_are_served(database: Database) {
    let app = TestApp::with(database, |settings| {
        set_section(settings, "payment", "upi.id = 'fees@bank.example'");
    })
    .await;
    snapshot!(json "core site", app.get("/api/site/").await.json());
}

async fn documents_appear_on_their_pages(database: Database) {
    let app = TestApp::new(database).await;
    let documents = app.get("/api/site/").await.json()["documents"].clone();
    let pages: Vec<&String> = documents.as_object().unwrap().keys().collect();
    assert_eq!(pages, ["/form-asian", "/ifff-9th", "/isff-2025"], "neither drafts nor those without a file");
    assert_eq!(documents["/ifff-9th"][0], documents["/isff-2025"][1], "one document on two pages");
    assert_eq!(documents["/isff-2025"].as_array().unwrap().len(), 2, "no draft");
    assert_eq!(documents["/form-asian"][0]["href"], "https://elsewhere.example/rules.pdf");
    let schedule = documents["/isff-2025"][0]["href"].as_str().unwrap().replace("http://localhost", "");
    let file = app.get(&schedule).await;
    assert_eq!((file.status, file.header("content-type").as_str()), (200, "application/pdf"));
    for (page, href) in [("/isff-2025", schedule.as_str()), ("/form-asian", "https://elsewhere.example/rules.pdf")] {
        let text = app.get(page).await.text();
        let (shown, _) = text.split_once("id=\"boot-data\"").unwrap();
        assert!(shown.contains(&format!("{href}\"")), "{page}");
    }
    let text = app.get("/form-indian").await.text();
    assert!(!text.split_once("id=\"boot-data\"").unwrap().0.contains("elsewhere.example"));
}

async fn menu_omits_missing_documents(database: Database) {
    let link = |href: &str| Link { label: href.into(), href: href.into() };
    let app = TestApp::with(database, |settings| {
        settings.menu.footer = vec![link("document:rules"), link("document:draft"), link("document:none")];
    })
    .await;
    let footer = || async { app.get("/api/site/").await.json()["menu"]["footer"].clone() };
    assert_eq!(footer().await, json!([{"label": "document:rules", "href": "https://elsewhere.example/rules.pdf"}]));
    app.write("UPDATE documents SET href = NULL WHERE slug = 'rules'").await;
    assert_eq!(footer().await, json!([]));
}

async fn site_works_without_an_edition(database: Database) {
    let app = TestApp::new(database).await;
    app.write("DELETE FROM films").await;
    app.write("DELETE FROM editions").await;
    let site = app.get("/api/site/").await.json();
    assert_eq!(site["edition"], json!(null));
    for path in app.app.contents.pages.iter().map(|page| page.path.for_openapi()).filter(|path| !path.contains('{')) {
        assert_eq!(app.get(&path).await.status, 200, "{path}");
    }
    assert_eq!(app.get("/sitemap.xml").await.status, 200);
    assert_eq!(app.get("/api/posters/").await.json(), json!([]));
}

#[tokio::test]
async fn openapi_describes_exactly_the_mounted_routes() {
    let app = TestApp::new(Database::Sqlite).await;
    let document = app.get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| format!("{method} {path}")))
        .collect();
    let routes = app.routes();
    let mounted: BTreeSet<String> = routes
        .iter()
        .filter(|(_, path)| path.starts_with("/api/") && path != "/api/admin")
        .map(|(method, path)| (method, path.trim_start_matches("/api").replace('<', "{").replace('>', "}")))
        .map(|(method, path)| (method, if path.ends_with(".json") { path } else { path + "/" }))
        .map(|(method, path)| format!("{} {path}", method.as_str().to_lowercase()))
        .collect();
    assert_eq!(described, mounted);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "/api");
    snapshot!(json "core openapi", document);
}

/// Every response has exactly the keys of its schema.
#[tokio::test]
async fn responses_match_their_openapi_schema() {
    let app = crate::programme::released(Database::Sqlite).await;
    let document = app.get("/api/openapi.json").await.json();
    let resolve = |schema: &serde_json::Value| match schema["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).expect(path).clone(),
        None => schema.clone(),
    };
    for (described, answered) in app.app.contents.endpoints.iter().zip(app.endpoints().await) {
        let path = described.path.for_openapi();
        let item = document["paths"].get(format!("{path}/")).or(document["paths"].get(&path)).expect(&path);
        let schema = resolve(&item["get"]["responses"]["200"]["content"]["application/json"]["schema"]);
        let response = app.get(&format!("/api{answered}")).await.json();
        let (schema, element) = match schema["type"].as_str() {
            Some("array") => (resolve(&schema["items"]), response[0].clone()),
            _ => (schema, response),
        };
        let Some(properties) = schema["properties"].as_object() else { continue };
        // On the test clock nothing is near; `next_events_follow_the_clock` tests this endpoint.
        if path == "/next" {
            assert!(element.is_null(), "{element}");
            continue;
        }
        let keys: BTreeSet<&String> = element.as_object().expect(&path).keys().collect();
        assert_eq!(keys, properties.keys().collect(), "{path}");
    }
}

#[tokio::test]
async fn api_only_host_serves_the_root_and_no_pages() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.api.mount = "/".into();
        settings.frontend.enabled = false;
    })
    .await;
    for path in app.endpoints().await {
        assert_eq!(app.get(&format!("{path}/")).await.status, 200, "{path}");
    }
    for path in ["/", "/about-us", "/sitemap.xml", "/api/posters/", "/no-such-page", "/assets/x.js", "/media/none.png"]
    {
        app.get_with(path, &[("Accept", "text/html")]).await.assert_error(404, "not_found");
    }
    let posters = app.get("/posters/").await.json();
    let image = posters[0]["image"].as_str().unwrap().replace("http://localhost", "");
    assert_eq!(app.get(&image).await.status, 200);
    app.request(Method::Post, "/posters/", &[]).await.assert_error(405, "method_not_allowed");
    assert_eq!(app.get("/kottaka-magazines/?page=1").await.json()["count"], 2);
    assert_eq!(app.get("/openapi.json").await.json()["servers"][0]["url"], "/");
    let admin = app.get("/admin/").await;
    assert_ne!(admin.header("Location"), "/admin/", "no redirect to itself");
}

#[tokio::test]
async fn api_admin_redirects_to_the_back_office() {
    let app = TestApp::new(Database::Sqlite).await;
    for path in ["/api/admin/", "/api/admin"] {
        let response = app.get(path).await;
        assert_eq!((response.status, response.header("Location").as_str()), (303, "/admin/"), "{path}");
    }
}
