//! `festival films import --pictures`: posters and stills from a folder or an archive.

use std::io::Write as _;
use std::path::Path;

use crate::admin::browser::Browser;
use crate::admin::browser::site_with_owner;
use crate::admin::imports::{submit_import, upload_list};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(pictures_are_found_by_title_and_by_column, list_and_pictures_are_imported_from_one_archive);

fn import(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["films", "import"], arguments].concat(), &environment)
}

/// A PNG of one colour.
fn picture(shade: u8) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbImage::from_fn(40, 60, |x, y| image::Rgb([shade, x as u8, y as u8]));
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

async fn pictures_are_found_by_title_and_by_column(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("pictures/The River")).unwrap();
    for (name, shade) in [
        ("The River/poster.png", 1),
        ("The River/still 1.png", 2),
        ("Rain still 2.png", 3),
        ("IMG_7.png", 4),
        ("extra.png", 5),
    ] {
        std::fs::write(path("pictures").join(name), picture(shade)).unwrap();
    }
    std::fs::write(
        path("list.csv"),
        "Title,Director,Section,Poster\nRiver,Uma Rao,Malayalam,\nRain,Dev Nair,Malayalam,img_7\n",
    )
    .unwrap();

    let rehearsal = import(&app, folder.path(), &["list.csv", "--pictures", "pictures", "--dry-run"]);
    assert!(rehearsal.err.contains("the files have 2 posters and 2 stills"), "{}", rehearsal.transcript());
    assert!(rehearsal.err.contains("of no film: extra.png;"), "{}", rehearsal.transcript());
    assert!(rehearsal.err.contains("\"Poster\"                     is poster"), "{}", rehearsal.transcript());
    let count = "SELECT count(*) FROM films WHERE name IN ('River', 'Rain')";
    assert_eq!((rehearsal.code, app.number(count).await), (0, 0));

    let imported = import(&app, folder.path(), &["list.csv", "--pictures", "pictures"]);
    assert_eq!(imported.code, 0, "{}", imported.transcript());
    let pictures = "SELECT name || ': ' || CASE WHEN poster IS NULL THEN '-' ELSE 'poster ' END || \
                    CASE WHEN still_one IS NULL THEN '-' ELSE 'still ' END || CASE WHEN still_two IS NULL THEN '-' ELSE 'still' END \
                    FROM films WHERE name IN ('River', 'Rain') ORDER BY name";
    assert_eq!(app.texts(pictures).await, ["Rain: poster -still", "River: poster still -"]);
    let key = app.texts("SELECT poster FROM films WHERE name = 'River'").await.remove(0);
    let shown = app.get(&format!("/media/{key}")).await;
    assert_eq!(
        (shown.status, image::load_from_memory(&shown.body).unwrap().into_rgb8().get_pixel(0, 0).0[0]),
        (200, 1)
    );

    // The same pictures in an archive change nothing.
    let mut archive = zip::ZipWriter::new(std::fs::File::create(path("pictures.zip")).unwrap());
    for (name, shade) in
        [("The River poster.png", 1), ("a/The River still.png", 2), ("Rain still 2.png", 3), ("b/IMG_7.PNG", 4)]
    {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&picture(shade)).unwrap();
    }
    archive.finish().unwrap();
    let again = import(&app, folder.path(), &["list.csv", "--pictures", "pictures.zip"]);
    assert!(again.out.contains("0 new, 0 changed, 2 unchanged"), "{}", again.transcript());
    // So does a folder that also contains the list.
    std::fs::copy(path("list.csv"), path("pictures/list.csv")).unwrap();
    let in_folder = import(&app, folder.path(), &["pictures"]);
    assert!(in_folder.out.contains("0 new, 0 changed, 2 unchanged"), "{}", in_folder.transcript());
    assert!(in_folder.err.contains("the files have 2 posters and 2 stills"), "{}", in_folder.transcript());
    std::fs::remove_file(path("pictures/list.csv")).unwrap();

    // A file that is not a picture, or does not exist, is an invalid value.
    std::fs::write(path("pictures/Rain.png"), b"no picture").unwrap();
    std::fs::write(
        path("list.csv"),
        "Title,Director,Section,Poster\nRiver,Uma Rao,Malayalam,missing.png\nRain,Dev Nair,Malayalam,\n",
    )
    .unwrap();
    let refused = import(&app, folder.path(), &["list.csv", "--pictures", "pictures"]);
    assert_eq!(refused.code, 1, "{}", refused.transcript());
    assert!(
        refused.out.contains("line 2, Poster: \"missing.png\", expected the name of a file that came with the list"),
        "{}",
        refused.transcript()
    );
    assert!(
        refused.out.contains("line 3, Poster: \"Rain.png\", expected a file that can be shown"),
        "{}",
        refused.transcript()
    );
    let blanked = import(&app, folder.path(), &["list.csv", "--pictures", "pictures", "--blank-invalid"]);
    assert!(blanked.code == 0 && blanked.out.matches("left empty").count() == 2, "{}", blanked.transcript());
    assert_eq!(app.texts(pictures).await, ["Rain: poster -still", "River: poster still -"]);
    for missing in ["nowhere", "list.csv"] {
        assert_eq!(import(&app, folder.path(), &["list.csv", "--pictures", missing]).code, 2);
    }
}

async fn list_and_pictures_are_imported_from_one_archive(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let list = b"Title,Director,Section,Poster\nRiver,Uma Rao,Malayalam,img_7\nRain,Dev Nair,Malayalam,\n".to_vec();
    for (name, bytes) in [("films.csv", list), ("a/IMG_7.png", picture(1)), ("Rain still.png", picture(2))] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&bytes).unwrap();
    }
    let archive = archive.finish().unwrap().into_inner();
    let (_, page) = upload_list(&browser, "/admin/films", "films.zip", &archive).await;
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('River', 'Rain')").await, 0);
    assert!(page.text().contains("a/IMG_7.png") && page.text().contains("The files have 1 poster and 1 still."));
    let done = submit_import(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let pictures = "SELECT name FROM films WHERE name = 'River' AND poster IS NOT NULL OR name = 'Rain' AND still_one IS NOT NULL \
                    ORDER BY name";
    assert_eq!(site.texts(pictures).await, ["Rain", "River"]);
    // Repeated, it changes nothing: there is nothing to import.
    let (_, page) = upload_list(&browser, "/admin/films", "films.zip", &archive).await;
    assert!(page.text().contains("<dt>Unchanged</dt><dd>2</dd>"), "{}", page.text());
}
