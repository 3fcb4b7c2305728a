//! `/kottaka-magazines/`: the whole list, or a page of it.

use serde_json::json;

use crate::support::{Database, TestApp};

on_both!(magazines_are_a_plain_list, magazines_can_be_paged);

async fn magazines_are_a_plain_list(database: Database) {
    let app = TestApp::new(database).await;
    snapshot!(json "magazines", app.get("/api/kottaka-magazines/").await.json());
    app.write("DELETE FROM magazines").await;
    assert_eq!(app.get("/api/kottaka-magazines/").await.json(), json!([]));
    let empty = json!({ "count": 0, "next": null, "previous": null, "results": [] });
    assert_eq!(app.get("/api/kottaka-magazines/?page=1").await.json(), empty);
}

async fn magazines_can_be_paged(database: Database) {
    let app = TestApp::new(database).await;
    let whole = app.get("/api/kottaka-magazines/").await.json();
    let page = app.get("/api/kottaka-magazines/?page=1").await.json();
    assert_eq!(page, json!({ "count": 2, "next": null, "previous": null, "results": whole }));
    for number in 3..=45 {
        app.write(&format!(
            "INSERT INTO magazines (name, magazine, position, is_published, created_at, updated_at) \
             VALUES ('No {number}', 'magazines/x.pdf', {number}, 1, '', '')"
        ))
        .await;
    }
    let mut names = Vec::new();
    let mut next = json!("http://localhost/api/kottaka-magazines/?page=1");
    let mut previous = json!(null);
    while let Some(address) = next.as_str() {
        let page = app.get(address.strip_prefix("http://localhost").unwrap()).await.json();
        assert_eq!((&page["count"], &page["previous"]), (&json!(45), &previous), "{address}");
        names.extend(page["results"].as_array().unwrap().iter().map(|issue| issue["name"].clone()));
        previous = json!(address);
        next = page["next"].clone();
    }
    assert_eq!(names.len(), 45);
    app.get("/api/kottaka-magazines/?page=4").await.assert_error(404, "not_found");
}
