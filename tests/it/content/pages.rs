//! Pages of blogs and texts.

use crate::support::{Database, TestApp, boot, title};

on_both!(blogs_and_page_texts_are_server_rendered, page_without_text_is_served);

async fn blogs_and_page_texts_are_server_rendered(database: Database) {
    let app = TestApp::new(database).await;
    let blogs = app.get("/blogs").await.text();
    assert!(blogs.contains("പുതിയ വാർത്ത") && blogs.contains("20 October 2025"), "{}", title(&blogs));
    let new = app.id("blogs", "content LIKE '%New%'").await;
    let blog = app.get(&format!("/blog/{new}")).await.text();
    assert!(title(&blog).starts_with("പുതിയ വാർത്ത"), "{}", title(&blog));
    assert!(blog.contains("<span lang=\"ml\">മലയാളം</span> {{z}}"), "the text is not treated as a template");
    assert!(!blog.contains("alert("), "{}", title(&blog));
    assert!(blog.contains("og:title") && blog.contains("name=\"description\""));
    let about = app.get("/about-us").await.text();
    assert!(about.contains("<h2>Us</h2>") && !about.contains("alert('page')"));
    assert_eq!(boot(&about)["data"]["/pages/about-us/"], app.get("/api/pages/about-us/").await.json());
}

/// The fixtures have no text for these pages.
async fn page_without_text_is_served(database: Database) {
    let app = TestApp::new(database).await;
    for path in ["/privacy-and-terms", "/isff-2025", "/submit-entry"] {
        let page = app.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        let errors = boot(&page.text())["errors"].clone();
        assert_eq!(errors.as_object().unwrap().values().next().unwrap()["status"], 404, "{path}");
    }
    for path in ["/download", "/analytics-ga4-view-via-looker"] {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
}
