//! Imports from the preview on: decisions, confirmation, concurrent changes, and undo.

use super::browser::{Browser, count_audited, hidden_inputs, site_with_owner, unescape_html};
use super::imports::{import_form, submit_import, upload_list};
use crate::support::Database;

on_both!(
    import_is_rejected_when_rows_changed_since_the_preview,
    pending_import_belongs_to_one_session_and_one_entity,
    double_click_imports_once,
    uncertain_lines_are_decided_on_the_preview,
    import_is_undone_in_the_browser,
);

async fn import_is_rejected_when_rows_changed_since_the_preview(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let file = browser.post("/admin/guests/file", &[("format", "csv")]).await.text();
    let id = site.id("guests", "is_published = 1").await;
    let line = file.lines().find(|line| line.starts_with(&format!("{id},"))).unwrap();
    let header = file.lines().next().unwrap();
    let name = line.split(',').nth(1).unwrap();
    let list = format!("{header}\r\n{}\r\n", line.replacen(name, "By the list", 1));
    let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    site.write(&format!("UPDATE guests SET name = 'By somebody else' WHERE id = {id}")).await;
    let conflict = submit_import(&browser, "/admin/guests", &page, &[]).await;
    assert_eq!(conflict.status, 409);
    assert!(conflict.text().contains("<del>By somebody else</del>"), "{}", conflict.text());
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name = 'By the list'").await, 0);
    assert_eq!(count_audited(&site, "import").await, 0);
    // After seeing the new preview the user may import.
    let decided = submit_import(&browser, "/admin/guests", &conflict, &[]).await;
    assert_eq!(decided.status, 303, "{}", decided.text());
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name = 'By the list'").await, 1);
}

async fn pending_import_belongs_to_one_session_and_one_entity(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let other = Browser::signed_in(&site, &owner).await;
    let (address, page) = upload_list(&browser, "/admin/venues", "venues.csv", b"Name\nHall of lamps\n").await;
    for (who, address) in [
        (&other, address.clone()),
        (&browser, address.replace("/venues/", "/guests/")),
        (&browser, "/admin/venues/import?file=x".to_owned()),
        (&browser, "/admin/venues/import?file=00-00".to_owned()),
        (&browser, "/admin/venues/import?file=../../x-y".to_owned()),
    ] {
        let response = who.get(&address).await;
        assert_eq!(response.status, 303, "{address}");
        assert!(response.header("Location").ends_with("/import"), "{address}");
    }
    let fields = import_form(&page).unwrap();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(other.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 0);
    assert_eq!(browser.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 1);
    // The import runs once: after a second click there is no pending file.
    assert_eq!(browser.get(&address).await.status, 303);
    assert_eq!(browser.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 1);
    let left = std::fs::read_dir(site.directory.path().join("media/private/imports")).unwrap();
    assert!(left.map(|file| file.unwrap().metadata().unwrap().len()).all(|length| length == 0), "no content is left");
}

async fn double_click_imports_once(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let count = "SELECT count(*) FROM guests WHERE name LIKE 'Lamp %'";
    for round in 1..=3 {
        let mut list = "Name\n".to_owned();
        (0..40).for_each(|line| list.push_str(&format!("Lamp {round}-{line}\n")));
        let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
        let import_form = || submit_import(&browser, "/admin/guests", &page, &[]);
        let (first, second) = rocket::tokio::join!(import_form(), import_form());
        let later = import_form().await;
        assert_eq!((first.status, second.status, later.status), (303, 303, 303), "{}{}", first.text(), second.text());
        assert_eq!((site.number(count).await, count_audited(&site, "import").await), (round * 40, round));
        assert!(later.header("Location").starts_with("/admin/guests"), "{}", later.header("Location"));
        assert!(browser.get("/admin/guests").await.text().contains("This list has already been imported"));
    }
    // After a rejected import the file remains pending.
    let (_, page) =
        upload_list(&browser, "/admin/guests", "guests.csv", b"Name,Position\nLamp A,first\nLamp B,2\n").await;
    assert_eq!(submit_import(&browser, "/admin/guests", &page, &[]).await.status, 409);
    assert_eq!(submit_import(&browser, "/admin/guests", &page, &[("skip", "yes")]).await.status, 303);
    assert_eq!(site.number(count).await, 121);
}

