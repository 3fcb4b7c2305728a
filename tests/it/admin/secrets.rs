//! Secrets in the database: second factors and passwords of screeners.

use std::path::Path;

use festival_cli::modules::modules;
use festival_core::admin::Role;
use festival_core::identity;

use super::browser::{Browser, PASSWORD, person};
use super::second_factor::{code, set_up};
use crate::forms::privacy::{places_of, run};
use crate::forms::sent::{Sent, patient, received};
use crate::support::{Database, TestApp};

on_both!(
    the_database_holds_no_plain_secret,
    secrets_from_before_are_encrypted_at_the_next_start,
    another_key_closes_them_and_overwrites_nothing,
    a_new_key_encrypts_everything_anew,
    a_restored_site_needs_the_key_of_its_own,
);

const SCREENER: &str = "Sesame-Lantern-9931";

/// A site with an owner who has a second factor and a film with a password; the owner's address and the factor's secret.
async fn site(database: Database) -> (TestApp, String, String) {
    let site = TestApp::with(database, patient).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    let owner = person(&site, Role::Owner).await;
    let (secret, _) = set_up(&Browser::signed_in(&site, &owner).await).await;
    received(&Sent::film().with("screener_link_password", SCREENER).to(&site, "/api/changed/").await);
    (site, owner, secret)
}

/// The same site started again.
async fn again(site: TestApp) -> TestApp {
    let (directory, copy) = site.stop().await;
    TestApp::on(directory, copy, &modules(), patient).await
}

/// What is stored of both secrets.
async fn stored(site: &TestApp) -> Vec<String> {
    let factors = "SELECT totp_secret FROM admin_accounts WHERE totp_secret IS NOT NULL";
    site.texts(&format!("{factors} UNION ALL SELECT screener_link_password FROM film_submissions ORDER BY 1")).await
}

/// Signs in with the code of a later step, so that none is used twice.
async fn enter<'a>(site: &'a TestApp, owner: &str, code: &str) -> (Browser<'a>, u16) {
    let browser = Browser::new(site);
    browser.sign_in(owner, PASSWORD).await;
    let status = browser.post("/admin/sign-in/code", &[("code", code)]).await.status;
    (browser, status)
}

async fn checked(site: &TestApp) -> (i32, String) {
    let found = run(site, &["check"]);
    (found.code, found.out)
}

async fn the_database_holds_no_plain_secret(database: Database) {
    let (site, owner, secret) = site(database).await;
    let film = site.id("film_submissions", "1 = 1").await;
    assert!(stored(&site).await.iter().all(|value| value.starts_with("encrypted.1.")), "{:?}", stored(&site).await);
    let (browser, status) = enter(&site, &owner, &code(&site, &secret, 1)).await;
    assert_eq!(status, 303, "the factor works");
    let page = browser.get(&format!("/admin/film-submissions/{film}")).await.text();
    assert!(page.contains(SCREENER) && !page.contains("encrypted."), "{page}");
    let table = browser.post("/admin/film-submissions/export", &[("format", "csv")]).await.text();
    assert!(table.contains(SCREENER) && !table.contains("encrypted."), "{table}");
    let exported = run(&site, &["forms", "export", "film", "-o", "-", "--format", "json"]);
    assert!(exported.out.contains(SCREENER), "{}", exported.whole());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("person");
    let given = ["privacy", "export", "--email", "submitter@example.org", "-o", folder.to_str().unwrap()];
    let given = run(&site, &given);
    assert_eq!(given.code, 0, "{}", given.whole());
    assert!(std::fs::read_to_string(folder.join("person.json")).unwrap().contains(SCREENER));
    // Also what the log of the database holds.
    site.app.db.purge().await.unwrap();
    for plain in [SCREENER, secret.as_str()] {
        assert_eq!(places_of(&site, database, plain).await, Vec::<String>::new(), "{plain}");
    }
    assert_eq!(checked(&site).await.1, "");
}

async fn secrets_from_before_are_encrypted_at_the_next_start(database: Database) {
    let (site, owner, secret) = site(database).await;
    let before = stored(&site).await;
    site.write(&format!("UPDATE admin_accounts SET totp_secret = '{secret}'")).await;
    site.write(&format!("UPDATE film_submissions SET screener_link_password = '{SCREENER}'")).await;
    assert!(!places_of(&site, database, SCREENER).await.is_empty(), "a site from before");
    let (code_before, found) = checked(&site).await;
    assert!(code_before == 1 && found.contains("D004: 1 second factors are not encrypted"), "{found}");
    let site = again(site).await;
    let after = stored(&site).await;
    assert!(after.len() == 2 && after.iter().all(|value| value.starts_with("encrypted.1.")), "{after:?}");
    assert_ne!(before, after, "with nonces of their own");
    for plain in [SCREENER, secret.as_str()] {
        assert_eq!(places_of(&site, database, plain).await, Vec::<String>::new(), "{plain}");
    }
    assert_eq!(enter(&site, &owner, &code(&site, &secret, 1)).await.1, 303);
    // One of them was done when the power went: the rest is done by the next run, and that one stays as it is.
    site.write(&format!("UPDATE film_submissions SET screener_link_password = '{SCREENER}'")).await;
    let migrated = run(&site, &["migrate"]);
    assert_eq!(migrated.out, "encrypted 1 passwords of screeners\n", "{}", migrated.whole());
    assert!(run(&site, &["migrate"]).err.contains("The database is up to date."));
    let kept = stored(&site).await;
    assert_eq!(kept.iter().filter(|value| after.contains(value)).count(), 1, "{kept:?}");
    assert_eq!(checked(&site).await.1, "");
}

