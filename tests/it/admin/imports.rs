//! Imports in the browser: upload, preview line by line, confirmation, and rejected files.

use festival_core::admin::Role;
use festival_core::entity::{Entity, Kind};

use super::browser::{Browser, count_audited, create_account, hidden_inputs, unescape_html};
use crate::support::{Database, Response, TestApp, fixture};

on_both!(
    exported_list_imports_without_changes,
    alternative_texts_are_imported_with_their_pictures,
    film_list_is_previewed_then_imported,
    films_of_the_same_title_and_director_differ_by_year,
    invalid_values_are_reported_and_block_the_import,
    unusable_files_are_rejected_with_a_reason,
    columns_can_be_mapped_by_hand,
    import_is_rejected_when_rows_changed_since_the_preview,
    imported_lines_are_matched_to_rows_by_id,
    pending_import_belongs_to_one_session_and_one_entity,
    double_click_imports_once,
    uncertain_lines_are_decided_on_the_preview,
    import_is_undone_in_the_browser,
    empty_cell_does_not_publish_a_draft,
);

pub(crate) async fn site_with_owner(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, |settings| {
        settings.uploads.mib_per_client_and_hour = 0;
        settings.uploads.keep_free_mib = 0;
    })
    .await;
    let owner = create_account(&site, Role::Owner).await;
    (site, owner)
}

/// Uploads a list and returns the path of its preview, and the preview.
pub(crate) async fn upload_list(browser: &Browser<'_>, home: &str, name: &str, list: &[u8]) -> (String, Response) {
    let sent = browser.post_with_files(&format!("{home}/import"), &[], &[("table", name, list)]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let address = sent.header("Location");
    let page = browser.get(&address).await;
    assert_eq!(page.status, 200, "{}", page.text());
    (address, page)
}

/// The hidden fields behind the import button of a preview; none if there is no button.
pub(crate) fn import_form(page: &Response) -> Option<Vec<(String, String)>> {
    let text = page.text();
    // The link to the handbook has the path of the page, too.
    let is_import = |form: &&str| form.split('"').next().is_some_and(|action| action.ends_with("/import/now"));
    let form = text.split("action=\"").find(is_import)?;
    Some(hidden_inputs(form.split("</form>").next()?))
}

/// Presses the import button.
pub(crate) async fn submit_import(
    browser: &Browser<'_>,
    home: &str,
    page: &Response,
    more: &[(&str, &str)],
) -> Response {
    let fields = import_form(page).unwrap_or_else(|| panic!("no button: {}", page.text()));
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    fields.extend(more);
    browser.post(&format!("{home}/import/now"), &fields).await
}

async fn exported_list_imports_without_changes(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let entities: Vec<&'static Entity> = site.app.registry.enabled().flat_map(|c| c.entities.iter().copied()).collect();
    let mut filled = 0;
    for entity in entities {
        let home = format!("/admin/{}", entity.slug());
        for format in ["csv", "xlsx", "ods", "json"] {
            let file = browser.post(&format!("{home}/file"), &[("format", format)]).await;
            // An empty list in JSON has no header.
            if format == "json" && file.text().trim() == "[]" {
                continue;
            }
            let (_, page) = upload_list(&browser, &home, &format!("list.{format}"), &file.body).await;
            let text = page.text();
            let nothing = "<dt>New</dt><dd>0</dd></div>\n    <div><dt>Changed</dt><dd>0</dd>";
            assert!(text.contains(nothing) && import_form(&page).is_none(), "{} {format}: {text}", entity.table);
            assert!(!text.contains("data-wrong"), "{} {format}: {text}", entity.table);
            filled += usize::from(!text.contains("<dt>Unchanged</dt><dd>0</dd>"));
        }
    }
    assert!(filled >= 60, "{filled}");
    assert_eq!(site.number("SELECT count(*) FROM revisions").await, 0);
}

async fn alternative_texts_are_imported_with_their_pictures(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let film = site.id("films", "poster_alt IS NOT NULL").await;
    let still: String = sqlx::query_scalar("SELECT still_one FROM films WHERE id = $1")
        .bind(film)
        .fetch_one(&mut *site.app.db.read().await.unwrap())
        .await
        .unwrap();
    let file = browser.post("/admin/films/file", &[("format", "csv")]).await.text();
    assert!(file.contains("Poster: alternative text") && file.contains("First </script> still"), "{file}");
    let count = async |condition: &str| {
        site.number(&format!("SELECT count(*) FROM films WHERE id = {film} AND {condition}")).await
    };
    let import = async |list: String| {
        let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
        assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303, "{}", page.text());
    };
    import(format!("Id,Poster: alternative text\n{film},A ferry\n")).await;
    assert_eq!(count("poster_alt = 'A ferry' AND poster IS NOT NULL").await, 1);
    // A list that replaces a picture and does not name its text leaves it without: the old one describes the old picture.
    import(format!("Id,Poster,Poster: alternative text\n{film},{still},A ferry\n")).await;
    assert_eq!(count("poster_alt = 'A ferry'").await, 1);
    import(format!("Id,Poster\n{film},\n")).await;
    assert_eq!(count("poster IS NULL AND poster_alt IS NULL AND still_one_alt IS NOT NULL").await, 1);
    let history = browser.get(&format!("/admin/films/{film}/history")).await.text();
    assert!(history.contains("<del>A ferry</del>"), "{history}");
}

