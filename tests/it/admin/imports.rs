//! Imports in the browser: upload, preview line by line, confirmation, and rejected files.

use festival_core::entity::{Entity, Kind};

use super::browser::{Browser, count_audited, hidden_inputs, site_with_owner, unescape_html, url_encode};
use crate::support::{Database, Response, fixture};

on_both!(
    exported_list_imports_without_changes,
    alternative_texts_are_imported_with_their_pictures,
    film_list_is_previewed_then_imported,
    films_of_the_same_title_and_director_differ_by_year,
    invalid_values_are_reported_and_block_the_import,
    unusable_files_are_rejected_with_a_reason,
    columns_can_be_mapped_by_hand,
    refused_list_shows_every_column_and_what_was_recognised,
    what_a_list_has_no_column_for_is_given_on_its_page,
    choosing_the_recognised_columns_changes_nothing,
    imported_lines_are_matched_to_rows_by_id,
    empty_cell_does_not_publish_a_draft,
);

/// Uploads a list and returns the path of its preview, and the preview.
pub(crate) async fn upload_list(browser: &Browser<'_>, home: &str, name: &str, list: &[u8]) -> (String, Response) {
    let sent = browser.post_with_files(&format!("{home}/import"), &[], &[("table", name, list)]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let address = sent.header("Location");
    let page = browser.get(&address).await;
    assert_eq!(page.status, 200, "{}", page.text());
    (address, page)
}

/// The hidden fields of the import button of a preview; none if there is no button.
pub(crate) fn import_form(page: &Response) -> Option<Vec<(String, String)>> {
    let text = page.text();
    // The link to the handbook contains the path of the page, too.
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
    // A list that replaces a picture without giving a text removes the text: it describes the old picture.
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
    assert!(text.contains("<b>Year</b> <ins>2025</ins>"), "what a new row will hold is shown: {text}");
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

    // The same list again changes nothing; another year changes that film, and the history has the old value.
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
        (
            "festivals.csv",
            read("festivals_not_films.csv"),
            "This does not look like a list of films: needed are a title",
        ),
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

async fn choosing_the_recognised_columns_changes_nothing(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = "Title,Original title,Director,Section,Year\nपहाड़,Pahad,Uma Rao,Malayalam,2024\n";
    let (address, _) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    let recognised = "&column-1=name&column-2=original_title&column-3=director_name&column-4=category&column-5=year";
    let chosen = browser.get(&format!("{address}{recognised}")).await;
    assert_eq!(submit_import(&browser, "/admin/films", &chosen, &[]).await.status, 303);
    let titles = "SELECT name || ', ' || original_title FROM films WHERE director_name = 'Uma Rao' ORDER BY id";
    assert_eq!(site.texts(titles).await, ["Pahad, पहाड़"]);
    // First and last name in two columns are joined in the order of names.
    let list = "Nom;Prénom;Fonction\nDupont;Anne;Jurée\n";
    let (address, _) = upload_list(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    let chosen = browser.get(&format!("{address}&column-1=name&column-2=name&column-3=role")).await;
    assert_eq!(submit_import(&browser, "/admin/guests", &chosen, &[]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name = 'Anne Dupont'").await, 1);
    // Columns that somebody chose are used as they are.
    let list = "Title,Original title,Director,Section,Year\nनदी,நதி,Uma Rao,Malayalam,1999\n";
    let turned = "&column-1=original_title&column-2=name&column-3=director_name&column-4=category&column-5=year";
    let (address, _) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    let chosen = browser.get(&format!("{address}{turned}")).await;
    assert_eq!(submit_import(&browser, "/admin/films", &chosen, &[]).await.status, 303);
    assert_eq!(site.texts(titles).await, ["Pahad, पहाड़", "நதி, नदी"]);
}

async fn columns_can_be_mapped_by_hand(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = "Werck,Wer,Wann\nLamp & <b>Light,Uma Rao,2024\n";
    let (address, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    assert!(page.text().contains("This does not look like a list of films"), "{}", page.text());
    assert!(page.text().contains("Lamp &amp; &lt;b&gt;Light"), "an example value is shown: {}", page.text());
    let mapped = format!("{address}&column-1=name&column-2=director_name&column-3=year&all-category=Night");
    let page = browser.get(&mapped).await;
    assert!(page.text().contains("The category &quot;Night&quot; is new."), "{}", page.text());
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    let imported =
        "SELECT count(*) FROM films WHERE name = 'Lamp & <b>Light' AND director_name = 'Uma Rao' AND year = 2024";
    assert_eq!(site.number(imported).await, 1);
    // Two columns for one text are joined; for anything else they are reported before anything is imported.
    let (address, _) = upload_list(&browser, "/admin/halls", "halls.csv", b"A,B,C\nx,y,1\n").await;
    let page = browser.get(&format!("{address}&column-1=name&column-2=name&column-3=capacity")).await;
    assert!(page.text().contains("x y"), "{}", page.text());
    let page = browser.get(&format!("{address}&column-1=name&column-2=capacity&column-3=capacity")).await;
    assert!(page.text().contains("are both taken for Seats"), "{}", page.text());
}

/// The fields of the form with the columns, as a browser sends them: its selected options are the values of selects.
fn chosen_columns(page: &Response) -> Vec<(String, String)> {
    let text = page.text();
    let form = text.split("class=\"import-choices\">").nth(1).expect("columns to choose");
    let form = form.split("</form>").next().unwrap();
    let mut fields = hidden_inputs(form);
    for select in form.split("<select ").skip(1) {
        let name = select.split("name=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let options = select.split("</select>").next().unwrap().split("<option value=\"").skip(1);
        let chosen = options.filter(|option| option.split('>').next().unwrap().ends_with(" selected"));
        let field = chosen.last().and_then(|option| option.split('"').next()).unwrap_or_default();
        fields.push((name.to_owned(), field.to_owned()));
    }
    fields
}

async fn refused_list_shows_every_column_and_what_was_recognised(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let cases: [(&str, &str, &[&str]); 5] = [
        ("films", "Title,Director,Year,A,B,C,D,Last", &["column-1=name", "column-2=director_name", "column-3=year"]),
        ("films", "Land,Year,A,B,C,D,E,Last", &["column-1=country", "column-2=year"]),
        ("screenings", "Film,Date,Time,A,B,C,Last", &["column-1=film", "column-2=date", "column-3=time"]),
        ("guests", "Role,A,B,C,D,E,Last", &["column-1=role"]),
        ("halls", "Name,Name,B,C,D,E,Last", &["column-1=name", "column-2=name"]),
    ];
    for (list, header, recognised) in cases {
        let row = vec!["x"; header.split(',').count()].join(",");
        let home = format!("/admin/{list}");
        let (_, page) = upload_list(&browser, &home, "list.csv", format!("{header}\n{row}\n").as_bytes()).await;
        let text = page.text();
        assert!(text.contains("role=\"alert\"") && import_form(&page).is_none(), "{header}: {text}");
        assert!(text.contains("<b>Last</b>"), "{header}: {text}");
        let chosen = chosen_columns(&page);
        let fields = chosen.iter().filter(|(name, field)| name.starts_with("column-") && !field.is_empty());
        assert_eq!(fields.map(|(name, field)| format!("{name}={field}")).collect::<Vec<_>>(), recognised, "{header}");
    }
}

async fn what_a_list_has_no_column_for_is_given_on_its_page(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let cases = [
        (
            "films",
            "Title,Director,Year\nFirst kite,Some One,2001\nSecond kite,Some Two,2002\n",
            ("all-category", "Mix"),
            "SELECT count(*) FROM films f JOIN categories c ON c.id = f.category_id WHERE c.name = 'Mix' AND \
             f.name IN ('First kite', 'Second kite') AND f.director_name LIKE 'Some %' AND f.year IN (2001, 2002)",
            2,
        ),
        (
            "screenings",
            "Film,Date,Time\nBare,26 October 2025,18:30\n",
            ("all-hall", "Hall of mirrors"),
            "SELECT count(*) FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE h.name = 'Hall of mirrors' \
             AND s.starts_at = '2025-10-26T13:00:00.000Z'",
            1,
        ),
        (
            "prints",
            "Format\nDCP\n",
            ("all-film", "Bare"),
            "SELECT count(*) FROM prints p JOIN films f ON f.id = p.film_id WHERE f.name = 'Bare' AND p.format = 'DCP'",
            1,
        ),
    ];
    for (list, text, given, imported, count) in cases {
        let home = format!("/admin/{list}");
        let (address, page) = upload_list(&browser, &home, "list.csv", text.as_bytes()).await;
        assert!(import_form(&page).is_none(), "{list}: {}", page.text());
        let path = address.split('?').next().unwrap();
        let chosen = chosen_columns(&page);
        let mut fields: Vec<(&str, &str)> = chosen.iter().map(|(name, value)| (&**name, &**value)).collect();
        fields.push(given);
        let page = browser.get(&format!("{path}?{}", url_encode(&fields))).await;
        assert_eq!(submit_import(&browser, &home, &page, &[]).await.status, 303, "{list}: {}", page.text());
        assert_eq!(site.number(imported).await, count, "{list}");
    }
}

async fn imported_lines_are_matched_to_rows_by_id(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    let count = site.number("SELECT count(*) FROM venues").await;
    // Most lines are about the rows with their ids; otherwise each would become a question.
    site.write(&format!("UPDATE venues SET description = 'By the lake' WHERE id = {id}")).await;
    let list = format!(
        "Id,Name,Place,Description\n{id},Renamed,Kochi,By the lake\n,Brand new,,\n{id},Twice,Kochi,By the lake\n\
         999999,Nobody,,\nx,Odd,,\n"
    );
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
    let note = "column of ids holds no ids of venues of this edition, and was not used";
    assert!(page.text().contains(note), "{}", page.text());
    // A file reference must name a stored file.
    let list = "Name,Portrait\nHall,../secret.png\n";
    let (_, page) = upload_list(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    assert!(page.text().contains("send new files with the form"), "{}", page.text());
}

async fn empty_cell_does_not_publish_a_draft(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    site.write(&format!("UPDATE venues SET is_published = 0, position = 77 WHERE id = {id}")).await;
    let list = format!("Id,Place,Position,Published\n{id},Renamed,,\n");
    let (_, page) = upload_list(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    assert_eq!(submit_import(&browser, "/admin/venues", &page, &[]).await.status, 303, "{}", page.text());
    let draft = format!(
        "SELECT count(*) FROM venues WHERE id = {id} AND place = 'Renamed' AND is_published = 0 AND position = 77"
    );
    assert_eq!(site.number(&draft).await, 1);
}
