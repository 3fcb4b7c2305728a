//! `/kottaka`.

use crate::support::{Database, TestApp, boot};

on_both!(the_issues_are_in_the_html, no_issues_are_said_in_words);

async fn the_issues_are_in_the_html(database: Database) {
    let app = TestApp::new(database).await;
    let page = app.get("/kottaka").await;
    assert_eq!(page.status, 200);
    assert_eq!(boot(&page.text())["data"]["/kottaka-magazines/"], app.get("/api/kottaka-magazines/").await.json());
    assert!(page.text().contains("Kottaka &quot;one&quot;") && page.text().contains("Download PDF"));
}

async fn no_issues_are_said_in_words(database: Database) {
    let app = TestApp::new(database).await;
    app.write("UPDATE magazines SET is_published = 0").await;
    assert!(app.get("/kottaka").await.text().contains("No magazines available at the moment."));
}
