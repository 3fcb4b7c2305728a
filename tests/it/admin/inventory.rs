//! Every screen, asked by a stranger and by each role.

use std::collections::{BTreeMap, BTreeSet};

use festival_core::admin::{Permission, Role, account};
use rocket::http::Method;

use super::browser::{Browser, person};
use crate::support::{Database, TestApp};

on_both!(every_screen_refuses_whom_it_must);

/// A path with its holes filled with a row that is there, where there is one.
pub(super) async fn filled_with_rows(site: &TestApp, path: &str) -> String {
    let list = path.split('/').nth(2).unwrap_or_default();
    let (table, field) = match list {
        "mail" => ("outbox".to_owned(), ""),
        "accounts" => ("admin_accounts".to_owned(), ""),
        "delegates" => ("delegates".to_owned(), "signature"),
        _ => (list.replace('-', "_"), "film_poster"),
    };
    if !path.contains("{id}") || path.contains("/history/{id}") {
        return filled(path);
    }
    let id = site.number(&format!("SELECT coalesce(min(id), 999999) FROM {table}")).await;
    path.replace("{id}", &id.to_string()).replace("{field}", field)
}

/// A path with its holes filled: with what no row has.
pub(super) fn filled(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "999999" } else { part }).collect::<Vec<_>>().join("/")
}

async fn every_screen_refuses_whom_it_must(database: Database) {
    let site = TestApp::new(database).await;
    let mut roles = BTreeMap::new();
    for role in Role::ALL {
        roles.insert(role, person(&site, role).await);
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
        .map(|screen| (screen.method.to_string(), screen.path.for_rocket()))
        .collect();
    assert_eq!(mounted, known, "a route below /admin that is no screen");

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
        public.iter().all(|path| path.starts_with("/admin/sign-in") || path == "/admin/invitation"),
        "the way in alone is open to everybody: {public:?}"
    );
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.permission != Permission::Public) {
        let path = filled(&screen.path.for_openapi());
        let stranger = Browser::new(&site);
        let answer = match screen.method {
            Method::Get => stranger.get(&path).await,
            _ => stranger.send(&path, &[], &[]).await,
        };
        if screen.is_hidden {
            assert_eq!(answer.status, 404, "{path}");
        } else {
            assert_eq!(answer.status, 303, "{} {path}", screen.method);
            assert!(answer.header("Location").starts_with("/admin/sign-in"), "{} {path}", screen.method);
        }
        assert_eq!(answer.header("Cache-Control"), "no-store", "{path}");
    }
    for (role, email) in &roles {
        let browser = Browser::signed_in(&site, email).await;
        let token = browser.csrf().await;
        let mut connection = site.app.db.read().await.unwrap();
        let account = account::find_by_email(&mut connection, email).await.unwrap().unwrap();
        drop(connection);
        for screen in site.app.admin.contents.screens.iter() {
            let path = filled(&screen.path.for_openapi());
            if screen.permission.allows(Some(&account)) {
                // What the role may do with POST is done in other tests: this one would sign out.
                if screen.method == Method::Get {
                    let answer = browser.get(&path).await;
                    assert!([200, 303, 404].contains(&answer.status), "{role:?} {path}: {}", answer.text());
                    let to = answer.header("Location");
                    assert!(!to.starts_with("/admin/sign-in") || path.starts_with("/admin/sign-in"), "{role:?} {path}");
                }
                continue;
            }
            let answer = match screen.method {
                Method::Get => browser.get(&path).await,
                _ => browser.send(&path, &[("csrf", &token)], &[]).await,
            };
            if screen.is_hidden {
                assert_eq!(answer.status, 404, "{role:?} {path}");
                continue;
            }
            assert_eq!(answer.status, 403, "{role:?} {} {path}", screen.method);
            assert!(answer.text().contains("Your role does not have access to this page."), "{role:?} {path}");
        }
        let start = browser.get("/admin/").await.text();
        assert_eq!(start.contains("/admin/accounts"), *role == Role::Owner, "{role:?} sees what it may");
    }
}
