//! The public page of the new module, drawn by the feature in `feature/`.

use festival_core::admin::OWNER;
use festival_core::settings::MenuItem;

use super::{seed_toys, site_with_toys, site_with_toys_on};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp, attribute, boot, switch_off, title};

on_both!(page_of_a_new_module_comes_from_the_server, page_of_a_new_module_has_its_script_and_style);

/// The site with toys, and a menu that leads to them.
async fn with_toys(database: Database) -> TestApp {
    let app = site_with_toys(database, |settings| {
        settings.menu.header.push(MenuItem { label: "Toys".into(), href: Some("/toys".into()), items: Vec::new() });
    })
    .await;
    seed_toys(&app).await;
    app
}

async fn page_of_a_new_module_comes_from_the_server(database: Database) {
    let app = with_toys(database).await;
    let page = app.get("/toys").await;
    assert_eq!(page.status, 200);
    let html = page.text();
    assert_eq!(title(&html), "Toys · Velicham");
    assert_eq!(
        attribute(&html, "<meta name=\"description\"", "content"),
        "The toys of the Velicham International Film Festival."
    );
    let (_, content) = html.split_once("<main").expect("the page has content");
    for text in [">Toys</h1>", ">Lamp</h2>", "What children wish for: A kite", "/media/"] {
        assert!(content.contains(text), "{text}: {content}");
    }
    assert!(!html.contains(">Draft<"));
    assert_eq!(boot(&html)["data"]["/toys/"], app.get("/api/toys/").await.json());
    let home = app.get("/").await.text();
    assert!(home.contains("<section id=\"toys\"") && home.contains("See all toys: 1"));
    // Every page links there; on the page itself the link is marked.
    assert_eq!(attribute(&home, "<a href=\"/toys\"", "class"), attribute(&home, "<a href=\"/films\"", "class"));
    assert_eq!(attribute(&html, "<a href=\"/toys\"", "aria-current"), "page");

    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    let archived = app.get("/archive/2024/toys").await;
    assert!(archived.status == 200 && archived.text().contains("No toys yet."), "{}", archived.text());

    let (directory, copy) = app.stop().await;
    let off = site_with_toys_on(directory, copy, |settings| switch_off(settings, "toys")).await;
    assert_eq!(off.get("/toys").await.status, 404);
    let home = off.get("/").await.text();
    assert!(!home.contains("href=\"/toys\"") && !home.contains("id=\"toys\""));
}

async fn page_of_a_new_module_has_its_script_and_style(database: Database) {
    let app = with_toys(database).await;
    let files = async |address: &str, element: &str, name: &str| {
        let html = app.get(address).await.text();
        let mut files = Vec::new();
        for file in attribute(&html, element, name).split(' ') {
            let response = app.get(file).await;
            assert_eq!(response.status, 200, "{file}");
            files.push((file.to_owned(), response.text()));
        }
        files
    };
    let scripts = async |address: &str| files(address, "<script type=\"module\"", "data-scripts").await;
    let of_page = |(name, _): &&(String, String)| name.starts_with("/assets/toys-page-");
    let of_toys = scripts("/toys").await;
    let (_, script) = of_toys.iter().find(of_page).expect("the page's own script");
    assert!(script.contains("What children wish for") && script.contains("`/toys/`"), "{script}");
    // Other pages know its address and the files to fetch for it.
    let of_another = scripts("/about-us").await;
    assert!(of_another.iter().find(of_page).is_none());
    let (_, site) =
        of_another.iter().find(|(_, text)| text.contains("\"assets/toys-page-")).expect("a link to the page");
    assert!(site.contains("toys:[`/toys/`]"), "{site}");
    let styles = files("/toys", "<link rel=\"stylesheet\"", "href").await;
    assert!(styles[0].1.contains(".toy-list-list{") && styles[0].1.contains(".toys-page-wish{"));

    let owner = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    let shelf = owner.get("/admin/toy-shelf").await.text();
    let style = app.get(&attribute(&shelf, "<link rel=\"stylesheet\"", "href")).await.text();
    assert!(style.contains(":where([data-module=toys]) .toy-shelf{"), "its style applies to its screens only");
}
