//! Lists that come in through the browser: shown line by line, done with one click, or refused in words.

use festival_core::admin::Role;
use festival_core::entity::{Entity, Kind};

use super::browser::{Browser, audited, hiddens, person, plain};
use crate::support::{Answer, Database, TestApp, fixture};

on_both!(
    every_list_that_was_taken_comes_back,
    a_film_list_is_shown_and_then_it_is_in,
    a_remake_by_the_same_hand_is_another_film,
    wrong_values_are_named_and_keep_everything_out,
    what_is_no_list_is_refused_in_words,
    columns_can_be_said_by_hand,
    nothing_is_done_that_was_not_shown,
    a_line_means_the_row_whose_number_it_has,
    a_file_waits_for_one_session_and_one_list,
    of_two_clicks_one_brings_the_list_in,
);

async fn at_work(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, |settings| {
        settings.uploads.mib_per_client_and_hour = 0;
        settings.uploads.keep_free_mib = 0;
    })
    .await;
    let owner = person(&site, Role::Owner).await;
    (site, owner)
}

/// Sends a list and answers the address of the page that shows it, with the page.
pub(crate) async fn send(browser: &Browser<'_>, home: &str, name: &str, list: &[u8]) -> (String, Answer) {
    let sent = browser.post_with_files(&format!("{home}/import"), &[], &[("table", name, list)]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let address = sent.header("Location");
    let page = browser.get(&address).await;
    assert_eq!(page.status, 200, "{}", page.text());
    (address, page)
}

/// What the button of a page that shows a list sends; none where there is no button.
pub(crate) fn click(page: &Answer) -> Option<Vec<(String, String)>> {
    let text = page.text();
    let (_, form) = text.split_once("/import/now\"")?;
    Some(hiddens(form.split("</form>").next()?))
}

/// Clicks.
pub(crate) async fn bring_in(browser: &Browser<'_>, home: &str, page: &Answer, more: &[(&str, &str)]) -> Answer {
    let fields = click(page).unwrap_or_else(|| panic!("no button: {}", page.text()));
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    fields.extend(more);
    browser.post(&format!("{home}/import/now"), &fields).await
}

async fn every_list_that_was_taken_comes_back(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let entities: Vec<&'static Entity> = site.app.registry.enabled().flat_map(|c| c.entities.iter().copied()).collect();
    let mut filled = 0;
    for entity in entities {
        let home = format!("/admin/{}", entity.slug());
        for format in ["csv", "xlsx"] {
            let file = browser.post(&format!("{home}/file"), &[("format", format)]).await;
            let (_, page) = send(&browser, &home, &format!("list.{format}"), &file.body).await;
            let text = page.text();
            let nothing = "<dt>New</dt><dd>0</dd></div>\n    <div><dt>Changed</dt><dd>0</dd>";
            assert!(text.contains(nothing) && click(&page).is_none(), "{} {format}: {text}", entity.table);
            assert!(!text.contains("data-wrong"), "{} {format}: {text}", entity.table);
            filled += usize::from(!text.contains("<dt>Unchanged</dt><dd>0</dd>"));
        }
    }
    assert!(filled >= 30, "{filled}");
    assert_eq!(site.number("SELECT count(*) FROM revisions").await, 0);
}

async fn a_film_list_is_shown_and_then_it_is_in(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let films = "SELECT count(*) FROM films";
    let before = site.number(films).await;
    let list = std::fs::read(fixture("films/films_utf8_bom_crlf.csv")).unwrap();
    let (address, page) = send(&browser, "/admin/films", "selection.csv", &list).await;
    let text = page.text();
    assert!(text.contains("selection.csv") && text.contains("THE PAPER BOAT"), "{text}");
    assert!(text.contains("The category &quot;Competition&quot; is new."), "{text}");
    assert_eq!(site.number(films).await, before, "only shown");
    assert_eq!(site.number("SELECT count(*) FROM categories WHERE name = 'Competition'").await, 0);
    assert!(browser.get(&address).await.text().contains("THE PAPER BOAT"), "shown again as often as one likes");

    let done = bring_in(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert!(site.number(films).await > before);
    assert_eq!(audited(&site, "import").await, 1);
    let category = site.id("categories", "name = 'Competition'").await;
    let shown = site.get(&format!("/api/categories/{category}/films/")).await.text();
    assert!(shown.contains("THE PAPER BOAT") && shown.contains("The river reads it."), "{shown}");
    let film = site.id("films", "name = 'THE PAPER BOAT'").await;
    let history = browser.get(&format!("/admin/films/{film}/history")).await.text();
    assert!(history.contains("created by Test Owner"), "{history}");
    let history = browser.get(&format!("/admin/categories/{category}/history")).await.text();
    assert!(history.contains("created by Test Owner"), "{history}");

    // Again: nothing. With another year: that film alone, and its history says what it was.
    let (_, page) = send(&browser, "/admin/films", "selection.csv", &list).await;
    assert!(page.text().contains("already up to date"), "{}", page.text());
    let later = String::from_utf8(list).unwrap().replacen(",2025,1h 32m", ",2024,1h 32m", 1);
    let (_, page) = send(&browser, "/admin/films", "selection.csv", later.as_bytes()).await;
    assert!(page.text().contains("<b>Year</b> <del>2025</del> <ins>2024</ins>"), "{}", page.text());
    assert_eq!(bring_in(&browser, "/admin/films", &page, &[]).await.status, 303);
    let history = browser.get(&format!("/admin/films/{film}/history")).await.text();
    assert!(history.contains("changed by Test Owner") && history.contains("<del>2025</del>"), "{history}");
}

async fn a_remake_by_the_same_hand_is_another_film(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = b"Title,Director,Section,Year\nThe Ferry,Uma Rao,Remakes,1971\nThe Ferry,Uma Rao,Remakes,2019\n";
    let (_, page) = send(&browser, "/admin/films", "list.csv", list).await;
    assert_eq!(bring_in(&browser, "/admin/films", &page, &[]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name = 'The Ferry'").await, 2);
    let (_, page) = send(&browser, "/admin/films", "list.csv", list).await;
    assert!(page.text().contains("already up to date"), "{}", page.text());

    // What an import brought in, a person can go on with.
    let id = site.id("films", "name = 'The Ferry' AND year = 2019").await;
    let later = list.to_vec();
    let later = String::from_utf8(later).unwrap().replace("Year\n", "Year,Country\n").replace("1971\n", "1971,\n");
    let later = later.replace("2019\n", "2019,India\n");
    let (_, page) = send(&browser, "/admin/films", "list.csv", later.as_bytes()).await;
    assert_eq!(bring_in(&browser, "/admin/films", &page, &[]).await.status, 303, "{}", page.text());
    assert_eq!(site.number(&format!("SELECT count(*) FROM films WHERE id = {id} AND country = 'India'")).await, 1);
}

async fn wrong_values_are_named_and_keep_everything_out(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = b"Title,Year,Section\nRiver,20x5,Asian\nHill,2024,Asian\n";
    let (_, page) = send(&browser, "/admin/films", "list.csv", list).await;
    let text = page.text();
    let cells = "<tr><td>2</td><th scope=\"row\">Year</th><td>20x5</td><td>one year from 1880 to 2026";
    assert!(text.contains(cells), "{text}");
    let refused = bring_in(&browser, "/admin/films", &page, &[]).await;
    assert_eq!(refused.status, 409);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('River', 'Hill')").await, 0);
    let done = bring_in(&browser, "/admin/films", &page, &[("skip", "yes")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name IN ('River', 'Hill')").await, 1);

    // The rules of every entity, in its own words.
    let before = site.number("SELECT count(*) FROM venues").await;
    let list = "Name,Position,Published\nHall,first,perhaps\n,3,yes\nStage,4,yes\n";
    let (_, page) = send(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    let text = page.text();
    for cells in [
        "<tr><td>2</td><th scope=\"row\">Position</th><td>first</td><td>a whole number from 0 to 1000000</td></tr>",
        "<tr><td>2</td><th scope=\"row\">Published</th><td>perhaps</td><td>yes or no</td></tr>",
        "<tr><td>3</td><th scope=\"row\">Name</th><td></td><td>a value: it must be filled</td></tr>",
    ] {
        assert!(text.contains(cells), "{cells}: {text}");
    }
    assert_eq!(site.number("SELECT count(*) FROM venues").await, before);
}

async fn what_is_no_list_is_refused_in_words(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let read = |name: &str| std::fs::read(fixture(&format!("films/{name}"))).unwrap();
    let picture = std::fs::read(fixture("pictures/poster.png")).unwrap();
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("festivals.csv", read("festivals_not_films.csv"), "This does not look like a list of films: the columns are"),
        ("ragged.csv", read("ragged_latin1.csv"), "The header has"),
        ("no header.csv", read("no_header_gbk.csv"), "looks like a film, not like a header"),
        ("paper.csv", b"%PDF-1.7 nothing".to_vec(), "Paper.csv is a PDF, not a table"),
        ("picture.xlsx", picture, "Picture.xlsx is an image, not a table"),
        ("films.csv", b"Title,Year\nRiver,2025\n".to_vec(), "No column says which section the films belong to"),
    ];
    for (name, list, words) in cases {
        let (_, page) = send(&browser, "/admin/films", name, &list).await;
        let text = page.text();
        assert!(plain(&text).contains(words), "{name}: {text}");
        assert!(click(&page).is_none() && !text.contains("--map") && !text.contains("--category"), "{name}: {text}");
    }
    let (_, page) = send(&browser, "/admin/guests", "guests.csv", b"Colour,Shape\nred,round\n").await;
    assert!(page.text().contains("This does not look like a list of guests"), "{}", page.text());
    let nothing = browser.post_with_files("/admin/guests/import", &[], &[]).await;
    assert_eq!(nothing.status, 422);
    assert!(nothing.text().contains("Choose a file"));
}

async fn columns_can_be_said_by_hand(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = "Werck,Wer,Wann\nLamp & <b>Light</b>,Uma Rao,2024\n";
    let (address, page) = send(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    assert!(page.text().contains("This does not look like a list of films"), "{}", page.text());
    assert!(page.text().contains("Lamp &amp; &lt;b&gt;Light&lt;/b&gt;"), "an example helps to say it: {}", page.text());
    let said = format!("{address}&column-1=name&column-2=director_name&column-3=year&all-category=Night");
    let page = browser.get(&said).await;
    assert!(page.text().contains("The category &quot;Night&quot; is new."), "{}", page.text());
    assert_eq!(bring_in(&browser, "/admin/films", &page, &[]).await.status, 303);
    let there =
        "SELECT count(*) FROM films WHERE name = 'Lamp & <b>Light</b>' AND director_name = 'Uma Rao' AND year = 2024";
    assert_eq!(site.number(there).await, 1);
    // One column for two fields, or two for one: said before anything happens.
    let (address, _) = send(&browser, "/admin/guests", "guests.csv", b"A,B\nx,y\n").await;
    let page = browser.get(&format!("{address}&column-1=name&column-2=name")).await;
    assert!(page.text().contains("are both taken for Name"), "{}", page.text());
}

async fn nothing_is_done_that_was_not_shown(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let file = browser.post("/admin/guests/file", &[("format", "csv")]).await.text();
    let id = site.id("guests", "is_published = 1").await;
    let line = file.lines().find(|line| line.starts_with(&format!("{id},"))).unwrap();
    let header = file.lines().next().unwrap();
    let name = line.split(',').nth(1).unwrap();
    let list = format!("{header}\r\n{}\r\n", line.replacen(name, "By the list", 1));
    let (_, page) = send(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    site.write(&format!("UPDATE guests SET name = 'By somebody else' WHERE id = {id}")).await;
    let late = bring_in(&browser, "/admin/guests", &page, &[]).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("<del>By somebody else</del>"), "{}", late.text());
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name = 'By the list'").await, 0);
    assert_eq!(audited(&site, "import").await, 0);
    // Who has seen that may decide.
    let decided = bring_in(&browser, "/admin/guests", &late, &[]).await;
    assert_eq!(decided.status, 303, "{}", decided.text());
    assert_eq!(site.number("SELECT count(*) FROM guests WHERE name = 'By the list'").await, 1);
}

async fn a_line_means_the_row_whose_number_it_has(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("venues", "is_published = 1").await;
    let count = site.number("SELECT count(*) FROM venues").await;
    let list = format!("Id,Name\n{id},Renamed\n,Brand new\n{id},Twice\n999999,Nobody\nx,Odd\n");
    let (_, page) = send(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    let text = page.text();
    for words in [
        "<td>4</td><th scope=\"row\">Id</th>",
        "line 2 is about it already",
        "<td>5</td><th scope=\"row\">Id</th><td>999999</td><td>the number of a venue",
        "<td>6</td><th scope=\"row\">Id</th><td>x</td><td>the number of a row, or nothing for a new one",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(bring_in(&browser, "/admin/venues", &page, &[("skip", "yes")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues").await, count + 1);
    assert_eq!(site.number(&format!("SELECT count(*) FROM venues WHERE id = {id} AND name = 'Renamed'")).await, 1);
    // What has no column stays; a new row comes after the others, and is shown.
    let new = site.id("venues", "name = 'Brand new' AND is_published = 1").await;
    let last = site.number("SELECT max(position) FROM venues").await;
    assert_eq!(site.number(&format!("SELECT position FROM venues WHERE id = {new}")).await, last);
    // A row of another edition is none of this one.
    let entity = site.app.registry.enabled().flat_map(|c| c.entities.iter()).find(|e| e.table == "venues").unwrap();
    assert!(entity.per_edition && entity.columns().all(|field| !matches!(field.kind, Kind::Reference(_))));
    let other = site.number("SELECT id FROM editions WHERE year = 2024").await;
    site.write(&format!("UPDATE venues SET edition_id = {other} WHERE id = {new}")).await;
    let list = format!("Id,Name\n{new},Moved\n");
    let (_, page) = send(&browser, "/admin/venues", "venues.csv", list.as_bytes()).await;
    assert!(page.text().contains("the number of a venue of this edition"), "{}", page.text());
    // A file that is not here is none that a row could show.
    let list = "Name,Portrait\nHall,../secret.png\n";
    let (_, page) = send(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
    assert!(page.text().contains("send new files with the form"), "{}", page.text());
}

async fn a_file_waits_for_one_session_and_one_list(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let other = Browser::signed_in(&site, &owner).await;
    let (address, page) = send(&browser, "/admin/venues", "venues.csv", b"Name\nHall of lamps\n").await;
    for (who, address) in [
        (&other, address.clone()),
        (&browser, address.replace("/venues/", "/guests/")),
        (&browser, "/admin/venues/import?file=x".to_owned()),
        (&browser, "/admin/venues/import?file=00-00".to_owned()),
        (&browser, "/admin/venues/import?file=../../x-y".to_owned()),
    ] {
        let answer = who.get(&address).await;
        assert_eq!(answer.status, 303, "{address}");
        assert!(answer.header("Location").ends_with("/import"), "{address}");
    }
    let fields = click(&page).unwrap();
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(other.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 0);
    assert_eq!(browser.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 1);
    // Done once: a second click finds no file.
    assert_eq!(browser.get(&address).await.status, 303);
    assert_eq!(browser.post("/admin/venues/import/now", &fields).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name = 'Hall of lamps'").await, 1);
    let left = std::fs::read_dir(site.directory.path().join("media/private/imports")).unwrap();
    assert!(
        left.map(|file| file.unwrap().metadata().unwrap().len()).all(|length| length == 0),
        "nothing is left in it"
    );
}

async fn of_two_clicks_one_brings_the_list_in(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let there = "SELECT count(*) FROM guests WHERE name LIKE 'Lamp %'";
    for round in 1..=3 {
        let mut list = "Name\n".to_owned();
        (0..40).for_each(|line| list.push_str(&format!("Lamp {round}-{line}\n")));
        let (_, page) = send(&browser, "/admin/guests", "guests.csv", list.as_bytes()).await;
        let click = || bring_in(&browser, "/admin/guests", &page, &[]);
        let (one, two) = rocket::tokio::join!(click(), click());
        let later = click().await;
        assert_eq!((one.status, two.status, later.status), (303, 303, 303), "{}{}", one.text(), two.text());
        assert_eq!((site.number(there).await, audited(&site, "import").await), (round * 40, round));
        assert!(later.header("Location").starts_with("/admin/guests"), "{}", later.header("Location"));
        assert!(browser.get("/admin/guests").await.text().contains("This list has already been imported"));
    }
    // What was refused waits on: nothing of it came in.
    let (_, page) = send(&browser, "/admin/guests", "guests.csv", b"Name,Position\nLamp A,first\nLamp B,2\n").await;
    assert_eq!(bring_in(&browser, "/admin/guests", &page, &[]).await.status, 409);
    assert_eq!(bring_in(&browser, "/admin/guests", &page, &[("skip", "yes")]).await.status, 303);
    assert_eq!(site.number(there).await, 121);
}
