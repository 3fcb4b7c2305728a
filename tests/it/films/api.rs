//! `/categories/`, `/categories/{id}/films/`, `/selections/`.

use serde_json::json;

use crate::support::{Database, TestApp};

on_both!(
    categories_and_their_films_are_served,
    edition_is_selected_by_its_year,
    empty_category_is_an_empty_list,
    long_selections_are_cut_and_counted,
);

async fn categories_and_their_films_are_served(database: Database) {
    let app = TestApp::new(database).await;
    snapshot!(json "films categories", app.get("/api/categories/").await.json());
    let category = app.id("categories", "slug = 'malayalam'").await;
    snapshot!(json "films of a category", app.get(&format!("/api/categories/{category}/films/")).await.json());
    snapshot!(json "films selections", app.get("/api/selections/").await.json());
}

async fn edition_is_selected_by_its_year(database: Database) {
    let app = TestApp::new(database).await;
    let current = app.get("/api/categories/").await.json();
    assert_eq!(app.get("/api/categories/?edition=2025").await.json(), current);
    app.get("/api/categories/?edition=2024").await.assert_error(404, "not_found");
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    let other = app.get("/api/categories/?edition=2024").await.json();
    assert_eq!(other.as_array().unwrap().len(), 1);
    assert_eq!(other[0]["slug"], "malayalam");
    assert_ne!(other[0]["id"], current[0]["id"]);
    assert_eq!(app.get("/api/selections/?edition=2024").await.json()[0]["count"], 1);
    app.get("/api/categories/?edition=1999").await.assert_error(404, "not_found");
    // The current edition is chosen by organisers; it is not the latest year.
    app.write("UPDATE editions SET is_current = CASE WHEN year = 2024 THEN 1 ELSE 0 END").await;
    assert_eq!(app.get("/api/categories/").await.json(), other);
}

async fn empty_category_is_an_empty_list(database: Database) {
    let app = TestApp::new(database).await;
    let empty = app.id("categories", "slug = 'empty'").await;
    assert_eq!(app.get(&format!("/api/categories/{empty}/films/")).await.json(), json!([]));
    app.write("UPDATE categories SET is_published = 0").await;
    assert_eq!(app.get("/api/categories/").await.json(), json!([]));
    assert_eq!(app.get("/api/selections/").await.json(), json!([]));
    app.get(&format!("/api/categories/{empty}/films/")).await.assert_error(404, "not_found");
}

async fn long_selections_are_cut_and_counted(database: Database) {
    let app = TestApp::new(database).await;
    let before = app.get("/api/selections/").await.json()[0].clone();
    let category = before["id"].as_i64().unwrap();
    let values: Vec<String> = (1_000..1_050)
        .map(|position| {
            format!(
                "((SELECT edition_id FROM categories WHERE id = {category}), {category}, 'Film {position}', {position}, 1, \
                 '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z')"
            )
        })
        .collect();
    app.write(&format!(
        "INSERT INTO films (edition_id, category_id, name, position, is_published, created_at, updated_at) VALUES {}",
        values.join(", ")
    ))
    .await;
    let selection = app.get("/api/selections/").await.json()[0].clone();
    assert_eq!(selection["count"], before["count"].as_i64().unwrap() + 50);
    assert_eq!(selection["films"].as_array().unwrap().len(), 40);
    assert_eq!(selection["films"][0], before["films"][0]);
    let home = app.get("/").await.text();
    assert!(home.contains(&format!(">All {} films</a>", selection["count"])), "the rest is a link away");
}
