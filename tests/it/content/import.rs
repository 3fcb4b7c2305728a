//! Blogs and issues of the magazine from files: a folder or ZIP archive on the command line and in the browser.

use std::io::{Cursor, Write as _};

use crate::admin::browser::Browser;
use crate::admin::browser::site_with_owner;
use crate::admin::imports::{submit_import, upload_list};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    blogs_are_imported_from_files_with_their_pictures,
    archive_of_blogs_is_previewed_then_imported,
    text_too_expensive_to_parse_is_refused,
    issues_are_imported_from_files_with_their_covers,
    list_in_an_archive_names_its_files,
    drafts_of_a_list_stay_drafts,
);

/// A PNG of one colour.
fn picture(shade: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let pixels = image::RgbImage::from_fn(40, 60, |x, y| image::Rgb([shade, x as u8, y as u8]));
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn blogs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (
            "posts/rain.md",
            "---\ntitle: \"Rain & light\"\ndate: 2025-10-24 18:00:00 +0530\nauthor: Uma Rao\nimage: ../img/lamp.png\n---\n\
             A *lamp*.\n\n![In the \"hall\"](../img/my%20hall.png)\n\n![Lost](lost.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\
             <script>alert(1)</script>\n"
                .into(),
        ),
        ("posts/2025-10-25-second-night.markdown", "# The second night\n\n![A boat](boat.png)\n\nRowing.\n".into()),
        (
            "posts/page.html",
            "<html><head><title>Site</title><meta name=\"date\" content=\"26 October 2025, 6 pm\"></head>\
             <body><h1>A page</h1><p onclick=\"x()\">Text</p></body></html>"
                .into(),
        ),
        ("README.md", "# How to write\n".into()),
        ("img/lamp.png", picture(1)),
        ("img/my hall.png", picture(2)),
        ("posts/boat.png", picture(3)),
    ]
}

fn import(app: &TestApp, folder: &std::path::Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["records", "import"], arguments].concat(), &environment)
}

const TITLES: &str =
    "SELECT title FROM blogs WHERE title IN ('Rain & light', 'The second night', 'A page') ORDER BY title";

