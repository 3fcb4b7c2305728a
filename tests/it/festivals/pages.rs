//! Pages of the tribute, history, team, and sister festivals.

use crate::support::{Database, TestApp, boot};

on_both!(
    pages_contain_the_responses_of_the_api,
    tribute_page_is_named_after_the_festival,
    pages_without_content_are_in_no_menu,
);

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

async fn pages_without_content_are_in_no_menu(database: Database) {
    let app = TestApp::new(database).await;
    let pages = ["/twenty-velicham", "/isff-2025", "/ifff-9th", "/ndsf-2025"];
    let linked = async || {
        let (menu, sitemap) =
            (app.get("/api/site/").await.json()["menu"].to_string(), app.get("/sitemap.xml").await.text());
        pages.map(|page| (menu.contains(&format!("\"{page}\"")), sitemap.contains(&format!("{page}<"))))
    };
    assert_eq!(linked().await, [(true, true); 4]);
    for table in ["sessions", "packages", "winners", "awards", "namesakes", "pages"] {
        app.write(&format!("DELETE FROM {table}")).await;
    }
    assert_eq!(linked().await, [(false, false); 4], "as on the first edition of another festival");
    assert_eq!(app.get("/isff-2025").await.status, 200);
    app.write(
        "INSERT INTO winners (edition_id, award, film, person, position, is_published, created_at, updated_at) \
         SELECT id, 'Best film', 'River', 'Uma Rao', 1, 1, '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z' \
         FROM editions WHERE is_current = 1",
    )
    .await;
    assert_eq!(linked().await, [(false, false), (false, false), (false, false), (true, true)]);
}
