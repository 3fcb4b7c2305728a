//! Sign-in: passwords, failed attempts and their limits, and the redirect afterwards.

use argon2::password_hash::PasswordHasher as _;
use argon2::{Algorithm, Argon2, Params, Version};
use festival_core::admin::{EDITOR, OWNER};
use festival_core::db::timestamp_text;
use jiff::SignedDuration;

use super::browser::{Browser, PASSWORD, count_audited, create_account, create_account_with_email};
use super::second_factor::set_up;
use crate::support::{Database, TestApp};

on_both!(
    sign_in_and_sign_out,
    failed_sign_in_reveals_no_reason,
    repeated_failures_block_sign_in_for_fifteen_minutes,
    failures_from_other_networks_do_not_lock_out_the_owner,
    second_factor_lets_its_owner_in_during_an_attack,
    one_network_is_limited_to_fifty_failures_across_accounts,
    blocked_network_is_refused_by_every_sign_in_form,
    redirect_target_stays_inside_the_back_office,
    outdated_password_hash_is_upgraded_at_sign_in,
);

async fn sign_in_and_sign_out(database: Database) {
    let site = TestApp::new(database).await;
    let browser = Browser::new(&site);
    assert!(
        browser.get("/admin/sign-in").await.text().contains("festival admin create"),
        "the first visit explains how to create an account"
    );
    let email = create_account(&site, &OWNER).await;
    let stranger = browser.get("/admin/accounts?x=1&y=a%20b").await;
    assert_eq!(stranger.status, 303);
    assert_eq!(stranger.header("Location"), "/admin/sign-in?next=%2Fadmin%2Faccounts%3Fx%3D1%26y%3Da%2520b");
    let page = browser.get(&stranger.header("Location")).await;
    assert_eq!((page.status, page.header("Cache-Control").as_str()), (200, "no-store"));
    assert!(!page.text().contains("festival admin create"));
    let before = browser.session_token();
    let next = "/admin/accounts?x=1&y=a%20b";
    let fields = [("email", " OWNER@example.org "), ("password", PASSWORD), ("next", next)];
    let response = browser.post("/admin/sign-in", &fields).await;
    assert_eq!((response.status, response.header("Location").as_str()), (303, next));
    let token = browser.session_token();
    assert!(token.len() == 64 && token != before, "the session token is renewed at sign-in");
    let stored_in_plain =
        site.number(&format!("SELECT count(*) FROM admin_sessions WHERE token_hash = '{token}'")).await;
    assert_eq!(stored_in_plain, 0, "the database has only the hash");
    assert!(browser.get("/admin/").await.text().contains("Test Owner"));
    assert_eq!(count_audited(&site, "sign in").await, 1);
    let out = browser.post("/admin/sign-out", &[]).await;
    assert_eq!((out.status, out.header("Location").as_str()), (303, "/admin/sign-in"));
    assert!(browser.get("/admin/sign-in").await.text().contains("You have been signed out."));
    browser.cookies.borrow_mut().insert("festival-admin".to_owned(), token);
    assert!(!browser.is_signed_in().await, "the old token is invalid");
    assert_eq!(count_audited(&site, "sign out").await, 1);
    assert!(!email.is_empty());
}

