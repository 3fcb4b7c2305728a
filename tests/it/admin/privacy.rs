//! What is kept about a person, looked up, given out and erased in the back office.

use std::io::{Cursor, Read as _};

use festival_core::admin::Role;
use festival_core::identity;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::browser::{Browser, audited, person};
use crate::forms::privacy::{EMAIL, places_of, registration, run};
use crate::forms::sent::{Sent, patient, received, set};
use crate::support::{Answer, Database, TestApp};

on_both!(
    a_person_is_found_given_out_and_erased,
    the_page_erases_what_the_command_does,
    owners_alone_come_in_and_with_their_password,
    the_terms_and_the_next_run_are_shown,
);

async fn site(database: Database) -> TestApp {
    let site = TestApp::with(database, patient).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    received(&registration().to(&site, "/api/delegate-form/").await);
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    site.write(
        "INSERT INTO revisions (entity, row_id, action, title, record, editor, at) VALUES \
         ('guests', 998, 'changed', 'Somebody', '{\"contact\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z'), \
         ('guests', 999, 'deleted', 'Somebody', '{\"contact\":\"asha.erasable@example.org\"}', 'Desk', '2025-10-26T06:40:00.000Z')",
    )
    .await;
    site
}

/// The files of an archive: name, content.
fn unpacked(answer: &Answer) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(answer.body.clone())).unwrap();
    (0..archive.len())
        .map(|place| {
            let mut file = archive.by_index(place).unwrap();
            let name = file.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

async fn a_person_is_found_given_out_and_erased(database: Database) {
    let site = site(database).await;
    let browser = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    assert!(browser.get("/admin/").await.text().contains("href=\"/admin/privacy\""));
    let page = browser.post("/admin/privacy/person", &[("email", " asha.ERASABLE@example.org ")]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    for words in ["1 delegates", "2 files", "mails", "1 versions in the history", "1 deleted records", "DL-2025"] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    let given = browser.post("/admin/privacy/export", &[("email", EMAIL)]).await;
    assert_eq!((given.status, given.header("Content-Type").as_str()), (200, "application/zip"));
    assert!(!given.header("Content-Disposition").contains("asha"));
    // The same as the command's folder.
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("asha");
    assert_eq!(run(&site, &["privacy", "export", "--email", EMAIL, "-o", folder.to_str().unwrap()]).code, 0);
    let files = unpacked(&given);
    for (name, content) in &files {
        let beside = std::fs::read(folder.join(name)).unwrap();
        if name == "person.json" {
            let kept = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["kept"].clone();
            assert_eq!(kept(content), kept(&beside));
        } else {
            assert_eq!(content, &beside, "{name}");
        }
    }
    assert_eq!(files.len(), 3, "person.json and two files");

    let asked = browser.post("/admin/privacy/erase/ask", &[("email", EMAIL)]).await;
    assert!(asked.text().contains("What stays, and why") && asked.text().contains("1 delegates"), "{}", asked.text());
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 2, "a question erases nothing");
    let erased = browser.go_on(&asked, "/admin/privacy/erase").await;
    assert_eq!((erased.status, erased.header("Location").as_str()), (303, "/admin/privacy"), "{}", erased.text());
    let after = browser.get("/admin/privacy").await.text();
    assert!(after.contains("Erased:") && after.contains("1 delegates"), "{after}");
    assert_eq!(places_of(&site, database, EMAIL).await, Vec::<String>::new());
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1, "nobody else is gone");
    let again = browser.post("/admin/privacy/person", &[("email", EMAIL)]).await.text();
    assert!(again.contains("There is no data about this address."), "{again}");
    let wrong = browser.post("/admin/privacy/person", &[("email", "asha")]).await;
    assert!(wrong.status == 400 && wrong.text().contains("is not an e-mail address"), "{}", wrong.text());
    let owner = site.id("admin_accounts", "1 = 1").await;
    let of_owner = format!("SELECT count(*) FROM admin_audit WHERE account_id = {owner} AND object = 'person'");
    assert_eq!(site.number(&format!("{of_owner} AND action = 'erase'")).await, 1);
    assert_eq!(site.number(&format!("{of_owner} AND action = 'export'")).await, 1);
    assert_eq!(audited(&site, "export").await, 2, "the command's is there too");
}

async fn the_page_erases_what_the_command_does(database: Database) {
    let mut left = Vec::new();
    for by_page in [true, false] {
        let site = site(database).await;
        site.write("UPDATE delegates SET payment = 'verified', payment_amount = '1180' WHERE name <> 'Delegate'").await;
        if by_page {
            let browser = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
            assert_eq!(browser.post("/admin/privacy/erase", &[("email", EMAIL)]).await.status, 303);
        } else {
            assert_eq!(run(&site, &["privacy", "erase", "--email", EMAIL, "--yes"]).code, 0);
        }
        let line = site.texts("SELECT after_json FROM admin_audit WHERE action = 'erase'").await.remove(0);
        let mut line: Value = serde_json::from_str(&line).unwrap();
        // The postman may have written them by then, or not.
        line["counts"].as_object_mut().unwrap().remove("mails written to files");
        let rows = site.texts("SELECT name || status || payment_amount FROM delegates ORDER BY id").await;
        let revisions = site.number("SELECT count(*) FROM revisions").await;
        let mails = site.number("SELECT count(*) FROM outbox").await;
        let remembered = std::fs::read_to_string(site.app.data_dir("erasures")).unwrap().lines().count();
        left.push((line["counts"].clone(), line["stay"].clone(), rows, revisions, mails, remembered));
    }
    assert_eq!(left[0], left[1]);
}

async fn owners_alone_come_in_and_with_their_password(database: Database) {
    let site = site(database).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Owner) {
        let browser = Browser::signed_in(&site, &person(&site, role).await).await;
        assert_eq!(browser.get("/admin/privacy").await.status, 403, "{role:?}");
        for path in ["person", "export", "erase/ask", "erase"] {
            let answer = browser.post(&format!("/admin/privacy/{path}"), &[("email", EMAIL)]).await;
            assert_eq!(answer.status, 403, "{role:?} {path}");
        }
    }
    let browser = Browser::signed_in(&site, &person(&site, Role::Owner).await).await;
    for path in ["person", "export", "erase/ask", "erase"] {
        let from_elsewhere = browser.send(&format!("/admin/privacy/{path}"), &[("email", EMAIL)], &[]).await;
        assert_eq!(from_elsewhere.status, 403, "{path}: a form without its token");
    }
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(16));
    assert_eq!(browser.get("/admin/privacy").await.header("Location"), "/admin/confirm?next=%2Fadmin%2Fprivacy");
    for path in ["person", "export", "erase/ask", "erase"] {
        let answer = browser.post(&format!("/admin/privacy/{path}"), &[("email", EMAIL)]).await;
        assert_eq!(answer.header("Location"), "/admin/confirm?next=%2Fadmin%2Fprivacy", "{path}");
    }
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 2);
}

async fn the_terms_and_the_next_run_are_shown(database: Database) {
    let site = TestApp::with(database, |settings| {
        patient(settings);
        set(settings, "retention", json!({ "delegate_days": 30 }));
    })
    .await;
    received(&Sent::delegate().to(&site, "/api/delegate-form/").await);
    let owner = person(&site, Role::Owner).await;
    let page = Browser::signed_in(&site, &owner).await.get("/admin/privacy").await.text();
    assert!(page.contains("<dt>registrations</dt><dd>30 days</dd>"), "{page}");
    assert!(page.contains("<dt>messages</dt><dd>no limit</dd>"), "{page}");
    assert!(page.contains("Nothing is due to be erased."), "{page}");
    site.clock.set(site.app.clock.now() + SignedDuration::from_hours(31 * 24));
    let page = Browser::signed_in(&site, &owner).await.get("/admin/privacy").await.text();
    assert!(page.contains("Next to be erased") && page.contains("1 delegates"), "{page}");
    assert_eq!(site.number("SELECT count(*) FROM delegates").await, 1, "to look erases nothing");
}
