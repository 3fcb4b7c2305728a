//! Saved mappings of columns: on the command line and in the browser.

use festival_core::admin::READER;

use super::browser::{Browser, count_audited, create_account, site_with_owner};
use super::imports::{import_form, submit_import, upload_list};
use super::records_command::run;
use crate::support::{Database, TestApp};

on_both!(
    saved_mapping_is_proposed_for_the_same_header,
    saved_mapping_is_used_in_the_browser,
    saved_mappings_are_renamed_and_deleted_in_the_browser,
);

const LABS: &str = "Werk,Wer,Wann,Preis\nRain,Uma Rao,2024,10\n";

async fn saved_mapping_is_proposed_for_the_same_header(database: Database) {
    let app = TestApp::new(database).await;
    let folder = tempfile::tempdir().unwrap();
    let films = |arguments: &[&str]| run(&app, folder.path(), &[&["films", "import"], arguments].concat());
    std::fs::write(folder.path().join("first.csv"), LABS).unwrap();
    // In another order, and in capitals.
    std::fs::write(folder.path().join("next.csv"), "PREIS,Werk,Wann,Wer\n12,Sun,2023,Dev Nair\n").unwrap();
    let section = ["--category", "Malayalam"];
    let map = ["--map", "name=Werk", "--map", "director_name=Wer", "--map", "year=Wann"];
    let save = ["--save-mapping", "Labs"];

    let dry = films(&[&["first.csv", "--dry-run"], &section[..], &map, &save].concat());
    assert_eq!(dry.code, 0, "{}", dry.transcript());
    assert_eq!(app.number("SELECT count(*) FROM import_mappings").await, 0, "a dry run writes nothing");
    let saved = films(&[&["first.csv"], &section[..], &map, &save].concat());
    assert_eq!(saved.code, 0, "{}", saved.transcript());

    let refused = films(&[&["next.csv"], &section[..]].concat());
    assert_eq!(refused.code, 2, "{}", refused.transcript());
    let proposal = "the mapping \"Labs\" was saved for this header; --mapping \"Labs\" reads the list with it";
    assert!(refused.err.contains(proposal), "{}", refused.transcript());
    let imported = films(&[&["next.csv", "--mapping", "Labs"], &section[..]].concat());
    assert_eq!(imported.code, 0, "{}", imported.transcript());
    let film = "SELECT director_name || ' ' || year FROM films WHERE name = 'Sun'";
    assert_eq!(app.texts(film).await, ["Dev Nair 2023"]);
    // The same mapping works for any command.
    let generic = ["records", "import", "films", "next.csv", "--mapping", "Labs", "--default", "category=Malayalam"];
    let generic = run(&app, folder.path(), &generic);
    assert_eq!(generic.code, 0, "{}", generic.transcript());
    assert!(generic.out.ends_with("1 film: 0 new, 0 changed, 1 unchanged, 0 left out\n"), "{}", generic.transcript());

    let listed = run(&app, folder.path(), &["imports", "mappings"]);
    assert!(listed.out.contains("Labs") && listed.out.contains("\"Wer\" is director name"), "{}", listed.transcript());
    assert_eq!(run(&app, folder.path(), &["imports", "delete-mapping", "films", "Labs"]).code, 0);
    assert_eq!(run(&app, folder.path(), &["imports", "delete-mapping", "films", "Labs"]).code, 2);
    assert_eq!(app.number("SELECT count(*) FROM import_mappings").await, 0);
}

