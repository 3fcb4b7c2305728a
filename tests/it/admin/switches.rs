//! The back office disabled, limited to networks, and on a site without public pages.

use festival_core::admin::OWNER;

use super::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    disabled_back_office_is_404,
    back_office_is_hidden_from_other_networks,
    back_office_works_without_public_pages
);

async fn disabled_back_office_is_404(database: Database) {
    let site = TestApp::with(database, |settings| settings.admin.enabled = false).await;
    for path in ["/admin/", "/admin/sign-in", "/admin/accounts"] {
        assert_eq!(site.get(path).await.status, 404, "{path}");
    }
    assert_eq!(site.get("/").await.status, 200);
}

async fn back_office_is_hidden_from_other_networks(database: Database) {
    let site = TestApp::with(database, |settings| {
        settings.trusted_proxies = vec!["127.0.0.1".into()];
        settings.admin.networks = vec!["192.0.2.0/24".into()];
    })
    .await;
    let status = async |address: &str| site.get_with("/admin/sign-in", &[("X-Forwarded-For", address)]).await.status;
    assert_eq!(status("192.0.2.7").await, 200);
    assert_eq!((status("198.51.100.7").await, site.get("/admin/").await.status), (404, 404));
}

async fn back_office_works_without_public_pages(database: Database) {
    let site = TestApp::with(database, |settings| {
        settings.frontend.enabled = false;
        settings.api.mount = "/".into();
    })
    .await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let page = owner.get("/admin/accounts").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    let (_, rest) = text.split_once("rel=\"stylesheet\" href=\"").unwrap();
    let style = site.get(rest.split('"').next().unwrap()).await;
    assert!(style.status == 200 && style.header("Content-Type").starts_with("text/css"));
}
