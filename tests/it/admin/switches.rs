//! The back office switched off, shown to some networks only, and on a site without pages.

use festival_core::admin::Role;

use super::browser::{Browser, person};
use crate::support::{Database, TestApp};

on_both!(switched_off_it_does_not_exist, other_networks_do_not_see_it, it_works_on_a_site_without_pages);

async fn switched_off_it_does_not_exist(database: Database) {
    let site = TestApp::with(database, |settings| settings.admin.enabled = false).await;
    for path in ["/admin/", "/admin/sign-in", "/admin/accounts"] {
        assert_eq!(site.get(path).await.status, 404, "{path}");
    }
    assert_eq!(site.get("/").await.status, 200);
}

async fn other_networks_do_not_see_it(database: Database) {
    let site = TestApp::with(database, |settings| {
        settings.trusted_proxies = vec!["127.0.0.1".into()];
        settings.admin.networks = vec!["192.0.2.0/24".into()];
    })
    .await;
    let status = async |address: &str| site.get_with("/admin/sign-in", &[("X-Forwarded-For", address)]).await.status;
    assert_eq!(status("192.0.2.7").await, 200);
    assert_eq!((status("198.51.100.7").await, site.get("/admin/").await.status), (404, 404));
}

async fn it_works_on_a_site_without_pages(database: Database) {
    let site = TestApp::with(database, |settings| {
        settings.frontend.enabled = false;
        settings.api.mount = "/".into();
    })
    .await;
    let owner = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    let page = owner.get("/admin/accounts").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    let (_, rest) = text.split_once("rel=\"stylesheet\" href=\"").unwrap();
    let style = site.get(rest.split('"').next().unwrap()).await;
    assert!(style.status == 200 && style.header("Content-Type").starts_with("text/css"));
}
