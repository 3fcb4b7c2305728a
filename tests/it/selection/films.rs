//! Films that are made of selected entries.

use festival_core::admin::OWNER;

use super::status::{send_film, settings};
use crate::admin::browser::{Browser, create_account, hidden_value, unescape_html};
use crate::forms::requests::FormRequest;
use crate::support::{Database, TestApp};

on_both!(selected_entries_become_films_without_private_values, organisers_choose_what_films_take_over);

/// Entries that become films.
const ENTRIES: usize = 24;

/// Values of fields that no film has.
const PRIVATE: [(&str, &str); 15] = [
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
    ("biography", "Planted biography."),
    ("technical_features", "Planted features"),
    ("stills_link", "https://planted.example/stills"),
    ("synopsis_short", "Planted short synopsis."),
];

/// Names of files, of which a film has only pictures.
const FILES: [(&str, &str); 6] = [
    ("film_poster", "planted-poster.png"),
    ("director_photo", "planted-photo.png"),
    ("signature", "planted-signature.png"),
    ("screenshot", "planted-receipt.png"),
    ("producer_consent", "planted-consent.pdf"),
    ("documentation", "planted-documents.pdf"),
];

/// What the desk knows about the payment.
const PAYMENT: [(&str, &str); 3] = [
    ("payment_reason", "Planted reason"),
    ("payment_transaction", "PLANTEDTRANSACTION"),
    ("payment_amount", "5,000 planted rupees"),
];

/// An entry with all private values, and its title.
fn entry(number: usize) -> FormRequest {
    let film = PRIVATE.iter().fold(FormRequest::film(), |film, (name, text)| film.with(name, text));
    let film = film.with("title_english", &format!("Entry {number}")).with_own_files(u32::try_from(number).unwrap());
    FILES.iter().fold(film, |film, (field, name)| {
        let (_, _, content) = film.files.iter().find(|(known, ..)| known == field).unwrap().clone();
        film.with_file(field, name, content)
    })
}

/// A site with a section for films, and its owner.
async fn site(database: Database) -> (TestApp, String) {
    let app = TestApp::with(database, settings).await;
    let edition = app.id("editions", "year = 2025").await;
    app.write(&format!(
        "INSERT INTO categories (edition_id, slug, name, created_at, updated_at) VALUES ({edition}, 'of-entries', 'Of entries', '', '')"
    ))
    .await;
    let owner = create_account(&app, &OWNER).await;
    (app, owner)
}

async fn selected_entries_become_films_without_private_values(database: Database) {
    let (app, owner) = site(database).await;
    for number in 0..ENTRIES {
        send_film(&app, &entry(number)).await;
    }
    for (column, text) in PAYMENT {
        app.write(&format!("UPDATE film_submissions SET {column} = '{text}'")).await;
    }
    app.write("UPDATE film_submissions SET status = 'selected'").await;
    let browser = Browser::signed_in(&app, &owner).await;
    let page = browser.get("/admin/selection/films").await.text();
    for label in ["Title of the film (English)", "Long synopsis", "Poster of the film", "Make film drafts (24)"] {
        assert!(page.contains(label), "{label}: {page}");
    }
    let made = browser.post("/admin/selection/films", &[("section-malayalam", "of-entries")]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let of_entries = "FROM films WHERE name LIKE 'Entry %'";
    assert_eq!(app.number(&format!("SELECT count(*) {of_entries} AND is_published = 0")).await, 24);
    // Nothing was typed again.
    let equal = "SELECT count(*) FROM film_submissions e JOIN selection_films s ON s.film_submission_id = e.id \
                 JOIN films f ON f.id = s.film_id WHERE f.name = e.title_english AND f.original_title = e.title_original \
                 AND f.director_name = e.director_name AND f.producer_name = e.producer_name \
                 AND f.crew_details = e.cast_and_crew AND f.synopsis = e.synopsis_long AND f.country = e.country_of_origin \
                 AND f.language = e.film_language AND f.duration_minutes = e.duration_minutes \
                 AND f.year = e.year_of_production AND f.reference = e.reference AND f.poster IS NOT NULL";
    assert_eq!(app.number(equal).await, 24);
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
    assert_eq!(app.number(&format!("SELECT count(*) {of_entries}")).await, 24);
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
    let mut paths = vec![
        "/films".to_owned(),
        format!("/films/{category}"),
        format!("/films/{category}?film={film}"),
        format!("/api/categories/{category}/films/"),
        "/api/selections/".to_owned(),
        "/sitemap.xml".to_owned(),
    ];
    // Every address that the site lists, each film among them.
    let sitemap = app.get("/sitemap.xml").await.text();
    let listed = sitemap.split("<loc>").skip(1).filter_map(|rest| rest.split("</loc>").next());
    paths.extend(listed.filter_map(|address| address.strip_prefix("http://localhost")).map(unescape_html));
    assert!(paths.len() > 24, "{sitemap}");
    for path in paths {
        let page = app.get(&path).await;
        assert_eq!(page.status, 200, "{path}");
        public.push((path, page.text()));
    }
    let media = app.texts("SELECT poster FROM films WHERE poster IS NOT NULL UNION SELECT image FROM pictures").await;
    public.push(("addresses of pictures".to_owned(), media.join(" ")));
    assert!(public.iter().any(|(_, text)| text.contains("Entry 3")));
    for (path, text) in &public {
        for (name, value) in PRIVATE.iter().chain(&FILES).chain(&PAYMENT) {
            assert!(!text.contains(value), "{name} is on {path}");
        }
    }
}

async fn organisers_choose_what_films_take_over(database: Database) {
    let (app, owner) = site(database).await;
    send_film(&app, &entry(1)).await;
    app.write("UPDATE film_submissions SET status = 'selected'").await;
    let browser = Browser::signed_in(&app, &owner).await;
    let drafts = "/admin/selection/films";
    let settings = "/admin/settings/film-drafts";
    assert!(browser.get(drafts).await.text().contains(&format!("href=\"{settings}\"")));
    let form = browser.get(settings).await;
    assert_eq!(form.text().matches(" checked").count(), 12, "{}", form.text());
    let version = hidden_value(&form, "version").unwrap();
    let field = "modules.selection.film_fields";
    let refused = browser.post(settings, &[("version", &version), (field, "correspondence_email")]).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let chosen = [("version", &*version), (field, "director_name"), (field, "film_poster")];
    assert_eq!(browser.post(settings, &chosen).await.status, 303);
    let form = browser.get(settings).await.text();
    assert_eq!(form.matches(" checked").count(), 2, "{form}");
    let page = browser.get(drafts).await.text();
    assert!(page.contains("Name of the director") && !page.contains("Long synopsis"), "{page}");
    assert_eq!(browser.post(drafts, &[("section-malayalam", "of-entries")]).await.status, 303);
    let film = "SELECT name || '|' || director_name FROM films WHERE name = 'Entry 1' AND synopsis IS NULL \
                AND original_title IS NULL AND producer_name IS NULL AND duration_minutes IS NULL AND poster LIKE 'films/%'";
    assert_eq!(app.texts(film).await, ["Entry 1|D. Director"]);
    assert_eq!(app.number("SELECT count(*) FROM pictures WHERE image_alt LIKE 'Portrait%'").await, 0);
    // The history names what was taken out.
    assert!(browser.get(&format!("{settings}/history")).await.text().contains("Director, Poster"));
}
