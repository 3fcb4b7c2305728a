//! Lists to print: door list and jury list follow the filter of their list and the role of the account.

use festival_core::admin::{EDITOR, READER, Role};
use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, count_audited, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(door_list_is_alphabetical_and_follows_the_filter, jury_list_shows_what_the_role_may_see);

async fn site(database: Database) -> TestApp {
    TestApp::with(database, lift_limits).await
}

async fn signed_in<'a>(site: &'a TestApp, role: &Role) -> Browser<'a> {
    Browser::signed_in(site, &create_account(site, role).await).await
}

async fn door_list_is_alphabetical_and_follows_the_filter(database: Database) {
    let site = site(database).await;
    for (number, name) in ["zoya", "Ådne", "anu", "അനു", "Biju"].into_iter().enumerate() {
        let form = FormRequest::delegate().with("name", name).with("transaction_details", &format!("UTR {number}"));
        assert_received(&form.post(&site, "/api/delegate-form/").await);
    }
    site.write("UPDATE delegates SET payment = 'verified' WHERE name = 'anu'").await;
    let desk = signed_in(&site, &DESK).await;
    assert!(desk.get("/admin/delegates").await.text().contains("href=\"/admin/delegates/print\""));
    let page = desk.get("/admin/delegates/print").await.text();
    let places: Vec<usize> = ["anu", "Ådne", "Biju", "zoya", "അനു"]
        .map(|name| page.find(&format!(">{name}</span>")).unwrap_or_else(|| panic!("{name}: {page}")))
        .into();
    assert!(places[1..].is_sorted() && places[0] < places[2], "{places:?}");
    for letter in ["A", "B", "Z", "അ"] {
        assert!(page.contains(&format!("scope=\"rowgroup\">{letter}</th>")), "{letter}: {page}");
    }
    assert_eq!((page.matches("<td>paid</td>").count(), page.matches("unpaid: not checked yet").count()), (1, 4));
    assert!(page.contains("5 delegates"));
    let filtered = desk.get("/admin/delegates/print?payment=verified").await.text();
    assert!(filtered.contains("Payment: verified") && !filtered.contains("zoya"), "{filtered}");
    assert_eq!(count_audited(&site, "list").await, 3);
    let editor = signed_in(&site, &EDITOR).await;
    assert_eq!(editor.get("/admin/delegates/print").await.status, 403);
    assert_eq!(desk.get("/admin/contact-messages/print").await.status, 404);
}

async fn jury_list_shows_what_the_role_may_see(database: Database) {
    let site = site(database).await;
    for (title, original) in [("The Rain Road", "മഴവഴി"), ("Boat Song", "Boat Song")] {
        let form = FormRequest::film().with("title_english", title).with("title_original", original);
        assert_received(&form.post(&site, "/api/malayalam-form/").await);
    }
    let reviewer = signed_in(&site, &REVIEWER).await;
    let page = reviewer.get("/admin/film-submissions/print").await.text();
    assert!(page.find("Boat Song").unwrap() < page.find("The Rain Road").unwrap(), "{page}");
    assert!(page.contains("<small lang=\"ml\">മഴവഴി</small>") && page.contains("Screener:"), "{page}");
    assert!(page.contains("/files/film_poster") && page.contains("Notes"), "{page}");
    let contact = site.texts("SELECT correspondence_email FROM film_submissions").await.remove(0);
    assert!(!page.contains(&contact), "no contact details");
    let bare = reviewer.get("/admin/film-submissions/print?posters=no&q=rain").await.text();
    assert!(!bare.contains("/files/film_poster") && !bare.contains("Boat Song"), "{bare}");
    let reader = signed_in(&site, &READER).await;
    assert_eq!(reader.get("/admin/film-submissions/print").await.status, 403);
}
