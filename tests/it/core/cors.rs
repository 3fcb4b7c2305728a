//! Cross-origin access to the API and media.

use rocket::http::Method;

use crate::support::{Database, TestApp};

const FRIEND: &str = "https://friend.example";

async fn open_to_friend() -> TestApp {
    TestApp::with(Database::Sqlite, |settings| settings.api.cors_origins = vec![FRIEND.into()]).await
}

#[tokio::test]
async fn allowed_origin_is_echoed_exactly() {
    let app = open_to_friend().await;
    for path in ["/api/categories/", "/api/no-such-list/"] {
        let response = app.get_with(path, &[("Origin", FRIEND)]).await;
        assert_eq!(response.header("Access-Control-Allow-Origin"), FRIEND, "{path}");
        assert_eq!(response.header("Access-Control-Allow-Credentials"), "", "{path}");
        assert!(response.header("Vary").contains("Origin"), "{path}");
        assert_eq!(response.header("Cross-Origin-Resource-Policy"), "cross-origin", "{path}");
    }
}

#[tokio::test]
async fn similar_and_null_origins_are_not_allowed() {
    let app = open_to_friend().await;
    for origin in [
        "null",
        "http://friend.example",
        "https://friend.example.evil.example",
        "https://evil-friend.example",
        "https://friend.example:8443",
        "https://friend.example/",
        "HTTPS://FRIEND.EXAMPLE",
        "*",
        "",
    ] {
        let response = app.get_with("/api/categories/", &[("Origin", origin)]).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.header("Access-Control-Allow-Origin"), "", "{origin}");
        assert!(response.header("Vary").contains("Origin"), "{origin}");
        let preflight = [("Origin", origin), ("Access-Control-Request-Method", "GET")];
        let response = app.request(Method::Options, "/api/categories/", &preflight).await;
        assert_eq!((response.status, response.header("Access-Control-Allow-Origin").as_str()), (405, ""), "{origin}");
    }
    // No origin is allowed unless configured, and pages allow none.
    let closed = TestApp::new(Database::Sqlite).await;
    let response = closed.get_with("/api/categories/", &[("Origin", FRIEND)]).await;
    assert_eq!(response.header("Access-Control-Allow-Origin"), "");
    for path in ["/", "/apis", "/admin/", "/admin/sign-in", "/api/admin/", "/assets/none.css"] {
        let page = app.get_with(path, &[("Origin", FRIEND)]).await;
        assert_eq!(page.header("Access-Control-Allow-Origin"), "", "{path}");
    }
}

#[tokio::test]
async fn preflight_is_answered_without_a_body() {
    let app = open_to_friend().await;
    let preflight = [
        ("Origin", FRIEND),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let response = app.request(Method::Options, "/api/categories/", &preflight).await;
    assert_eq!((response.status, response.body.len()), (204, 0));
    assert_eq!(response.header("Access-Control-Allow-Origin"), FRIEND);
    assert_eq!(response.header("Access-Control-Allow-Methods"), "GET, HEAD, POST");
    assert_eq!(
        response.header("Access-Control-Allow-Headers"),
        "Content-Type, Range, Idempotency-Key, Proof-Of-Work, Staged-Files"
    );
}

/// Another site may fetch the PDF that the API links to.
#[tokio::test]
async fn media_can_be_read_from_an_allowed_origin() {
    let app = open_to_friend().await;
    let magazines = app.get("/api/kottaka-magazines/").await.json();
    let pdf = magazines[0]["magazine"].as_str().unwrap().trim_start_matches("http://localhost").to_owned();
    for headers in [&[("Origin", FRIEND)][..], &[("Origin", FRIEND), ("Range", "bytes=0-9")]] {
        let response = app.get_with(&pdf, headers).await;
        assert!(response.status == 200 || response.status == 206, "{}", response.status);
        assert_eq!(response.header("Access-Control-Allow-Origin"), FRIEND);
        assert_eq!(response.header("Access-Control-Allow-Credentials"), "");
        assert!(response.header("Vary").contains("Origin"));
        assert_eq!(response.header("Cross-Origin-Resource-Policy"), "cross-origin");
    }
    let stranger = app.get_with(&pdf, &[("Origin", "https://stranger.example")]).await;
    assert_eq!(stranger.header("Access-Control-Allow-Origin"), "");
    // A response without an Origin header may be cached: it must vary by origin.
    assert!(app.get(&pdf).await.header("Vary").contains("Origin"));
}

/// Also when the API is mounted at the root.
#[tokio::test]
async fn back_office_allows_no_other_origin() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.api.mount = "/".into();
        settings.frontend.enabled = false;
        settings.api.cors_origins = vec![FRIEND.into()];
    })
    .await;
    let origin = [("Origin", FRIEND)];
    assert_eq!(app.get_with("/categories/", &origin).await.header("Access-Control-Allow-Origin"), FRIEND);
    let preflight = [("Origin", FRIEND), ("Access-Control-Request-Method", "POST")];
    for path in ["/admin", "/admin/", "/admin/sign-in", "/admin/films", "/%61dmin/sign-in", "/admin/no-such-page"] {
        for response in [app.get_with(path, &origin).await, app.request(Method::Options, path, &preflight).await] {
            for header in
                ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers"]
            {
                assert_eq!(response.header(header), "", "{path}");
            }
            assert_ne!(response.header("Cross-Origin-Resource-Policy"), "cross-origin", "{path}");
        }
    }
}

#[tokio::test]
async fn media_can_be_embedded_when_origins_are_allowed() {
    let app = open_to_friend().await;
    let posters = app.get("/api/posters/").await.json();
    let image = posters[0]["image"].as_str().unwrap().trim_start_matches("http://localhost").to_owned();
    assert_eq!(app.get(&image).await.header("Cross-Origin-Resource-Policy"), "cross-origin");
    let closed = TestApp::new(Database::Sqlite).await;
    assert_eq!(closed.get(&image).await.header("Cross-Origin-Resource-Policy"), "same-origin");
}
