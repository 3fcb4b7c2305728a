//! Personal data in the back office: search, export, erasure, retention.

use std::io::{Cursor, Read as _};

use festival_core::admin::OWNER;
use festival_core::identity;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::browser::{Browser, count_audited, create_account};
use crate::forms::privacy::{EMAIL, find_text, registration, run_command};
use crate::forms::requests::{FormRequest, assert_received, lift_limits, set_forms_setting};
use crate::support::{Database, Response, TestApp};

on_both!(
    personal_data_is_found_exported_and_erased,
    page_and_command_erase_the_same,
    privacy_screens_require_an_owner_and_a_recent_password,
    retention_periods_and_the_next_run_are_shown,
);

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, lift_limits).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    assert_received(&registration().post(&site, "/api/delegate-form/").await);
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    site.write(
        "INSERT INTO revisions (entity, row_id, action, title, record, editor, at) VALUES \
         ('guests', 998, 'changed', 'Somebody', '{\"contact\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z'), \
         ('settings/contact', 1, 'changed', 'Contact', '{\"email\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z'), \
         ('guests', 999, 'deleted', 'Somebody', '{\"contact\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z')",
    )
    .await;
    site
}

/// The files of an archive: name, content.
fn unpacked(response: &Response) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(response.body.clone())).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let name = file.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

async fn personal_data_is_found_exported_and_erased(database: Database) {
    let site = site(database).await;
    let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert!(browser.get("/admin/").await.text().contains("href=\"/admin/privacy\""));
    let page = browser.post("/admin/privacy/person", &[("email", " asha.ERASABLE@example.org ")]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    for expected in ["1 delegates", "2 files", "mails", "2 versions in the history", "1 deleted records", "DL-2025"] {
        assert!(page.text().contains(expected), "{expected}: {}", page.text());
    }
    let exported = browser.post("/admin/privacy/export", &[("email", EMAIL)]).await;
    assert_eq!((exported.status, exported.header("Content-Type").as_str()), (200, "application/zip"));
    assert!(!exported.header("Content-Disposition").contains("asha"));
    // The export equals that of the command.
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("asha");
    assert_eq!(run_command(&site, &["privacy", "export", "--email", EMAIL, "-o", folder.to_str().unwrap()]).code, 0);
    let files = unpacked(&exported);
    for (name, content) in &files {
        let from_command = std::fs::read(folder.join(name)).unwrap();
        if name == "person.json" {
            let personal_data = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["kept"].clone();
            assert_eq!(personal_data(content), personal_data(&from_command));
        } else {
            assert_eq!(content, &from_command, "{name}");
        }
    }
    assert_eq!(files.len(), 3, "person.json and two files");

    let confirmation = browser.post("/admin/privacy/erase/ask", &[("email", EMAIL)]).await;
    assert!(
        confirmation.text().contains("What stays, and why") && confirmation.text().contains("1 delegates"),
        "{}",
        confirmation.text()
    );
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 2, "the confirmation page erases nothing");
    let erased = browser.confirm(&confirmation, "/admin/privacy/erase").await;
    assert_eq!((erased.status, erased.header("Location").as_str()), (303, "/admin/privacy"), "{}", erased.text());
    let after = browser.get("/admin/privacy").await.text();
    assert!(after.contains("Erased:") && after.contains("1 delegates"), "{after}");
    assert_eq!(find_text(&site, database, EMAIL).await, Vec::<String>::new());
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1, "other people are kept");
    let again = browser.post("/admin/privacy/person", &[("email", EMAIL)]).await.text();
    assert!(again.contains("There is no data about this address."), "{again}");
    let wrong = browser.post("/admin/privacy/person", &[("email", "asha")]).await;
    assert!(wrong.status == 400 && wrong.text().contains("is not an e-mail address"), "{}", wrong.text());
    let owner = site.id("admin_accounts", "1 = 1").await;
    let of_owner = format!("SELECT count(*) FROM admin_audit WHERE account_id = {owner} AND object = 'person'");
    assert_eq!(site.number(&format!("{of_owner} AND action = 'erase'")).await, 1);
    assert_eq!(site.number(&format!("{of_owner} AND action = 'export'")).await, 1);
    assert_eq!(count_audited(&site, "export").await, 2, "the export by the command is audited as well");
}

