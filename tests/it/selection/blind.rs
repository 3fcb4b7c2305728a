//! What a juror sees: its own pile, and in a blind round nobody's name.

use std::collections::{BTreeSet, VecDeque};

use super::{add, add_juror, add_round, assign, pile_path, site};
use crate::admin::browser::Browser;
use crate::forms::requests::{FormRequest, assert_received};
use crate::support::{Database, TestApp};

on_both!(blind_juror_finds_no_name_on_any_address, juror_of_an_open_round_sees_its_own_pile_and_nothing_else);

/// What says who made the film, in fields and names of files.
const PLANTED: &[(&str, &str)] = &[
    ("director_name", "Zebulon Quince"),
    ("director_email", "zebulon@quince.example"),
    ("producer_name", "Petronella Vex"),
    ("producer_email", "petronella@vex.example"),
    ("cast_and_crew", "Ignatius Bloor: everything"),
    ("biography", "Born in Xanaduville."),
    ("stills_link", "https://stills.example/xanaduville"),
    ("name_of_submitter", "Wilhelmina Oke"),
    ("correspondence_email", "wilhelmina@oke.example"),
];

/// Words that no page may contain.
const WORDS: &[&str] = &[
    "Quince",
    "quince",
    "Petronella",
    "vex.example",
    "Bloor",
    "Xanaduville",
    "xanaduville",
    "Wilhelmina",
    "oke.example",
];

fn film() -> FormRequest {
    let film = FormRequest::film().with("award_category", "malayalam").with("title_english", "The Ferry at Four");
    let film = PLANTED.iter().fold(film, |film, (name, text)| film.with(name, text));
    let (_, _, poster) = film.files.iter().find(|(field, ..)| field == "film_poster").unwrap().clone();
    film.with_file("film_poster", "quince-poster.png", poster)
}

async fn submit(site: &TestApp) -> i64 {
    let reference = assert_received(&film().post(site, "/api/changed/").await);
    site.id("film_submissions", &format!("reference = '{reference}'")).await
}

/// The pages that a browser finds by following links and pictures from the dashboard and the pile: path, status, body.
async fn crawl(browser: &Browser<'_>, more: &[String]) -> Vec<(String, u16, String)> {
    let mut queue: VecDeque<String> = ["/admin/", "/admin/pile"].map(str::to_owned).into();
    queue.extend(more.iter().cloned());
    let (mut seen, mut pages) = (BTreeSet::new(), Vec::new());
    while let Some(path) = queue.pop_front() {
        if !seen.insert(path.clone()) || path.contains("/handbook") {
            continue;
        }
        let response = browser.get(&path).await;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        for part in text.split("href=\"").chain(text.split("src=\"")).skip(1) {
            let link = part.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&").replace("&#x3D;", "=");
            if link.starts_with("/admin") {
                queue.push_back(link);
            }
        }
        pages.push((path, response.status, format!("{} {text}", response.header("Content-Disposition"))));
    }
    pages
}

/// Addresses that a juror may try by hand.
fn guessed(film: i64, pile: &str) -> Vec<String> {
    let mut paths: Vec<String> = [
        "/admin/film-submissions",
        "/admin/film-submissions?q=Quince",
        "/admin/search?q=Quince",
        "/admin/search?q=Ferry",
        "/admin/selection",
        "/admin/selection?q=Quince",
        "/admin/selection-progress",
        "/admin/selection-release",
        "/admin/selection-book",
        "/admin/selection-assignments",
        "/admin/selection-jurors",
        "/admin/mail",
        "/admin/pile?q=Quince&sort=director_name",
    ]
    .map(str::to_owned)
    .into();
    for field in ["film_poster", "director_photo", "producer_consent", "signature", "screenshot", "documentation"] {
        paths.push(format!("{pile}/files/{field}"));
        paths.push(format!("/admin/film-submissions/{film}/files/{field}"));
    }
    paths.extend([format!("/admin/film-submissions/{film}"), format!("/admin/selection/{film}")]);
    paths
}

