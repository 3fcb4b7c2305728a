//! Pages of the tribute, history, team, and sister festivals.

use crate::support::{Database, TestApp, boot};

on_both!(pages_contain_the_responses_of_the_api, tribute_page_is_named_after_the_festival);

async fn pages_contain_the_responses_of_the_api(database: Database) {
    let app = TestApp::new(database).await;
    for (page, lists) in [
        ("/history", &["/history/"][..]),
        ("/team", &["/team/"]),
        ("/ndsf-2025", &["/winners/", "/sessions/ndsf-2025/"]),
        ("/twenty-velicham", &["/namesakes/", "/awards/"]),
        ("/isff-2025", &["/sessions/isff-2025/", "/packages/isff-2025/"]),
        ("/ifff-9th", &["/sessions/ifff-9th/"]),
        ("/", &["/upcoming-events/", "/posters/", "/screening-schedule/", "/daily-events/", "/venues/", "/guests/"]),
        ("/", &["/partners/", "/organisers/", "/namesakes/"]),
    ] {
        let response = app.get(page).await;
        assert_eq!(response.status, 200, "{page}");
        let data = boot(&response.text())["data"].clone();
        for list in lists {
            assert_eq!(data[list], app.get(&format!("/api{list}")).await.json(), "{page} {list}");
        }
    }
    let home = boot(&app.get("/").await.text())["data"].clone();
    assert!(
        ["/awards/", "/blogs/"].iter().all(|unused| home.get(unused).is_none()),
        "no block of the home page reads them"
    );
    let history = app.get("/history").await.text();
    assert!(history.contains("12 to 18 December") && history.contains("Someone First"));
    assert!(app.get("/team").await.text().contains("Chair Person"));
}

async fn tribute_page_is_named_after_the_festival(database: Database) {
    let app = TestApp::with(database, |settings| settings.product.slug = "lamp".into()).await;
    assert_eq!(app.get("/twenty-lamp").await.status, 200);
    assert_eq!(app.get("/twenty-velicham").await.status, 404);
    assert!(app.get("/sitemap.xml").await.text().contains("/twenty-lamp<"));
    let menu = app.get("/api/site/").await.json()["menu"].to_string();
    assert!(menu.contains("\"/twenty-lamp\"") && !menu.contains("{slug}") && !menu.contains("{product}"), "{menu}");
    let tribute = app.get("/twenty-lamp").await.text();
    assert!(tribute.contains("id=\"first-lamp\""), "the anchor of a namesake is its slug");
    assert!(tribute.contains("<em>lamps</em>") && !tribute.contains("alert('namesake')"));
}
