//! Sessions: how long they last and what ends them.

use festival_core::admin::{EDITOR, OWNER};
use jiff::SignedDuration;

use super::browser::{Browser, PASSWORD, count_audited, create_account};
use crate::support::{Database, TestApp};

on_both!(
    session_expires_when_idle_and_after_twelve_hours,
    password_change_role_change_and_disabling_end_sessions,
    sensitive_screens_ask_for_the_password_again,
);

fn advance_minutes(site: &TestApp, minutes: i64) {
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(minutes));
}

async fn session_expires_when_idle_and_after_twelve_hours(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    advance_minutes(&site, 59);
    assert!(browser.is_signed_in().await);
    advance_minutes(&site, 59);
    assert!(browser.is_signed_in().await, "requests prolong the session");
    advance_minutes(&site, 60);
    assert!(!browser.is_signed_in().await, "an hour without requests ends the session");
    let browser = Browser::signed_in(&site, &owner).await;
    for _ in 0..14 {
        advance_minutes(&site, 50);
        assert!(browser.is_signed_in().await);
    }
    advance_minutes(&site, 20);
    assert!(!browser.is_signed_in().await, "the session ends after twelve hours");
}

async fn password_change_role_change_and_disabling_end_sessions(database: Database) {
    let site = TestApp::new(database).await;
    let (owner, editor) = (create_account(&site, &OWNER).await, create_account(&site, &EDITOR).await);
    let owner_browser = Browser::signed_in(&site, &owner).await;
    let id = site.id("admin_accounts", "role = 'editor'").await;

    let (here, there) = (Browser::signed_in(&site, &editor).await, Browser::signed_in(&site, &editor).await);
    let new = "monsoon-verandah-typewriter-7";
    let fields = [("password", PASSWORD), ("new_password", new), ("again", new)];
    assert_eq!(here.post("/admin/account/password", &fields).await.status, 303);
    assert!(here.is_signed_in().await && !there.is_signed_in().await, "a new password ends the other sessions");
    assert_eq!(there.sign_in(&editor, PASSWORD).await.status, 400);
    assert_eq!(there.sign_in(&editor, new).await.status, 303);

    assert_eq!(here.post("/admin/account/sessions/end", &[]).await.header("Location"), "/admin/sign-in");
    assert!(!here.is_signed_in().await && !there.is_signed_in().await, "signed out everywhere");

    assert_eq!(here.sign_in(&editor, new).await.status, 303);
    let fields = [("name", "Test Editor"), ("role", "reviewer")];
    assert_eq!(owner_browser.post(&format!("/admin/accounts/{id}"), &fields).await.status, 303);
    assert!(!here.is_signed_in().await, "a new role requires a new sign-in");

    assert_eq!(here.sign_in(&editor, new).await.status, 303);
    assert_eq!(owner_browser.post(&format!("/admin/accounts/{id}/disable"), &[]).await.status, 303);
    assert!(!here.is_signed_in().await, "disabling ends the session at once");
    assert_eq!(here.sign_in(&editor, new).await.status, 400);
    for action in ["change password", "sign out everywhere", "change", "disable"] {
        assert_eq!(count_audited(&site, action).await, 1, "{action}");
    }
}

async fn sensitive_screens_ask_for_the_password_again(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(browser.get("/admin/accounts/new").await.status, 200);
    advance_minutes(&site, 15);
    let redirect = browser.get("/admin/accounts/new").await;
    assert_eq!(
        (redirect.status, redirect.header("Location").as_str()),
        (303, "/admin/confirm?next=%2Fadmin%2Faccounts%2Fnew")
    );
    let fields = [("name", "A"), ("email", "a@example.org"), ("role", "editor")];
    let redirect = browser.post("/admin/accounts/new", &fields).await;
    assert_eq!(
        (redirect.status, redirect.header("Location").as_str()),
        (303, "/admin/confirm?next=%2Fadmin%2Faccounts%2Fnew")
    );
    assert_eq!(site.number("SELECT count(*) FROM admin_accounts").await, 1);
    let fields = |password| [("password", password), ("next", "/admin/accounts/new")];
    let wrong = browser.post("/admin/confirm", &fields("wrong")).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("The password is wrong."));
    let token = browser.session_token();
    let right = browser.post("/admin/confirm", &fields(PASSWORD)).await;
    assert_eq!((right.status, right.header("Location").as_str()), (303, "/admin/accounts/new"));
    assert_ne!(browser.session_token(), token, "the session token is renewed with the rights");
    assert_eq!(browser.get("/admin/accounts/new").await.status, 200);
    assert_eq!(browser.get("/admin/accounts").await.status, 200);
}
