//! The catalogue and the press kit: on the command line and in the back office.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::Path;

use festival_core::admin::{EDITOR, READER};
use zip::ZipArchive;

use super::add_film;
use crate::admin::browser::{Browser, count_audited, create_account};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    catalogue_has_every_film_of_the_site_with_its_type_and_pictures,
    press_kit_has_a_folder_for_each_film,
    catalogue_download_needs_permission_to_export,
    catalogue_draws_missing_posters_as_the_site_does,
);

fn export(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["films", "export"], arguments].concat(), &environment)
}

/// A draft, a film with markup and no poster, and one in Malayalam.
async fn add_films(app: &TestApp) {
    add_film(app, &[("name", "'A draft'"), ("is_published", "0"), ("position", "3000")]).await;
    add_film(app, &[("name", "'Rain <b>& Sun'"), ("synopsis", "'One.\n\nTwo.'"), ("position", "3010")]).await;
    add_film(app, &[("name", "'മഴയുടെ വഴി'"), ("original_title", "'طريق'"), ("position", "3020")]).await;
}

const ON_SITE: &str = "SELECT count(*) FROM films f JOIN categories c ON c.id = f.category_id JOIN editions e ON e.id = c.edition_id \
                       WHERE f.is_published = 1 AND c.is_published = 1 AND e.is_current = 1";

async fn catalogue_has_every_film_of_the_site_with_its_type_and_pictures(database: Database) {
    let app = TestApp::new(database).await;
    add_films(&app).await;
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let made = export(&app, folder.path(), &["a5.html", "--format", "catalogue"]);
    assert_eq!(made.code, 0, "{}", made.transcript());
    let html = read("a5.html");
    let films = app.number(ON_SITE).await;
    assert_eq!(html.matches("<article class=\"film\">").count() as i64, films);
    assert!(made.err.contains(&format!("{films} films written to a5.html.")), "{}", made.transcript());
    assert!(html.contains("@page { size: A5 }") && !html.contains("A draft"));
    assert!(html.contains("<h3>Rain &lt;b&gt;&amp; Sun</h3>") && html.contains("<p>One.</p>\n<p>Two.</p>"));
    assert!(html.contains("<h3 lang=\"ml\">മഴയുടെ വഴി</h3>") && html.contains("lang=\"ar\" dir=\"rtl\">طريق</p>"));
    // Nothing is fetched: typefaces and pictures are embedded.
    assert!(
        html.contains("src:url(data:font/woff2;base64,") && html.contains("<img class=\"poster\" src=\"data:image/")
    );
    assert!(!html.contains("url(/") && !html.contains("src=\"/") && !html.contains("http"), "an address outside");
    let drawn = html.matches("class=\"poster drawn\"").count() as i64;
    assert_eq!(drawn, app.number(&format!("{ON_SITE} AND f.poster IS NULL")).await);

    let all = export(&app, folder.path(), &["a4.html", "--format", "catalogue", "--paper", "a4", "--drafts"]);
    assert_eq!(all.code, 0, "{}", all.transcript());
    assert!(read("a4.html").contains("@page { size: A4 }") && read("a4.html").contains("<h3>A draft</h3>"));

    for (arguments, sentence) in [
        (&["a5.html", "--format", "catalogue"][..], "a5.html is there already"),
        (&["films.pdf", "--format", "catalogue"], "name a file that ends in .html, not films.pdf"),
        (&["films.html", "--format", "press-kit"], "name a file that ends in .zip, not films.html"),
        (&["films.zip", "--format", "press-kit", "--edition", "1999"], "there is no edition 1999"),
    ] {
        let refused = export(&app, folder.path(), arguments);
        assert!(refused.code != 0 && refused.err.contains(sentence), "{sentence}: {}", refused.transcript());
    }
    assert_eq!(export(&app, folder.path(), &["a5.html", "--format", "catalogue", "--force"]).code, 0);
}

