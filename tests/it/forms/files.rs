//! Files of forms: the limit of 5 MB to the byte, and files that are not what they seem.

use std::path::Path;

use super::sent::{Sent, files_kept, patient, received, refused};
use crate::support::{Database, TestApp, fixture};

const LIMIT: usize = 5 * 1024 * 1024;

/// A JPEG of exactly `size` bytes: comments make up what is missing.
fn jpeg_of(size: usize) -> Vec<u8> {
    let small = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let mut missing = size - small.len();
    let mut bytes = small[..2].to_vec();
    while missing > 0 {
        let mut segment = missing.min(60_000);
        if missing - segment > 0 && missing - segment < 4 {
            segment -= 4;
        }
        bytes.extend_from_slice(&[0xFF, 0xFE]);
        bytes.extend_from_slice(&u16::try_from(segment - 2).unwrap().to_be_bytes());
        bytes.extend(std::iter::repeat_n(b'.', segment - 4));
        missing -= segment;
    }
    bytes.extend_from_slice(&small[2..]);
    assert_eq!(bytes.len(), size);
    bytes
}

#[tokio::test]
async fn five_megabytes_are_taken_and_a_byte_more_is_not() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let (fits, too_large) = (jpeg_of(LIMIT), jpeg_of(LIMIT + 1));
    let film_files = ["film_poster", "director_photo", "producer_consent", "documentation", "signature", "screenshot"];
    let forms = film_files.into_iter().map(|field| ("/api/changed/", "title_english", field, Sent::film())).chain(
        ["image", "screenshot", "signature"]
            .into_iter()
            .map(|field| ("/api/delegate-form/", "transaction_details", field, Sent::delegate())),
    );
    for (path, title, field, form) in forms {
        let before = files_kept(&app);
        let answer = form.clone().with_file(field, "large.jpg", too_large.clone()).to(&app, path).await;
        assert_eq!(answer.status, 413, "{field}");
        let body = answer.json();
        assert_eq!(body["error"], format!("{field} file must be less than 5MB"));
        assert_eq!((body["code"].as_str(), body["fields"][0]["field"].as_str()), (Some("too_large"), Some(field)));
        assert_eq!(files_kept(&app), before, "{field}");
        received(&form.with(title, field).with_file(field, "large.jpg", fits.clone()).to(&app, path).await);
        assert_eq!(
            app.number(&format!(
                "SELECT count(*) FROM submission_files WHERE field = '{field}' AND name = 'large.jpg'"
            ))
            .await,
            1
        );
        app.write("DELETE FROM submission_files").await;
    }
}

#[tokio::test]
async fn a_photo_may_be_left_out_and_is_kept_where_it_is_sent() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    received(&Sent::delegate().to(&app, "/api/delegate-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 2);
    let with_photo = Sent::delegate().with_file("image", "me.png", super::sent::picture());
    received(&with_photo.to(&app, "/api/delegate-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM submission_files WHERE field = 'image'").await, 1);
}

#[tokio::test]
async fn what_is_no_picture_is_refused_with_what_is_allowed() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let pdf = std::fs::read(fixture("pictures/issue.pdf")).unwrap();
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
    let page = b"<!doctype html><script>alert(1)</script>".to_vec();
    let gif = b"GIF87a/*\x01\x00\x01\x00*/=1;alert(1)".to_vec();
    for field in ["film_poster", "director_photo", "signature", "screenshot"] {
        for bytes in [&pdf, &svg, &page, &gif] {
            let film = Sent::film().with_file(field, "picture.png", bytes.clone());
            let (named, words) = refused(&film.to(&app, "/api/changed/").await);
            assert_eq!(named, field);
            assert!(words.contains("JPEG") && words.contains("PNG") && words.contains("WebP"), "{words}");
        }
    }
    for field in ["producer_consent", "documentation"] {
        for bytes in [&svg, &page, &gif] {
            let film = Sent::film().with_file(field, "paper.pdf", bytes.clone());
            let (named, words) = refused(&film.to(&app, "/api/changed/").await);
            assert_eq!(named, field);
            assert!(words.contains("PDF"), "{words}");
        }
    }
    assert_eq!(files_kept(&app), 0);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 0);
}

#[tokio::test]
async fn names_of_files_are_only_shown() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let names =
        ["../../etc/passwd", "C:\\\\x\\\\y.png", ".htaccess", "ചിത്രം 🎬.png", "a;b=c.png", "x.php", &"n".repeat(4000)];
    for (number, name) in names.into_iter().enumerate() {
        let film = Sent::film().with("title_english", &format!("Film {number}")).with_file(
            "film_poster",
            name,
            super::sent::picture(),
        );
        received(&film.to(&app, "/api/changed/").await);
    }
    assert_eq!(
        app.number("SELECT count(*) FROM submission_files WHERE length(name) > 120 OR name LIKE '%/%'").await,
        0
    );
    let keys = "SELECT count(*) FROM submission_files WHERE field = 'film_poster' AND key LIKE 'film-submissions/%.png' \
                AND length(key) = 53";
    assert_eq!(app.number(keys).await, 7);
}

/// Files that others made to do harm, where they are at hand.
#[tokio::test]
async fn hostile_files_do_no_harm() {
    let Some(folder) = std::env::var_os("FESTIVAL_TEST_HOSTILE_FILES") else {
        eprintln!("skipped: FESTIVAL_TEST_HOSTILE_FILES names no folder");
        return;
    };
    let app = TestApp::with(Database::Sqlite, patient).await;
    for (number, entry) in std::fs::read_dir(Path::new(&folder)).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let film = Sent::film()
            .with("title_english", &format!("Film {number}"))
            .with_file("film_poster", "poster.jpg", bytes.clone())
            .with_file("documentation", "paper.pdf", bytes);
        let answer = film.to(&app, "/api/changed/").await;
        eprintln!("{name}: {}", answer.status);
        assert!([201, 413, 422].contains(&answer.status), "{name}: {}", answer.text());
    }
}