async fn failed_sign_in_reveals_no_reason(database: Database) {
    let site = TestApp::new(database).await;
    let known = create_account(&site, &EDITOR).await;
    let id = create_account_with_email(&site, "gone@example.org", &EDITOR).await;
    site.write(&format!("UPDATE admin_accounts SET is_disabled = 1 WHERE id = {id}")).await;
    site.app.admin.passwords.prepare().await.unwrap();
    let browser = Browser::new(&site);
    let token = browser.csrf_token().await;
    let mut pages = Vec::new();
    for round in 0..9 {
        let unknown = format!("nobody{round}@example.org");
        for (email, password) in
            [(known.as_str(), "wrong-password"), (unknown.as_str(), "wrong-password"), ("gone@example.org", PASSWORD)]
        {
            let hashed = site.app.admin.passwords.hash_count();
            let fields = [("email", email), ("password", password), ("csrf", token.as_str())];
            let response = browser.send("/admin/sign-in", &fields, &[]).await;
            // The response time must not reveal whether an account exists: each attempt costs one hash.
            assert_eq!(site.app.admin.passwords.hash_count() - hashed, 1, "{email} costs one hash");
            pages.push((response.status, response.text().replace(email, "...")));
        }
    }
    assert!(pages[0].1.contains("The e-mail address or the password is wrong."));
    assert!(pages.iter().all(|page| *page == pages[0]), "status and page are the same");
    assert_eq!(count_audited(&site, "sign in failed").await, 27);
    let logged = site.number("SELECT count(*) FROM admin_audit WHERE after_json LIKE '%nobody%'").await;
    assert_eq!(logged, 0, "the address that was tried is not logged");
}

async fn repeated_failures_block_sign_in_for_fifteen_minutes(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let editor = create_account(&site, &EDITOR).await;
    let inside = Browser::signed_in(&site, &owner).await;
    let browser = Browser::new(&site);
    for _ in 0..9 {
        assert_eq!(browser.sign_in(&owner, "wrong").await.status, 400);
    }
    assert_eq!(browser.sign_in(&owner, PASSWORD).await.status, 303, "sign-in is possible after nine failures");
    let browser = Browser::new(&site);
    for _ in 0..10 {
        assert_eq!(browser.sign_in(&owner, "wrong").await.status, 400, "a successful sign-in resets the count");
    }
    let refused = browser.sign_in(&owner, PASSWORD).await;
    assert_eq!((refused.status, refused.header("Retry-After").as_str()), (429, "900"));
    assert!(refused.text().contains("too many attempts"));
    assert!(inside.is_signed_in().await, "existing sessions continue");
    assert_eq!(browser.sign_in(&editor, PASSWORD).await.status, 303, "others can still sign in");
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(14));
    let refused = Browser::new(&site).sign_in(&owner, PASSWORD).await;
    assert_eq!(
        (refused.status, refused.header("Retry-After").as_str()),
        (429, "60"),
        "refused attempts do not prolong the block"
    );
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(1));
    assert_eq!(Browser::new(&site).sign_in(&owner, PASSWORD).await.status, 303);
}

async fn failures_from_other_networks_do_not_lock_out_the_owner(database: Database) {
    let site = TestApp::with(database, |settings| settings.trusted_proxies = vec!["127.0.0.1".into()]).await;
    let owner = create_account(&site, &OWNER).await;
    let at = |address: &str| Browser::new(&site).with("X-Forwarded-For", address);
    assert_eq!(at("192.0.2.1").sign_in(&owner, PASSWORD).await.status, 303);
    for _ in 0..10 {
        assert_eq!(at("198.51.100.1").sign_in(&owner, "wrong").await.status, 400);
    }
    assert_eq!(at("198.51.100.1").sign_in(&owner, PASSWORD).await.status, 429);
    assert_eq!(
        at("203.0.113.7").sign_in(&owner, PASSWORD).await.status,
        303,
        "failures of one network do not block another"
    );
    // A hundred failures from many networks count as an attack: only networks that signed in before are let in.
    let failures = "INSERT INTO admin_failures (address_hash, network, failed_at) \
                    SELECT max(address_hash), 'elsewhere', max(failed_at) FROM admin_failures";
    for _ in 0..90 {
        site.write(failures).await;
    }
    assert_eq!(at("203.0.113.99").sign_in(&owner, PASSWORD).await.status, 429);
    assert_eq!(at("192.0.2.1").sign_in(&owner, PASSWORD).await.status, 303, "the owner's own network is known");
}