async fn blogs_are_imported_from_files_with_their_pictures(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in blogs() {
        let path = folder.path().join("blogs").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let rehearsal = import(&app, folder.path(), &["blogs", "blogs", "--dry-run"]);
    assert!(rehearsal.out.contains("3 blogs: 3 new"), "{}", rehearsal.transcript());
    assert!(app.texts(TITLES).await.is_empty());

    let imported = import(&app, folder.path(), &["blogs", "blogs"]);
    assert!(imported.out.contains("3 blogs: 3 new"), "{}", imported.transcript());
    assert!(imported.err.contains("line 3 is posts/rain.md"), "{}", imported.transcript());
    assert!(imported.err.contains("line 3: the picture lost.png of the text is left out"), "{}", imported.transcript());
    assert_eq!(app.texts(TITLES).await, ["A page", "Rain & light", "The second night"]);
    let rain = app.texts("SELECT content FROM blogs WHERE title = 'Rain & light'").await.remove(0);
    assert!(rain.starts_with("<p><em>By Uma Rao</em></p>\n<p>A <em>lamp</em>.</p>"), "{rain}");
    assert!(rain.contains("<table>") && !rain.contains("script") && !rain.contains("lost.png"), "{rain}");
    let hall = rain.split("src=\"/media/").nth(1).unwrap().split('"').next().unwrap();
    let lamp = app.texts("SELECT image FROM blogs WHERE title = 'Rain & light'").await.remove(0);
    for (key, shade) in [(hall, 2), (&lamp, 1)] {
        let response = app.get(&format!("/media/{key}")).await;
        let pixel = image::load_from_memory(&response.body).unwrap().into_rgb8().get_pixel(0, 0).0[0];
        assert_eq!((response.status, pixel), (200, shade), "{key}");
    }
    let date = app.texts("SELECT published_at FROM blogs WHERE title = 'Rain & light'").await.remove(0);
    assert!(date.starts_with("2025-10-24T12:30:00"), "{date}");
    let date = app.texts("SELECT published_at FROM blogs WHERE title = 'A page'").await.remove(0);
    assert!(date.starts_with("2025-10-26T12:30:00"), "{date}");
    let second = "SELECT image_alt || '|' || content FROM blogs WHERE title = 'The second night' AND image IS NOT NULL";
    assert_eq!(app.texts(second).await, ["A boat|<p>Rowing.</p>"]);
    assert_eq!(app.texts("SELECT content FROM blogs WHERE title = 'A page'").await, ["<p>Text</p>"]);

    // The same files in an archive change nothing.
    std::fs::write(folder.path().join("blogs.zip"), archive(&blogs())).unwrap();
    let again = import(&app, folder.path(), &["blogs", "blogs.zip"]);
    assert!(again.out.contains("0 new, 0 changed, 3 unchanged"), "{}", again.transcript());

    // A text without a date is reported with its line.
    std::fs::write(folder.path().join("blogs/undated.md"), "# Undated\n\nText\n").unwrap();
    let undated = import(&app, folder.path(), &["blogs", "blogs"]);
    assert_eq!(undated.code, 1, "{}", undated.transcript());
    assert!(undated.out.contains("line 4, Date and time of publication: \"\""), "{}", undated.transcript());
}

async fn archive_of_blogs_is_previewed_then_imported(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (_, page) = upload_list(&browser, "/admin/blogs", "blogs.zip", &archive(&blogs())).await;
    let text = page.text();
    assert!(text.contains("Rain &amp; light") && text.contains("line 3 is posts/rain.md"), "{text}");
    assert!(!text.contains("save-mapping"), "documents have no columns to save: {text}");
    assert!(site.texts(TITLES).await.is_empty());
    let done = submit_import(&browser, "/admin/blogs", &page, &[]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.texts(TITLES).await, ["A page", "Rain & light", "The second night"]);
    let image = site.texts("SELECT image FROM blogs WHERE title = 'The second night'").await.remove(0);
    assert_eq!(site.get(&format!("/media/{image}")).await.status, 200);

    let (_, page) = upload_list(&browser, "/admin/blogs", "photos.zip", &archive(&[("a.png", picture(1))])).await;
    assert!(page.text().contains("There is no list of blogs among the files"), "{}", page.text());
}

/// Nested quotes of Markdown are nested elements of HTML.
async fn text_too_expensive_to_parse_is_refused(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for (name, text) in [("posts/deep.html", "<div>".repeat(100_000)), ("posts/deep.md", ">".repeat(500_000))] {
        let archive = archive(&[(name, text.into_bytes())]);
        let (_, page) = upload_list(&browser, "/admin/blogs", "blogs.zip", &archive).await;
        let sentence = "is formatted with too many tags inside one another";
        assert!(page.text().contains(sentence), "{name}: {}", page.text());
    }
}

/// The part of a PDF by which its type is recognised.
fn pdf(text: &str) -> Vec<u8> {
    format!("%PDF-1.4\n% {text}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n").into_bytes()
}

async fn issues_are_imported_from_files_with_their_covers(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("Kottaka_Vol_3_Issue_1.pdf", pdf("1")),
        ("Kottaka Vol 3 Issue 1 cover.png", picture(1)),
        ("second/Kottaka Vol 3 Issue 2.pdf", pdf("2")),
        ("second/front.png", picture(2)),
    ];
    std::fs::write(folder.path().join("issues.zip"), archive(&files)).unwrap();
    let imported = import(&app, folder.path(), &["magazines", "issues.zip"]);
    assert!(imported.out.contains("2 magazines: 2 new"), "{}", imported.transcript());
    let issues = "SELECT name || '|' || vol || '|' || issue FROM magazines WHERE image IS NOT NULL AND name LIKE 'Kottaka Vol 3%' \
                  ORDER BY name";
    assert_eq!(app.texts(issues).await, ["Kottaka Vol 3 Issue 1|3|1", "Kottaka Vol 3 Issue 2|3|2"]);
    let key = app.texts("SELECT magazine FROM magazines WHERE name = 'Kottaka Vol 3 Issue 2'").await.remove(0);
    assert_eq!(app.get(&format!("/media/{key}")).await.body, pdf("2"));
    let again = import(&app, folder.path(), &["magazines", "issues.zip"]);
    assert!(again.out.contains("0 new, 0 changed, 2 unchanged"), "{}", again.transcript());
}

async fn list_in_an_archive_names_its_files(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("list.csv", b"Name,Volume,PDF,Cover\nSpecial,9,scan.pdf,nothing.png\n".to_vec()),
        ("files/scan.pdf", pdf("9")),
        ("files/nothing.png", b"no picture".to_vec()),
    ];
    std::fs::write(folder.path().join("issues.zip"), archive(&files)).unwrap();
    let refused = import(&app, folder.path(), &["magazines", "issues.zip"]);
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    assert!(refused.out.contains("line 2, Cover: \"files/nothing.png\""), "{}", refused.transcript());
    let blanked = import(&app, folder.path(), &["magazines", "issues.zip", "--blank-invalid"]);
    assert!(blanked.out.contains("1 magazine: 1 new"), "{}", blanked.transcript());
    assert_eq!(app.texts("SELECT vol FROM magazines WHERE name = 'Special' AND image IS NULL").await, ["9"]);
}

async fn drafts_of_a_list_stay_drafts(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Title,Content,Date,Time,Status\n\
                Rain songs,<p>One</p>,2025-10-24,18:30,Draft\n\
                Lamp songs,<p>Two</p>,2025-10-25,,Published\n";
    std::fs::write(folder.path().join("blogs.csv"), list).unwrap();
    let read = import(&app, folder.path(), &["blogs", "blogs.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let blogs = "SELECT title || ' ' || is_published || ' ' || published_at FROM blogs WHERE title LIKE '% songs' ORDER BY title";
    let expected = ["Lamp songs 1 2025-10-24T18:30:00.000Z", "Rain songs 0 2025-10-24T13:00:00.000Z"];
    assert_eq!(app.texts(blogs).await, expected);
}
