//! "Edit this page": links from public pages to the forms that edit their content.

use festival_core::admin::EDITOR;

use super::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    page_of_one_record_links_to_its_form,
    page_of_several_records_lists_them,
    marker_cookie_tells_the_site_that_an_editor_is_signed_in,
);

async fn editor(site: &TestApp) -> Browser<'_> {
    Browser::signed_in(site, &create_account(site, &EDITOR).await).await
}

fn edit(page: &str) -> String {
    format!("/admin/edit?page={}", page.replace('?', "%3F").replace('=', "%3D").replace('&', "%26"))
}

async fn page_of_one_record_links_to_its_form(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    let blog = site.id("blogs", "is_published = 1").await;
    let category = site.id("categories", "1 = 1").await;
    for (page, form) in [
        (format!("/blog/{blog}"), format!("/admin/blogs/{blog}")),
        (format!("/films/{category}"), format!("/admin/categories/{category}")),
    ] {
        let reply = editor.get(&edit(&page)).await;
        assert_eq!((reply.status, reply.header("Location")), (303, form.clone()), "{page}: {}", reply.text());
        assert_eq!(editor.get(&form).await.status, 200, "{form}");
    }
}

async fn page_of_several_records_lists_them(database: Database) {
    let site = TestApp::new(database).await;
    let editor = editor(&site).await;
    let film = site.id("films", "name = 'Bare'").await;
    let category = site.number(&format!("SELECT category_id FROM films WHERE id = {film}")).await;
    let main = async |page: &str| {
        let reply = editor.get(&edit(page)).await;
        assert_eq!(reply.status, 200, "{page}: {}", reply.text());
        let text = reply.text();
        text[text.find("id=\"main\"").unwrap()..].to_owned()
    };
    let both = main(&format!("/films/{category}?film={film}")).await;
    assert!(both.contains(&format!("href=\"/admin/films/{film}\"")) && both.contains(">Bare</a>"), "{both}");
    assert!(both.contains("href=\"/admin/categories/"), "{both}");
    let text = site.id("pages", "slug = 'about-us'").await;
    let about = main("/about-us").await;
    for form in [format!("/admin/pages/{text}"), "/admin/page-pictures".to_owned()] {
        assert!(about.contains(&format!("href=\"{form}\"")), "{form}: {about}");
    }
    let home = main("/").await;
    for list in ["venues", "guests", "posters", "upcoming-events", "schedule-items"] {
        assert!(home.contains(&format!("href=\"/admin/{list}\"")), "{list}: {home}");
    }
    assert!(main("/team").await.contains("href=\"/admin/team-members"), "a page with a list leads to it");
    for nothing in ["", "/no/such/page", "https://elsewhere.example/", "/blog/abc", "/blog/987654"] {
        let page = main(nothing).await;
        assert!(!page.contains("elsewhere.example/\">") && page.contains("/admin/settings"), "{nothing}: {page}");
        let says_so = page.contains("No record has a page at this address.");
        assert_eq!(says_so, nothing == "/no/such/page" || nothing.starts_with("https"), "{nothing}: {page}");
    }
}

async fn marker_cookie_tells_the_site_that_an_editor_is_signed_in(database: Database) {
    let site = TestApp::new(database).await;
    let email = create_account(&site, &EDITOR).await;
    let browser = Browser::new(&site);
    let cookies = |reply: &crate::support::Response| reply.header("Set-Cookie");
    let signed_in = browser.sign_in(&email, super::browser::PASSWORD).await;
    let set = cookies(&signed_in);
    let (_, marker) = set.split_once("festival-editor=1;").expect(&set);
    assert!(!marker.contains("HttpOnly") || marker.contains("festival-admin"), "{set}");
    let signed_out = browser.post("/admin/sign-out", &[]).await;
    assert!(
        cookies(&signed_out).contains("festival-editor=1; SameSite=Strict; Path=/; Max-Age=0"),
        "{}",
        cookies(&signed_out)
    );
}
