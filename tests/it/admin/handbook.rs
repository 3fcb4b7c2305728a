//! The handbook: every screen of the menu leads to its chapter.

use festival_core::admin::OWNER;
use rocket::http::Method;

use super::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(every_screen_of_the_menu_has_a_chapter,);

async fn every_screen_of_the_menu_has_a_chapter(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let index = owner.get("/admin/handbook").await.text();
    let index = index[index.find("id=\"main\"").unwrap()..].to_owned();
    let chapters: Vec<&str> = index
        .split("href=\"/admin/handbook/")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(name, _)| name)
        .collect();
    assert!(chapters.len() >= 12, "{index}");
    for chapter in &chapters {
        let page = owner.get(&format!("/admin/handbook/{chapter}")).await;
        assert_eq!(page.status, 200, "{chapter}");
        let text = page.text();
        assert!(!text.contains("{{") && text.contains("<article class=\"handbook\">"), "{text}");
        for picture in text.split("src=\"/assets/handbook/").skip(1).filter_map(|rest| rest.split_once('"')) {
            let file = site.get(&format!("/assets/handbook/{}", picture.0)).await;
            assert_eq!(file.status, 200, "{chapter}: {}", picture.0);
        }
    }
    let edition = owner.get("/admin/handbook/edition").await.text();
    assert!(edition.contains("<a href=\"/admin/handbook/afterwards#the-archive\">archive</a>"), "{edition}");
    let afterwards = owner.get("/admin/handbook/afterwards").await.text();
    assert!(afterwards.contains("<h2 id=\"the-archive\">The archive</h2>"), "{afterwards}");
    for (chapter, text) in [("edition", edition), ("afterwards", afterwards)] {
        assert!(!text.contains(".md"), "a link to a file of the repository in {chapter}");
    }
    let screens = site.app.admin.contents.screens.iter();
    let in_menu: Vec<String> = screens
        .filter(|screen| screen.method == Method::Get && screen.menu.is_some())
        .map(|screen| screen.path.for_openapi())
        .collect();
    assert!(in_menu.len() > 40, "{in_menu:?}");
    for path in in_menu {
        let reply = owner.get(&format!("/admin/handbook?screen={path}")).await;
        let to = reply.header("Location");
        // The first chapter is about the dashboard, below which everything is.
        let is_named = to != "/admin/handbook/first-day" || path == "/admin/accounts";
        assert!(to.starts_with("/admin/handbook/") && is_named, "{path}: {to}");
    }
    let to = async |screen: &str| owner.get(&format!("/admin/handbook?screen={screen}")).await.header("Location");
    assert_eq!(to("/admin/films/import").await, "/admin/handbook/lists");
    assert_eq!(to("/admin/films/3/history").await, "/admin/handbook/films");
    assert_eq!(owner.get("/admin/handbook/nothing").await.status, 404);
    assert!(owner.get("/admin/films").await.text().contains("href=\"/admin/handbook?screen=/admin/films\""));
}
