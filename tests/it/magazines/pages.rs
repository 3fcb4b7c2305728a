//! `/kottaka`.

use crate::support::{Database, TestApp, boot};

on_both!(magazines_are_server_rendered, page_without_magazines_says_so);

async fn magazines_are_server_rendered(database: Database) {
    let app = TestApp::new(database).await;
    let page = app.get("/kottaka").await;
    assert_eq!(page.status, 200);
    assert_eq!(boot(&page.text())["data"]["/kottaka-magazines/"], app.get("/api/kottaka-magazines/").await.json());
    assert!(page.text().contains("Kottaka &quot;one&quot;") && page.text().contains("Download PDF"));
}

async fn page_without_magazines_says_so(database: Database) {
    let app = TestApp::new(database).await;
    app.write("UPDATE magazines SET is_published = 0").await;
    assert!(app.get("/kottaka").await.text().contains("No magazines available at the moment."));
}
