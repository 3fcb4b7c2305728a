//! Which other sites may read the API.

use rocket::http::Method;

use crate::support::{Database, TestApp};

const FRIEND: &str = "https://friend.example";

async fn open_to_friend() -> TestApp {
    TestApp::with(Database::Sqlite, |settings| settings.api.cors_origins = vec![FRIEND.into()]).await
}

#[tokio::test]
async fn an_allowed_origin_is_echoed_exactly() {
    let app = open_to_friend().await;
    for path in ["/api/categories/", "/api/no-such-list/"] {
        let answer = app.get_with(path, &[("Origin", FRIEND)]).await;
        assert_eq!(answer.header("Access-Control-Allow-Origin"), FRIEND, "{path}");
        assert_eq!(answer.header("Access-Control-Allow-Credentials"), "", "{path}");
        assert!(answer.header("Vary").contains("Origin"), "{path}");
        assert_eq!(answer.header("Cross-Origin-Resource-Policy"), "cross-origin", "{path}");
    }
}

#[tokio::test]
async fn look_alikes_and_null_get_nothing() {
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
        let answer = app.get_with("/api/categories/", &[("Origin", origin)]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "", "{origin}");
        assert!(answer.header("Vary").contains("Origin"), "{origin}");
        let preflight = [("Origin", origin), ("Access-Control-Request-Method", "GET")];
        let answer = app.ask(Method::Options, "/api/categories/", &preflight).await;
        assert_eq!((answer.status, answer.header("Access-Control-Allow-Origin").as_str()), (405, ""), "{origin}");
    }
    // Nobody is allowed where nothing is set; pages are nobody's to read.
    let closed = TestApp::new(Database::Sqlite).await;
    let answer = closed.get_with("/api/categories/", &[("Origin", FRIEND)]).await;
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "");
    for path in ["/", "/apis", "/admin/", "/admin/sign-in", "/api/admin/", "/assets/none.css"] {
        let page = app.get_with(path, &[("Origin", FRIEND)]).await;
        assert_eq!(page.header("Access-Control-Allow-Origin"), "", "{path}");
    }
}

#[tokio::test]
async fn a_preflight_is_answered_without_a_body() {
    let app = open_to_friend().await;
    let preflight = [
        ("Origin", FRIEND),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let answer = app.ask(Method::Options, "/api/categories/", &preflight).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(answer.header("Access-Control-Allow-Origin"), FRIEND);
    assert_eq!(answer.header("Access-Control-Allow-Methods"), "GET, HEAD, POST");
    assert_eq!(
        answer.header("Access-Control-Allow-Headers"),
        "Content-Type, Range, Idempotency-Key, Proof-Of-Work, Staged-Files"
    );
}

/// Another site hands out a magazine as a blob: it fetches the PDF that the API names.
#[tokio::test]
async fn files_of_the_api_can_be_read_from_an_allowed_origin() {
    let app = open_to_friend().await;
    let magazines = app.get("/api/kottaka-magazines/").await.json();
    let pdf = magazines[0]["magazine"].as_str().unwrap().trim_start_matches("http://localhost").to_owned();
    for headers in [&[("Origin", FRIEND)][..], &[("Origin", FRIEND), ("Range", "bytes=0-9")]] {
        let answer = app.get_with(&pdf, headers).await;
        assert!(answer.status == 200 || answer.status == 206, "{}", answer.status);
        assert_eq!(answer.header("Access-Control-Allow-Origin"), FRIEND);
        assert_eq!(answer.header("Access-Control-Allow-Credentials"), "");
        assert!(answer.header("Vary").contains("Origin"));
        assert_eq!(answer.header("Cross-Origin-Resource-Policy"), "cross-origin");
    }
    let stranger = app.get_with(&pdf, &[("Origin", "https://stranger.example")]).await;
    assert_eq!(stranger.header("Access-Control-Allow-Origin"), "");
    // Without an origin the answer may be kept for one with: it says that it depends on it.
    assert!(app.get(&pdf).await.header("Vary").contains("Origin"));
}

/// Also where everything answers at the root.
#[tokio::test]
async fn the_back_office_is_nobodys_to_read() {
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
        for answer in [app.get_with(path, &origin).await, app.ask(Method::Options, path, &preflight).await] {
            for header in
                ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers"]
            {
                assert_eq!(answer.header(header), "", "{path}");
            }
            assert_ne!(answer.header("Cross-Origin-Resource-Policy"), "cross-origin", "{path}");
        }
    }
}

#[tokio::test]
async fn pictures_of_an_api_host_show_on_the_other_site() {
    let app = open_to_friend().await;
    let posters = app.get("/api/posters/").await.json();
    let image = posters[0]["image"].as_str().unwrap().trim_start_matches("http://localhost").to_owned();
    assert_eq!(app.get(&image).await.header("Cross-Origin-Resource-Policy"), "cross-origin");
    let closed = TestApp::new(Database::Sqlite).await;
    assert_eq!(closed.get(&image).await.header("Cross-Origin-Resource-Policy"), "same-origin");
}