async fn uncertain_lines_are_decided_on_the_preview(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = b"Title,Director,Section,Year\nRiver,Uma Rao,Asian Cinema,2025\nHill,Dev Nair,Asian Cinema,2024\n";
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303, "{}", page.text());
    let river = site.id("films", "name = 'River'").await;
    let section = site.id("categories", "name = 'Asian Cinema'").await;
    let films = site.number("SELECT count(*) FROM films").await;

    // A moved film, and a section with a name similar to a stored one.
    let list = b"Title,Director,Section,Year\nRiver,Uma Rao,Indian,2025\nHill,Dev Nair,Asian Cinemas,2024\n";
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    let text = unescape_html(&page.text());
    assert!(
        text.contains(&format!("Is \"River\" film {river}, \"River\" (Uma Rao, 2025, Asian Cinema), moved")),
        "{text}"
    );
    assert!(text.contains("<b>Category</b> <del>Asian Cinema</del> <ins>Indian</ins>"), "{text}");
    assert!(text.contains("Is the section \"Asian Cinemas\" the section \"Asian Cinema\"?"), "{text}");
    assert!(
        !text.contains(">Import 1") && !text.contains("Import the other"),
        "there is no import before the decisions: {text}"
    );
    // Sending the form anyway imports nothing.
    let refused = submit_import(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(refused.status, 409);
    let same = format!("same-{river}");
    let same_section = format!("same-{section}");
    let choices = [("decide-line-2", &*same), ("decide-section-asian cinemas", &*same_section)];
    let mut checked = choices.to_vec();
    checked.push(("check", "yes"));
    let page = submit_import(&browser, "/admin/films", &page, &checked).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains(&format!("value=\"same-{river}\" checked")) && text.contains("Import 1 line"), "{text}");
    // A choice other than the one in the preview is not written unseen.
    let other = [("decide-line-2", "new"), choices[1]];
    assert_eq!(submit_import(&browser, "/admin/films", &page, &other).await.status, 409);
    let done = submit_import(&browser, "/admin/films", &page, &choices).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.number("SELECT count(*) FROM films").await, films);
    let moved = format!(
        "SELECT count(*) FROM films f JOIN categories c ON c.id = f.category_id WHERE f.id = {river} AND c.name = 'Indian'"
    );
    assert_eq!(site.number(&moved).await, 1);
    assert_eq!(site.number("SELECT count(*) FROM categories WHERE name = 'Asian Cinemas'").await, 0);

    // The answer holds for the next list with this name; a question about other rows is open.
    let list = b"Title,Director,Section,Year\nLake,Sana Koya,Asian Cinemas,2022\nRiver,Uma Rao,Asian Cinemas,2025\n";
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    let text = page.text();
    assert!(text.contains(&format!("value=\"same-{section}\" checked")), "{text}");
    assert!(!text.contains(&format!("value=\"same-{river}\" checked")) && !text.contains(">Import 1"), "{text}");
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[("decide-line-3", "skip")]).await.status, 409);
    let page = submit_import(&browser, "/admin/films", &page, &[("decide-line-3", "skip"), ("check", "yes")]).await;
    let done = submit_import(&browser, "/admin/films", &page, &[("decide-line-3", "skip")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let lake = format!("SELECT count(*) FROM films WHERE name = 'Lake' AND category_id = {section}");
    assert_eq!(site.number(&lake).await, 1);
}

async fn import_is_undone_in_the_browser(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    let names = "SELECT name FROM venues ORDER BY id";
    let before = site.texts(names).await;
    site.write(&format!("UPDATE venues SET description = 'By the lake' WHERE id = {id}")).await;
    let list = format!("Id,Name,Place,Description\n{id},Renamed,Kochi,By the lake\n,Brand new,,\n");
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    assert_eq!(submit_import(&browser, "/admin/venues", &page, &[]).await.status, 303);
    assert_ne!(site.texts(names).await, before);
    let imports = browser.get("/admin/venues/imports").await.text();
    assert!(imports.contains("venues.csv") && imports.contains("Test Owner"), "{imports}");
    let import = site.number("SELECT max(id) FROM imports").await;
    let path = format!("/admin/venues/imports/{import}/undo");
    assert_eq!(browser.get(&path.replace("venues", "guests")).await.status, 404, "it is no import of guests");
    let page = browser.get(&path).await;
    let text = page.text();
    assert!(text.contains("<li>Renamed</li>") && text.contains("<li>Brand new</li>"), "{text}");
    assert_ne!(site.texts(names).await, before, "the page undoes nothing");
    // If another outcome was shown, the user has to decide again; as many rows of other names are another one.
    site.write("UPDATE venues SET name = 'Brand-new' WHERE name = 'Brand new'").await;
    let fields = hidden_inputs(&text);
    let stale: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let refused = browser.post(&path, &stale).await;
    assert_eq!((refused.status, refused.header("Location")), (303, path.clone()));
    assert_ne!(site.texts(names).await, before);
    site.write("UPDATE venues SET name = 'Brand new' WHERE name = 'Brand-new'").await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(browser.post(&path, &fields).await.status, 303);
    assert_eq!(site.texts(names).await, before);
    assert_eq!(count_audited(&site, "undo import").await, 1);
    let imports = browser.get("/admin/venues/imports").await.text();
    assert!(imports.contains("Undone by Test Owner"), "{imports}");
    assert!(browser.get(&path).await.status == 303, "it is not undone twice");
}
