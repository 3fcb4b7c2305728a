//! `/blogs/`, `/blog/{id}/`, `/pages/{slug}/`.

use serde_json::json;

use crate::support::{Database, TestApp};

on_both!(
    blogs_are_listed_newest_first,
    single_blog_equals_its_list_element,
    page_texts_are_served,
    stored_html_is_sanitised_on_read
);

async fn blogs_are_listed_newest_first(database: Database) {
    let app = TestApp::new(database).await;
    snapshot!(json "content blogs", app.get("/api/blogs/").await.json());
    app.write("UPDATE blogs SET is_published = 0").await;
    assert_eq!(app.get("/api/blogs/").await.json(), json!([]));
}

async fn single_blog_equals_its_list_element(database: Database) {
    let app = TestApp::new(database).await;
    for blog in app.get("/api/blogs/").await.json().as_array().unwrap() {
        assert_eq!(app.get(&format!("/api/blog/{}/", blog["id"])).await.json(), *blog);
    }
}

async fn page_texts_are_served(database: Database) {
    let app = TestApp::new(database).await;
    snapshot!(json "content page text", app.get("/api/pages/about-us/").await.json());
    snapshot!(json "content page text without body", app.get("/api/pages/home/").await.json());
}

/// Rows may have been written without the rules that apply on save.
async fn stored_html_is_sanitised_on_read(database: Database) {
    let app = TestApp::new(database).await;
    let id = app.id("blogs", "is_published = 1").await;
    let evil = "<p onclick=\"alert(9)\">x</p><script>alert(9)</script><svg onload=\"alert(9)\"></svg>";
    let page = "<a href=\"javascript:alert(9)\">y</a><iframe src=\"https://evil.example\"></iframe>";
    app.write(&format!("UPDATE blogs SET content = '{evil}' WHERE id = {id}")).await;
    app.write(&format!("UPDATE pages SET body = '{page}'")).await;
    for path in [format!("/api/blog/{id}/"), "/api/blogs/".into(), "/api/pages/about-us/".into(), format!("/blog/{id}")]
    {
        let text = app.get(&path).await.text();
        assert!(!text.contains("alert(9)") && !text.contains("evil.example"), "{path}");
    }
}
