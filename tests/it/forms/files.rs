//! Files of forms: the limit of 5 MB to the byte, and files that are not what they seem.

use std::path::Path;

use festival_core::admin::Role;

use super::sent::{Sent, files_kept, patient, received, refused};
use crate::admin::browser::{Browser, person};
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
async fn a_jpeg_that_says_it_is_a_png_is_kept_and_served_as_a_jpeg() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let jpeg = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let mut film = Sent::film().with_file("film_poster", "poster.png", jpeg);
    film.files.retain(|(field, ..)| field == "film_poster");
    let others = Sent::film().without("film_poster");
    let declared = String::from("Content-Type: image/png");
    let body = {
        // The other parts keep what they declare; this one lies.
        film.texts.clear();
        let lying = film.body();
        let place = lying.windows(38).position(|part| part == b"Content-Type: application/octet-stream").unwrap();
        let lying = [&lying[..place], declared.as_bytes(), &lying[place + 38..]].concat();
        let end = lying.len() - format!("--{}--\r\n", Sent::content_type().split_once('=').unwrap().1).len();
        [&lying[..end], others.body().as_slice()].concat()
    };
    received(&app.post("/api/changed/", &[("Content-Type", &Sent::content_type())], body).await);
    let poster = "FROM submission_files WHERE field = 'film_poster'";
    assert_eq!(app.texts(&format!("SELECT mime {poster}")).await, ["image/jpeg"]);
    let key = app.texts(&format!("SELECT key {poster}")).await.remove(0);
    assert!(key.ends_with(".jpg"), "{key}");
    let browser = Browser::signed_in(&app, &person(&app, Role::Owner).await).await;
    let id = app.id("film_submissions", "id > 0").await;
    let served = browser.get(&format!("/admin/film-submissions/{id}/files/film_poster")).await;
    assert_eq!((served.status, served.header("Content-Type").as_str()), (200, "image/jpeg"));
    assert!(served.header("Content-Disposition").contains(".jpg"), "{}", served.header("Content-Disposition"));
    assert!(served.body.starts_with(b"\xFF\xD8\xFF"));
}

/// What a PDF may do is said beside it, where somebody is about to open it; no page opens it by itself.
#[tokio::test]
async fn the_desk_warns_beside_a_document_that_may_act() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let browser = Browser::signed_in(&app, &person(&app, Role::Owner).await).await;
    let pdf = |inside: &str| format!("%PDF-1.7\n1 0 obj\n<<{inside}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n");
    for (title, inside, warning) in [
        ("Quiet", "/Type/Catalog", ""),
        ("Script", "/S/JavaScript/JS(app.alert)", "This PDF can start something when it is opened."),
        ("Launch", "/S/Launch/F(calc.exe)", "This PDF can start something when it is opened."),
        ("Locked", "/Encrypt 4 0 R", "This PDF is locked, so its content could not be checked."),
    ] {
        let film = Sent::film().with("title_english", title);
        let film = film.with_file("documentation", "d.pdf", pdf(inside).into_bytes());
        received(&film.to(&app, "/api/changed/").await);
        let id = app.id("film_submissions", &format!("title_english = '{title}'")).await;
        let page = browser.get(&format!("/admin/film-submissions/{id}")).await.text();
        let beside = page.split("<li").find(|part| part.contains("/files/documentation\""));
        let beside = beside.unwrap_or_else(|| panic!("{page}"));
        assert_eq!(beside.contains("This PDF"), !warning.is_empty(), "{title}: {beside}");
        assert!(beside.contains(warning), "{title}: {beside}");
        for opened in ["<iframe", "<embed", "<object"] {
            assert!(!page.contains(opened), "{title}: {opened}");
        }
        let file = browser.get(&format!("/admin/film-submissions/{id}/files/documentation")).await;
        assert!(file.header("Content-Disposition").starts_with("attachment"), "{title}");
    }
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

/// A picture that breaks off is worth more than none: it is kept as it came, and everybody is told.
#[tokio::test]
async fn damaged_pictures_are_kept_and_everybody_is_told() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let whole = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let cut_off = whole[..whole.len() * 3 / 4].to_vec();
    let answer = Sent::film().with_file("film_poster", "poster.jpg", cut_off.clone()).to(&app, "/api/changed/").await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let words = "This picture may be damaged; the original was kept.";
    assert_eq!(answer.json()["remarks"], serde_json::json!([{ "field": "film_poster", "message": words }]));
    let flagged = "SELECT count(*) FROM submission_files WHERE flags = 'damaged' AND field = 'film_poster' AND size = ";
    assert_eq!(app.number(&format!("{flagged}{}", cut_off.len())).await, 1);
    assert_eq!(app.number("SELECT count(*) FROM submission_files WHERE flags <> ''").await, 1);
    let told = "SELECT count(*) FROM outbox WHERE body_text LIKE '%may be damaged%'";
    assert!(app.number(told).await >= 1, "the receipt says so");
}

/// What printers and mailers put in front of a PDF, and what they leave out behind it.
#[tokio::test]
async fn documents_that_every_reader_opens_are_taken() {
    let app = TestApp::with(Database::Sqlite, patient).await;
    let whole = std::fs::read(fixture("pictures/issue.pdf")).unwrap();
    let end = whole.windows(5).rposition(|window| window == b"%%EOF").unwrap();
    let before = |bytes: &[u8]| [bytes, whole.as_slice()].concat();
    for (number, (document, flags)) in [
        (before(b"\xEF\xBB\xBF"), ""),
        (before(b"\x1B%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n"), ""),
        (before(b"\r\nContent-Type: application/pdf\r\n\r\n"), ""),
        (before(&[b' '; 1000]), ""),
        (whole[..end].to_vec(), ""),
        ([whole.as_slice(), &b"sent from a mailbox\r\n".repeat(200)].concat(), ""),
        (whole[..whole.len() / 2].to_vec(), "damaged"),
    ]
    .into_iter()
    .enumerate()
    {
        let film = Sent::film().with("title_english", &format!("Film {number}"));
        let answer = film.with_file("documentation", "paper.pdf", document).to(&app, "/api/changed/").await;
        assert_eq!(answer.status, 201, "{number}: {}", answer.text());
        let kept = format!(
            "SELECT count(*) FROM submission_files WHERE field = 'documentation' AND mime = 'application/pdf' AND \
             flags = '{flags}' AND film_submission_id = {}",
            answer.json()["id"]
        );
        assert_eq!(app.number(&kept).await, 1, "{number}");
    }
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