async fn saved_mapping_is_used_in_the_browser(database: Database) {
    let (app, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let home = "/admin/films";
    let (address, page) = upload_list(&browser, home, "first.csv", LABS.as_bytes()).await;
    assert!(import_form(&page).is_none(), "{}", page.text());
    let chosen = "&column-1=name&column-2=director_name&column-3=year&column-4=&all-category=Malayalam";
    let page = browser.get(&format!("{address}{chosen}")).await;
    let imported = submit_import(&browser, home, &page, &[("save-mapping", "Labs <1>")]).await;
    assert_eq!(imported.status, 303, "{}", imported.text());

    let next = "Wer,Werk,Preis,Wann\nDev Nair,Sun,12,2023\n";
    let (address, page) = upload_list(&browser, home, "next.csv", next.as_bytes()).await;
    assert!(page.text().contains("The columns are as in “Labs &lt;1&gt;”"), "{}", page.text());
    // Going by the headers alone it is not a list of films.
    let by_header = browser.get(&format!("{address}&mapping=")).await;
    assert!(!by_header.text().contains("The columns are as in") && import_form(&by_header).is_none());
    assert!(by_header.text().contains(">Labs &lt;1&gt;</a>"), "{}", by_header.text());
    let page = browser.get(&format!("{address}&all-category=Malayalam")).await;
    assert_eq!(submit_import(&browser, home, &page, &[]).await.status, 303, "{}", page.text());
    let film = "SELECT director_name || ' ' || year FROM films WHERE name = 'Sun'";
    assert_eq!(app.texts(film).await, ["Dev Nair 2023"]);
    assert_eq!(app.number("SELECT count(*) FROM import_mappings").await, 1);

    // It is not applied to another header unless it is chosen.
    let (address, page) =
        upload_list(&browser, home, "other.csv", b"Title,Director,Section\nRay,Ana,Malayalam\n").await;
    assert!(!page.text().contains("The columns are as in"), "{}", page.text());
    let forced = browser.get(&format!("{address}&mapping=Labs+%3C1%3E")).await;
    assert!(forced.text().contains("The columns are as in “Labs &lt;1&gt;”"), "{}", forced.text());
}

async fn saved_mappings_are_renamed_and_deleted_in_the_browser(database: Database) {
    let (app, owner) = site_with_owner(database).await;
    let reader = Browser::signed_in(&app, &create_account(&app, &READER).await).await;
    let browser = Browser::signed_in(&app, &owner).await;
    for name in ["Labs", "Office"] {
        let sql = format!(
            "INSERT INTO import_mappings (entity, name, columns, updated_at) \
             VALUES ('films', '{name}', '[[\"Werk\",\"name\"],[\"Preis\",\"\"]]', '')"
        );
        app.write(&sql).await;
    }
    let (page, change) = ("/admin/films/imports", "/admin/films/imports/mappings");
    let names = "SELECT name FROM import_mappings ORDER BY name";
    let text = browser.get(page).await.text();
    assert!(text.contains("value=\"Labs\"") && text.contains("Werk: Title; Preis: ignored"), "{text}");
    let seen = reader.get(page).await.text();
    assert!(seen.contains("<b>Labs</b>") && !seen.contains(change), "{seen}");
    assert_eq!(reader.post(change, &[("mapping", "Labs"), ("action", "delete")]).await.status, 403);

    for (name, problem) in [("Office", "“Office” exists already"), (" ", "A name is needed")] {
        assert_eq!(browser.post(change, &[("mapping", "Labs"), ("name", name)]).await.status, 303);
        let text = browser.get(page).await.text();
        assert!(text.contains(problem), "{text}");
    }
    assert_eq!(app.texts(names).await, ["Labs", "Office"]);
    browser.post(change, &[("mapping", "Labs"), ("name", " Laboratories ")]).await;
    assert_eq!(app.texts(names).await, ["Laboratories", "Office"]);
    browser.post(change, &[("mapping", "Office"), ("action", "delete")]).await;
    browser.post(change, &[("mapping", "Office"), ("action", "delete")]).await;
    assert!(browser.get(page).await.text().contains("“Office” is not there any more."));
    assert_eq!(app.texts(names).await, ["Laboratories"]);
    for action in ["rename saved columns", "delete saved columns"] {
        assert_eq!(count_audited(&app, action).await, 1, "{action}");
    }
}
