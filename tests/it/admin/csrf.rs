//! Protection against cross-site request forgery: CSRF tokens, the origin of requests, cookies.

use std::sync::Arc;

use festival_core::admin::{CSRF_FIELD, OWNER, Screen};
use festival_core::db::Backend;
use rocket::http::Method;
use sqlx::{AnyConnection, Connection as _};

use super::browser::{Browser, create_account, create_account_with_email};
use super::permissions::fill_path;
use crate::support::{Database, TestApp};

on_both!(
    posts_without_a_valid_token_or_from_other_sites_are_rejected,
    get_requests_change_nothing,
    session_cookie_is_http_only_strict_and_secure,
    link_from_another_site_reaches_the_session
);

async fn posts_without_a_valid_token_or_from_other_sites_are_rejected(database: Database) {
    let site = TestApp::with(database, |settings| settings.uploads.mib_per_client_and_hour = 0).await;
    let owner = create_account(&site, &OWNER).await;
    create_account_with_email(&site, "second@example.org", &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let other = Browser::signed_in(&site, "second@example.org").await.csrf_token().await;
    let stale = Browser::signed_in(&site, &owner).await.csrf_token().await;
    let own = browser.csrf_token().await;
    let same = ("Sec-Fetch-Site", "same-origin");
    let cases: [(&str, &str, Vec<(&str, &str)>); 9] = [
        ("no token", "", vec![same]),
        ("a made-up token", "0000000000000000000000000000000000000000000000000000000000000000", vec![same]),
        ("a token of somebody else", &other, vec![same]),
        ("a token of another session", &stale, vec![same]),
        ("another site", &own, vec![("Sec-Fetch-Site", "cross-site")]),
        ("a neighbour", &own, vec![("Sec-Fetch-Site", "same-site")]),
        ("another origin", &own, vec![("Origin", "https://evil.example")]),
        ("an origin that hides", &own, vec![("Origin", "null")]),
        ("an origin that only looks like ours", &own, vec![same, ("Origin", "http://localhost.evil.example")]),
    ];
    let before = counts(&site).await;
    let mut walked = 0;
    // Forms on screens for visitors carry the secret of a link instead: tests/it/selection/status.rs.
    let is_guarded = |screen: &&Arc<Screen>| screen.method == Method::Post && !screen.is_for_visitors();
    for screen in site.app.admin.contents.screens.iter().filter(is_guarded) {
        let path = fill_path(&screen.path.for_openapi());
        for (case, token, headers) in &cases {
            let mut response = browser.send(&path, &[(CSRF_FIELD, token)], headers).await;
            if response.status == 415 {
                response = browser.send_with_files(&path, &[(CSRF_FIELD, token)], &[], headers).await;
            }
            assert_eq!(response.status, 403, "{path}: {case}");
            walked += 1;
        }
        let stranger = Browser::new(&site).send(&path, &[], &[]).await;
        assert!([303, 403].contains(&stranger.status), "{path}: {}", stranger.status);
    }
    assert!(walked >= 9 * 12, "{walked}");
    assert_eq!(counts(&site).await, before, "nothing was changed");
    assert!(browser.is_signed_in().await);
}

/// Row counts of the tables that core's own screens can change.
async fn counts(site: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["accounts", "sessions", "recovery_codes", "invitations", "failures", "audit"] {
        counts.push(site.number(&format!("SELECT count(*) FROM admin_{table}")).await);
    }
    counts
}

async fn get_requests_change_nothing(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let mut reader = AnyConnection::connect(site.app.db.url()).await.unwrap();
    let before = (counts(&site).await, commits(&site, &mut reader).await);
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.method == Method::Get) {
        let path = fill_path(&screen.path.for_openapi());
        let response = browser.get(&path).await;
        assert!([200, 303, 404].contains(&response.status), "{path}: {}", response.status);
        assert_eq!(response.header("Cache-Control"), "no-store", "{path}");
    }
    assert_eq!((counts(&site).await, commits(&site, &mut reader).await), before);
}

/// A number that changes when another connection than this one commits to SQLite; Postgres has none.
async fn commits(site: &TestApp, reader: &mut AnyConnection) -> i64 {
    match site.app.db.backend() {
        Backend::Sqlite => sqlx::query_scalar("PRAGMA data_version").fetch_one(reader).await.unwrap(),
        Backend::Postgres => 0,
    }
}

async fn session_cookie_is_http_only_strict_and_secure(database: Database) {
    let site = TestApp::new(database).await;
    let cookie = site.get("/admin/sign-in").await.header("Set-Cookie");
    assert!(cookie.starts_with("festival-admin="), "{cookie}");
    assert_eq!(attributes(&cookie), ["HttpOnly", "Path=/", "SameSite=Strict"]);
    let site = TestApp::with(database, |settings| {
        settings.public_url = "https://festival.example".into();
        settings.trusted_proxies = vec!["127.0.0.1".into()];
    })
    .await;
    let headers = [("Host", "festival.example"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "192.0.2.1")];
    let cookie = site.get_with("/admin/sign-in", &headers).await.header("Set-Cookie");
    assert!(cookie.starts_with("__Host-festival-admin="), "{cookie}");
    assert_eq!(attributes(&cookie), ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]);
}

/// The attributes of a `Set-Cookie` header, sorted.
fn attributes(cookie: &str) -> Vec<&str> {
    let mut attributes: Vec<&str> = cookie.split("; ").skip(1).collect();
    attributes.sort_unstable();
    attributes
}

/// A strict cookie is not sent with a link from another site; an intermediate page of ours repeats the request.
async fn link_from_another_site_reaches_the_session(database: Database) {
    let site = TestApp::new(database).await;
    let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    let response = site.get_with("/admin/audit?action=add&id=\"x\"", &headers).await;
    let response =
        if response.status == 200 { response } else { site.get_with("/admin/audit?action=add", &headers).await };
    assert_eq!(response.status, 200);
    assert!(response.text().contains("url=/admin/audit?action"), "{}", response.text());
    assert_eq!(response.header("Set-Cookie"), "", "the session cookie that the browser withheld is not overwritten");
    let response = site.get_with("/admin/sign-in", &headers).await;
    assert_eq!((response.status, response.header("Set-Cookie").as_str()), (200, ""));
}
