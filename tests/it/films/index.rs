//! The A-Z index of a category.

use serde_json::Value;

use super::add_film;
use crate::support::{Database, TestApp, boot, title};

on_both!(a_category_is_listed_from_a_to_z, the_index_of_an_unknown_category_is_404);

async fn a_category_is_listed_from_a_to_z(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    for name in ["The Arch", "Zero", "8 lamps", "ಕೂರಕ್", "Été"] {
        add_film(&app, &[("name", &format!("'{name}'"))]).await;
    }
    add_film(&app, &[("name", "'A draft'"), ("is_published", "0")]).await;
    let index = app.get(&format!("/api/categories/{category}/a-z/")).await.json();
    let letters: Vec<String> = index["letters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|letter| {
            let films = letter["films"].as_array().unwrap();
            let names: Vec<&str> = films.iter().filter_map(|film| film["name"].as_str()).collect();
            format!("{}: {}", letter["letter"].as_str().unwrap(), names.join(", "))
        })
        .collect();
    let light = "വെളിച്ചം \"Light\" {{z}} </script><script>alert('film')</script>";
    assert_eq!(
        letters,
        ["0-9: 8 lamps", "A: The Arch", "B: Bare", "E: Été", "Z: Zero", &format!("വ: {light}"), "ಕ: ಕೂರಕ್"]
    );
    assert_eq!(index["count"], 7);

    let page = app.get(&format!("/films/{category}/a-z")).await;
    assert_eq!(page.status, 200);
    assert!(title(&page.text()).contains("A–Z"), "{}", title(&page.text()));
    assert_eq!(boot(&page.text())["data"][&format!("/categories/{category}/a-z/")], index);
    for letter in index["letters"].as_array().into_iter().flatten() {
        for film in letter["films"].as_array().into_iter().flatten() {
            let href = format!("href=\"/films/{category}?film={}\"", film["id"]);
            assert!(page.text().replace("&#x3D;", "=").contains(&href), "{href}");
        }
    }
    // A film can be open over the index.
    let film: &Value = &index["letters"][2]["films"][0]["id"];
    let open = app.get(&format!("/films/{category}/a-z?film={film}")).await;
    assert!(title(&open.text()).starts_with("Bare"), "{}", title(&open.text()));
}

async fn the_index_of_an_unknown_category_is_404(database: Database) {
    let app = TestApp::new(database).await;
    assert_eq!(app.get("/api/categories/999/a-z/").await.status, 404);
    let empty = app.id("categories", "slug = 'empty'").await;
    let index = app.get(&format!("/api/categories/{empty}/a-z/")).await.json();
    assert_eq!((index["count"].as_i64(), index["letters"].as_array().map(Vec::len)), (Some(0), Some(0)));
}
