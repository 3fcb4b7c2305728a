//! HTTP behaviour of all routes: methods, hosts, errors, request ids.

use festival_core::admin::OWNER;
use rocket::http::Method;

use crate::admin::browser::{Browser, create_account};
use crate::forms::requests::{message, send_message};
use crate::support::{Database, SECRET, TestApp, boot};

on_both!(
    every_endpoint_answers_with_and_without_trailing_slash,
    drafts_and_other_editions_appear_nowhere,
    missing_api_resources_are_404_in_json,
    unknown_pages_show_the_404_page,
    nul_characters_are_client_errors,
);

async fn every_endpoint_answers_with_and_without_trailing_slash(database: Database) {
    let app = TestApp::new(database).await;
    for path in app.endpoints().await {
        let with = app.get(&format!("/api{path}/")).await;
        let without = app.get(&format!("/api{path}")).await;
        assert_eq!((with.status, without.status), (200, 200), "{path}: {}", with.text());
        assert_eq!(with.json(), without.json(), "{path}");
    }
}

async fn drafts_and_other_editions_appear_nowhere(database: Database) {
    let app = TestApp::new(database).await;
    // The fixtures contain rows that could leak.
    for table in ["films", "categories", "upcoming_events", "posters"] {
        let edition = format!("(SELECT id FROM editions WHERE year = 2024) = {table}.edition_id");
        assert!(app.number(&format!("SELECT count(*) FROM {table} WHERE {edition}")).await > 0, "{table}");
    }
    for table in ["films", "blogs", "pages", "magazines", "venues", "history_years"] {
        assert!(app.number(&format!("SELECT count(*) FROM {table} WHERE is_published = 0")).await > 0, "{table}");
    }
    let mut paths: Vec<String> = app.endpoints().await.into_iter().map(|path| format!("/api{path}/")).collect();
    paths.extend(app.pages().await);
    paths.extend(["/sitemap.xml", "/no-such-page", "/api/kottaka-magazines/?page=1"].map(str::to_owned));
    for path in paths {
        let response = app.get(&path).await;
        assert!(!response.text().contains(SECRET), "{path}");
    }
    // Nor by their ids.
    let draft_blog = app.id("blogs", "is_published = 0").await;
    let draft_category = app.id("categories", "is_published = 0").await;
    for path in [
        format!("/api/blog/{draft_blog}/"),
        format!("/blog/{draft_blog}"),
        format!("/api/categories/{draft_category}/films/"),
        format!("/films/{draft_category}"),
        "/api/pages/draft/".to_owned(),
    ] {
        let response = app.get(&path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(!response.text().contains(SECRET), "{path}");
    }
    // The check can fail: once it was current, a request for that edition contains the marker.
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    assert!(app.get("/api/posters/?edition=2024").await.text().contains(SECRET));
}

async fn missing_api_resources_are_404_in_json(database: Database) {
    let app = TestApp::new(database).await;
    for path in [
        "/api/no-such-list/",
        "/api/blog/999999/",
        "/api/blog/one/",
        "/api/blog/99999999999999999999/",
        "/api/categories/999999/films/",
        "/api/categories/malayalam/films/",
        "/api/pages/no-such-page/",
        "/api/kottaka-magazines/?page=2",
        "/api/kottaka-magazines/?page=0",
        "/api/kottaka-magazines/?page=x",
        "/api/posters/?edition=1999",
        "/api/posters/?edition=soon",
        "/api/posters/?edition=",
        "/api",
        "/api/",
    ] {
        app.get(path).await.assert_error(404, "not_found");
    }
    // Parameters are decoded exactly once.
    assert_eq!(app.get("/api/posters/?edition=%32025").await.status, 200);
    app.get("/api/posters/?edition=%2532025").await.assert_error(404, "not_found");
    app.get("/api/posters/?edition=%ff").await.assert_error(404, "not_found");
    let long = format!("/api/posters/?edition={}", "2".repeat(101));
    app.get(&long).await.assert_error(400, "bad_request");
}

async fn unknown_pages_show_the_404_page(database: Database) {
    let app = TestApp::new(database).await;
    for path in
        ["/no-such-page", "/films/999999", "/films/one", "/blog/999999", "/blog/1/2", "/apis", "/templates/home.hbs"]
    {
        let response = app.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert!(response.header("Content-Type").starts_with("text/html"), "{path}");
        assert!(boot(&response.text())["data"]["/site/"].is_object(), "{path}");
    }
    let response = app.get_with("/no-such-page", &[("Accept", "application/json")]).await;
    assert_eq!(response.status, 404);
}

#[tokio::test]
async fn other_methods_are_405_with_an_allow_header() {
    let app = TestApp::new(Database::Sqlite).await;
    for path in ["/api/categories/", "/api/categories", "/api/blog/1/", "/api/openapi.json"] {
        for method in [Method::Post, Method::Put, Method::Delete, Method::Patch, Method::Options] {
            let response = app.request(method, path, &[]).await;
            response.assert_error(405, "method_not_allowed");
            assert_eq!(response.header("Allow"), "GET, HEAD", "{method} {path}");
        }
    }
    let page = app.request(Method::Post, "/about-us", &[]).await;
    assert_eq!((page.status, page.header("Allow").as_str()), (405, "GET, HEAD"));
    app.request(Method::Post, "/api/no-such-list/", &[]).await.assert_error(404, "not_found");
}

async fn nul_characters_are_client_errors(database: Database) {
    let app = TestApp::new(database).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let mut answered = Vec::new();
    let expected = [
        ("/api/categories/%00/films/", 404),
        ("/api/film/1%00/", 404),
        ("/api/categories/?edition=20%0025", 400),
        ("/films/%00", 404),
        ("/blog/%00", 404),
        ("/films?film=%00", 200),
        ("/media/%00", 404),
        ("/admin/films?q=%00", 400),
        ("/admin/films/%00", 404),
    ];
    for (path, _) in expected {
        answered.push((path, browser.get(path).await.status));
    }
    assert_eq!(answered, expected);
    let named = browser.post("/admin/account/password", &[("password", "\0")]).await;
    assert_eq!(named.status, 400, "{}", named.text());
    let mut nameless = message();
    nameless["message"] = "When\0?".into();
    assert!(send_message(&app, &nameless).await.status < 500);
}

#[tokio::test]
async fn method_override_fields_are_ignored() {
    let app = TestApp::new(Database::Sqlite).await;
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    for method in ["get", "head", "put", "delete", "patch", "options"] {
        for body in [format!("_method={method}"), format!("&_method={method}"), format!("&&%5Fmethod={method}&a=1")] {
            let response = app.post("/api/categories/", &form, body).await;
            response.assert_error(405, "method_not_allowed");
            assert_eq!(response.header("Allow"), "GET, HEAD", "{method}");
        }
    }
    let twice = [("Host", "localhost"), ("Host", "evil.example")];
    app.get_with("/api/categories/", &twice).await.assert_error(400, "bad_request");
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let app = TestApp::new(Database::Sqlite).await;
    for path in ["/api/categories/", "/about-us", "/sitemap.xml"] {
        let get = app.get(path).await;
        let head = app.request(Method::Head, path, &[]).await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        for name in ["ETag", "Content-Type", "Cache-Control", "Vary"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
    }
    assert_eq!(app.request(Method::Head, "/api/no-such-list/", &[]).await.status, 404);
}

#[tokio::test]
async fn every_response_has_a_unique_request_id() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut ids = std::collections::BTreeSet::new();
    for path in ["/api/site/", "/api/site/", "/", "/no-such-page", "/api/no-such-list/", "/media/nothing.png"] {
        let response = app.get_with(path, &[("X-Request-Id", "chosen-by-a-stranger")]).await;
        assert!(ids.insert(response.header("X-Request-Id")), "{path}");
    }
    assert!(ids.iter().all(|id| id.len() == 16 && id.bytes().all(|b| b.is_ascii_hexdigit())), "{ids:?}");
}

#[tokio::test]
async fn unknown_hosts_are_rejected() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.allowed_hosts = vec!["Festival.Example".into()];
    })
    .await;
    for host in
        ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "festival.example", "FESTIVAL.example:80"]
    {
        assert_eq!(app.get_with("/api/posters/", &[("Host", host)]).await.status, 200, "{host}");
    }
    for host in ["evil.example", "festival.example.evil.example", "notfestival.example", "localhost.evil.example", ""] {
        app.get_with("/api/posters/", &[("Host", host)]).await.assert_error(400, "bad_request");
        for path in ["/", "/sitemap.xml", "/no-such-page"] {
            let page = app.get_with(path, &[("Host", host)]).await;
            assert!(page.status >= 400, "{host} {path}");
            assert!(!page.text().contains("evil.example/"), "{host} {path}");
        }
    }
    let script = app.get_with("/", &[("Host", "<script>alert(1)</script>")]).await;
    assert_eq!(script.status, 400);
    assert!(!script.text().contains("<script>alert"), "{}", script.text());
}