async fn another_key_closes_them_and_overwrites_nothing(database: Database) {
    let (site, owner, secret) = site(database).await;
    let film = site.id("film_submissions", "1 = 1").await;
    let before = stored(&site).await;
    let file = site.app.data_dir("secrets.key");
    let key = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let site = again(site).await;
    assert_eq!(stored(&site).await, before);
    let (exit, found) = checked(&site).await;
    let said = |words: &str| found.contains(words);
    assert!(exit == 1 && said("D003: 1 second factors cannot be read") && said("set"), "{found}");
    assert!(said("1 passwords of screeners cannot be read") && said("Ask the senders for them again."), "{found}");
    let browser = Browser::new(&site);
    browser.sign_in(&owner, PASSWORD).await;
    let refused = browser.post("/admin/sign-in/code", &[("code", &code(&site, &secret, 1))]).await;
    assert!(refused.status == 422 && refused.text().contains("the key of the site has changed"), "{}", refused.text());
    // A new factor, with the new key.
    site.write("UPDATE admin_accounts SET totp_secret = NULL").await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (newer, _) = set_up(&browser).await;
    let page = browser.get(&format!("/admin/film-submissions/{film}")).await.text();
    assert!(page.contains("ask the sender for it again") && !page.contains(SCREENER), "{page}");
    // The key is found again: its line opens what it encrypted, beside the new one.
    let both = std::fs::read_to_string(&file).unwrap() + &key;
    std::fs::write(&file, both).unwrap();
    let site = again(site).await;
    assert_eq!(checked(&site).await.1, "");
    let (browser, status) = enter(&site, &owner, &code(&site, &newer, 1)).await;
    assert_eq!(status, 303);
    assert!(browser.get(&format!("/admin/film-submissions/{film}")).await.text().contains(SCREENER));
}

async fn a_new_key_encrypts_everything_anew(database: Database) {
    let (site, owner, secret) = site(database).await;
    let before = stored(&site).await;
    let refused = run(&site, &["secrets", "rotate"]);
    assert!(refused.code == 1 && refused.err.contains("the server is running"), "{}", refused.whole());
    assert_eq!(stored(&site).await, before);
    let (directory, copy) = site.stop().await;
    let rotated = rotate(directory.path(), &copy.url(directory.path()));
    assert_eq!(rotated, "encrypted 1 second factors\nencrypted 1 passwords of screeners\n");
    let keys = std::fs::read_to_string(directory.path().join("secrets.key")).unwrap();
    let lines: Vec<&str> = keys.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2, "older backups need the former key");
    // The new key alone opens everything.
    std::fs::write(directory.path().join("secrets.key"), lines[0]).unwrap();
    let site = TestApp::on(directory, copy, &modules(), patient).await;
    let after = stored(&site).await;
    assert!(after.iter().all(|value| !before.contains(value)), "{after:?}");
    assert_eq!(checked(&site).await.1, "");
    assert_eq!(enter(&site, &owner, &code(&site, &secret, 1)).await.1, 303);
}

/// `festival secrets rotate` on a site that does not run.
fn rotate(data: &Path, database: &str) -> String {
    let databases = format!("{{festival={{url=\"{database}\"}}}}");
    let environment = [("ROCKET_DATABASES", databases.as_str()), ("FESTIVAL_DATA_DIR", data.to_str().unwrap())];
    let folder = tempfile::tempdir().unwrap();
    let rotated = crate::support::festival(folder.path(), &["secrets", "rotate"], &environment);
    assert_eq!(rotated.code, 0, "{}", rotated.whole());
    rotated.out
}

async fn a_restored_site_needs_the_key_of_its_own(database: Database) {
    let (site, ..) = site(database).await;
    let folder = tempfile::tempdir().unwrap();
    let made = run(&site, &["backup", folder.path().to_str().unwrap()]);
    assert!(made.code == 0 && made.err.contains("secrets.key is not in it"), "{}", made.whole());
    let backup = made.out.trim().to_owned();
    assert!(crate::forms::privacy::files_below(Path::new(&backup)).iter().all(|path| !path.ends_with("secrets.key")));
    for with_key in [false, true] {
        let place = tempfile::tempdir().unwrap();
        let copy = database.empty().await;
        let data = place.path().join("data");
        let databases = format!("{{festival={{url=\"{}\"}}}}", copy.url(&data));
        std::fs::create_dir_all(&data).unwrap();
        if with_key {
            std::fs::copy(site.app.data_dir("secrets.key"), data.join("secrets.key")).unwrap();
        }
        let environment = [("ROCKET_DATABASES", databases.as_str())];
        let restored = crate::support::festival(place.path(), &["restore", &backup], &environment);
        assert_eq!(restored.code, 0, "{}", restored.whole());
        assert_eq!(restored.out.contains("1 passwords of screeners cannot be read"), !with_key, "{}", restored.whole());
        let found = crate::support::festival(place.path(), &["check"], &environment);
        assert_eq!(found.code == 0, with_key, "{}", found.whole());
    }
}
