//! The search over everything: what each role finds, and what it does not.

use festival_core::admin::Role;

use super::browser::{Browser, count_audited, create_account};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(
    everything_is_found_from_one_place,
    nobody_finds_what_the_role_may_not_see,
    telephone_numbers_are_found_however_they_are_written,
);

const SEARCH: &str = "/admin/search";

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    let delegate = FormRequest::delegate().with("name", "Meenakshi Varier").with("mobile", "+91 98470-12 345");
    assert_received(&delegate.post(&site, "/api/delegate-form/").await);
    site
}

async fn signed_in(site: &TestApp, role: Role) -> Browser<'_> {
    Browser::signed_in(site, &create_account(site, role).await).await
}

async fn search(browser: &Browser<'_>, query: &str) -> String {
    let page = browser.get(&format!("{SEARCH}?q={query}")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let text = page.text();
    // The menu is on every page.
    text[text.find("id=\"main\"").unwrap()..].to_owned()
}

async fn everything_is_found_from_one_place(database: Database) {
    let site = site(database).await;
    let owner = signed_in(&site, Role::Owner).await;
    let person = site.id("delegates", "name = 'Meenakshi Varier'").await;
    let film = site.id("films", "name = 'Bare'").await;
    for (query, href) in [
        ("meenakshi", format!("/admin/delegates/{person}")),
        ("bare", format!("/admin/films/{film}")),
        ("audit", "/admin/audit".to_owned()),
        ("test+owner", "/admin/accounts/1".to_owned()),
        ("entry+fee+dollars", "/admin/settings/fees".to_owned()),
    ] {
        let page = search(&owner, query).await;
        assert!(page.contains(&format!("href=\"{href}\"")), "{query}: {page}");
    }
    let audited = count_audited(&site, "list").await;
    assert_eq!(audited, 1, "only the search that showed a person is in the audit log");
    assert_eq!(site.number("SELECT count(*) FROM admin_audit WHERE after_json LIKE '%eenakshi%'").await, 0);
    assert!(search(&owner, "xyzzy").await.contains("Nothing that you may see"));
    assert!(!search(&owner, "").await.contains("Nothing that you may see"));
}

async fn nobody_finds_what_the_role_may_not_see(database: Database) {
    let site = site(database).await;
    let reader = signed_in(&site, Role::Reader).await;
    let editor = signed_in(&site, Role::Editor).await;
    let desk = signed_in(&site, Role::Desk).await;
    for (browser, query, href) in [
        (&reader, "meenakshi", "/admin/delegates/"),
        (&editor, "meenakshi", "/admin/delegates/"),
        (&editor, "example.org", "/admin/accounts/"),
        (&desk, "upi", "/admin/settings/payment"),
        (&reader, "audit", "/admin/audit"),
    ] {
        let page = search(browser, query).await;
        assert!(!page.contains(href), "{query}: {page}");
    }
    assert!(search(&desk, "meenakshi").await.contains("Meenakshi Varier"));
    assert_eq!(Browser::new(&site).get(SEARCH).await.status, 303);
}

async fn telephone_numbers_are_found_however_they_are_written(database: Database) {
    let site = site(database).await;
    let desk = signed_in(&site, Role::Desk).await;
    for query in ["9847012345", "098470+12345", "%2B919847012345", "98470.12345", "(98470)+12345"] {
        let page = search(&desk, query).await;
        assert!(page.contains("Meenakshi Varier"), "{query}: {page}");
    }
    for query in ["9847012346", "984701", "98470-12346"] {
        let page = search(&desk, query).await;
        assert_eq!(page.contains("Meenakshi Varier"), query == "984701", "{query}: {page}");
    }
}
