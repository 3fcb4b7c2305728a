//! Social cards: one for every page, drawn from current data.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::PathBuf;

use image::{GenericImageView as _, ImageFormat, ImageReader};

use crate::support::{Database, Response, TestApp};

on_both!(every_page_has_a_social_card_with_its_title, social_card_follows_the_data, film_has_its_own_social_card);

/// The content of a meta tag in the page's head.
fn meta(html: &str, property: &str) -> String {
    let (_, rest) = html.split_once(&format!("property=\"{property}\" content=\"")).unwrap_or(("", "\""));
    strip_html(rest.split_once('"').unwrap().0)
}

/// Text without HTML tags and entities.
fn strip_html(html: &str) -> String {
    let text: String = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.replace("&#x27;", "'").replace("&#x3D;", "=").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The path of the social card of a page.
async fn card_of(app: &TestApp, path: &str) -> String {
    let url = meta(&app.get(path).await.text(), "og:image");
    url.strip_prefix("http://localhost").unwrap_or_else(|| panic!("{path}: {url}")).to_owned()
}

/// Fetches the card and asserts that it is a JPEG of the right size.
async fn fetch_card(app: &TestApp, path: &str) -> Response {
    let response = app.get(path).await;
    assert_eq!((response.status, response.header("Content-Type").as_str()), (200, "image/jpeg"), "{path}");
    let mut reader = ImageReader::new(Cursor::new(&response.body));
    reader.set_format(ImageFormat::Jpeg);
    assert_eq!(reader.decode().unwrap().dimensions(), (1200, 630), "{path}");
    // Some messengers ignore larger images.
    assert!(response.body.len() < 300_000, "{path}: {} bytes", response.body.len());
    response
}

/// The stored card files.
fn card_files(app: &TestApp) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(app.directory.path().join("cards"));
    folder.map(|files| files.map(|file| file.unwrap().path()).collect()).unwrap_or_default()
}