async fn film_list_is_previewed_then_imported(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let films = "SELECT count(*) FROM films";
    let before = site.number(films).await;
    let list = std::fs::read(fixture("films/films_utf8_bom_crlf.csv")).unwrap();
    let (address, page) = upload_list(&browser, "/admin/films", "selection.csv", &list).await;
    let text = page.text();
    assert!(text.contains("selection.csv") && text.contains("THE PAPER BOAT"), "{text}");
    assert!(text.contains("The category &quot;Competition&quot; is new."), "{text}");
    assert_eq!(site.number(films).await, before, "the preview changes nothing");
    assert_eq!(site.number("SELECT count(*) FROM categories WHERE name = 'Competition'").await, 0);
    assert!(browser.get(&address).await.text().contains("THE PAPER BOAT"), "the preview can be opened again");

    let done = submit_import(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert!(site.number(films).await > before);
    assert_eq!(count_audited(&site, "import").await, 1);
    let category = site.id("categories", "name = 'Competition'").await;
    let shown = site.get(&format!("/api/categories/{category}/films/")).await.text();
    assert!(shown.contains("THE PAPER BOAT") && shown.contains("The river reads it."), "{shown}");
    let film = site.id("films", "name = 'THE PAPER BOAT'").await;
    let history = browser.get(&format!("/admin/films/{film}/history")).await.text();
    assert!(history.contains("created by Test Owner"), "{history}");
    let history = browser.get(&format!("/admin/categories/{category}/history")).await.text();
    assert!(history.contains("created by Test Owner"), "{history}");

    // The same list again changes nothing; with another year it changes that film, and the history has the old value.
    let (_, page) = upload_list(&browser, "/admin/films", "selection.csv", &list).await;
    assert!(page.text().contains("already up to date"), "{}", page.text());
    let later = String::from_utf8(list).unwrap().replacen(",2025,1h 32m", ",2024,1h 32m", 1);
    let (_, page) = upload_list(&browser, "/admin/films", "selection.csv", later.as_bytes()).await;
    assert!(page.text().contains("<b>Year</b> <del>2025</del> <ins>2024</ins>"), "{}", page.text());
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    let history = browser.get(&format!("/admin/films/{film}/history")).await.text();
    assert!(history.contains("changed by Test Owner") && history.contains("<del>2025</del>"), "{history}");
}

async fn films_of_the_same_title_and_director_differ_by_year(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = b"Title,Director,Section,Year\nThe Ferry,Uma Rao,Remakes,1971\nThe Ferry,Uma Rao,Remakes,2019\n";
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name = 'The Ferry'").await, 2);
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    assert!(page.text().contains("already up to date"), "{}", page.text());

    // Imported rows can be changed by later imports.
    let id = site.id("films", "name = 'The Ferry' AND year = 2019").await;
    let later = list.to_vec();
    let later = String::from_utf8(later).unwrap().replace("Year\n", "Year,Country\n").replace("1971\n", "1971,\n");
    let later = later.replace("2019\n", "2019,India\n");
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", later.as_bytes()).await;
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303, "{}", page.text());
    assert_eq!(site.number(&format!("SELECT count(*) FROM films WHERE id = {id} AND country = 'India'")).await, 1);
}

