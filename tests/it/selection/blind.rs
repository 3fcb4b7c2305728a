//! What a juror sees: its own pile, and in a blind round nobody's name.

use std::collections::{BTreeSet, VecDeque};

use super::{add, add_juror, add_round, assign, pile_path, site};
use crate::admin::browser::Browser;
use crate::forms::requests::{FormRequest, assert_received};
use crate::support::{Database, TestApp};

on_both!(blind_juror_finds_no_name_on_any_address, juror_of_an_open_round_sees_its_own_pile_and_nothing_else);

/// Films of the blind round, each with a name of its own in six places.
const FILMS: usize = 10;

/// What says who made the film `number`: the field and a word that no page may contain.
fn planted(number: usize) -> [(&'static str, String); 6] {
    let letter = char::from(b'a' + u8::try_from(number).unwrap());
    let word = |stem: &str| format!("{stem}{letter}");
    [
        ("director_name", word("Quinceo")),
        ("producer_name", word("Petronello")),
        ("cast_and_crew", word("Bloorimo")),
        ("biography", word("Xanaduvo")),
        ("stills_link", word("kodakino")),
        ("name_of_submitter", word("Wilhelmino")),
    ]
}

/// The text of a planted field.
fn text_of(field: &str, word: &str) -> String {
    match field {
        "cast_and_crew" => format!("Ignatius {word}: everything"),
        "biography" => format!("Born in {word}."),
        "stills_link" => format!("https://stills.example/{word}"),
        _ => format!("Zebulon {word}"),
    }
}

fn film(number: usize) -> FormRequest {
    let film = FormRequest::film().with("award_category", "malayalam");
    let film = film.with("title_english", &format!("The Ferry at {number}")).with_own_files(number as u32);
    let words = planted(number);
    let film = words.iter().fold(film, |film, (name, word)| film.with(name, &text_of(name, word)));
    let mail = |word: &str| format!("{}@example.org", word.to_lowercase());
    let film = film.with("director_email", &mail(&words[0].1)).with("producer_email", &mail(&words[1].1));
    let film = film.with("correspondence_email", &mail(&words[5].1));
    let (_, _, poster) = film.files.iter().find(|(field, ..)| field == "film_poster").unwrap().clone();
    film.with_file("film_poster", &format!("{}-poster.png", words[0].1), poster)
}

async fn submit(site: &TestApp, number: usize) -> i64 {
    let reference = assert_received(&film(number).post(site, "/api/changed/").await);
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
        "/admin/film-submissions?q=Quinceoa",
        "/admin/search?q=Quinceoa",
        "/admin/search?q=Ferry",
        "/admin/selection",
        "/admin/selection?q=Quinceoa",
        "/admin/selection-progress",
        "/admin/selection-release",
        "/admin/selection-book",
        "/admin/selection-assignments",
        "/admin/selection-jurors",
        "/admin/mail",
        "/admin/pile?q=Quinceoa&sort=director_name",
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
    let mut films = Vec::new();
    for number in 0..FILMS {
        films.push(submit(&site, number).await);
    }
    let words: Vec<String> = (0..FILMS).flat_map(planted).flat_map(|(_, word)| [word.to_lowercase(), word]).collect();
    assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), 60 + 50, "60 names; those in links are in lower case");
    let round = add_round(&chair, "Blind", &[("is_blind", "yes")]).await;
    let criterion = add(&chair, "selection_criteria", &[("name", "Direction"), ("round", "Blind")]).await;
    let (juror, email) = add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let (mut piles, mut paths) = (Vec::new(), Vec::new());
    for film in films {
        let pile = pile_path(&site, juror, film).await;
        paths.extend(guessed(film, &pile));
        piles.push(pile);
    }
    let browser = Browser::signed_in(&site, &email).await;
    let assert_nameless = async |when: &str| {
        let pages = crawl(&browser, &paths).await;
        assert!(pages.len() > 160, "{}", pages.len());
        for (path, status, text) in &pages {
            for word in &words {
                // A search repeats what was searched for.
                let is_echo = path.contains("q=Quinceoa") && word == "Quinceoa";
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
        pages.into_iter().find(|(path, ..)| *path == piles[0]).unwrap().2
    };
    let before = assert_nameless("before it is opened").await;
    assert!(before.contains("The Ferry at 0") && !before.contains("https://video.example.org/1"), "{before}");
    for pile in &piles {
        assert_eq!(browser.post(&format!("{pile}/open"), &[]).await.status, 303);
    }
    let opened = assert_nameless("opened").await;
    assert!(opened.contains("https://video.example.org/1") && opened.contains("<code>secret</code>"), "{opened}");
    assert!(opened.contains("A lamp is lit."), "{opened}");
    let score = format!("score-{criterion}");
    for pile in &piles {
        let saved = browser.post(pile, &[(&score, "4"), ("recommendation", "yes")]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
    }
    assert_nameless("reviewed").await;
}

async fn juror_of_an_open_round_sees_its_own_pile_and_nothing_else(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    let film = submit(&site, 0).await;
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
    for expected in ["Zebulon Quinceoa", "Zebulon Petronelloa", "Ignatius Bloorimoa", &format!("src=\"{poster}\"")] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(
        !text.contains("wilhelminoa@example.org") && !text.contains("quinceoa@example.org"),
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