async fn page_and_command_erase_the_same(database: Database) {
    let mut results = Vec::new();
    for by_page in [true, false] {
        let site = site(database).await;
        site.write("UPDATE delegates SET payment = 'verified', payment_amount = '1180' WHERE name <> 'Delegate'").await;
        if by_page {
            let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
            assert_eq!(browser.post("/admin/privacy/erase", &[("email", EMAIL)]).await.status, 303);
        } else {
            assert_eq!(run_command(&site, &["privacy", "erase", "--email", EMAIL, "--yes"]).code, 0);
        }
        let line = site.texts("SELECT after_json FROM admin_audit WHERE action = 'erase'").await.remove(0);
        let mut line: Value = serde_json::from_str(&line).unwrap();
        // The mail sender may or may not have written the mails by then.
        line["counts"].as_object_mut().unwrap().remove("mails written to files");
        let rows = site.texts("SELECT name || status || payment_amount FROM delegates ORDER BY id").await;
        let revisions = site.number("SELECT count(*) FROM revisions").await;
        let mails = site.number("SELECT count(*) FROM outbox").await;
        let remembered = std::fs::read_to_string(site.app.data_dir("erasures")).unwrap().lines().count();
        results.push((line["counts"].clone(), line["stay"].clone(), rows, revisions, mails, remembered));
    }
    assert_eq!(results[0], results[1]);
}

async fn privacy_screens_require_an_owner_and_a_recent_password(database: Database) {
    let site = site(database).await;
    for role in site.app.admin.contents.roles.iter().copied().filter(|role| *role != &OWNER) {
        let browser = Browser::signed_in(&site, &create_account(&site, role).await).await;
        assert_eq!(browser.get("/admin/privacy").await.status, 403, "{role:?}");
        for path in ["person", "export", "erase/ask", "erase"] {
            let response = browser.post(&format!("/admin/privacy/{path}"), &[("email", EMAIL)]).await;
            assert_eq!(response.status, 403, "{role:?} {path}");
        }
    }
    let browser = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    for path in ["person", "export", "erase/ask", "erase"] {
        let from_elsewhere = browser.send(&format!("/admin/privacy/{path}"), &[("email", EMAIL)], &[]).await;
        assert_eq!(from_elsewhere.status, 403, "{path}: a form without its CSRF token");
    }
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(16));
    assert_eq!(browser.get("/admin/privacy").await.header("Location"), "/admin/confirm?next=%2Fadmin%2Fprivacy");
    for path in ["person", "export", "erase/ask", "erase"] {
        let response = browser.post(&format!("/admin/privacy/{path}"), &[("email", EMAIL)]).await;
        assert_eq!(response.header("Location"), "/admin/confirm?next=%2Fadmin%2Fprivacy", "{path}");
    }
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 2);
}

async fn retention_periods_and_the_next_run_are_shown(database: Database) {
    let site = TestApp::with(database, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "retention", json!({ "delegate_days": 30 }));
    })
    .await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    let owner = create_account(&site, &OWNER).await;
    let page = Browser::signed_in(&site, &owner).await.get("/admin/privacy").await.text();
    assert!(page.contains("<dt>registrations</dt><dd>30 days</dd>"), "{page}");
    assert!(page.contains("<dt>messages</dt><dd>no limit</dd>"), "{page}");
    assert!(page.contains("Nothing is due to be erased."), "{page}");
    site.clock.set(site.app.clock.now() + SignedDuration::from_hours(31 * 24));
    let page = Browser::signed_in(&site, &owner).await.get("/admin/privacy").await.text();
    assert!(page.contains("Next to be erased") && page.contains("1 delegates"), "{page}");
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1, "showing the page erases nothing");
}
