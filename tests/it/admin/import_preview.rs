//! The preview of an import in the browser: its choices and its pages.

use super::browser::Browser;
use super::browser::site_with_owner;
use super::imports::{import_form, submit_import, upload_list};
use crate::support::Database;

on_both!(rules_for_wrong_cells_and_new_rows_are_chosen, long_preview_has_pages);

async fn rules_for_wrong_cells_and_new_rows_are_chosen(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = "Title,Director,Section,Year\nSun,Dev Nair,Malayalam,soon\n";
    let (address, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    assert!(page.text().contains("data-wrong") && import_form(&page).is_none(), "{}", page.text());
    let page = browser.get(&format!("{address}&invalid=blank&new=draft")).await;
    let text = page.text();
    assert!(text.contains("Values that are left empty") && text.contains("Line 2, Year: “soon”, expected "), "{text}");
    assert!(text.contains("Sun <small>Malayalam, Dev Nair</small>"), "{text}");
    let chosen = |value: &str| text.contains(&format!("<option value=\"{value}\" selected>"));
    assert!(chosen("blank") && chosen("draft") && !chosen("clear"), "{text}");
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    let film = "SELECT count(*) FROM films WHERE name = 'Sun' AND year IS NULL AND is_published = 0";
    assert_eq!(site.number(film).await, 1);

    site.write("UPDATE films SET country = 'India' WHERE name = 'Sun'").await;
    let list = "Title,Director,Section,Country\nSun,Dev Nair,Malayalam,\n";
    let (address, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    assert!(import_form(&page).is_none(), "an empty cell changes nothing: {}", page.text());
    let page = browser.get(&format!("{address}&empty=clear")).await;
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303, "{}", page.text());
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name = 'Sun' AND country IS NULL").await, 1);
}

async fn long_preview_has_pages(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let lines: String = (1..=120).map(|number| format!("Reel {number:03},Dev Nair,Malayalam,2024\n")).collect();
    let list = format!("Title,Director,Section,Year\n{lines}");
    let (_, page) = upload_list(&browser, "/admin/films", "list.csv", list.as_bytes()).await;
    let text = page.text();
    let shows = |text: &str, number: usize| {
        text.contains(&format!("Reel {number:03}<")) || text.contains(&format!("Reel {number:03} <"))
    };
    assert!(text.contains("Page 1 of 3") && shows(&text, 50) && !shows(&text, 51), "{text}");
    let third = submit_import(&browser, "/admin/films", &page, &[("check", "3")]).await.text();
    assert!(third.contains("Page 3 of 3") && shows(&third, 120) && !shows(&third, 100), "{third}");
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name LIKE 'Reel %'").await, 0);
    assert_eq!(submit_import(&browser, "/admin/films", &page, &[]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM films WHERE name LIKE 'Reel %'").await, 120);
}
