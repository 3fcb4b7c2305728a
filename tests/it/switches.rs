//! Each module switched off in turn: everything of it is gone, nothing else notices, and its data waits.

use std::collections::BTreeSet;

use festival_cli::modules::modules;

use crate::support::{Database, TestApp, boot, festival};

const MODULES: [&str; 5] = ["festivals", "films", "content", "magazines", "forms"];

on_both!(
    pages_keep_their_texts,
    a_module_that_is_off_is_gone,
    data_waits_until_the_module_is_on_again,
    everything_off_is_still_a_site
);

async fn a_module_that_is_off_is_gone(database: Database) {
    let whole = TestApp::new(database).await;
    let endpoints = whole.endpoints().await;
    let pages = whole.pages().await;
    for module in MODULES {
        let site = TestApp::without(database, module).await;
        let facts = site.get("/api/site/").await.json();
        for (name, on) in facts["modules"].as_object().unwrap() {
            assert_eq!(on, &(name != module), "{module}: {name}");
        }
        let described = site.get("/api/openapi.json").await.json()["paths"].to_string();
        let sitemap = site.get("/sitemap.xml").await.text();
        let menu = facts["menu"].to_string();
        let left: BTreeSet<String> = site.endpoints().await.into_iter().collect();
        for path in &endpoints {
            let answer = site.get(&format!("/api{path}/")).await;
            if left.contains(path) {
                let before = whole.get(&format!("/api{path}/")).await;
                let changed = ["/site", "/openapi.json"].contains(&path.as_str());
                assert!(answer.status == 200 && (changed || answer.json() == before.json()), "{module}: {path}");
            } else {
                answer.assert_error(404, "not_found");
            }
        }
        let own = whole.app.registry.contributions().iter().find(|c| c.module == module).unwrap();
        assert!(
            own.site.endpoints.iter().all(|e| !described.contains(&format!("\"{}/\"", e.path.for_openapi()))),
            "{module}"
        );
        let left: BTreeSet<String> = site.pages().await.into_iter().collect();
        assert!(left.len() < pages.len(), "{module} has pages");
        for path in &pages {
            let answer = site.get(path).await;
            if left.contains(path) {
                assert_eq!(answer.status, 200, "{module}: {path}");
                let boot = boot(&answer.text());
                assert_eq!(
                    boot["errors"].as_object().unwrap().len(),
                    errors_on(&whole, path).await,
                    "{module}: {path}"
                );
            } else {
                assert_eq!(answer.status, 404, "{module}: {path}");
                assert!(!sitemap.contains(&format!("{path}<")), "{module}: {path} in the sitemap");
                assert!(!menu.contains(&format!("\"{path}\"")), "{module}: {path} in the menu");
            }
        }
    }
}

/// How many answers fail on this page where everything is on.
async fn errors_on(whole: &TestApp, path: &str) -> usize {
    boot(&whole.get(path).await.text())["errors"].as_object().unwrap().len()
}

/// The page of a module that is on keeps its text where the module of blogs is off.
async fn pages_keep_their_texts(database: Database) {
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

async fn data_waits_until_the_module_is_on_again(database: Database) {
    for module in MODULES {
        let site = TestApp::without(database, module).await;
        assert_eq!(
            site.app.registry.all_migrations().len() as i64,
            site.number("SELECT count(*) FROM migrations").await
        );
        let (directory, copy) = site.stop().await;
        let site = TestApp::on(directory, copy, &modules(), |_| {}).await;
        let whole = TestApp::new(database).await;
        for path in whole.endpoints().await {
            let path = format!("/api{path}/");
            assert_eq!(site.get(&path).await.json(), whole.get(&path).await.json(), "{module}: {path}");
        }
    }
}

async fn everything_off_is_still_a_site(database: Database) {
    let site = TestApp::with(database, |settings| {
        for module in MODULES {
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

/// Every command that a module brings goes with it.
#[test]
fn commands_go_with_their_module() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap();
    for module in MODULES {
        let on = festival(directory.path(), &["--help"], &[("FESTIVAL_DATA_DIR", data)]);
        let key = format!("FESTIVAL_MODULES__{}__ENABLED", module.to_uppercase());
        let environment = [("FESTIVAL_DATA_DIR", data), (key.as_str(), "false")];
        let off = festival(directory.path(), &["--help"], &environment);
        let group = format!("Commands of the module {module}");
        assert!(!off.out.contains(&group), "{module}: {}", off.out);
        if on.out.contains(&group) {
            assert_eq!(festival(directory.path(), &[module], &environment).code, 2, "{module}");
        }
        let listed = festival(directory.path(), &["modules"], &environment).out;
        for line in listed.lines() {
            assert_eq!(line.ends_with(" off"), line.starts_with(&format!("{module} ")), "{line}");
        }
    }
}