async fn blind_juror_finds_no_name_on_any_address(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let film = submit(&site).await;
    let round = add_round(&chair, "Blind", &[("is_blind", "yes")]).await;
    let criterion = add(&chair, "selection_criteria", &[("name", "Direction"), ("round", "Blind")]).await;
    let (juror, email) = add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let pile = pile_path(&site, juror, film).await;
    let browser = Browser::signed_in(&site, &email).await;
    let assert_nameless = async |when: &str| {
        let pages = crawl(&browser, &guessed(film, &pile)).await;
        assert!(pages.len() > 25, "{}", pages.len());
        for (path, status, text) in &pages {
            for word in WORDS {
                // A search repeats what was searched for.
                let is_echo = path.contains("q=Quince") && *word == "Quince";
                assert!(is_echo || !text.contains(word), "{when}: {path} ({status}) has {word}: {text}");
            }
            let is_own = ["/admin/", "/admin/pile", "/admin/account", "/admin/search", "/admin/edit"];
            let is_own = path == "/admin/" || is_own[1..].iter().any(|own| path.starts_with(own));
            let is_file = path.contains("/files/");
            assert!(
                if is_own && !is_file { *status == 200 } else { [403, 404].contains(status) },
                "{when}: {path}: {status}"
            );
        }
        pages.into_iter().find(|(path, ..)| *path == pile).unwrap().2
    };
    let before = assert_nameless("before it is opened").await;
    assert!(before.contains("The Ferry at Four") && !before.contains("https://video.example.org/1"), "{before}");
    assert_eq!(browser.post(&format!("{pile}/open"), &[]).await.status, 303);
    let opened = assert_nameless("opened").await;
    assert!(opened.contains("https://video.example.org/1") && opened.contains("<code>secret</code>"), "{opened}");
    assert!(opened.contains("A lamp is lit."), "{opened}");
    let score = format!("score-{criterion}");
    let saved = browser.post(&pile, &[(&score, "4"), ("recommendation", "yes")]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_nameless("reviewed").await;
}

async fn juror_of_an_open_round_sees_its_own_pile_and_nothing_else(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let film = submit(&site).await;
    let round = add_round(&chair, "Open", &[("reviews_per_film", "1")]).await;
    let (juror, email) = add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let (_, other) = add_juror(&chair, "Biju").await;
    let pile = pile_path(&site, juror, film).await;
    let browser = Browser::signed_in(&site, &email).await;
    let poster = format!("{pile}/files/film_poster");
    assert_eq!(browser.get(&poster).await.status, 404, "not before it is opened");
    browser.post(&format!("{pile}/open"), &[]).await;
    let text = browser.get(&pile).await.text();
    for expected in ["Zebulon Quince", "Petronella Vex", "Ignatius Bloor", &format!("src=\"{poster}\"")] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(
        !text.contains("wilhelmina@oke.example") && !text.contains("zebulon@quince.example"),
        "no addresses: {text}"
    );
    let picture = browser.get(&poster).await;
    assert_eq!((picture.status, picture.header("Content-Type")), (200, "image/png".to_owned()));
    assert_eq!(browser.get(&format!("{pile}/files/screenshot")).await.status, 404);
    // Another juror's entry does not exist.
    let other = Browser::signed_in(&site, &other).await;
    for path in [pile.clone(), poster] {
        assert_eq!(other.get(&path).await.status, 404, "{path}");
    }
    assert_eq!(other.post(&format!("{pile}/open"), &[]).await.status, 404);
    assert!(other.get("/admin/pile").await.text().contains("No entries are assigned to you"));
    // A round that has not begun is not seen either.
    site.write("UPDATE selection_rounds SET starts_at = '2025-11-01T00:00:00Z'").await;
    assert_eq!(browser.get(&pile).await.status, 404);
}