#[tokio::test]
async fn ports_in_hosts_fill_no_cache() {
    let app = TestApp::new(Database::Sqlite).await;
    let mut statuses = Vec::new();
    for port in 9001..=9040 {
        statuses.push(app.get_with("/api/posters/", &[("Host", &format!("localhost:{port}"))]).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 16, "{statuses:?}");
    assert_eq!(app.get_with("/api/posters/", &[("Host", "localhost:9001")]).await.status, 200);
    let refused = app.get_with("/api/posters/", &[("Host", "localhost:9040")]).await;
    assert!(refused.text().contains("Its operator can set public_url."), "{}", refused.text());
    let app = TestApp::with(Database::Sqlite, |settings| settings.public_url = "https://festival.example".into()).await;
    for port in 9001..=9040 {
        assert_eq!(app.get_with("/api/posters/", &[("Host", &format!("localhost:{port}"))]).await.status, 200);
    }
}

#[tokio::test]
async fn urls_start_with_the_public_url_or_the_request_host() {
    let app = TestApp::new(Database::Sqlite).await;
    let image = |response: serde_json::Value| response[0]["image"].as_str().unwrap().to_owned();
    let local = image(app.get_with("/api/posters/", &[("Host", "LOCALHOST:8000")]).await.json());
    assert!(local.starts_with("http://localhost:8000/media/"), "{local}");
    let other = image(app.get_with("/api/posters/", &[("Host", "127.0.0.1")]).await.json());
    assert!(other.starts_with("http://127.0.0.1/media/"), "{other}");
    let app =
        TestApp::with(Database::Sqlite, |settings| settings.public_url = "https://festival.example/".into()).await;
    for host in ["localhost", "festival.example"] {
        let public = image(app.get_with("/api/posters/", &[("Host", host)]).await.json());
        assert!(public.starts_with("https://festival.example/media/"), "{public}");
    }
}
