//! Where a change may come from: no form without its token, nothing that another site's page asked for.

use std::time::Duration;

use festival_core::admin::{CSRF_FIELD, Role};
use rocket::http::Method;

use super::browser::{Browser, named, person};
use super::inventory::filled;
use crate::support::{Database, TestApp};

on_both!(
    a_change_comes_from_our_own_page_only,
    showing_changes_nothing,
    cookies_are_kept_close,
    a_link_elsewhere_finds_the_session
);

async fn a_change_comes_from_our_own_page_only(database: Database) {
    let site = TestApp::with(database, |settings| settings.uploads.mib_per_client_and_hour = 0).await;
    let owner = person(&site, Role::Owner).await;
    named(&site, "second@example.org", Role::Owner).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let other = Browser::signed_in(&site, "second@example.org").await.csrf().await;
    let stale = Browser::signed_in(&site, &owner).await.csrf().await;
    let own = browser.csrf().await;
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
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.method == Method::Post) {
        let path = filled(&screen.path.for_openapi());
        for (case, token, headers) in &cases {
            let mut answer = browser.send(&path, &[(CSRF_FIELD, token)], headers).await;
            if answer.status == 415 {
                answer = browser.send_with_files(&path, &[(CSRF_FIELD, token)], &[], headers).await;
            }
            assert_eq!(answer.status, 403, "{path}: {case}");
            walked += 1;
        }
        let stranger = Browser::new(&site).send(&path, &[], &[]).await;
        assert!([303, 403].contains(&stranger.status), "{path}: {}", stranger.status);
    }
    assert!(walked >= 9 * 12, "{walked}");
    assert_eq!(counts(&site).await, before, "nothing was done");
    assert!(browser.is_in().await);
}

/// How many rows everything has that a screen of core could change.
async fn counts(site: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["accounts", "sessions", "recovery_codes", "invitations", "failures", "audit"] {
        counts.push(site.number(&format!("SELECT count(*) FROM admin_{table}")).await);
    }
    counts
}

async fn showing_changes_nothing(database: Database) {
    let site = TestApp::new(database).await;
    let owner = person(&site, Role::Owner).await;
    let browser = Browser::signed_in(&site, &owner).await;
    // The first look at what other processes did counts as a change; it is over when nothing moves any more.
    let mut changes = site.app.db.changes();
    loop {
        tokio::time::sleep(Duration::from_millis(700)).await;
        if std::mem::replace(&mut changes, site.app.db.changes()) == site.app.db.changes() {
            break;
        }
    }
    let before = counts(&site).await;
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.method == Method::Get) {
        let path = filled(&screen.path.for_openapi());
        let answer = browser.get(&path).await;
        assert!([200, 303, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert_eq!(answer.header("Cache-Control"), "no-store", "{path}");
    }
    assert_eq!((counts(&site).await, site.app.db.changes()), (before, changes));
}

async fn cookies_are_kept_close(database: Database) {
    let site = TestApp::new(database).await;
    let cookie = site.get("/admin/sign-in").await.header("Set-Cookie");
    assert!(
        cookie.starts_with("festival-admin=") && cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let site = TestApp::with(database, |settings| {
        settings.public_url = "https://festival.example".into();
        settings.trusted_proxies = vec!["127.0.0.1".into()];
    })
    .await;
    let headers = [("Host", "festival.example"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "192.0.2.1")];
    let cookie = site.get_with("/admin/sign-in", &headers).await.header("Set-Cookie");
    assert!(cookie.starts_with("__Host-festival-admin="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict; Secure"), "{cookie}");
}

/// A strict cookie does not come along with a link of another site; a page of ours fetches it.
async fn a_link_elsewhere_finds_the_session(database: Database) {
    let site = TestApp::new(database).await;
    let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    let answer = site.get_with("/admin/audit?action=add&id=\"x\"", &headers).await;
    let answer = if answer.status == 200 { answer } else { site.get_with("/admin/audit?action=add", &headers).await };
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("url=/admin/audit?action"), "{}", answer.text());
    assert_eq!(answer.header("Set-Cookie"), "", "a session that the browser keeps back is not overwritten");
    let answer = site.get_with("/admin/sign-in", &headers).await;
    assert_eq!((answer.status, answer.header("Set-Cookie").as_str()), (200, ""));
}
