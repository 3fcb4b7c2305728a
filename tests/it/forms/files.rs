//! Files of forms: the 5 MiB limit to the byte, mislabelled, damaged and active files.

use std::path::Path;

use festival_core::admin::OWNER;

use super::export::export;
use super::requests::{FormRequest, assert_received, assert_refused, count_stored_files, lift_limits};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp, fixture};

const LIMIT: usize = 5 * 1024 * 1024;

/// A JPEG of exactly `size` bytes, padded with comments.
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
async fn files_over_five_megabytes_are_rejected_to_the_byte() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let (fits, too_large) = (jpeg_of(LIMIT), jpeg_of(LIMIT + 1));
    let film_files = ["film_poster", "director_photo", "producer_consent", "documentation", "signature", "screenshot"];
    let forms =
        film_files.into_iter().map(|field| ("/api/changed/", "title_english", field, FormRequest::film())).chain(
            ["image", "screenshot", "signature"]
                .into_iter()
                .map(|field| ("/api/delegate-form/", "transaction_details", field, FormRequest::delegate())),
        );
    for (path, title, field, form) in forms {
        let before = count_stored_files(&app);
        let response = form.clone().with_file(field, "large.jpg", too_large.clone()).post(&app, path).await;
        assert_eq!(response.status, 413, "{field}");
        let body = response.json();
        assert_eq!(body["error"], format!("{field} file must be less than 5MB"));
        assert_eq!((body["code"].as_str(), body["fields"][0]["field"].as_str()), (Some("too_large"), Some(field)));
        assert_eq!(count_stored_files(&app), before, "{field}");
        assert_received(&form.with(title, field).with_file(field, "large.jpg", fits.clone()).post(&app, path).await);
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
async fn delegate_photo_is_optional_and_stored_when_sent() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    assert_received(&FormRequest::delegate().post(&app, "/api/delegate-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM submission_files").await, 2);
    let with_photo = FormRequest::delegate().with_file("image", "me.png", super::requests::picture());
    assert_received(&with_photo.post(&app, "/api/delegate-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM submission_files WHERE field = 'image'").await, 1);
}

#[tokio::test]
async fn mislabelled_jpeg_is_stored_and_served_as_jpeg() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let jpeg = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let mut film = FormRequest::film().with_file("film_poster", "poster.png", jpeg);
    film.files.retain(|(field, ..)| field == "film_poster");
    let others = FormRequest::film().without("film_poster");
    let declared = String::from("Content-Type: image/png");
    let body = {
        // Only this part declares a wrong type.
        film.texts.clear();
        let lying = film.body();
        let position = lying.windows(38).position(|part| part == b"Content-Type: application/octet-stream").unwrap();
        let lying = [&lying[..position], declared.as_bytes(), &lying[position + 38..]].concat();
        let end = lying.len() - format!("--{}--\r\n", FormRequest::content_type().split_once('=').unwrap().1).len();
        [&lying[..end], others.body().as_slice()].concat()
    };
    assert_received(&app.post("/api/changed/", &[("Content-Type", &FormRequest::content_type())], body).await);
    let poster = "FROM submission_files WHERE field = 'film_poster'";
    assert_eq!(app.texts(&format!("SELECT mime {poster}")).await, ["image/jpeg"]);
    let key = app.texts(&format!("SELECT key {poster}")).await.remove(0);
    assert!(key.ends_with(".jpg"), "{key}");
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let id = app.id("film_submissions", "id > 0").await;
    let served = browser.get(&format!("/admin/film-submissions/{id}/files/film_poster")).await;
    assert_eq!((served.status, served.header("Content-Type").as_str()), (200, "image/jpeg"));
    assert!(served.header("Content-Disposition").contains(".jpg"), "{}", served.header("Content-Disposition"));
    assert!(served.body.starts_with(b"\xFF\xD8\xFF"));
}

/// The back office warns next to the link of an active PDF and never embeds it.
#[tokio::test]
async fn active_and_encrypted_pdfs_are_flagged_in_the_back_office() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let pdf = |content: &str| format!("%PDF-1.7\n1 0 obj\n<<{content}>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n");
    for (title, content, warning) in [
        ("Quiet", "/Type/Catalog", ""),
        ("Script", "/S/JavaScript/JS(app.alert)", "This PDF can start something when it is opened."),
        ("Launch", "/S/Launch/F(calc.exe)", "This PDF can start something when it is opened."),
        ("Locked", "/Encrypt 4 0 R", "This PDF is locked, so its content could not be checked."),
    ] {
        let film = FormRequest::film().with("title_english", title);
        let film = film.with_file("documentation", "d.pdf", pdf(content).into_bytes());
        assert_received(&film.post(&app, "/api/changed/").await);
        let id = app.id("film_submissions", &format!("title_english = '{title}'")).await;
        let page = browser.get(&format!("/admin/film-submissions/{id}")).await.text();
        let entry = page.split("<li").find(|part| part.contains("/files/documentation\""));
        let entry = entry.unwrap_or_else(|| panic!("{page}"));
        assert_eq!(entry.contains("This PDF"), !warning.is_empty(), "{title}: {entry}");
        assert!(entry.contains(warning), "{title}: {entry}");
        for opened in ["<iframe", "<embed", "<object"] {
            assert!(!page.contains(opened), "{title}: {opened}");
        }
        let file = browser.get(&format!("/admin/film-submissions/{id}/files/documentation")).await;
        assert!(file.header("Content-Disposition").starts_with("attachment"), "{title}");
    }
}

/// The answer to a script that begins like a GIF.
const UNREADABLE: &str = "This picture is damaged or incomplete. Please save a new copy and choose that one.";