/// The files of an archive by name.
fn files(bytes: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

async fn press_kit_has_a_folder_for_each_film(database: Database) {
    let app = TestApp::new(database).await;
    add_films(&app).await;
    // Two films with the same name in one section.
    add_film(&app, &[("name", "'RAIN <B>& SUN'"), ("position", "3030")]).await;
    let folder = tempfile::tempdir().unwrap();
    let made = export(&app, folder.path(), &["kit.zip", "--format", "press-kit"]);
    assert_eq!(made.code, 0, "{}", made.transcript());
    let files = files(std::fs::read(folder.path().join("kit.zip")).unwrap());
    let films = app.number(ON_SITE).await;
    let texts: Vec<&String> = files.keys().filter(|name| name.ends_with("/film.txt")).collect();
    assert_eq!(texts.len() as i64, films, "{texts:?}");
    let rain: Vec<&&String> = texts.iter().filter(|name| name.to_lowercase().contains("/rain _b_& sun")).collect();
    assert_eq!(rain.len(), 2, "{rain:?}");
    let text = String::from_utf8(files[**rain.iter().find(|name| name.contains("Rain")).unwrap()].clone()).unwrap();
    assert!(text.starts_with("Rain <b>& Sun\r\n") && text.contains("Synopsis\r\nOne.\r\n\r\nTwo.\r\n"), "{text}");
    // Pictures in full size.
    let pictures = files.keys().filter(|name| !name.ends_with(".txt") && !name.ends_with(".csv")).count() as i64;
    let stored = "SELECT count(f.poster) + count(f.still_one) + count(f.still_two) FROM";
    assert_eq!(pictures, app.number(&ON_SITE.replacen("SELECT count(*) FROM", stored, 1)).await);
    let key = app.texts("SELECT poster FROM films WHERE poster IS NOT NULL ORDER BY id LIMIT 1").await.remove(0);
    let original = std::fs::read(app.directory.path().join("media/public").join(&key)).unwrap();
    assert!(files.iter().any(|(name, bytes)| name.contains("/poster.") && *bytes == original), "{key}");
    let list = String::from_utf8(files["films.csv"].clone()).unwrap();
    assert!(list.starts_with("\u{feff}Number,Section,Title,") && list.contains("മഴയുടെ വഴി"), "{list}");
}

async fn catalogue_download_needs_permission_to_export(database: Database) {
    let app = TestApp::new(database).await;
    add_films(&app).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    let page = browser.get("/admin/catalogue").await;
    assert!(page.text().contains("Catalogue on A5") && page.text().contains("Press kit"), "{}", page.text());
    let catalogue = browser.post("/admin/catalogue", &[("kind", "a4"), ("drafts", "yes")]).await;
    assert_eq!(catalogue.status, 200, "{}", catalogue.text());
    assert!(catalogue.header("Content-Disposition").contains("catalogue-2025.html"));
    assert!(catalogue.text().contains("@page { size: A4 }") && catalogue.text().contains("<h3>A draft</h3>"));
    let kit = browser.post("/admin/catalogue", &[("kind", "press-kit")]).await;
    assert!(files(kit.body).contains_key("films.csv"));
    assert_eq!(browser.post("/admin/catalogue", &[("kind", "a3")]).await.status, 400);
    assert_eq!(count_audited(&app, "export").await, 2);

    let reader = create_account(&app, &READER).await;
    let browser = Browser::signed_in(&app, &reader).await;
    for status in [browser.get("/admin/catalogue").await.status, browser.post("/admin/catalogue", &[]).await.status] {
        assert_eq!(status, 403);
    }
    assert!(!browser.get("/admin/films").await.text().contains("/admin/catalogue"));
}

/// The text between two marks after the first occurrence of `start`.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("{start} in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end} after {start}")).0
}

async fn catalogue_draws_missing_posters_as_the_site_does(database: Database) {
    // Title, second title; beam, variant, whether the title is at the foot; its size on the site and in hundredths of the
    // width in print. The second title of the last film is too long to be drawn.
    let films = [
        ("People\u{2019}s Parade", None, (5, 1, true), (3, "23.5"), None),
        (
            "Kurak",
            Some("\u{c95}\u{cc2}\u{cb0}\u{c95}\u{ccd}"),
            (4, 0, true),
            (0, "36"),
            Some("\u{c95}\u{cc2}\u{cb0}\u{c95}\u{ccd}"),
        ),
        ("If", Some("Interwoven true stories of violence reveal tragic consequences"), (7, 1, false), (0, "36"), None),
    ];
    let app = TestApp::new(database).await;
    let mut position = 3000;
    for (title, second, ..) in films {
        let (title, position_text) = (format!("'{title}'"), position.to_string());
        let second = second.map_or("NULL".to_owned(), |second| format!("'{second}'"));
        add_film(&app, &[("name", &title), ("original_title", &second), ("position", &position_text)]).await;
        position += 10;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = export(&app, folder.path(), &["a5.html", "--format", "catalogue"]);
    assert_eq!(made.code, 0, "{}", made.transcript());
    let catalogue = std::fs::read_to_string(folder.path().join("a5.html")).unwrap();
    for (title, _, (beam, variant, is_at_foot), (size, print_size), second) in films {
        let id = app.id("films", &format!("name = '{title}'")).await;
        let section = app.number(&format!("SELECT category_id FROM films WHERE id = {id}")).await;
        let site = app.get(&format!("/films/{section}?film={id}")).await.text();
        let dialog = between(&site, "<dialog", "</dialog>");
        let drawn = between(dialog, " data-drawn=\"\"", "</span></span>");
        let look = format!("data-tone=\"{}\" data-beam=\"{beam}\" data-variant=\"{variant}\"", section % 6);
        assert!(drawn.contains(&look) && drawn.contains(&format!("data-size=\"{size}\"")), "{title}: {drawn}");
        let printed =
            catalogue.split("class=\"poster drawn\"").find(|text| text.contains(&format!(">{title}</span>"))).unwrap();
        let printed = printed.split("</div></div>").next().unwrap();
        assert!(printed.contains(&look) && printed.contains(&format!("* {print_size} / 100)")), "{title}: {printed}");
        for poster in [drawn, printed] {
            assert_eq!(poster.contains("data-foot"), is_at_foot, "{title}: {poster}");
            match second {
                Some(second) => assert!(poster.contains(&format!(">{second}")), "{title}: {poster}"),
                None => {
                    assert_eq!(poster.matches("<span").count() - usize::from(poster == drawn), 1, "{title}: {poster}")
                }
            }
        }
    }
}
