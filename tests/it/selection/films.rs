//! Films that are made of selected entries.

use festival_core::admin::OWNER;

use super::status::{send_film, settings};
use crate::admin::browser::{Browser, create_account};
use crate::forms::requests::FormRequest;
use crate::support::{Database, TestApp};

on_both!(selected_entries_become_films_without_private_values);

async fn selected_entries_become_films_without_private_values(database: Database) {
    let app = TestApp::with(database, settings).await;
    let edition = app.id("editions", "year = 2025").await;
    app.write(&format!(
        "INSERT INTO categories (edition_id, slug, name, created_at, updated_at) VALUES ({edition}, 'of-entries', 'Of entries', '', '')"
    ))
    .await;
    let planted = [
        ("producer_email", "planted-a@private.example"),
        ("producer_mobile", "+91 90000 00001"),
        ("director_email", "planted-b@private.example"),
        ("director_mobile", "+91 90000 00002"),
        ("correspondence_email", "planted-c@private.example"),
        ("correspondence_contact", "+91 90000 00003"),
        ("name_of_submitter", "Planted Submitter"),
        ("screener_link", "https://planted.example/screener"),
        ("screener_link_password", "planted-password"),
        ("payment_code", "PLANTD"),
        ("payment_utr", "900000000004"),
    ];
    for number in 0..10_u32 {
        let film = planted.iter().fold(FormRequest::film(), |film, (name, text)| film.with(name, text));
        let film = film.with("title_english", &format!("Entry {number}")).with_own_files(number);
        send_film(&app, &film).await;
    }
    app.write("UPDATE film_submissions SET status = 'selected'").await;
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let page = browser.get("/admin/selection/films").await.text();
    for label in ["Title of the film (English)", "Long synopsis", "Poster of the film", "Make film drafts (10)"] {
        assert!(page.contains(label), "{label}: {page}");
    }
    let made = browser.post("/admin/selection/films", &[("section-malayalam", "of-entries")]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let of_entries = "FROM films WHERE name LIKE 'Entry %'";
    assert_eq!(app.number(&format!("SELECT count(*) {of_entries} AND is_published = 0")).await, 10);
    let one = app.texts(
        "SELECT original_title || '|' || director_name || '|' || producer_name || '|' || crew_details || '|' || synopsis \
         || '|' || country || '|' || language || '|' || subtitle_language || '|' || poster_alt FROM films WHERE name = 'Entry 3' \
         AND year = 2025 AND duration_minutes = 92 AND poster LIKE 'films/%'",
    );
    assert_eq!(
        one.await,
        [
            "ഒരു വെളിച്ചം|D. Director|P. Producer|Somebody: everything|A lamp is lit.\nA lamp goes out.|India|Malayalam|English|Poster of Entry 3"
        ]
    );
    assert_eq!(
        app.texts("SELECT image_alt FROM pictures WHERE image_alt LIKE 'Portrait%'").await,
        ["Portrait of D. Director"]
    );
    // Again: no second film.
    browser.post("/admin/selection/films", &[("section-malayalam", "of-entries")]).await;
    assert_eq!(app.number(&format!("SELECT count(*) {of_entries}")).await, 10);
    // Each knows the other.
    let entry = app.id("film_submissions", "title_english = 'Entry 3'").await;
    let film = app.id("films", "name = 'Entry 3'").await;
    assert!(
        browser.get(&format!("/admin/film-submissions/{entry}")).await.text().contains(&format!("/admin/films/{film}"))
    );
    assert_eq!(
        app.texts(&format!("SELECT reference FROM films WHERE id = {film}")).await,
        app.texts(&format!("SELECT reference FROM film_submissions WHERE id = {entry}")).await
    );
    // Published, they show nothing that is private.
    app.write(&format!("UPDATE films SET is_published = 1 WHERE id IN (SELECT id {of_entries})")).await;
    let category = app.id("categories", "slug = 'of-entries'").await;
    let mut public = Vec::new();
    for path in [
        "/films".to_owned(),
        format!("/films/{category}"),
        format!("/films/{category}?film={film}"),
        format!("/api/categories/{category}/films/"),
        "/api/selections/".to_owned(),
        "/sitemap.xml".to_owned(),
    ] {
        let page = app.get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        public.push((path, page.text()));
    }
    assert!(public.iter().any(|(_, text)| text.contains("Entry 3")));
    for (path, text) in &public {
        for (name, value) in planted {
            assert!(!text.contains(value), "{name} is on {path}");
        }
    }
}
