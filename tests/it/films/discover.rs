//! A film's own address: `/films/{category}?film={id}`.

use festival_core::entity::Kind;

use crate::support::{Database, SECRET, TestApp, attribute, boot, json_ld_item, json_ld_items, title};

on_both!(
    film_has_its_own_address,
    page_of_a_film_shows_every_field_of_it,
    category_has_item_list_json_ld,
    unknown_film_parameters_are_ignored,
    sitemap_has_the_modification_time_of_films,
    malayalam_texts_have_their_lang_attribute,
);

const BASE: &str = "https://festival.example";

async fn public_site(database: Database) -> TestApp {
    TestApp::with(database, |settings| settings.public_url = BASE.into()).await
}

async fn film_has_its_own_address(database: Database) {
    let app = public_site(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let film = app.id("films", "original_title IS NOT NULL").await;
    let address = format!("/films/{category}?film={film}");
    let response = app.get(&address).await;
    let html = response.text();
    assert_eq!(response.status, 200);
    assert!(title(&html).starts_with("വെളിച്ചം &quot;Light&quot; {{z}} &lt;/script&gt;"), "{}", title(&html));
    assert_eq!(attribute(&html, "<link rel=\"canonical\"", "href"), format!("{BASE}{address}"));
    assert_eq!(attribute(&html, "<meta property=\"og:url\"", "content"), format!("{BASE}{address}"));
    assert_eq!(attribute(&html, "<meta property=\"og:type\"", "content"), "video.movie");
    let description = attribute(&html, "<meta name=\"description\"", "content");
    assert!(description.contains("O&#x27;Neil &amp; &lt;Daughters&gt;, 2025, India. Rain."), "{description}");
    // The film can be read without JavaScript.
    let (_, dialog) = html.split_once("<dialog").expect("the film is open over the list");
    let (dialog, _) = dialog.split_once("</dialog>").unwrap();
    let (tag, text) = dialog.split_once('>').unwrap();
    assert!(tag.contains(" open=\"\""), "{tag}");
    for word in [
        "1 h 32 min",
        "Subtitles: English, हिन्दी",
        "Producer \\ Backslash",
        "Camera: {{{z}}}",
        "Synopsis",
        "method=\"dialog\"",
    ] {
        assert!(text.contains(word), "{word}");
    }
    assert!(!text.contains("<img src=x") && !text.contains("Bare"));

    let movie = json_ld_item(&html, "Movie");
    assert_eq!(movie["name"], "വെളിച്ചം \"Light\" {{z}} </script><script>alert('film')</script>");
    assert_eq!(movie["url"], format!("{BASE}{address}"));
    assert_eq!((&movie["duration"], &movie["dateCreated"]), (&"PT92M".into(), &"2025".into()));
    assert_eq!(movie["director"][0]["name"], "O'Neil");
    assert_eq!(movie["image"].as_array().unwrap().len(), 3);
    let steps = json_ld_item(&html, "BreadcrumbList")["itemListElement"].clone();
    let names: Vec<&str> = steps.as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[1], names.len()), ("Home", "Films", 4));
    assert_eq!(steps[3]["item"], format!("{BASE}{address}"));

    // A film that has only a title gets no empty properties.
    let bare = app.id("films", "name = 'Bare'").await;
    let html = app.get(&format!("/films/{category}?film={bare}")).await.text();
    assert!(!html.contains("Subtitles"));
    let keys: Vec<String> = json_ld_item(&html, "Movie").as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["@type", "url", "name"]);
    assert!(attribute(&html, "<meta name=\"description\"", "content").starts_with("A film."));
    // The browser starts with the API responses of the page and nothing else.
    assert_eq!(boot(&html)["data"].as_object().unwrap().len(), 3);
}

