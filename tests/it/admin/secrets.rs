//! Encrypted secrets in the database: second factors and passwords of screeners.

use std::path::Path;

use festival::modules;
use festival_core::admin::OWNER;
use festival_core::identity;

use super::browser::{Browser, PASSWORD, create_account};
use super::second_factor::{code, set_up};
use crate::forms::privacy::{find_text, run_command};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, TestApp};

on_both!(
    secrets_are_encrypted_in_the_database,
    plain_secrets_are_encrypted_at_the_next_start,
    wrong_key_hides_secrets_and_overwrites_nothing,
    key_rotation_encrypts_every_secret_again,
    restored_site_needs_its_own_key,
);

const SCREENER: &str = "Sesame-Lantern-9931";

/// A site with an owner's second factor and a film with a password; returns the owner's address and the secret.
async fn site(database: Database) -> (TestApp, String, String) {
    let site = TestApp::with(database, lift_limits).await;
    identity::verify(&site.app.db, &site.app.media).await.unwrap();
    let owner = create_account(&site, &OWNER).await;
    let (secret, _) = set_up(&Browser::signed_in(&site, &owner).await).await;
    assert_received(&FormRequest::film().with("screener_link_password", SCREENER).post(&site, "/api/changed/").await);
    (site, owner, secret)
}

/// Restarts the site.
async fn restart(site: TestApp) -> TestApp {
    let (directory, copy) = site.stop().await;
    TestApp::on_database(directory, copy, &modules(), lift_limits).await
}

/// The stored values of both secrets.
async fn stored_secrets(site: &TestApp) -> Vec<String> {
    let factors = "SELECT totp_secret FROM admin_accounts WHERE totp_secret IS NOT NULL";
    site.texts(&format!("{factors} UNION ALL SELECT screener_link_password FROM film_submissions ORDER BY 1")).await
}

/// Signs in with the code of the second factor.
async fn sign_in_with_code<'a>(site: &'a TestApp, owner: &str, code: &str) -> (Browser<'a>, u16) {
    let browser = Browser::new(site);
    browser.sign_in(owner, PASSWORD).await;
    let status = browser.post("/admin/sign-in/code", &[("code", code)]).await.status;
    (browser, status)
}

async fn run_check(site: &TestApp) -> (i32, String) {
    let found = run_command(site, &["check"]);
    (found.code, found.out)
}

async fn secrets_are_encrypted_in_the_database(database: Database) {
    let (site, owner, secret) = site(database).await;
    let film = site.id("film_submissions", "1 = 1").await;
    assert!(
        stored_secrets(&site).await.iter().all(|value| value.starts_with("encrypted.1.")),
        "{:?}",
        stored_secrets(&site).await
    );
    let (browser, status) = sign_in_with_code(&site, &owner, &code(&site, &secret, 1)).await;
    assert_eq!(status, 303, "the second factor works");
    let page = browser.get(&format!("/admin/film-submissions/{film}")).await.text();
    assert!(page.contains(SCREENER) && !page.contains("encrypted."), "{page}");
    let table = browser.post("/admin/film-submissions/export", &[("format", "csv")]).await.text();
    assert!(table.contains(SCREENER) && !table.contains("encrypted."), "{table}");
    let exported = run_command(&site, &["forms", "export", "film", "-o", "-", "--format", "json"]);
    assert!(exported.out.contains(SCREENER), "{}", exported.transcript());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("person");
    let export = ["privacy", "export", "--email", "submitter@example.org", "-o", folder.to_str().unwrap()];
    let export = run_command(&site, &export);
    assert_eq!(export.code, 0, "{}", export.transcript());
    assert!(std::fs::read_to_string(folder.join("person.json")).unwrap().contains(SCREENER));
    // Also truncates the write-ahead log.
    site.app.db.purge().await.unwrap();
    for plain in [SCREENER, secret.as_str()] {
        assert_eq!(find_text(&site, database, plain).await, Vec::<String>::new(), "{plain}");
    }
    assert_eq!(run_check(&site).await.1, "");
}

async fn plain_secrets_are_encrypted_at_the_next_start(database: Database) {
    let (site, owner, secret) = site(database).await;
    let before = stored_secrets(&site).await;
    site.write(&format!("UPDATE admin_accounts SET totp_secret = '{secret}'")).await;
    site.write(&format!("UPDATE film_submissions SET screener_link_password = '{SCREENER}'")).await;
    assert!(!find_text(&site, database, SCREENER).await.is_empty(), "the site has plain secrets");
    let (code_before, found) = run_check(&site).await;
    assert!(code_before == 1 && found.contains("D004: 1 second factors are not encrypted"), "{found}");
    let site = restart(site).await;
    let after = stored_secrets(&site).await;
    assert!(after.len() == 2 && after.iter().all(|value| value.starts_with("encrypted.1.")), "{after:?}");
    assert_ne!(before, after, "each value has a new nonce");
    for plain in [SCREENER, secret.as_str()] {
        assert_eq!(find_text(&site, database, plain).await, Vec::<String>::new(), "{plain}");
    }
    assert_eq!(sign_in_with_code(&site, &owner, &code(&site, &secret, 1)).await.1, 303);
    // Encryption was interrupted half-way: the next run does the rest and leaves the finished value unchanged.
    site.write(&format!("UPDATE film_submissions SET screener_link_password = '{SCREENER}'")).await;
    let migrated = run_command(&site, &["migrate"]);
    assert_eq!(migrated.out, "encrypted 1 passwords of screeners\n", "{}", migrated.transcript());
    assert!(run_command(&site, &["migrate"]).err.contains("The database is up to date."));
    let values = stored_secrets(&site).await;
    assert_eq!(values.iter().filter(|value| after.contains(value)).count(), 1, "{values:?}");
    assert_eq!(run_check(&site).await.1, "");
}

