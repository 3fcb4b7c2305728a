//! The menu with its folded groups, and the links in messages about completed actions.

use festival_core::admin::EDITOR;

use super::browser::{Browser, create_account, hidden_value};
use crate::support::{Database, TestApp};

on_both!(
    menu_opens_the_group_of_the_present_page,
    messages_link_to_added_and_deleted_records,
    links_of_messages_stay_inside_the_back_office,
    form_says_what_is_needed_before_it,
    long_forms_have_sections,
);

async fn editor(site: &TestApp) -> Browser<'_> {
    Browser::signed_in(site, &create_account(site, &EDITOR).await).await
}

async fn menu_opens_the_group_of_the_present_page(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    for (page, group) in [
        ("/admin/", "Films"),
        ("/admin/blogs", "Content"),
        ("/admin/pages/new", "Content"),
        ("/admin/editions", "Site"),
    ] {
        let text = editor.get(page).await.text();
        // The page contains the menu twice: at the side, and at the top in narrow windows.
        let menu = text.split("<div class=\"side\">").nth(1).unwrap();
        let open: Vec<&str> = menu.split("<details class=\"group\" open data-group=\"").skip(1).collect();
        let open: Vec<&str> = open.into_iter().map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(open, [group], "{page}");
        assert!(menu.matches("<details class=\"group\"").count() > 4, "{menu}");
    }
}

async fn messages_link_to_added_and_deleted_records(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    let halls = async || editor.get("/admin/halls").await.text();
    let hall = [("name", "The Shed"), ("changeover_minutes", "15"), ("position", "10")];
    let added = editor.post("/admin/halls/new", &hall).await;
    assert_eq!(added.status, 303, "{}", added.text());
    let id = site.id("halls", "name = 'The Shed'").await;
    let list = halls().await;
    assert!(list.contains(&format!("“The Shed” added. <a href=\"/admin/halls/{id}\">Open hall</a>")), "{list}");
    assert!(!halls().await.contains("“The Shed” added."), "a message is shown once");

    let version = hidden_value(&editor.get(&format!("/admin/halls/{id}/delete")).await, "version").unwrap();
    assert_eq!(editor.post(&format!("/admin/halls/{id}/delete"), &[("version", &version)]).await.status, 303);
    let list = halls().await;
    assert!(list.contains("“The Shed” deleted. <a href=\"/admin/halls/bin\">Deleted halls</a>"), "{list}");
}

/// The cookie of a message is not signed; other programs of the same domain can write one.
async fn links_of_messages_stay_inside_the_back_office(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    for (href, is_shown) in
        [("/admin/halls", true), ("https://elsewhere.example/", false), ("//elsewhere.example", false)]
    {
        let message = format!(r#"{{"kind":"done","text":"Saved.","link":{{"href":"{href}","label":"Look"}}}}"#);
        let value = data_encoding::BASE64URL_NOPAD.encode(message.as_bytes());
        editor.cookies.borrow_mut().insert("festival-admin-message".to_owned(), value);
        let page = editor.get("/admin/halls").await.text();
        assert!(page.contains("Saved."), "{page}");
        assert_eq!(page.contains(">Look</a>"), is_shown, "{href}: {page}");
    }
}

async fn long_forms_have_sections(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    let form = editor.get("/admin/films/new").await.text();
    let headings: Vec<&str> =
        form.split("<h2 class=\"section\">").skip(1).map(|rest| rest.split("</h2>").next().unwrap()).collect();
    assert_eq!(headings, ["People", "About the film", "Pictures", "Numbers in lists", "Publication"]);
    let publish_on = form.split("Publish on").nth(1).unwrap();
    assert!(!publish_on.split("</label>").next().unwrap().contains("optional"), "it is needed where it is shown");
}

async fn form_says_what_is_needed_before_it(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    let sentence = "There is nothing to choose from yet. Add an entry first, in its own list; the menu leads to it.";
    assert!(!editor.get("/admin/films/new").await.text().contains(sentence));
    site.write("DELETE FROM films").await;
    site.write("DELETE FROM categories").await;
    assert!(editor.get("/admin/films/new").await.text().contains(sentence));
    let category = editor.get("/admin/categories/new").await.text();
    assert!(category.contains("Small letters, digits and hyphens, like asian-cinema."), "{category}");
}