/// One film of the fixtures has a value in every field, so that a new field cannot be forgotten there, nor on the page.
async fn page_of_a_film_shows_every_field_of_it(database: Database) {
    let app = TestApp::new(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let film = app.id("films", "original_title IS NOT NULL").await;
    let html = app.get(&format!("/films/{category}?film={film}")).await.text();
    let dialog = html.split_once("<dialog").unwrap().1.split_once("</dialog>").unwrap().0;
    let films = app.app.registry.enabled().flat_map(|c| &c.entities).find(|entity| entity.table == "films").unwrap();
    // What only organisers see.
    let internal = ["category", "reference", "imdb_id", "position", "is_published"];
    let mut seen = 0;
    for field in films.fields.iter().filter(|field| !internal.contains(&field.name)) {
        let sql = format!("SELECT CAST({0} AS TEXT) FROM films WHERE id = {film} AND {0} IS NOT NULL", field.name);
        let values = app.texts(&sql).await;
        assert_eq!(values.len(), 1, "{}: no value in tests/fixtures/2025.toml", field.name);
        if matches!(field.kind, Kind::Text { .. } | Kind::Lines { .. }) {
            let word = values[0].split_whitespace().next().unwrap().trim_matches(',').replace('\'', "&#x27;");
            assert!(dialog.contains(&word), "{} is not on the page: {word}", field.name);
            seen += 1;
        }
    }
    assert!(seen >= 11, "{seen} texts");
}

async fn category_has_item_list_json_ld(database: Database) {
    let app = public_site(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let list = json_ld_item(&app.get(&format!("/films/{category}")).await.text(), "ItemList");
    assert_eq!(list["numberOfItems"], 2);
    for item in list["itemListElement"].as_array().unwrap() {
        let path = item["url"].as_str().unwrap().strip_prefix(BASE).unwrap();
        assert_eq!(json_ld_item(&app.get(path).await.text(), "Movie")["name"], item["name"]);
    }
    let listing = json_ld_item(&app.get("/films").await.text(), "ItemList");
    assert_eq!(listing["itemListElement"][0]["url"], format!("{BASE}/films/{category}"));
    let empty = app.id("categories", "slug = 'empty'").await;
    let things = json_ld_items(&app.get(&format!("/films/{empty}")).await.text());
    assert_eq!(things.len(), 1, "only breadcrumbs: {things:?}");
}

/// All of these addresses share one cached response, so they cannot fill the cache.
async fn unknown_film_parameters_are_ignored(database: Database) {
    let app = public_site(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let empty = app.id("categories", "slug = 'empty'").await;
    let film = app.id("films", "name = 'Bare'").await;
    let draft = app.id("films", "name LIKE 'Draft film%'").await;
    let plain = app.get(&format!("/films/{category}")).await;
    let long = "9".repeat(300);
    for query in [
        "film=999999",
        "film=",
        "film=x",
        "film=%3Cscript%3E",
        "utm_source=mail",
        "film",
        &format!("film={long}"),
        &format!("film={draft}"),
        &format!("film=0{film}"),
    ] {
        let response = app.get(&format!("/films/{category}?{query}")).await;
        assert_eq!((response.status, response.header("ETag")), (200, plain.header("ETag")), "{query}");
        assert!(!response.text().contains(SECRET), "{query}");
    }
    let other = app.get(&format!("/films/{empty}?film={film}")).await;
    assert_eq!(other.header("ETag"), app.get(&format!("/films/{empty}")).await.header("ETag"));
    let own = app.get(&format!("/films/{category}?film={film}")).await;
    let with_more = app.get(&format!("/films/{category}?utm_source=mail&film={film}&x=1")).await;
    assert_eq!(own.header("ETag"), with_more.header("ETag"));
    assert_ne!(own.header("ETag"), plain.header("ETag"));
    assert_eq!(app.get(&format!("/films/999999?film={film}")).await.status, 404);
    // An unpublished film disappears at once.
    app.write(&format!("UPDATE films SET is_published = 0 WHERE id = {film}")).await;
    let gone = app.get(&format!("/films/{category}?film={film}")).await;
    assert!(gone.status == 200 && !gone.text().contains("<dialog"));
}

async fn sitemap_has_the_modification_time_of_films(database: Database) {
    let app = public_site(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let film = app.id("films", "name = 'Bare'").await;
    app.write(&format!("UPDATE films SET updated_at = '2031-02-03T04:05:06.000Z' WHERE id = {film}")).await;
    let text = app.get("/sitemap.xml").await.text();
    for path in [format!("/films/{category}?film={film}"), format!("/films/{category}"), "/films".to_owned()] {
        let line = format!("<url><loc>{BASE}{path}</loc><lastmod>2031-02-03T04:05:06.000Z</lastmod></url>\n");
        assert!(text.contains(&line), "{line} in {text}");
    }
}

async fn malayalam_texts_have_their_lang_attribute(database: Database) {
    let app = public_site(database).await;
    let category = app.id("categories", "slug = 'malayalam'").await;
    let film = app.id("films", "original_title IS NOT NULL").await;
    let html = app.get(&format!("/films/{category}?film={film}")).await.text();
    assert!(html.contains("lang=\"ml\">വെളിച്ചം</p>"), "the original title");
    assert!(html.contains("lang=\"en\">Bare</span>"), "an English one on its card");
    assert!(app.get("/blogs").await.text().contains("lang=\"ml\">പുതിയ വാർത്ത</h2>"));
    assert!(app.get("/").await.text().contains("lang=\"ml\">അടുത്ത വെളിച്ചം</h3>"));
}