async fn invalid_values_are_reported_and_block_the_import(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = b"Title,Year,Section\nRiver,20x5,Asian\nHill,2024,Asian\n";
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list).await;
    let text = page.text();
    let cells = "<tr><td>2</td><th scope=\"row\">Year</th><td>20x5</td><td>one year from 1880 to 2026";
    assert!(text.contains(cells), "{text}");
    let refused = submit_import(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(refused.status, 409);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('River', 'Hill')").await, 0);
    let done = submit_import(&browser, "/admin/films", &page, &[("skip", "yes")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('River', 'Hill')").await, 1);

    // The preview uses the validation messages of each entity.
    let before = site.number("SELECT count(*) FROM venues").await;
    let list = "Name,Position,Published\nHall,first,perhaps\n,3,yes\nStage,4,yes\n";
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    let text = page.text();
    for cells in [
        "<tr><td>2</td><th scope=\"row\">Position</th><td>first</td><td>a whole number from 0 to 1000000</td></tr>",
        "<tr><td>2</td><th scope=\"row\">Published</th><td>perhaps</td><td>yes or no, or the time of publication like 2025-10-24T18:00</td></tr>",
        "<tr><td>3</td><th scope=\"row\">Name</th><td></td><td>a value: it must be filled</td></tr>",
    ] {
        assert!(text.contains(cells), "{cells}: {text}");
    }
    assert_eq!(site.number("SELECT count(*) FROM venues").await, before);
}

async fn unusable_files_are_rejected_with_a_reason(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let read = |name: &str| std::fs::read(fixture(&format!("films/{name}"))).unwrap();
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("festivals.csv", read("festivals_not_films.csv"), "This does not look like a list of films: the columns are"),
        ("ragged.csv", read("ragged_latin1.csv"), "The header has"),
        ("no header.csv", read("no_header_gbk.csv"), "looks like a film, not like a header"),
        ("paper.csv", b"%PDF-1.7 nothing".to_vec(), "paper.csv is a PDF, not a table"),
        ("picture.xlsx", picture, "picture.xlsx is an image, not a table"),
        ("films.csv", b"Title,Year\nRiver,2025\n".to_vec(), "No column says which section the films belong to"),
    ];
    for (name, list, expected) in cases {
        let (_, page) = upload_list(&browser, "/admin/films", name, &list).await;
        let text = page.text();
        assert!(unescape_html(&text).contains(expected), "{name}: {text}");
        assert!(
            import_form(&page).is_none() && !text.contains("--map") && !text.contains("--category"),
            "{name}: {text}"
        );
    }
    let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", b"Colour,Shape\nred,round\n").await;
    assert!(page.text().contains("This does not look like a list of guests"), "{}", page.text());
    let nothing = browser.post_with_files("/admin/guests/import", &[], &[]).await;
    assert_eq!(nothing.status, 422);
    assert!(nothing.text().contains("Choose a file"));
}

async fn columns_can_be_mapped_by_hand(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = "Werck,Wer,Wann\nLamp & <b>Light</b>,Uma Rao,2024\n";
    let (address, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    assert!(page.text().contains("This does not look like a list of films"), "{}", page.text());
    assert!(page.text().contains("Lamp &amp; &lt;b&gt;Light&lt;/b&gt;"), "an example value is shown: {}", page.text());
    let mapped = format!("{address}&column-1=name&column-2=director_name&column-3=year&all-category=Night");
    let page = browser.get(&mapped).await;
    assert!(page.text().contains("The category &quot;Night&quot; is new."), "{}", page.text());
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    let imported =
        "SELECT count(*) FROM films WHERE name = 'Lamp & <b>Light</b>' AND director_name = 'Uma Rao' AND year = 2024";
    assert_eq!(site.number(imported).await, 1);
    // Two columns for one field are reported before anything is imported.
    let (address, _) = upload_list(&browser, "/admin/guests", "guests.csv", b"A,B\nx,y\n").await;
    let page = browser.get(&format!("{address}&column-1=name&column-2=name")).await;
    assert!(page.text().contains("are both taken for Name"), "{}", page.text());
}

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

async fn imported_lines_are_matched_to_rows_by_id(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    let count = site.number("SELECT count(*) FROM venues").await;
    let list = format!("Id,Name\n{id},Renamed\n,Brand new\n{id},Twice\n999999,Nobody\nx,Odd\n");
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    let text = page.text();
    for expected in [
        "<td>4</td><th scope=\"row\">Id</th>",
        "line 2 is about it already",
        "<td>5</td><th scope=\"row\">Id</th><td>999999</td><td>the number of a venue",
        "<td>6</td><th scope=\"row\">Id</th><td>x</td><td>the number of a row, or nothing for a new one",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(submit_import(&browser, "/admin/venues", &page, &[("skip", "yes")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues").await, count + 1);
    assert_eq!(site.number(&format!("SELECT count(*) FROM venues WHERE id = {id} AND name = 'Renamed'")).await, 1);
    // Fields without a column keep their values; a new row is placed last and published.
    let new = site.id("venues", "name = 'Brand new' AND is_published = 1").await;
    let last = site.number("SELECT max(position) FROM venues").await;
    assert_eq!(site.number(&format!("SELECT position FROM venues WHERE id = {new}")).await, last);
    // A row of another edition does not match.
    let entity = site.app.registry.enabled().flat_map(|c| c.entities.iter()).find(|e| e.table == "venues").unwrap();
    assert!(entity.per_edition && entity.columns().all(|field| !matches!(field.kind, Kind::Reference(_))));
    let other = site.number("SELECT id FROM editions WHERE year = 2024").await;
    site.write(&format!("UPDATE venues SET edition_id = {other} WHERE id = {new}")).await;
    let list = format!("Id,Name\n{new},Moved\n");
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    assert!(page.text().contains("the number of a venue of this edition"), "{}", page.text());
    // A file reference must name a stored file.
    let list = "Name,Portrait\nHall,../secret.png\n";
    let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    assert!(page.text().contains("send new files with the form"), "{}", page.text());
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
    // The import is done once: a second click finds no pending file.
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

    // A moved film, and a section that is nearly a stored one.
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
    // Whoever sends the form all the same imports nothing.
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
    // Another choice than the one that the preview shows is not written unseen.
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
}

async fn import_is_undone_in_the_browser(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    let names = "SELECT name FROM venues ORDER BY id";
    let before = site.texts(names).await;
    let list = format!("Id,Name\n{id},Renamed\n,Brand new\n");
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
    // Whoever saw another outcome decides anew.
    assert_eq!(browser.post(&path, &[("mark", "2-0-0")]).await.status, 303);
    assert_ne!(site.texts(names).await, before);
    let fields = hidden_inputs(&text);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(browser.post(&path, &fields).await.status, 303);
    assert_eq!(site.texts(names).await, before);
    assert_eq!(count_audited(&site, "undo import").await, 1);
    let imports = browser.get("/admin/venues/imports").await.text();
    assert!(imports.contains("Undone by Test Owner"), "{imports}");
    assert!(browser.get(&path).await.status == 303, "it is not undone twice");
}

async fn empty_cell_does_not_publish_a_draft(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    site.write(&format!("UPDATE venues SET is_published = 0, position = 77 WHERE id = {id}")).await;
    let list = format!("Id,Name,Position,Published\n{id},Renamed,,\n");
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    assert_eq!(submit_import(&browser, "/admin/venues", &page, &[]).await.status, 303, "{}", page.text());
    let draft = format!(
        "SELECT count(*) FROM venues WHERE id = {id} AND name = 'Renamed' AND is_published = 0 AND position = 77"
    );
    assert_eq!(site.number(&draft).await, 1);
}
