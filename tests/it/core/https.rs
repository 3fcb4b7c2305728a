//! A site with an https address: who comes in the clear is sent there, and nobody is sent in circles.

use rocket::http::Method;

use crate::support::{Answer, Database, TestApp};

const PROXY: &str = "10.0.0.7";
const VISITOR: &str = "203.0.113.9";

async fn site() -> TestApp {
    TestApp::with(Database::Sqlite, |settings| {
        settings.public_url = "https://festival.example/".into();
        settings.trusted_proxies = vec!["10.0.0.0/8".into()];
    })
    .await
}

async fn visit(app: &TestApp, peer: &str, method: Method, path: &str, protocol: Option<&str>) -> Answer {
    let mut headers = vec![("Host", "festival.example"), ("Content-Type", "application/json")];
    headers.extend(protocol.map(|protocol| ("X-Forwarded-Proto", protocol)));
    app.ask_from(peer, method, path, &headers).await
}

/// Who asks, and what the proxy says of the protocol, where there is one.
const IN_THE_CLEAR: [(&str, Option<&str>); 4] =
    [(PROXY, Some("http")), (PROXY, Some("HTTP")), (VISITOR, None), (VISITOR, Some("http"))];
const SECRET: [(&str, Option<&str>); 6] = [
    (PROXY, Some("https")),
    (PROXY, Some("HTTPS")),
    (PROXY, Some("https, http")),
    (PROXY, None),
    // A probe of this machine; a proxy that the settings forgot.
    ("127.0.0.1", None),
    ("::1", Some("http")),
];

#[tokio::test]
async fn who_comes_in_the_clear_is_sent_to_https() {
    let app = site().await;
    for (peer, protocol) in IN_THE_CLEAR {
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
                let answer = visit(&app, peer, method, path, protocol).await;
                assert_eq!(answer.status, 308, "{peer} {protocol:?} {method} {path}");
                assert_eq!(answer.header("Location"), format!("https://festival.example{path}"));
                assert_eq!(answer.header("Cache-Control"), "public, max-age=3600");
                assert_eq!(answer.header("Strict-Transport-Security"), "", "{peer} {protocol:?} {path}");
                assert!(answer.body.is_empty());
            }
        }
        let refused = visit(&app, peer, Method::Post, "/api/contact/", protocol).await;
        let sentence = refused.assert_error(403, "forbidden");
        assert!(sentence.contains("https://festival.example/"), "{sentence}");
        assert_eq!(refused.header("Strict-Transport-Security"), "");
        // The address in front is always ours.
        let other = visit(&app, peer, Method::Get, "//evil.example/", protocol).await;
        assert!(other.header("Location").starts_with("https://festival.example/"), "{}", other.status);
    }
}

#[tokio::test]
async fn who_comes_by_https_is_answered_and_told_to_stay() {
    let app = site().await;
    for (peer, protocol) in SECRET {
        for path in ["/", "/api/categories/", "/nothing", "/api/nothing/", "/favicon.svg"] {
            let answer = visit(&app, peer, Method::Get, path, protocol).await;
            assert!([200, 404].contains(&answer.status), "{peer} {protocol:?} {path}: {}", answer.status);
            let stay = answer.header("Strict-Transport-Security");
            assert_eq!(stay, "max-age=63072000; includeSubDomains", "{peer} {protocol:?} {path}");
        }
        assert_eq!(visit(&app, peer, Method::Post, "/api/contact/", protocol).await.status, 400);
    }
    // Whoever says https himself gets what he asked for: sending him on would be a circle.
    assert_eq!(visit(&app, VISITOR, Method::Get, "/", Some("https")).await.status, 200);
}

#[tokio::test]
async fn a_site_without_https_sends_nobody_anywhere() {
    for address in ["", "http://festival.example"] {
        let app = TestApp::with(Database::Sqlite, |settings| {
            settings.public_url = address.into();
            settings.allowed_hosts = vec!["festival.example".into()];
        })
        .await;
        for (peer, protocol) in IN_THE_CLEAR.into_iter().chain(SECRET) {
            let answer = visit(&app, peer, Method::Get, "/", protocol).await;
            assert_eq!((answer.status, answer.header("Strict-Transport-Security").as_str()), (200, ""), "{address}");
        }
    }
}
