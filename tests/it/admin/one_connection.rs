//! No request waits for a second database connection while holding one; otherwise as many concurrent requests as there
//! are connections would block each other for good.

use festival::modules;
use festival_core::admin::OWNER;
use rocket::http::Method;

use super::browser::{Browser, create_account, hidden_value};
use super::permissions::fill_path_with_rows;
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, TestApp};

on_both!(every_screen_works_with_one_database_connection);

async fn every_screen_works_with_one_database_connection(database: Database) {
    let directory = tempfile::tempdir().unwrap();
    let copy = database.copy(directory.path()).await;
    let site = TestApp::with_setup(directory, copy, &modules(), lift_limits, |setup| {
        setup.figment = setup.figment.clone().merge(("databases.festival.max_connections", 1));
    })
    .await;
    assert_received(&FormRequest::film().with("award_category", "malayalam").post(&site, "/api/changed/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    assert_eq!(send_message(&site, &message()).await.status, 200);
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    for screen in site.app.admin.contents.screens.iter().filter(|screen| screen.method == Method::Get) {
        let path = fill_path_with_rows(&site, &screen.path.for_openapi()).await;
        let response = owner.get(&path).await;
        assert!(response.status < 500, "{path}: {}", response.text());
    }
    let film = format!("/admin/film-submissions/{}", site.id("film_submissions", "1 = 1").await);
    let fees = hidden_value(&owner.get("/admin/settings/fees").await, "version").unwrap();
    let social = hidden_value(&owner.get("/admin/settings/social").await, "version").unwrap();
    let film_version = hidden_value(&owner.get(&film).await, "version").unwrap();
    let id = site.id("guests", "1 = 1").await;
    let guest = format!("/admin/guests/{id}");
    let guest_version = hidden_value(&owner.get(&guest).await, "version").unwrap();
    let preview = format!("{guest}/preview");
    for (path, fields, with_files) in [
        ("/admin/guests/new", vec![("name", "New guest")], true),
        ("/admin/guests/new", vec![("name", "")], true),
        (&guest, vec![("version", guest_version.as_str()), ("name", "Another")], true),
        (&guest, vec![("version", "0"), ("name", "Too late")], true),
        (&preview, vec![("version", guest_version.as_str()), ("name", "Seen")], true),
        ("/admin/settings/fees", vec![("version", fees.as_str())], false),
        ("/admin/settings/fees", vec![("version", "0")], false),
        ("/admin/settings/social", vec![("version", social.as_str())], false),
        ("/admin/settings/payment", vec![("version", "0"), ("payment.upi.id", "x@okbank")], false),
        (
            &film,
            vec![("version", film_version.as_str()), ("status", "selected"), ("award", "asian"), ("then", "next")],
            false,
        ),
        (&film, vec![("version", "0"), ("payment", "verified")], false),
        ("/admin/film-submissions/export", vec![("format", "files")], false),
    ] {
        let response = match with_files {
            true => owner.post_with_files(path, &fields, &[]).await,
            false => owner.post(path, &fields).await,
        };
        assert!(response.status < 500, "{path} {fields:?}: {} {}", response.status, response.text());
    }
}
