//! Access to every screen, signed out and for each role.

use std::collections::BTreeSet;

use festival_core::admin::{OWNER, Permission, account};
use rocket::http::Method;

use super::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(every_screen_enforces_its_permission);

/// A path whose parameters name an existing row, if there is one.
pub(super) async fn fill_path_with_rows(site: &TestApp, path: &str) -> String {
    let list = path.split('/').nth(2).unwrap_or_default();
    let (table, field) = match list {
        "mail" => ("outbox".to_owned(), ""),
        "accounts" => ("admin_accounts".to_owned(), ""),
        "statements" => ("statement_imports".to_owned(), ""),
        "pile" => ("selection_assignments".to_owned(), "film_poster"),
        "selection" => ("film_submissions".to_owned(), ""),
        "delegates" => ("delegates".to_owned(), "signature"),
        _ => (list.replace('-', "_"), "film_poster"),
    };
    if !path.contains("{id}") || path.contains("/history/{id}") {
        return fill_path(path);
    }
    let id = site.number(&format!("SELECT coalesce(min(id), 999999) FROM {table}")).await;
    path.replace("{id}", &id.to_string()).replace("{field}", field)
}

/// A path whose parameters name a row that does not exist.
pub(super) fn fill_path(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "999999" } else { part }).collect::<Vec<_>>().join("/")
}

async fn every_screen_enforces_its_permission(database: Database) {
    let site = TestApp::new(database).await;
    let mut roles = Vec::new();
    for role in site.app.admin.contents.roles.iter().copied() {
        roles.push((role, create_account(&site, role).await));
    }
    let mounted: BTreeSet<(String, String)> = site
        .routes()
        .into_iter()
        .filter(|(_, path)| path == "/admin" || path.starts_with("/admin/"))
        .map(|(method, path)| (method.to_string(), path))
        .collect();
    let known: BTreeSet<(String, String)> = site
        .app
        .admin
        .contents
        .screens
        .iter()
        .filter(|screen| !screen.is_for_visitors())
        .map(|screen| (screen.method.to_string(), screen.path.for_rocket()))
        .collect();
    assert_eq!(mounted, known, "every route below /admin is a screen");

    let public: Vec<String> = site
        .app
        .admin
        .contents
        .screens
        .iter()
        .filter(|screen| screen.permission == Permission::Public)
        .map(|screen| screen.path.for_openapi())
        .collect();
    assert!(
        public.iter().all(|path| {
            path.starts_with("/admin/sign-in")
                || ["/admin/invitation", "/admin/forgotten"].contains(&path.as_str())
                || path == "/status"
                || path.starts_with("/status/")
        }),
        "only sign-in, the ways to a password and the status page are public: {public:?}"
    );
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.permission != Permission::Public) {
        let path = fill_path(&screen.path.for_openapi());
        let stranger = Browser::new(&site);
        let response = match screen.method {
            Method::Get => stranger.get(&path).await,
            _ => stranger.send(&path, &[], &[]).await,
        };
        if screen.is_hidden {
            assert_eq!(response.status, 404, "{path}");
        } else {
            assert_eq!(response.status, 303, "{} {path}", screen.method);
            assert!(response.header("Location").starts_with("/admin/sign-in"), "{} {path}", screen.method);
        }
        assert_eq!(response.header("Cache-Control"), "no-store", "{path}");
    }
    for (role, email) in &roles {
        let browser = Browser::signed_in(&site, email).await;
        let token = browser.csrf_token().await;
        let mut connection = site.app.db.read().await.unwrap();
        let account =
            account::find_by_email(&mut connection, email, &site.app.admin.contents.roles).await.unwrap().unwrap();
        drop(connection);
        for screen in site.app.admin.contents.screens.iter() {
            let path = fill_path(&screen.path.for_openapi());
            if screen.permission.allows(Some(&account)) {
                // Permitted POSTs are tested elsewhere; here they would sign the browser out.
                if screen.method == Method::Get {
                    let response = browser.get(&path).await;
                    assert!([200, 303, 404].contains(&response.status), "{role:?} {path}: {}", response.text());
                    let to = response.header("Location");
                    assert!(!to.starts_with("/admin/sign-in") || path.starts_with("/admin/sign-in"), "{role:?} {path}");
                }
                continue;
            }
            let response = match screen.method {
                Method::Get => browser.get(&path).await,
                _ => browser.send(&path, &[("csrf", &token)], &[]).await,
            };
            if screen.is_hidden {
                assert_eq!(response.status, 404, "{role:?} {path}");
                continue;
            }
            assert_eq!(response.status, 403, "{role:?} {} {path}", screen.method);
            assert!(response.text().contains("Your role does not have access to this page."), "{role:?} {path}");
        }
        let start = browser.get("/admin/").await.text();
        assert_eq!(
            start.contains("/admin/accounts"),
            **role == OWNER,
            "{role:?}: the navigation follows the permissions"
        );
    }
}