async fn second_factor_lets_its_owner_in_during_an_attack(database: Database) {
    let site = TestApp::with(database, |settings| settings.trusted_proxies = vec!["127.0.0.1".into()]).await;
    let owner = create_account(&site, &OWNER).await;
    set_up(&Browser::signed_in(&site, &owner).await).await;
    let at = |address: &str| Browser::new(&site).with("X-Forwarded-For", address);
    assert_eq!(at("198.51.100.1").sign_in(&owner, "wrong").await.status, 400);
    let failures = "INSERT INTO admin_failures (address_hash, network, failed_at) \
                    SELECT max(address_hash), 'elsewhere', max(failed_at) FROM admin_failures";
    for _ in 0..99 {
        site.write(failures).await;
    }
    let owner_elsewhere = at("203.0.113.99").sign_in(&owner, PASSWORD).await;
    assert!(owner_elsewhere.header("Location").starts_with("/admin/sign-in/code"), "{}", owner_elsewhere.status);
    assert_eq!(at("203.0.113.98").sign_in(&owner, "wrong").await.status, 429, "as for an account without one");
}

async fn one_network_is_limited_to_fifty_failures_across_accounts(database: Database) {
    let site = TestApp::with(database, |settings| settings.trusted_proxies = vec!["127.0.0.1".into()]).await;
    let owner = create_account(&site, &OWNER).await;
    let at = |address: &str| Browser::new(&site).with("X-Forwarded-For", address);
    let stranger = at("198.51.100.1");
    for guess in 0..50 {
        assert_eq!(stranger.sign_in(&format!("somebody{guess}@example.org"), "wrong").await.status, 400, "{guess}");
    }
    assert_eq!(stranger.sign_in("somebody51@example.org", "wrong").await.status, 429);
    assert_eq!(stranger.sign_in(&owner, PASSWORD).await.status, 429);
    assert_eq!(at("198.51.100.2").sign_in(&owner, PASSWORD).await.status, 303, "others can still sign in");
}

async fn blocked_network_is_refused_by_every_sign_in_form(database: Database) {
    let site = TestApp::new(database).await;
    let inside = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let browser = Browser::new(&site);
    let token = browser.csrf_token().await;
    let failed_at = timestamp_text(site.app.clock.now());
    for number in 0..50 {
        let values = format!("('{number}', '127.0.0.1', '{failed_at}')");
        site.write(&format!("INSERT INTO admin_failures (address_hash, network, failed_at) VALUES {values}")).await;
    }
    for path in ["/admin/sign-in", "/admin/sign-in/code", "/admin/invitation"] {
        let response = browser.send(path, &[("csrf", &token)], &[]).await;
        assert_eq!((response.status, response.header("Retry-After").as_str()), (429, "900"), "{path}");
    }
    assert!(inside.is_signed_in().await, "existing sessions continue");
    assert_eq!(inside.post("/admin/sign-out", &[]).await.status, 303, "existing sessions can still post");
}

async fn redirect_target_stays_inside_the_back_office(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    for next in
        ["//evil.example", "/\\evil.example", "https:evil.example", "https://evil.example/admin/", "/admin//evil"]
    {
        let browser = Browser::new(&site);
        let page = browser.get(&format!("/admin/sign-in?next={next}")).await;
        assert!(!page.text().contains("evil"), "{next}");
        let fields = [("email", owner.as_str()), ("password", PASSWORD), ("next", next)];
        assert_eq!(browser.post("/admin/sign-in", &fields).await.header("Location"), "/admin/", "{next}");
    }
}

async fn outdated_password_hash_is_upgraded_at_sign_in(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    // The same password, hashed with 8 MiB and one pass.
    let params = Params::new(8 * 1024, 1, 1, None).unwrap();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let old = argon2.hash_password_with_salt(PASSWORD.as_bytes(), b"0123456789abcdef").unwrap().to_string();
    site.write(&format!("UPDATE admin_accounts SET password_hash = '{old}'")).await;
    assert_eq!(Browser::new(&site).sign_in(&owner, PASSWORD).await.status, 303);
    let renewed = "SELECT count(*) FROM admin_accounts WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'";
    assert_eq!(site.number(renewed).await, 1);
    assert_eq!(Browser::new(&site).sign_in(&owner, PASSWORD).await.status, 303);
}