#[tokio::test]
async fn other_file_types_are_rejected_with_the_allowed_ones() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let pdf = std::fs::read(fixture("pictures/issue.pdf")).unwrap();
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
    let page = b"<!doctype html><script>alert(1)</script>".to_vec();
    let gif = b"GIF87a/*\x01\x00\x01\x00*/=1;alert(1)".to_vec();
    for field in ["film_poster", "director_photo", "signature", "screenshot"] {
        for bytes in [&pdf, &svg, &page] {
            let film = FormRequest::film().with_file(field, "picture.png", bytes.clone());
            let (reported, message) = assert_refused(&film.post(&app, "/api/changed/").await);
            assert_eq!(reported, field);
            assert!(message.contains("JPEG") && message.contains("PNG") && message.contains("WebP"), "{message}");
        }
    }
    for field in ["producer_consent", "documentation"] {
        for bytes in [&svg, &page] {
            let film = FormRequest::film().with_file(field, "paper.pdf", bytes.clone());
            let (reported, message) = assert_refused(&film.post(&app, "/api/changed/").await);
            assert_eq!(reported, field);
            assert!(message.contains("PDF"), "{message}");
        }
    }
    assert_eq!(count_stored_files(&app), 0);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions").await, 0);
    let film = FormRequest::film().with_file("film_poster", "picture.png", gif);
    let (reported, message) = assert_refused(&film.post(&app, "/api/changed/").await);
    assert_eq!((reported.as_str(), message.as_str()), ("film_poster", UNREADABLE));
}

/// A truncated picture is stored as sent and flagged.
///
/// The site keeps working while the test waits for a command: an open transaction of it would block the command.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn damaged_pictures_are_stored_and_reported() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let whole = std::fs::read(fixture("pictures/still.jpg")).unwrap();
    let cut_off = whole[..whole.len() * 3 / 4].to_vec();
    let response =
        FormRequest::film().with_file("film_poster", "poster.jpg", cut_off.clone()).post(&app, "/api/changed/").await;
    assert_eq!(response.status, 201, "{}", response.text());
    let remark = "This picture may be damaged; the original was kept.";
    assert_eq!(response.json()["remarks"], serde_json::json!([{ "field": "film_poster", "message": remark }]));
    let flagged = "SELECT count(*) FROM submission_files WHERE flags = 'damaged' AND field = 'film_poster' AND size = ";
    assert_eq!(app.number(&format!("{flagged}{}", cut_off.len())).await, 1);
    assert_eq!(app.number("SELECT count(*) FROM submission_files WHERE flags <> ''").await, 1);
    let mails = "SELECT count(*) FROM outbox WHERE body_text LIKE '%may be damaged%'";
    assert!(app.number(mails).await >= 1, "the receipt mentions it");
    let folder = tempfile::tempdir().unwrap();
    let exported = export(&app, folder.path(), &["film", "-o", "-", "--format", "csv"]);
    assert!(
        exported.out.contains("damaged: film poster"),
        "the desk's table names the file: {}",
        exported.transcript()
    );
}

/// Prefixes that printers and mailers add to PDFs, and missing ends.
#[tokio::test]
async fn imperfect_pdfs_are_accepted() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
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
        let film = FormRequest::film().with("title_english", &format!("Film {number}"));
        let response = film.with_file("documentation", "paper.pdf", document).post(&app, "/api/changed/").await;
        assert_eq!(response.status, 201, "{number}: {}", response.text());
        let stored = format!(
            "SELECT count(*) FROM submission_files WHERE field = 'documentation' AND mime = 'application/pdf' AND \
             flags = '{flags}' AND film_submission_id = {}",
            response.json()["id"]
        );
        assert_eq!(app.number(&stored).await, 1, "{number}");
    }
}

#[tokio::test]
async fn submitted_file_names_never_become_storage_keys() {
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    let names =
        ["../../etc/passwd", "C:\\\\x\\\\y.png", ".htaccess", "ചിത്രം 🎬.png", "a;b=c.png", "x.php", &"n".repeat(4000)];
    for (number, name) in names.into_iter().enumerate() {
        let film = FormRequest::film().with("title_english", &format!("Film {number}")).with_file(
            "film_poster",
            name,
            super::requests::picture(),
        );
        assert_received(&film.post(&app, "/api/changed/").await);
    }
    assert_eq!(
        app.number("SELECT count(*) FROM submission_files WHERE length(name) > 120 OR name LIKE '%/%'").await,
        0
    );
    let keys = "SELECT count(*) FROM submission_files WHERE field = 'film_poster' AND key LIKE 'film-submissions/%.png' \
                AND length(key) = 53";
    assert_eq!(app.number(keys).await, 7);
}

/// A collection of malicious files, if available.
#[tokio::test]
async fn hostile_files_do_no_harm() {
    let Some(folder) = std::env::var_os("FESTIVAL_TEST_HOSTILE_FILES") else {
        eprintln!("skipped: FESTIVAL_TEST_HOSTILE_FILES names no folder");
        return;
    };
    let app = TestApp::with(Database::Sqlite, lift_limits).await;
    for (number, entry) in std::fs::read_dir(Path::new(&folder)).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let film = FormRequest::film()
            .with("title_english", &format!("Film {number}"))
            .with_file("film_poster", "poster.jpg", bytes.clone())
            .with_file("documentation", "paper.pdf", bytes);
        let response = film.post(&app, "/api/changed/").await;
        eprintln!("{name}: {}", response.status);
        assert!([201, 413, 422].contains(&response.status), "{name}: {}", response.text());
    }
}
