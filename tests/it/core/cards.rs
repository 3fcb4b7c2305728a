//! The pictures that messengers show: one of every page, drawn from the data of the moment.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::PathBuf;

use image::{GenericImageView as _, ImageFormat, ImageReader};

use crate::support::{Answer, Database, TestApp};

on_both!(every_page_names_a_card_that_says_its_title, a_card_follows_the_data, a_film_has_a_card_of_its_own);

/// What the page's head says under `property`.
fn said(html: &str, property: &str) -> String {
    let (_, rest) = html.split_once(&format!("property=\"{property}\" content=\"")).unwrap_or(("", "\""));
    plain(rest.split_once('"').unwrap().0)
}

/// Text without the tags and the entities of its HTML.
fn plain(html: &str) -> String {
    let text: String = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.replace("&#x27;", "'").replace("&#x3D;", "=").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The path of the card of the page at `path`.
async fn card_of(app: &TestApp, path: &str) -> String {
    let url = said(&app.get(path).await.text(), "og:image");
    url.strip_prefix("http://localhost").unwrap_or_else(|| panic!("{path}: {url}")).to_owned()
}

/// The card, which has to be one.
async fn fetch(app: &TestApp, path: &str) -> Answer {
    let answer = app.get(path).await;
    assert_eq!((answer.status, answer.header("Content-Type").as_str()), (200, "image/jpeg"), "{path}");
    let mut reader = ImageReader::new(Cursor::new(&answer.body));
    reader.set_format(ImageFormat::Jpeg);
    assert_eq!(reader.decode().unwrap().dimensions(), (1200, 630), "{path}");
    // More than this some messengers do not show.
    assert!(answer.body.len() < 300_000, "{path}: {} bytes", answer.body.len());
    answer
}

/// The files that are kept.
fn kept(app: &TestApp) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(app.directory.path().join("cards"));
    folder.map(|files| files.map(|file| file.unwrap().path()).collect()).unwrap_or_default()
}

