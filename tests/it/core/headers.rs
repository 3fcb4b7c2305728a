//! Security headers of every kind of response, and the content security policy of pages.

use rocket::http::Method;

use crate::support::{Database, Response, TestApp};

/// The content security policy of pages.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; media-src 'self'; connect-src 'self'; frame-src 'none'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'; object-src 'none'; manifest-src 'self'; worker-src 'self'";
const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";
const FRAMING: &str = "/analytics-ga4-view-via-looker";

/// Asserts the headers that all responses share, and those of pages or files.
fn assert_headers(what: &str, response: &Response) {
    for (name, value) in [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
        ("Strict-Transport-Security", ""),
        ("Access-Control-Allow-Origin", ""),
        ("Server", ""),
        ("X-Powered-By", ""),
        ("Set-Cookie", ""),
    ] {
        assert_eq!(response.header(name), value, "{what}: {name}");
    }
    assert_eq!(response.header("X-Request-Id").len(), 16, "{what}");
    // Redirects and errors may depend on scheme, host or cookies: no cache may store them.
    if ![200, 206, 304].contains(&response.status) {
        assert_eq!(response.header("Cache-Control"), "no-store", "{what}");
    }
    let document = response.header("Content-Type").starts_with("text/html");
    let [policy, opener] = match (response.status, document) {
        (304, _) => ["", ""],
        (_, true) => [PAGE_POLICY, "same-origin"],
        (_, false) => [FILE_POLICY, ""],
    };
    assert_eq!(response.header("Content-Security-Policy"), policy, "{what}");
    assert_eq!(response.header("Cross-Origin-Opener-Policy"), opener, "{what}");
}

/// One response of each kind: name, expected status, response.
async fn every_kind(app: &TestApp) -> Vec<(&'static str, u16, Response)> {
    let media = app.get("/api/posters/").await.json()[0]["image"].as_str().unwrap().replace("http://localhost", "");
    let home = app.get("/").await;
    let asset = home.text().split('"').find(|part| part.starts_with("/assets/")).unwrap().to_owned();
    let seen = |response: &Response| response.header("ETag");
    let list = seen(&app.get("/api/categories/").await);
    let picture = seen(&app.get(&media).await);
    let script = seen(&app.get(&asset).await);
    let json = [("Content-Type", "application/json")];
    let get = async |path: &str, headers: &[(&str, &str)]| app.request(Method::Get, path, headers).await;
    let too_long = "x".repeat(200_000);
    vec![
        ("a list", 200, get("/api/categories/", &[]).await),
        ("a list that is known", 304, get("/api/categories/", &[("If-None-Match", &list)]).await),
        ("the way to the admin area", 303, get("/api/admin/", &[]).await),
        ("a wrong value", 400, get(&format!("/api/posters/?edition={}", "2".repeat(101)), &[]).await),
        ("a foreign host", 400, get("/api/posters/", &[("Host", "evil.example")]).await),
        ("no such list", 404, get("/api/nothing/", &[]).await),
        ("a wrong method", 405, app.request(Method::Delete, "/api/categories/", &[]).await),
        ("an unknown preflight", 405, app.request(Method::Options, "/api/categories/", &[("Origin", "null")]).await),
        ("a message that is too long", 413, app.post("/api/contact/", &json, &too_long).await),
        ("a wrong content type", 415, app.post("/api/contact/", &[("Content-Type", "text/plain")], "x").await),
        ("an empty message", 422, app.post("/api/contact/", &json, "{}").await),
        (
            "a form without a form",
            400,
            app.post("/api/changed/", &[("Content-Type", "multipart/form-data")], "x").await,
        ),
        ("a page", 200, home),
        ("a page's head", 200, app.request(Method::Head, "/about-us", &[]).await),
        ("a page for a foreign host", 400, get("/", &[("Host", "evil.example")]).await),
        ("no such page", 404, get("/nothing", &[]).await),
        ("no such page, as JSON", 404, get("/nothing", &[("Accept", "application/json")]).await),
        ("a page's wrong method", 405, app.request(Method::Put, "/about-us", &[]).await),
        ("the sitemap", 200, get("/sitemap.xml", &[]).await),
        ("the robots' rules", 200, get("/robots.txt", &[]).await),
        ("the manifest", 200, get("/site.webmanifest", &[]).await),
        ("the description", 200, get("/api/openapi.json", &[]).await),
        ("a script", 200, get(&asset, &[]).await),
        ("a script that is known", 304, get(&asset, &[("If-None-Match", &script)]).await),
        ("an icon", 200, get("/favicon.svg", &[]).await),
        ("no such script", 404, get("/assets/nothing.js", &[]).await),
        ("a picture", 200, get(&media, &[]).await),
        ("a picture that is known", 304, get(&media, &[("If-None-Match", &picture)]).await),
        ("a part of a picture", 206, get(&media, &[("Range", "bytes=0-9")]).await),
        ("no part of a picture", 416, get(&media, &[("Range", "bytes=99999999-")]).await),
        ("no such picture", 404, get("/media/posters/nothing.png", &[]).await),
        ("the pulse", 200, get("/healthz", &[]).await),
    ]
}

