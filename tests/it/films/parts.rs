//! The films of a category in parts: the page contains one, links lead to the others.

use serde_json::{Value, json};

use super::add_film;
use crate::support::{Database, TestApp, attribute, boot, json_ld_item};

on_both!(parts_split_the_list_of_films, page_contains_one_part, film_of_any_part_has_its_own_address);

const BASE: &str = "https://festival.example";

/// A site with a category of 55 films: the category's id, and its films as the API lists them.
async fn many(database: Database) -> (TestApp, i64, Vec<Value>) {
    let app = TestApp::with(database, |settings| settings.public_url = BASE.into()).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    for number in 1..=53 {
        let (name, synopsis) = (format!("'Film {number}'"), format!("'Words of {number}.'"));
        let position = (1000 - number).to_string();
        add_film(&app, &[("name", &name), ("synopsis", &synopsis), ("position", &position)]).await;
    }
    let films = app.get(&format!("/api/categories/{category}/films/")).await.json();
    let films = films.as_array().unwrap().clone();
    assert_eq!(films.len(), 55);
    (app, category, films)
}

async fn parts_split_the_list_of_films(database: Database) {
    let (app, category, films) = many(database).await;
    let path = format!("/api/categories/{category}/films");
    let part = async |part: &str| app.get(&format!("{path}/parts/{part}/")).await;
    for (number, films) in (1..).zip(films.chunks(24)) {
        let expected = json!({
            "number": number,
            "previous": (number > 1).then_some(number - 1),
            "next": (number < 3).then_some(number + 1),
            "count": 55,
            "films": films,
        });
        assert_eq!(part(&number.to_string()).await.json(), expected);
    }
    for wrong in ["0", "4", "-1", "x", "99999999999999999999"] {
        part(wrong).await.assert_error(404, "not_found");
    }
    // An empty category has one part without films.
    let empty = app.id("categories", "slug = 'empty'").await;
    let none = app.get(&format!("/api/categories/{empty}/films/parts/1/")).await.json();
    assert_eq!(none, json!({ "number": 1, "previous": null, "next": null, "count": 0, "films": [] }));
    app.get(&format!("/api/categories/{empty}/films/parts/2/")).await.assert_error(404, "not_found");

    for film in &films {
        assert_eq!(app.get(&format!("{path}/{}/", film["id"])).await.json(), *film);
        let elsewhere = app.get(&format!("/api/categories/{empty}/films/{}/", film["id"])).await;
        elsewhere.assert_error(404, "not_found");
    }
    let draft = app.id("films", "name LIKE 'Draft film%'").await;
    for wrong in [draft.to_string(), "999999".into(), "x".into()] {
        app.get(&format!("{path}/{wrong}/")).await.assert_error(404, "not_found");
    }
    app.write(&format!("UPDATE categories SET is_published = 0 WHERE id = {category}")).await;
    for hidden in ["parts/1".to_owned(), films[0]["id"].to_string()] {
        app.get(&format!("{path}/{hidden}/")).await.assert_error(404, "not_found");
    }
}

async fn page_contains_one_part(database: Database) {
    let (app, category, films) = many(database).await;
    let address = format!("/films/{category}");
    // Without JavaScript, links lead to every film, once and in order.
    let mut seen = Vec::new();
    let mut next = Some(address.clone());
    while let Some(path) = next {
        let html = app.get(&path).await.text();
        assert_eq!(attribute(&html, "<link rel=\"canonical\"", "href"), format!("{BASE}{path}"));
        let data = boot(&html)["data"].clone();
        assert_eq!(data.as_object().unwrap().len(), 2, "the site and one part: {:?}", data.as_object().unwrap().keys());
        let list = json_ld_item(&html, "ItemList");
        assert_eq!(
            (&list["numberOfItems"], &list["itemListElement"][0]["position"]),
            (&55.into(), &(seen.len() + 1).into())
        );
        let (_, main) = html.split_once("<main").unwrap();
        let (main, _) = main.split_once("</main>").unwrap();
        let cards = main.split("aria-haspopup=\"dialog\"").count() - 1;
        assert_eq!(cards, list["itemListElement"].as_array().unwrap().len());
        seen.extend(list["itemListElement"].as_array().unwrap().iter().map(|item| item["name"].clone()));
        let further = main.split("<a ").find(|link| link.split('>').next().unwrap().contains("rel=\"next\""));
        next = further.map(|link| attribute(link, "", "href").replace("&#x3D;", "="));
    }
    assert_eq!(seen, films.iter().map(|film| film["name"].clone()).collect::<Vec<_>>());

    // Invalid part numbers show the page itself, from the same cache entry.
    let plain = app.get(&address).await;
    for query in ["part=1", "part=0", "part=4", "part=x", "part=02", "part=", "part=2%2F..%2F..", "film=999999&part=99"]
    {
        let response = app.get(&format!("{address}?{query}")).await;
        assert_eq!((response.status, response.header("ETag")), (200, plain.header("ETag")), "{query}");
    }
}

async fn film_of_any_part_has_its_own_address(database: Database) {
    let (app, category, films) = many(database).await;
    let plain = app.get(&format!("/films/{category}")).await.text();
    let last = films.last().unwrap();
    assert!(!plain.contains(last["synopsis"].as_str().unwrap()));
    let path = format!("/films/{category}?film={}", last["id"]);
    let html = app.get(&path).await.text();
    let (_, dialog) = html.split_once("<dialog").expect("the film is open over the list");
    assert!(dialog.split_once("</dialog>").unwrap().0.contains(last["synopsis"].as_str().unwrap()));
    let data = boot(&html)["data"].clone();
    assert_eq!(data[&format!("/categories/{category}/films/{}/", last["id"])], *last);
    assert_eq!(
        data[&format!("/categories/{category}/films/parts/1/")],
        boot(&plain)["data"][&format!("/categories/{category}/films/parts/1/")]
    );
    assert!(html.len() < plain.len() + 10_000, "{} bytes, the list alone {}", html.len(), plain.len());
    assert_eq!(json_ld_item(&html, "Movie")["name"], last["name"]);
    // A film opened over a later part keeps its own canonical address.
    let over = app.get(&format!("/films/{category}?part=3&film={}", last["id"])).await.text();
    assert_eq!(attribute(&over, "<link rel=\"canonical\"", "href"), format!("{BASE}{path}"));
    assert!(boot(&over)["data"].get(format!("/categories/{category}/films/parts/3/")).is_some());
    let map = app.get("/sitemap.xml").await.text();
    for film in &films {
        assert!(map.contains(&format!("<loc>{BASE}/films/{category}?film={}</loc>", film["id"])), "{}", film["id"]);
    }
}