async fn wrong_key_hides_secrets_and_overwrites_nothing(database: Database) {
    let (site, owner, secret) = site(database).await;
    let film = site.id("film_submissions", "1 = 1").await;
    let before = stored_secrets(&site).await;
    let file = site.app.data_dir("secrets.key");
    let key = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let site = restart(site).await;
    assert_eq!(stored_secrets(&site).await, before);
    let (exit, found) = run_check(&site).await;
    let reported = |expected: &str| found.contains(expected);
    assert!(exit == 1 && reported("D003: 1 second factors cannot be read") && reported("set"), "{found}");
    assert!(
        reported("1 passwords of screeners cannot be read") && reported("Ask the senders for them again."),
        "{found}"
    );
    let browser = Browser::new(&site);
    browser.sign_in(&owner, PASSWORD).await;
    let refused = browser.post("/admin/sign-in/code", &[("code", &code(&site, &secret, 1))]).await;
    assert!(refused.status == 422 && refused.text().contains("the key of the site has changed"), "{}", refused.text());
    // A new second factor, encrypted with the new key.
    site.write("UPDATE admin_accounts SET totp_secret = NULL").await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (newer, _) = set_up(&browser).await;
    let page = browser.get(&format!("/admin/film-submissions/{film}")).await.text();
    assert!(page.contains("ask the sender for it again") && !page.contains(SCREENER), "{page}");
    // The old key is added back as another line: both keys are used for decryption.
    let both = std::fs::read_to_string(&file).unwrap() + &key;
    std::fs::write(&file, both).unwrap();
    let site = restart(site).await;
    assert_eq!(run_check(&site).await.1, "");
    let (browser, status) = sign_in_with_code(&site, &owner, &code(&site, &newer, 1)).await;
    assert_eq!(status, 303);
    assert!(browser.get(&format!("/admin/film-submissions/{film}")).await.text().contains(SCREENER));
}

async fn key_rotation_encrypts_every_secret_again(database: Database) {
    let (site, owner, secret) = site(database).await;
    let before = stored_secrets(&site).await;
    let refused = run_command(&site, &["secrets", "rotate"]);
    assert!(refused.code == 1 && refused.err.contains("the server is running"), "{}", refused.transcript());
    assert_eq!(stored_secrets(&site).await, before);
    let (directory, copy) = site.stop().await;
    let rotated = rotate(directory.path(), &copy.url(directory.path()));
    assert_eq!(rotated, "encrypted 1 second factors\nencrypted 1 passwords of screeners\n");
    let keys = std::fs::read_to_string(directory.path().join("secrets.key")).unwrap();
    let lines: Vec<&str> = keys.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2, "older backups need the former key");
    // The new key alone decrypts everything.
    std::fs::write(directory.path().join("secrets.key"), lines[0]).unwrap();
    let site = TestApp::on_database(directory, copy, &modules(), lift_limits).await;
    let after = stored_secrets(&site).await;
    assert!(after.iter().all(|value| !before.contains(value)), "{after:?}");
    assert_eq!(run_check(&site).await.1, "");
    assert_eq!(sign_in_with_code(&site, &owner, &code(&site, &secret, 1)).await.1, 303);
}

/// Runs `festival secrets rotate` while the site is stopped.
fn rotate(data: &Path, database: &str) -> String {
    let databases = format!("{{festival={{url=\"{database}\"}}}}");
    let environment = [("ROCKET_DATABASES", databases.as_str()), ("FESTIVAL_DATA_DIR", data.to_str().unwrap())];
    let folder = tempfile::tempdir().unwrap();
    let rotated = crate::support::festival(folder.path(), &["secrets", "rotate"], &environment);
    assert_eq!(rotated.code, 0, "{}", rotated.transcript());
    rotated.out
}

async fn restored_site_needs_its_own_key(database: Database) {
    let (site, ..) = site(database).await;
    let folder = tempfile::tempdir().unwrap();
    let made = run_command(&site, &["backup", folder.path().to_str().unwrap()]);
    assert!(made.code == 0 && made.err.contains("secrets.key is not in it"), "{}", made.transcript());
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
        assert_eq!(restored.code, 0, "{}", restored.transcript());
        assert_eq!(
            restored.out.contains("1 passwords of screeners cannot be read"),
            !with_key,
            "{}",
            restored.transcript()
        );
        let found = crate::support::festival(place.path(), &["check"], &environment);
        assert_eq!(found.code == 0, with_key, "{}", found.transcript());
    }
}
