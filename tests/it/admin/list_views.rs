//! Saved filters and columns of lists: the same for records and submissions, private to each account unless shared.

use festival_core::admin::{EDITOR, OWNER, READER, Role};
use festival_forms::DESK;

use super::browser::{Browser, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, Response, TestApp};

on_both!(
    filters_are_saved_shared_and_deleted,
    lists_of_people_save_no_search,
    columns_are_chosen_by_each_account_for_each_list,
    only_a_new_filter_needs_room_among_the_saved_ones,
);

const PATH: &str = "/admin/list-views";

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    assert_received(
        &FormRequest::delegate().with("occupation", "Lighthouse keeper").post(&site, "/api/delegate-form/").await,
    );
    site
}

async fn signed_in<'a>(site: &'a TestApp, role: &Role) -> Browser<'a> {
    Browser::signed_in(site, &create_account(site, role).await).await
}

async fn save(browser: &Browser<'_>, list: &str, query: &str, name: &str, shared: &str) -> Response {
    let fields = [("action", "save"), ("list", list), ("query", query), ("name", name), ("shared", shared)];
    browser.post(PATH, &fields).await
}

async fn filters_are_saved_shared_and_deleted(database: Database) {
    let site = site(database).await;
    let owner = signed_in(&site, &OWNER).await;
    let editor = signed_in(&site, &EDITOR).await;
    let saved = save(&editor, "/admin/films", "q=rain&is_published=no&p=3", "Rainy drafts", "").await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, "/admin/films?q=rain&is_published=no"));
    let shown = |page: &str| page.contains("href=\"/admin/films?q&#x3D;rain&amp;is_published&#x3D;no\"");
    let of_editor = editor.get("/admin/films?q=rain&is_published=no").await.text();
    assert!(shown(&of_editor) && of_editor.contains("aria-current=\"true\">Rainy drafts"), "{of_editor}");
    assert!(!shown(&owner.get("/admin/films").await.text()), "it is the editor's own");
    // Saved again under the same name it is replaced.
    save(&editor, "/admin/films", "q=rain&is_published=no", "Rainy drafts", "yes").await;
    let of_owner = owner.get("/admin/films").await.text();
    assert!(shown(&of_owner) && of_owner.contains("Rainy drafts <small>Test Editor"), "{of_owner}");
    assert_eq!(site.number("SELECT count(*) FROM admin_list_views").await, 1);
    let id = site.number("SELECT id FROM admin_list_views").await.to_string();
    let reader = signed_in(&site, &READER).await;
    let delete = [("action", "delete"), ("list", "/admin/films"), ("filter", &id)];
    assert_eq!(reader.post(PATH, &delete).await.status, 404, "a shared filter is its owner's");
    assert_eq!(owner.post(PATH, &delete).await.status, 303);
    assert!(!shown(&editor.get("/admin/films").await.text()));
    for (list, query, name) in [("/admin/films", "", "None"), ("/admin/films", "q=x", " ")] {
        save(&editor, list, query, name, "").await;
    }
    assert_eq!(site.number("SELECT count(*) FROM admin_list_views").await, 0);
    assert_eq!(
        save(&editor, "/admin/delegates", "status=new", "New", "yes").await.status,
        404,
        "not the editor's list"
    );
    assert_eq!(save(&editor, "//elsewhere.example", "q=x", "New", "").await.status, 404);
}

async fn only_a_new_filter_needs_room_among_the_saved_ones(database: Database) {
    let site = site(database).await;
    let editor = signed_in(&site, &EDITOR).await;
    for number in 1..=50 {
        let saved = save(&editor, "/admin/films", "q=rain", &format!("Filter {number}"), "").await;
        assert_eq!(saved.status, 303, "{number}");
    }
    let refused = save(&editor, "/admin/films", "q=rain", "Another", "").await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("This list has 50 saved filters. Delete one first."), "{}", refused.text());
    assert_eq!(save(&editor, "/admin/films", "q=sun", "Filter 7", "").await.status, 303);
    let columns = [("action", "columns"), ("list", "/admin/films"), ("query", ""), ("column.year", "1")];
    assert_eq!(editor.post(PATH, &columns).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM admin_list_views").await, 51);
    assert_eq!(site.number("SELECT count(*) FROM admin_list_views WHERE content = 'q=sun'").await, 1);
}

async fn lists_of_people_save_no_search(database: Database) {
    let site = site(database).await;
    let desk = signed_in(&site, &DESK).await;
    let page = desk.get("/admin/delegates?q=meenakshi&payment=unchecked").await.text();
    assert!(page.contains("The words that you search for are not saved"), "{page}");
    save(&desk, "/admin/delegates", "q=meenakshi&payment=unchecked", "To check", "").await;
    let stored = "SELECT count(*) FROM admin_list_views WHERE content = 'payment=unchecked'";
    assert_eq!(site.number(stored).await, 1);
    assert!(desk.get("/admin/delegates").await.text().contains(">To check</a>"));
}

async fn columns_are_chosen_by_each_account_for_each_list(database: Database) {
    let site = site(database).await;
    let owner = signed_in(&site, &OWNER).await;
    let heads = async |browser: &Browser<'_>, path: &str| -> Vec<String> {
        let text = browser.get(path).await.text();
        let head = text.split("<thead>").nth(1).unwrap().split("</thead>").next().unwrap().to_owned();
        let plain = |cell: &str| cell.split('>').filter_map(|part| part.split('<').next()).collect::<String>();
        head.split("<th ").skip(1).map(|cell| plain(&format!("<th {cell}")).trim().to_owned()).collect()
    };
    let columns = [
        ("action", "columns"),
        ("list", "/admin/delegates"),
        ("query", "status=new"),
        ("column.occupation", "1"),
        ("column.status", "2"),
        ("column.age", ""),
        ("column.screener_link_password", "3"),
        ("column.nothing", "4"),
    ];
    let saved = owner.post(PATH, &columns).await;
    assert_eq!(saved.header("Location"), "/admin/delegates?status=new");
    assert_eq!(heads(&owner, "/admin/delegates").await, ["Select", "Submission", "Occupation", "Status"]);
    assert!(owner.get("/admin/delegates").await.text().contains("<td>Lighthouse keeper</td>"));
    let desk = signed_in(&site, &DESK).await;
    assert!(!heads(&desk, "/admin/delegates").await.contains(&"Occupation".to_owned()));
    owner.post(PATH, &[("action", "default"), ("list", "/admin/delegates"), ("query", "")]).await;
    assert_eq!(heads(&owner, "/admin/delegates").await, heads(&desk, "/admin/delegates").await);
    let films = [("action", "columns"), ("list", "/admin/films"), ("column.synopsis", "2"), ("column.language", "1")];
    owner.post(PATH, &films).await;
    let shown = heads(&owner, "/admin/films").await;
    assert_eq!(shown[2..], ["Language", "Synopsis", "Last changed"], "{shown:?}");
}