#[tokio::test]
async fn every_kind_of_response_has_security_headers() {
    let app = TestApp::new(Database::Sqlite).await;
    for (what, status, response) in every_kind(&app).await {
        assert_eq!(response.status, status, "{what}: {}", response.header("Content-Type"));
        assert_headers(what, &response);
    }
    for path in app.pages().await {
        assert_headers(&path, &app.get(&path).await);
    }
    for path in app.endpoints().await {
        assert_headers(&path, &app.get(&format!("/api{path}/")).await);
    }
    // Internal errors, as JSON and as a page.
    app.write("ALTER TABLE posters RENAME TO gone").await;
    app.write("ALTER TABLE editions RENAME TO lost").await;
    for path in ["/api/posters/", "/sitemap.xml"] {
        let response = app.get(path).await;
        assert_eq!(response.status, 500, "{path}: {}", response.text());
        assert_headers(path, &response);
        assert!(!response.text().contains("posters") && !response.text().contains("SELECT"), "{}", response.text());
    }
    let too_often = TestApp::with(Database::Sqlite, |settings| settings.uploads.keep_free_mib = u64::MAX >> 20).await;
    let form = [("Content-Type", "multipart/form-data; boundary=x")];
    let no_room = too_often.post("/api/changed/", &form, "--x--\r\n").await;
    assert_eq!(no_room.status, 507, "{}", no_room.text());
    assert_headers("no room", &no_room);
}

#[tokio::test]
async fn only_the_analytics_page_may_frame_the_configured_hosts() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.frontend.frame_hosts = vec!["https://dashboard.example".into(), "https://video.example:8443".into()];
    })
    .await;
    let frames = "frame-src https://dashboard.example https://video.example:8443;";
    let policy = async |path: &str| app.get(path).await.header("Content-Security-Policy");
    assert_eq!(policy(FRAMING).await, PAGE_POLICY.replace("frame-src 'none';", frames));
    for path in app.pages().await.iter().filter(|path| *path != FRAMING) {
        assert_eq!(policy(path).await, PAGE_POLICY, "{path}");
    }
    assert_eq!(policy("/nothing").await, PAGE_POLICY);
    assert_eq!(policy("/api/site/").await, FILE_POLICY);
}

#[tokio::test]
async fn service_worker_is_never_old_and_may_request_files_of_the_site() {
    let app = TestApp::new(Database::Sqlite).await;
    let worker = app.get("/service-worker.js").await;
    assert_eq!((worker.status, worker.header("Cache-Control").as_str()), (200, "no-cache"));
    assert!(worker.header("Content-Type").starts_with("text/javascript"), "{}", worker.header("Content-Type"));
    assert_eq!(
        worker.header("Content-Security-Policy"),
        "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
    );
    assert!(app.get("/").await.header("Content-Security-Policy").contains("worker-src 'self'"));
}

/// Configuration, development and database files at addresses where careless servers expose them.
#[tokio::test]
async fn private_and_development_files_are_404() {
    let app = TestApp::new(Database::Sqlite).await;
    let public = app.directory.path().join("media/public");
    for name in ["festival.db", "x.toml", ".env"] {
        std::fs::write(public.join(name), "secret").unwrap();
    }
    let hidden = [".git/config", ".git/HEAD", ".env", ".htaccess", ".DS_Store", ".well-known/../.env"];
    let files = ["Rocket.toml", "Cargo.toml", "config/festival.toml", "config/local.toml", "package.json"];
    let data = ["festival.db", "festival.db-wal", "data/festival.db", "server.lock", "mails/", "media/private/"];
    let maps = ["assets/index.js.map", "assets/home.css.map", "templates/home.hbs", "assets/", "assets", "templates/"];
    for name in hidden.iter().chain(&files).chain(&data).chain(&maps) {
        let encoded = name.replace('.', "%2e").replace('/', "%2f");
        for path in [format!("/{name}"), format!("/{encoded}"), format!("/{}", name.replace('.', "%2E"))] {
            let response = app.get(&path).await;
            assert_eq!(response.status, 404, "{path}");
            assert!(!response.text().contains("secret"), "{path}");
        }
        for folder in ["media", "assets"] {
            assert_eq!(app.get(&format!("/{folder}/{encoded}")).await.status, 404, "/{folder}/{encoded}");
        }
    }
    for path in ["/media", "/media/", "/media/posters", "/media/posters/", "/media/.env", "/media/%2eenv"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    // The build produces no source maps and no references to them.
    let names = (app.app.frontend.names)();
    assert!(!names.iter().any(|name| name.contains(".map")), "{names:?}");
    for name in names.iter().filter(|name| name.ends_with(".js") || name.ends_with(".css")) {
        let file = (app.app.frontend.get)(name).unwrap();
        assert!(!String::from_utf8_lossy(&file.data).contains("sourceMappingURL"), "{name}");
    }
}
