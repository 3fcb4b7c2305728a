//! Properties that all pages share.

use std::collections::BTreeSet;

use crate::support::{Database, TestApp, boot, repository, title};

on_both!(every_page_is_server_rendered_with_its_data, sitemap_lists_every_page_and_each_answers);

async fn every_page_is_server_rendered_with_its_data(database: Database) {
    let app = TestApp::new(database).await;
    for path in app.pages().await {
        let with_slash = if path == "/" { path.clone() } else { format!("{path}/") };
        for path in [path.clone(), with_slash] {
            let page = app.get(&path).await;
            let html = page.text();
            assert_eq!(page.status, 200, "{path}");
            assert!(page.header("Content-Type").starts_with("text/html"), "{path}");
            assert!(html.starts_with("<!doctype html>"), "{path}");
            assert!(!title(&html).is_empty(), "{path}");
            let root = html.split_once("<div id=\"root\"").and_then(|(_, root)| root.split_once('>')).unwrap().1;
            assert!(root.starts_with('<') && !root.starts_with("</div>"), "{path}: the page is rendered on the server");
            // The content security policy allows nothing inline.
            assert!(!html.contains(" style=\"") && !html.contains(" onclick="), "{path}");
            let scripts = html.matches("<script").count();
            let tags = html.split("<script ").skip(1).filter_map(|rest| rest.split('>').next());
            let outside = tags.filter(|tag| tag.contains(" src=\"/assets/")).count();
            let described = html.matches("<script type=\"application/ld+json\">").count();
            assert_eq!(scripts, outside + described + 1, "{path}: inline scripts contain only data");
            assert!(!html.contains("alert('film')</script>"), "{path}");
            let boot = boot(&html);
            assert_eq!((&boot["status"], &boot["api"]), (&200.into(), &"/api".into()), "{path}");
            for (need, data) in boot["data"].as_object().unwrap() {
                assert_eq!(*data, app.get(&format!("/api{need}")).await.json(), "{path} {need}");
            }
        }
    }
}

async fn sitemap_lists_every_page_and_each_answers(database: Database) {
    let app = TestApp::with(database, |settings| settings.public_url = "https://festival.example".into()).await;
    let response = app.get("/sitemap.xml").await;
    assert!(response.header("Content-Type").contains("xml"));
    let text = response.text();
    let paths: Vec<&str> = text
        .split("<loc>")
        .skip(1)
        .map(|part| part.split_once("</loc>").unwrap().0.strip_prefix("https://festival.example").unwrap())
        .collect();
    snapshot!("core sitemap", paths.join("\n"));
    let unique: BTreeSet<&str> = paths.iter().copied().collect();
    assert_eq!(unique.len(), paths.len());
    for path in paths {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn pages_and_templates_match() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut used: BTreeSet<String> = app.app.contents.pages.iter().map(|page| page.template.to_owned()).collect();
    used.insert("not-found".to_owned());
    let built: BTreeSet<String> = std::fs::read_dir(repository("frontend/dist/templates"))
        .expect("the website is built: make frontend")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // Templates of the back office are in another folder.
        .filter_map(|name| name.strip_suffix(".hbs").map(str::to_owned))
        .collect();
    assert_eq!(used, built);
}

#[tokio::test]
async fn unknown_addresses_share_one_cached_response() {
    let app = TestApp::new(Database::Sqlite).await;
    let first = app.get("/no-such-page-1").await;
    let second = app.get("/no-such-page-2").await;
    assert_eq!(first.header("ETag"), second.header("ETag"), "all missing pages share one response");
}
