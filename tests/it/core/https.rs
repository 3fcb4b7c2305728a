//! HTTPS: redirects from http, HSTS, and no redirect loops behind a proxy.

use rocket::http::Method;

use crate::support::{Database, Response, TestApp};

const PROXY: &str = "10.0.0.7";
const VISITOR: &str = "203.0.113.9";

async fn site() -> TestApp {
    TestApp::with(Database::Sqlite, |settings| {
        settings.public_url = "https://festival.example/".into();
        settings.trusted_proxies = vec!["10.0.0.0/8".into()];
    })
    .await
}

async fn request(app: &TestApp, peer: &str, method: Method, path: &str, protocol: Option<&str>) -> Response {
    let mut headers = vec![("Host", "festival.example"), ("Content-Type", "application/json")];
    headers.extend(protocol.map(|protocol| ("X-Forwarded-Proto", protocol)));
    app.request_from(peer, method, path, &headers).await
}

/// Client address, and the protocol in the proxy's header.
const UNENCRYPTED: [(&str, Option<&str>); 4] =
    [(PROXY, Some("http")), (PROXY, Some("HTTP")), (VISITOR, None), (VISITOR, Some("http"))];
const ENCRYPTED: [(&str, Option<&str>); 6] = [
    (PROXY, Some("https")),
    (PROXY, Some("HTTPS")),
    (PROXY, Some("https, http")),
    (PROXY, None),
    // A health probe on this machine; a proxy missing from the settings.
    ("127.0.0.1", None),
    ("::1", Some("http")),
];

#[tokio::test]
async fn http_requests_are_redirected_to_https() {
    let app = site().await;
    for (peer, protocol) in UNENCRYPTED {
        for path in [
            "/",
            "/about-us?from=poster&x=%2F",
            "/api/categories/",
            "/sitemap.xml",
            "/favicon.svg",
            "/nothing",
            "/api/nothing/",
        ] {
            for method in [Method::Get, Method::Head] {
                let response = request(&app, peer, method, path, protocol).await;
                assert_eq!(response.status, 308, "{peer} {protocol:?} {method} {path}");
                assert_eq!(response.header("Location"), format!("https://festival.example{path}"));
                assert_eq!(response.header("Cache-Control"), "no-store", "{path}");
                assert_eq!(response.header("Strict-Transport-Security"), "", "{peer} {protocol:?} {path}");
                assert!(response.body.is_empty());
            }
        }
        for probe in ["/healthz", "/readyz"] {
            let response = request(&app, peer, Method::Get, probe, protocol).await;
            assert_eq!(response.status, 200, "probes follow no redirects: {peer} {protocol:?} {probe}");
        }
        let refused = request(&app, peer, Method::Post, "/api/contact/", protocol).await;
        let sentence = refused.assert_error(403, "forbidden");
        assert!(sentence.contains("https://festival.example/"), "{sentence}");
        assert_eq!(refused.header("Strict-Transport-Security"), "");
        // The redirect always starts with the site's own address.
        let other = request(&app, peer, Method::Get, "//evil.example/", protocol).await;
        assert!(other.header("Location").starts_with("https://festival.example/"), "{}", other.status);
    }
}

#[tokio::test]
async fn https_requests_are_answered_with_hsts() {
    let app = site().await;
    for (peer, protocol) in ENCRYPTED {
        for path in ["/", "/api/categories/", "/nothing", "/api/nothing/", "/favicon.svg"] {
            let response = request(&app, peer, Method::Get, path, protocol).await;
            assert!([200, 404].contains(&response.status), "{peer} {protocol:?} {path}: {}", response.status);
            let stay = response.header("Strict-Transport-Security");
            assert_eq!(stay, "max-age=63072000; includeSubDomains", "{peer} {protocol:?} {path}");
        }
        assert_eq!(request(&app, peer, Method::Post, "/api/contact/", protocol).await.status, 400);
    }
    // A client that claims https is answered, as a redirect would loop.
    assert_eq!(request(&app, VISITOR, Method::Get, "/", Some("https")).await.status, 200);
}

#[tokio::test]
async fn site_without_https_never_redirects() {
    for address in ["", "http://festival.example"] {
        let app = TestApp::with(Database::Sqlite, |settings| {
            settings.public_url = address.into();
            settings.allowed_hosts = vec!["festival.example".into()];
        })
        .await;
        for (peer, protocol) in UNENCRYPTED.into_iter().chain(ENCRYPTED) {
            let response = request(&app, peer, Method::Get, "/", protocol).await;
            assert_eq!(
                (response.status, response.header("Strict-Transport-Security").as_str()),
                (200, ""),
                "{address}"
            );
        }
    }
}
