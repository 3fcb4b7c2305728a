//! Past editions below `/archive/{year}`: with their own content, and nothing from the current edition.

use std::collections::BTreeMap;

use festival_core::freeze::freeze;
use festival_core::site::Archive;

use crate::support::{Database, TestApp, attribute, boot};

on_both!(
    an_archived_edition_has_its_own_pages_and_api,
    archive_addresses_serve_only_their_own_edition,
    only_past_editions_that_were_public_are_archived,
    frozen_edition_has_every_file_that_its_pages_reference,
    former_addresses_of_an_archived_edition_redirect_to_the_archive,
);

/// A site whose edition of 2024 is in the archive.
async fn archived(database: Database) -> TestApp {
    let app = TestApp::with(database, |settings| settings.public_url = "https://festival.example".into()).await;
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    app
}

async fn an_archived_edition_has_its_own_pages_and_api(database: Database) {
    let app = archived(database).await;
    let home = app.get("/archive/2024").await;
    let html = home.text();
    assert_eq!(home.status, 200, "{html}");
    assert!(html.contains("Malayalam of 2024") && html.contains("This is the archive: "), "{html}");
    assert_eq!(boot(&html)["api"], "/archive/2024/api");
    assert_eq!(attribute(&html, "<link rel=\"canonical\"", "href"), "https://festival.example/archive/2024/");
    // Links to pages stay in the archive; only the notice leads out of it.
    let (_, root) = html.split_once("<div id=\"root\"").unwrap();
    let outside = root.split("<a ").skip(1).map(|rest| attribute(rest, "", "href"));
    let outside: Vec<String> =
        outside.filter(|href| href.starts_with('/') && !href.starts_with("/archive/2024")).collect();
    assert_eq!(outside, [""; 0]);

    let category = app.id("categories", "name LIKE 'Malayalam of 2024%'").await;
    for path in app.pages().await.iter().filter(|path| !path.contains(|c: char| c.is_ascii_digit())) {
        let page = app.get(&format!("/archive/2024{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text().contains("This is the archive: "), "{path}");
    }
    assert!(app.get(&format!("/archive/2024/films/{category}")).await.text().contains("Film of 2024"));
    let lists = ["categories", "venues", "team", "winners", "upcoming-events", "posters", "programme"];
    for list in lists {
        let archived = app.get(&format!("/archive/2024/api/{list}/")).await.json();
        assert_eq!(archived, app.get(&format!("/api/{list}/?edition=2024")).await.json(), "{list}");
    }
    let site = app.get("/archive/2024/api/site/").await.json();
    assert_eq!(site["edition"]["year"], 2024);
    let is_asked = |site: &serde_json::Value| {
        (!site["menu"]["actions"].as_array().unwrap().is_empty(), !site["edition"]["countdown_at"].is_null())
    };
    app.write("UPDATE editions SET countdown_at = '2030-01-01T00:00'").await;
    assert_eq!(is_asked(&app.get("/archive/2024/api/site/").await.json()), (false, false));
    assert_eq!(is_asked(&app.get("/api/site/").await.json()), (true, true));
    // Media files keep their addresses.
    let poster = app.get("/archive/2024/api/posters/").await.json()[0]["image"].as_str().unwrap_or_default().to_owned();
    assert!(poster.is_empty() || poster.starts_with("https://festival.example/media/"), "{poster}");
    let card = attribute(&html, "<meta property=\"og:image\"", "content");
    let card = card.strip_prefix("https://festival.example").unwrap();
    assert!(card.starts_with("/archive/2024/cards/"), "{card}");
    assert_eq!(app.get(card).await.status, 200);

    // Forms are closed, and content that belongs to no edition has its canonical address outside.
    let contact = app.get("/archive/2024/contact-us").await.text();
    assert!(contact.contains("This form is closed") && !contact.contains("<form"), "{contact}");
    assert_eq!(attribute(&contact, "<link rel=\"canonical\"", "href"), "https://festival.example/contact-us");
    let rules = app.get("/archive/2024/api/forms/").await.json();
    assert!(rules["forms"].as_array().unwrap().iter().all(|form| form["standing"] == "closed"), "{rules}");
    let sitemap = app.get("/sitemap.xml").await.text();
    let has = |path: &str| sitemap.contains(&format!("<loc>https://festival.example{path}</loc>"));
    assert!(has("/archive/2024/") && has(&format!("/archive/2024/films/{category}")) && has("/blogs"), "{sitemap}");
    assert!(!has("/archive/2024/blogs") && !has("/archive/2024/contact-us"), "{sitemap}");
}

async fn archive_addresses_serve_only_their_own_edition(database: Database) {
    let app = archived(database).await;
    let (current, past) = (
        app.id("categories", "edition_id = (SELECT id FROM editions WHERE year = 2025)").await,
        app.id("categories", "edition_id = (SELECT id FROM editions WHERE year = 2024)").await,
    );
    for path in [
        "films/{id}",
        "films/{id}/a-z",
        "api/categories/{id}/films/",
        "api/categories/{id}/films/parts/1/",
        "api/categories/{id}/a-z/",
    ] {
        let at = |id: i64| format!("/archive/2024/{}", path.replace("{id}", &id.to_string()));
        assert_eq!(app.get(&at(current)).await.status, 404, "{path}");
        assert_eq!(app.get(&at(past)).await.status, 200, "{path}");
    }
    // The cache keeps them apart, whichever is requested first.
    for (path, has) in [("/", false), ("/archive/2024", true), ("/", false), ("/archive/2024/", true)] {
        assert_eq!(app.get(path).await.text().contains("must-never-be-seen"), has, "{path}");
    }
    assert_eq!(app.get("/archive/2024/no-such-page").await.status, 404);
    let unknown = app.get("/archive/2024/blog/999").await;
    assert!(unknown.status == 404 && unknown.text().contains("This is the archive: "), "the archive's own page");
}

async fn former_addresses_of_an_archived_edition_redirect_to_the_archive(database: Database) {
    let app = TestApp::with(database, |settings| settings.public_url = "https://festival.example".into()).await;
    let film = app.id("films", "name LIKE 'Film of 2024%'").await;
    let category = app.number(&format!("SELECT category_id FROM films WHERE id = {film}")).await;
    let current = app.id("categories", "edition_id = (SELECT id FROM editions WHERE year = 2025)").await;
    let former = [
        format!("/films/{category}"),
        format!("/films/{category}?film={film}"),
        format!("/films/{category}/a-z"),
        format!("/films/{category}/a-z?film={film}"),
    ];
    for address in &former {
        assert_eq!(app.get(address).await.status, 404, "{address}, before visitors may see the edition");
    }
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    for address in &former {
        let moved = app.get(address).await;
        let target = format!("https://festival.example/archive/2024{address}");
        assert_eq!((moved.status, moved.header("location")), (301, target.clone()));
        let there = app.get(target.trim_start_matches("https://festival.example")).await;
        assert_eq!(there.status, 200, "{target}");
        let canonical = attribute(&there.text(), "<link rel=\"canonical\"", "href");
        assert!(canonical.starts_with("https://festival.example/archive/2024/films/"), "{target}: {canonical}");
    }
    let odd = app.get(&format!("/films/{category}?film=0&part=x&other=%0d%0a")).await;
    assert_eq!(odd.header("location"), format!("https://festival.example/archive/2024/films/{category}"));
    let sitemap = app.get("/sitemap.xml").await.text();
    assert!(!sitemap.contains(&format!("festival.example/films/{category}<")), "{sitemap}");
    assert_eq!(app.get(&format!("/films/{current}")).await.status, 200);
    assert_eq!(app.get("/films/999999").await.status, 404);
    assert_eq!(app.get(&format!("/api/categories/{category}/films/")).await.status, 200, "programs know one address");
}

async fn only_past_editions_that_were_public_are_archived(database: Database) {
    let app = TestApp::new(database).await;
    let history = async || app.get("/api/history/").await.json().as_array().unwrap().clone();
    let link = |years: &[serde_json::Value], year: i64| {
        years
            .iter()
            .find(|entry| entry["year"] == year)
            .map_or(serde_json::Value::Null, |entry| entry["archive"].clone())
    };
    assert_eq!(app.get("/archive/2024").await.status, 404, "it was never public");
    assert_eq!(link(&history().await, 2024), serde_json::Value::Null);
    for path in ["/archive/2025", "/archive/2024x", "/archive/02024", "/archive/1999/films", "/archive"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    app.write("UPDATE editions SET is_public = 1").await;
    assert_eq!(app.get("/archive/2024").await.status, 200);
    assert_eq!(app.get("/archive/2025").await.status, 404, "it is current");
    let years = history().await;
    assert!(link(&years, 2024).as_str().is_some_and(|url| url.ends_with("/archive/2024")), "{years:?}");
    app.write("DELETE FROM history_years WHERE year = 2024").await;
    let years = history().await;
    assert!(link(&years, 2024).as_str().is_some(), "a year that nobody wrote about stands there too: {years:?}");
}

async fn frozen_edition_has_every_file_that_its_pages_reference(database: Database) {
    const ROOT: &str = "https://festival.example";
    let app = archived(database).await;
    let (category, film) = (
        app.id("categories", "name LIKE 'Malayalam of 2024%'").await,
        app.id("films", "name LIKE 'Film of 2024%'").await,
    );
    for archive in [Archive::of(2024), Archive { year: 2025, path: String::new() }] {
        let home = archive.path.clone();
        let mut files = BTreeMap::new();
        let mut write = |path: &str, content: &[u8]| {
            files.insert(format!("/{path}"), content.to_vec());
            Ok(())
        };
        assert_eq!(freeze(&app.app.site, archive, ROOT, &mut write).await.unwrap(), files.len(), "each file once");
        let has = |path: &str| {
            ["", "/index.html", "/index.json"]
                .iter()
                .any(|end| files.contains_key(&format!("{}{end}", path.trim_end_matches('/'))))
        };
        for path in [
            "/index.html",
            "/films/index.html",
            "/upcoming-events.ics",
            "/404.html",
            "/sitemap.xml",
            "/api/categories/index.json",
        ] {
            assert!(files.contains_key(&format!("{home}{path}")), "{home}{path}: {:?}", files.keys());
        }
        let is_past = !home.is_empty();
        assert_eq!(files.contains_key(&format!("{home}/api/categories/{category}/films/{film}/index.json")), is_past);
        let is_seen = files.values().any(|file| String::from_utf8_lossy(file).contains("must-never-be-seen"));
        assert_eq!(is_seen, is_past, "a file has what belongs to another edition");
        let mut pages = 0;
        for (name, content) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
            let html = String::from_utf8(content.clone()).unwrap();
            pages += 1;
            assert_eq!(boot(&html)["past"], true, "{name}");
            let values = html
                .split([' ', '\n'])
                .filter_map(|word| word.strip_prefix("href=\"").or_else(|| word.strip_prefix("src=\"")));
            for value in values.filter_map(|rest| rest.split('"').next()) {
                let address = value.strip_prefix(ROOT).unwrap_or(value);
                let path = address.split(['?', '#']).next().unwrap_or_default();
                let is_outside = is_past
                    && !path.starts_with(&home)
                    && !path.starts_with("/assets/")
                    && !path.starts_with("/media/");
                if path.starts_with('/') && path != "/404" && !is_outside && !path.starts_with("/archive/") | is_past {
                    assert!(has(path), "{name} names {value}");
                }
            }
            for path in boot(&html)["data"].as_object().unwrap().keys() {
                assert!(has(&format!("{home}/api{path}")), "{name} needs {path}");
            }
        }
        assert!(pages > 15, "{pages}");
    }
}
