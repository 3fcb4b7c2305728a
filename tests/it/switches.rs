//! Each module disabled in turn: its routes and links are gone, the rest is unaffected, and its data is kept.

use std::collections::BTreeSet;

use festival::modules;

use crate::support::{Database, TestApp, boot, festival, with_dependents};

/// The names of all modules.
fn names() -> Vec<&'static str> {
    modules().iter().map(|module| module.name()).collect()
}

on_both!(
    page_texts_are_served_without_the_content_module,
    disabled_module_is_gone_everywhere,
    disabled_module_keeps_its_data,
    site_works_with_every_module_disabled
);

async fn disabled_module_is_gone_everywhere(database: Database) {
    let whole = TestApp::new(database).await;
    let endpoints = whole.endpoints().await;
    let pages = whole.pages().await;
    for module in names() {
        let site = TestApp::without(database, module).await;
        let facts = site.get("/api/site/").await.json();
        for (name, on) in facts["modules"].as_object().unwrap() {
            assert_eq!(on, &!with_dependents(module).contains(&name.as_str()), "{module}: {name}");
        }
        let described = site.get("/api/openapi.json").await.json()["paths"].to_string();
        let sitemap = site.get("/sitemap.xml").await.text();
        let menu = facts["menu"].to_string();
        let left: BTreeSet<String> = site.endpoints().await.into_iter().collect();
        for path in &endpoints {
            let response = site.get(&format!("/api{path}/")).await;
            if left.contains(path) {
                let before = whole.get(&format!("/api{path}/")).await;
                let changed = ["/site", "/openapi.json"].contains(&path.as_str());
                assert!(response.status == 200 && (changed || response.json() == before.json()), "{module}: {path}");
            } else {
                response.assert_error(404, "not_found");
            }
        }
        let own = whole.app.registry.contributions().iter().find(|c| c.module == module).unwrap();
        assert!(
            own.site.endpoints.iter().all(|e| !described.contains(&format!("\"{}/\"", e.path.for_openapi()))),
            "{module}"
        );
        let left: BTreeSet<String> = site.pages().await.into_iter().collect();
        assert!(left.len() < pages.len() || own.site.pages.is_empty(), "{module} should have pages");
        for path in &pages {
            let response = site.get(path).await;
            if left.contains(path) {
                assert_eq!(response.status, 200, "{module}: {path}");
                let boot = boot(&response.text());
                assert_eq!(
                    boot["errors"].as_object().unwrap().len(),
                    errors_on(&whole, path).await,
                    "{module}: {path}"
                );
            } else {
                assert_eq!(response.status, 404, "{module}: {path}");
                assert!(!sitemap.contains(&format!("{path}<")), "{module}: {path} in the sitemap");
                assert!(!menu.contains(&format!("\"{path}\"")), "{module}: {path} in the menu");
            }
        }
    }
}

/// The number of failed API calls on this page with all modules enabled.
async fn errors_on(whole: &TestApp, path: &str) -> usize {
    boot(&whole.get(path).await.text())["errors"].as_object().unwrap().len()
}

/// Texts of pages belong to core: they are served even if the content module is disabled.
async fn page_texts_are_served_without_the_content_module(database: Database) {
    let site = TestApp::without(database, "content").await;
    site.write(
        "INSERT INTO pages (slug, title, lead, is_published, created_at, updated_at) \
                VALUES ('submit-entry', 'Send it to us', 'The lead of the chooser.', 1, '', '')",
    )
    .await;
    let page = site.get("/submit-entry").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("The lead of the chooser."));
    assert_eq!(site.get("/api/pages/submit-entry/").await.json()["title"], "Send it to us");
    for gone in ["/about-us", "/blogs", "/api/blogs/"] {
        assert_eq!(site.get(gone).await.status, 404, "{gone}");
    }
}

async fn disabled_module_keeps_its_data(database: Database) {
    for module in names() {
        let site = TestApp::without(database, module).await;
        assert_eq!(
            site.app.registry.all_migrations().len() as i64,
            site.number("SELECT count(*) FROM migrations").await
        );
        let (directory, copy) = site.stop().await;
        let site = TestApp::on_database(directory, copy, &modules(), |_| {}).await;
        let whole = TestApp::new(database).await;
        for path in whole.endpoints().await {
            let path = format!("/api{path}/");
            assert_eq!(site.get(&path).await.json(), whole.get(&path).await.json(), "{module}: {path}");
        }
    }
}

async fn site_works_with_every_module_disabled(database: Database) {
    let site = TestApp::with(database, |settings| {
        for module in names() {
            settings.modules.entry(module.to_owned()).or_default().enabled = false;
        }
    })
    .await;
    assert_eq!(site.get("/").await.status, 200);
    assert_eq!(site.get("/no-such-page").await.status, 404);
    let facts = site.get("/api/site/").await.json();
    assert_eq!(facts["menu"]["header"], serde_json::json!([]));
    assert_eq!(site.get("/sitemap.xml").await.text().matches("<loc>").count(), 1);
}

/// The commands of a module are disabled with it.
#[test]
fn commands_of_disabled_modules_are_gone() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    for module in names() {
        let on = festival(directory.path(), &["--help"], &[("FESTIVAL_DATA_DIR", data)]);
        let keys: Vec<String> = with_dependents(module)
            .iter()
            .map(|module| format!("FESTIVAL_MODULES__{}__ENABLED", module.to_uppercase()))
            .collect();
        let switches = keys.iter().map(|key| (key.as_str(), "false"));
        let environment: Vec<(&str, &str)> = switches.chain([("FESTIVAL_DATA_DIR", data)]).collect();
        let off = festival(directory.path(), &["--help"], &environment);
        let group = format!("Commands of the module {module}");
        assert!(!off.out.contains(&group), "{module}: {}", off.out);
        if on.out.contains(&group) {
            assert_eq!(festival(directory.path(), &[module], &environment).code, 2, "{module}");
        }
        let listed = festival(directory.path(), &["modules"], &environment).out;
        for line in listed.lines() {
            let is_off = with_dependents(module).iter().any(|module| line.starts_with(&format!("{module} ")));
            assert_eq!(line.ends_with(" off"), is_off, "{line}");
        }
    }
}