async fn every_page_has_a_social_card_with_its_title(database: Database) {
    let app = TestApp::new(database).await;
    let pages = app.pages().await;
    assert!(pages.len() > 15);
    for path in pages {
        let html = app.get(&path).await.text();
        let address = card_of(&app, &path).await;
        let alt = meta(&html, "og:image:alt");
        // Pages for organisers use the festival's own card.
        if !["/admin-panel", "/analytics-ga4-view-via-looker"].contains(&path.as_str()) {
            let (_, heading) = html.split_once("<h1").unwrap_or_else(|| panic!("{path} has a heading"));
            let heading = strip_html(heading.split_once('>').unwrap().1.split_once("</h1>").unwrap().0);
            assert!(alt.contains(heading.trim()), "{path}: \"{heading}\" is not in \"{alt}\"");
        }
        assert!(alt.ends_with("2025"), "{path}: the alternative text ends with festival and year: {alt}");
        assert_eq!(meta(&html, "og:image:width") + &meta(&html, "og:image:height"), "1200630");
        assert!(html.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{path}");
        fetch_card(&app, &address).await;
    }
    let missing = app.get("/blog/999999").await;
    assert!(missing.status == 404 && meta(&missing.text(), "og:image").is_empty());
}

async fn social_card_follows_the_data(database: Database) {
    let app = TestApp::new(database).await;
    let blog = app.id("blogs", "is_published = 1").await;
    let page = format!("/blog/{blog}");
    let first = card_of(&app, &page).await;
    let before = fetch_card(&app, &first).await;
    assert_eq!(before.header("Cache-Control"), "public, max-age=31536000, immutable");
    let again = app.get_with(&first, &[("If-None-Match", &before.header("ETag"))]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(card_of(&app, &page).await, first, "without a change the address stays the same");

    app.write(&format!("UPDATE blogs SET title = 'A title that nobody had thought of' WHERE id = {blog}")).await;
    let second = card_of(&app, &page).await;
    assert_ne!(first, second);
    let old = app.get(&first).await;
    assert_eq!((old.status, old.header("Location")), (302, second.clone()), "the old address redirects");
    assert_ne!(fetch_card(&app, &second).await.body, before.body);
    app.write("UPDATE editions SET ends_on = '2025-11-02'").await;
    assert_ne!(card_of(&app, &page).await, second, "the card shows the festival's dates");

    app.write(&format!("UPDATE blogs SET is_published = 0 WHERE id = {blog}")).await;
    for path in [&first, &second, "/cards/00/nothing.jpg", "/cards/00/blogs.png", "/cards/00/blog/x.jpg", "/cards/00"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

async fn film_has_its_own_social_card(database: Database) {
    let app = TestApp::new(database).await;
    let film = app.id("films", "is_published = 1 AND poster IS NOT NULL").await;
    let category = app.number(&format!("SELECT category_id FROM films WHERE id = {film}")).await;
    let page = format!("/films/{category}");
    let current = async |query: &str| {
        let response = app.get(&format!("/cards/00{page}.jpg{query}")).await;
        assert_eq!(response.status, 302, "{query}");
        response.header("Location")
    };
    let (own, listing) = (current(&format!("?film={film}")).await, current("").await);
    assert!(own.ends_with(&format!("{page}.jpg?film={film}")), "{own}");
    assert_eq!(card_of(&app, &format!("{page}?film={film}")).await, own, "the film's page names its card");
    assert_eq!(card_of(&app, &page).await, listing);
    let with_poster = fetch_card(&app, &own).await.body;
    assert_ne!(with_poster, fetch_card(&app, &listing).await.body);
    // With an invalid or missing poster the card is drawn without it.
    let broken = app.app.media.put_public("posters", b"\x89PNG\r\n\x1a\n is all there is".to_vec()).await.unwrap();
    let mut bodies = Vec::new();
    for key in [&broken, "posters/gone.webp"] {
        app.write(&format!("UPDATE films SET poster = '{key}' WHERE id = {film}")).await;
        bodies.push(fetch_card(&app, &current(&format!("?film={film}")).await).await.body);
    }
    assert!(bodies[0] == bodies[1] && bodies[0] != with_poster);
    for query in ["?film=999999", "?film=x", "?film=", "?film=1%27"] {
        assert_eq!(app.get(&format!("/cards/00{page}.jpg{query}")).await.status, 404, "{query}");
    }
    let other = app.id("categories", &format!("id <> {category} AND is_published = 1")).await;
    let elsewhere = app.get(&format!("/cards/00/films/{other}.jpg?film={film}")).await;
    assert_eq!(elsewhere.status, 404, "a film is in its own category only");
}

#[tokio::test]
async fn concurrent_card_requests_share_one_drawing_or_get_503() {
    let app = TestApp::new(Database::Sqlite).await;
    let address = card_of(&app, "/team").await;
    let responses = futures::future::join_all((0..60).map(|_| app.get(&address))).await;
    let drawn = responses.iter().filter(|response| response.status == 200).count();
    let rejected = responses.iter().filter(|response| response.status == 503).count();
    assert!(drawn >= 1 && rejected >= 1 && drawn + rejected == 60, "{drawn} drawn, {rejected} rejected");
    // Requests may be answered in any order.
    let pictures: BTreeSet<&[u8]> =
        responses.iter().filter(|response| response.status == 200).map(|a| &a.body[..]).collect();
    assert_eq!(pictures.len(), 1, "all responses are equal");
    assert_eq!(card_files(&app).len(), 1);
    fetch_card(&app, &address).await;
}

#[tokio::test]
async fn unknown_card_addresses_store_nothing() {
    let app = TestApp::new(Database::Sqlite).await;
    for number in 0..50 {
        app.get(&format!("/cards/{number:016x}/team.jpg?film={number}")).await;
        app.get(&format!("/cards/{number:016x}/blog/9{number}.jpg")).await;
    }
    assert_eq!(card_files(&app).len(), 0);
}

#[tokio::test]
async fn lost_or_damaged_cards_are_drawn_again() {
    let app = TestApp::new(Database::Sqlite).await;
    let address = card_of(&app, "/films").await;
    let first = fetch_card(&app, &address).await.body;
    std::fs::write(&card_files(&app)[0], &first[..first.len() / 2]).unwrap();
    assert_eq!(fetch_card(&app, &address).await.body, first, "a truncated file is drawn again");
    std::fs::remove_dir_all(app.directory.path().join("cards")).unwrap();
    assert_eq!(fetch_card(&app, &address).await.body, first);
    assert_eq!(card_files(&app).len(), 1);
}
