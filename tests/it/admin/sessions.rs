//! How long one is in, and what ends it.

use festival_core::admin::Role;
use jiff::SignedDuration;

use super::browser::{Browser, PASSWORD, audited, person};
use crate::support::{Database, TestApp};

on_both!(
    a_session_ends_by_itself,
    everything_that_must_ends_every_session,
    the_password_is_asked_for_again_before_what_matters,
);

fn later(site: &TestApp, minutes: i64) {
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(minutes));
}

async fn a_session_ends_by_itself(database: Database) {
    let site = TestApp::new(database).await;
    let owner = person(&site, Role::Owner).await;
    let browser = Browser::signed_in(&site, &owner).await;
    later(&site, 59);
    assert!(browser.is_in().await);
    later(&site, 59);
    assert!(browser.is_in().await, "using it keeps it");
    later(&site, 60);
    assert!(!browser.is_in().await, "an hour without a request ends it");
    let browser = Browser::signed_in(&site, &owner).await;
    for _ in 0..14 {
        later(&site, 50);
        assert!(browser.is_in().await);
    }
    later(&site, 20);
    assert!(!browser.is_in().await, "after twelve hours it is over");
}

async fn everything_that_must_ends_every_session(database: Database) {
    let site = TestApp::new(database).await;
    let (owner, editor) = (person(&site, Role::Owner).await, person(&site, Role::Editor).await);
    let desk = Browser::signed_in(&site, &owner).await;
    let id = site.id("admin_accounts", "role = 'editor'").await;

    let (here, there) = (Browser::signed_in(&site, &editor).await, Browser::signed_in(&site, &editor).await);
    let new = "monsoon-verandah-typewriter-7";
    let fields = [("password", PASSWORD), ("new_password", new), ("again", new)];
    assert_eq!(here.post("/admin/account/password", &fields).await.status, 303);
    assert!(here.is_in().await && !there.is_in().await, "a new password ends the other sessions");
    assert_eq!(there.sign_in(&editor, PASSWORD).await.status, 400);
    assert_eq!(there.sign_in(&editor, new).await.status, 303);

    assert_eq!(here.post("/admin/account/sessions/end", &[]).await.header("Location"), "/admin/sign-in");
    assert!(!here.is_in().await && !there.is_in().await, "signed out everywhere");

    assert_eq!(here.sign_in(&editor, new).await.status, 303);
    let fields = [("name", "Test Editor"), ("role", "reviewer")];
    assert_eq!(desk.post(&format!("/admin/accounts/{id}"), &fields).await.status, 303);
    assert!(!here.is_in().await, "another role begins with a new sign-in");

    assert_eq!(here.sign_in(&editor, new).await.status, 303);
    assert_eq!(desk.post(&format!("/admin/accounts/{id}/disable"), &[]).await.status, 303);
    assert!(!here.is_in().await, "a disabled account is out at once");
    assert_eq!(here.sign_in(&editor, new).await.status, 400);
    for action in ["change password", "sign out everywhere", "change", "disable"] {
        assert_eq!(audited(&site, action).await, 1, "{action}");
    }
}

async fn the_password_is_asked_for_again_before_what_matters(database: Database) {
    let site = TestApp::new(database).await;
    let owner = person(&site, Role::Owner).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(browser.get("/admin/accounts/new").await.status, 200);
    later(&site, 15);
    let asked = browser.get("/admin/accounts/new").await;
    assert_eq!(
        (asked.status, asked.header("Location").as_str()),
        (303, "/admin/confirm?next=%2Fadmin%2Faccounts%2Fnew")
    );
    let fields = [("name", "A"), ("email", "a@example.org"), ("role", "editor")];
    let asked = browser.post("/admin/accounts/new", &fields).await;
    assert_eq!(
        (asked.status, asked.header("Location").as_str()),
        (303, "/admin/confirm?next=%2Fadmin%2Faccounts%2Fnew")
    );
    assert_eq!(site.number("SELECT count(*) FROM admin_accounts").await, 1);
    let fields = |password| [("password", password), ("next", "/admin/accounts/new")];
    let wrong = browser.post("/admin/confirm", &fields("wrong")).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("The password is wrong."));
    let token = browser.token();
    let right = browser.post("/admin/confirm", &fields(PASSWORD)).await;
    assert_eq!((right.status, right.header("Location").as_str()), (303, "/admin/accounts/new"));
    assert_ne!(browser.token(), token, "new rights, new token");
    assert_eq!(browser.get("/admin/accounts/new").await.status, 200);
    assert_eq!(browser.get("/admin/accounts").await.status, 200);
}