async fn every_page_names_a_card_that_says_its_title(database: Database) {
    let app = TestApp::new(database).await;
    let pages = app.pages().await;
    assert!(pages.len() > 15);
    for path in pages {
        let html = app.get(&path).await.text();
        let address = card_of(&app, &path).await;
        let words = said(&html, "og:image:alt");
        // The pages for the organisers show the festival's own card.
        if !["/admin-panel", "/analytics-ga4-view-via-looker"].contains(&path.as_str()) {
            let (_, heading) = html.split_once("<h1").unwrap_or_else(|| panic!("{path} has a heading"));
            let heading = plain(heading.split_once('>').unwrap().1.split_once("</h1>").unwrap().0);
            assert!(words.contains(heading.trim()), "{path}: \"{heading}\" is not in \"{words}\"");
        }
        assert!(words.ends_with("2025"), "{path}: whose card it is and when: {words}");
        assert_eq!(said(&html, "og:image:width") + &said(&html, "og:image:height"), "1200630");
        assert!(html.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{path}");
        fetch(&app, &address).await;
    }
    let missing = app.get("/blog/999999").await;
    assert!(missing.status == 404 && said(&missing.text(), "og:image").is_empty());
}

async fn a_card_follows_the_data(database: Database) {
    let app = TestApp::new(database).await;
    let blog = app.id("blogs", "is_published = 1").await;
    let page = format!("/blog/{blog}");
    let first = card_of(&app, &page).await;
    let before = fetch(&app, &first).await;
    assert_eq!(before.header("Cache-Control"), "public, max-age=31536000, immutable");
    let again = app.get_with(&first, &[("If-None-Match", &before.header("ETag"))]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(card_of(&app, &page).await, first, "nothing changed, nothing new to fetch");

    app.write(&format!("UPDATE blogs SET title = 'A title that nobody had thought of' WHERE id = {blog}")).await;
    let second = card_of(&app, &page).await;
    assert_ne!(first, second);
    let old = app.get(&first).await;
    assert_eq!((old.status, old.header("Location")), (302, second.clone()), "who knows the old address gets there");
    assert_ne!(fetch(&app, &second).await.body, before.body);
    app.write("UPDATE editions SET ends_on = '2025-11-02'").await;
    assert_ne!(card_of(&app, &page).await, second, "the festival's dates stand on it too");

    app.write(&format!("UPDATE blogs SET is_published = 0 WHERE id = {blog}")).await;
    for path in [&first, &second, "/cards/00/nothing.jpg", "/cards/00/blogs.png", "/cards/00/blog/x.jpg", "/cards/00"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
}

async fn a_film_has_a_card_of_its_own(database: Database) {
    let app = TestApp::new(database).await;
    let film = app.id("films", "is_published = 1 AND poster IS NOT NULL").await;
    let category = app.number(&format!("SELECT category_id FROM films WHERE id = {film}")).await;
    let page = format!("/films/{category}");
    let current = async |query: &str| {
        let answer = app.get(&format!("/cards/00{page}.jpg{query}")).await;
        assert_eq!(answer.status, 302, "{query}");
        answer.header("Location")
    };
    let (own, listing) = (current(&format!("?film={film}")).await, current("").await);
    assert!(own.ends_with(&format!("{page}.jpg?film={film}")), "{own}");
    assert_eq!(card_of(&app, &format!("{page}?film={film}")).await, own, "the film's own address says so");
    assert_eq!(card_of(&app, &page).await, listing);
    let with_poster = fetch(&app, &own).await.body;
    assert_ne!(with_poster, fetch(&app, &listing).await.body);
    // A poster that is no picture, and one that is gone: the card does without.
    let broken = app.app.media.put_public("posters", b"\x89PNG\r\n\x1a\n is all there is".to_vec()).await.unwrap();
    let mut bodies = Vec::new();
    for key in [&broken, "posters/gone.webp"] {
        app.write(&format!("UPDATE films SET poster = '{key}' WHERE id = {film}")).await;
        bodies.push(fetch(&app, &current(&format!("?film={film}")).await).await.body);
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
async fn a_crowd_gets_one_drawing_and_the_rest_is_told_to_come_again() {
    let app = TestApp::new(Database::Sqlite).await;
    let address = card_of(&app, "/team").await;
    let answers = futures::future::join_all((0..60).map(|_| app.get(&address))).await;
    let drawn = answers.iter().filter(|answer| answer.status == 200).count();
    let sent_away = answers.iter().filter(|answer| answer.status == 503).count();
    assert!(drawn >= 1 && sent_away >= 1 && drawn + sent_away == 60, "{drawn} drawn, {sent_away} sent away");
    // Who comes first is not who asked first.
    let pictures: BTreeSet<&[u8]> = answers.iter().filter(|answer| answer.status == 200).map(|a| &a.body[..]).collect();
    assert_eq!(pictures.len(), 1, "all of them got the same");
    assert_eq!(kept(&app).len(), 1);
    fetch(&app, &address).await;
}

#[tokio::test]
async fn what_is_not_there_leaves_nothing_behind() {
    let app = TestApp::new(Database::Sqlite).await;
    for number in 0..50 {
        app.get(&format!("/cards/{number:016x}/team.jpg?film={number}")).await;
        app.get(&format!("/cards/{number:016x}/blog/9{number}.jpg")).await;
    }
    assert_eq!(kept(&app).len(), 0);
}

#[tokio::test]
async fn kept_cards_may_be_lost_or_damaged() {
    let app = TestApp::new(Database::Sqlite).await;
    let address = card_of(&app, "/films").await;
    let first = fetch(&app, &address).await.body;
    std::fs::write(&kept(&app)[0], &first[..first.len() / 2]).unwrap();
    assert_eq!(fetch(&app, &address).await.body, first, "a file that was cut off is drawn anew");
    std::fs::remove_dir_all(app.directory.path().join("cards")).unwrap();
    assert_eq!(fetch(&app, &address).await.body, first);
    assert_eq!(kept(&app).len(), 1);
}
