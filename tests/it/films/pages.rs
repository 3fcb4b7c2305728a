//! `/films`, `/films/{id}` and the selection lists of the home page.

use crate::support::{Database, TestApp, boot, title};

on_both!(films_page_contains_every_category, category_has_its_own_page, films_are_a_list_that_letterboxd_imports);

async fn films_page_contains_every_category(database: Database) {
    let app = TestApp::new(database).await;
    let page = app.get("/films").await;
    assert_eq!(page.status, 200);
    let data = boot(&page.text())["data"].clone();
    let categories = app.get("/api/categories/").await.json();
    assert_eq!(data["/categories/"], categories);
    for category in categories.as_array().unwrap() {
        let path = format!("/categories/{}/films/", category["id"]);
        assert_eq!(data[&path], app.get(&format!("/api{path}")).await.json(), "{path}");
    }
    // Every category is a carousel under its name, with the cards of its films.
    let html = page.text();
    let (_, main) = html.split_once("<main").unwrap();
    let (main, _) = main.split_once("</main>").unwrap();
    let parts: Vec<&str> = main.split("<section id=\"category-").skip(1).collect();
    assert_eq!(parts.len(), categories.as_array().unwrap().len());
    assert!(parts[0].contains("Bare") && parts[0].contains("aria-roledescription=\"carousel\""));
}

async fn category_has_its_own_page(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let page = app.get(&format!("/films/{category}")).await;
    assert_eq!(page.status, 200);
    assert!(
        title(&page.text()).contains("Malayalam &quot;debut&quot; &lt;/script&gt;&lt;!-- {{z}}"),
        "{}",
        title(&page.text())
    );
    let empty = app.id("categories", "slug = 'empty'").await;
    let page = app.get(&format!("/films/{empty}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Selection in Progress"));
    // The home page lists the selections.
    let home = boot(&app.get("/").await.text());
    assert_eq!(home["data"]["/selections/"], app.get("/api/selections/").await.json());
}

async fn films_are_a_list_that_letterboxd_imports(database: Database) {
    let app = TestApp::new(database).await;
    app.write(
        "UPDATE films SET name = '-1, \"Half\"', director_name = 'Uma Rao; O''Neil', year = 2025, imdb_id = 'tt0048473' \
         WHERE original_title = 'വെളിച്ചം'",
    )
    .await;
    let list = app.get("/films/letterboxd.csv").await;
    assert_eq!(list.header("Content-Type"), "text/csv; charset=utf-8");
    assert!(list.header("Content-Disposition").contains("letterboxd.csv"));
    let lines = "imdbID,Title,Year,Directors\r\n\
                 tt0048473,\"-1, \"\"Half\"\"\",2025,\"Uma Rao, O'Neil\"\r\n\
                 ,Bare,,\r\n";
    assert_eq!(list.text(), lines, "without drafts, and without what would change a title");
    assert!(app.get("/films").await.text().contains("href=\"/films/letterboxd.csv\""));
}
