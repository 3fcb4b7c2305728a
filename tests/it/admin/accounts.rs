//! Accounts: invitations, password resets, the last owner, the audit log.

use festival_core::admin::{EDITOR, OWNER};
use jiff::SignedDuration;
use sqlx::AssertSqlSafe;

use super::browser::{Browser, PASSWORD, count_audited, create_account, create_account_with_email};
use crate::support::{Database, Response, TestApp};

on_both!(
    a_person_is_invited_and_chooses_a_password,
    the_last_owner_cannot_be_disabled_or_demoted,
    password_reset_ends_sessions_and_replaces_the_link,
    forgotten_password_is_replaced_by_a_link_in_a_mail,
    link_in_the_outbox_is_hidden_from_everybody,
    requests_for_links_are_limited_and_reveal_no_account,
    invitation_is_mailed_if_the_owner_asks_for_it,
    audit_log_records_who_did_what_and_is_append_only,
);

/// The path and query of the invitation link on a page.
fn link(page: &Response) -> String {
    let text = page.text();
    let (_, rest) = text.split_once("http://localhost/admin/invitation?token&#x3D;").expect("the page has a link");
    format!("/admin/invitation?token={}", rest.split('"').next().unwrap())
}

async fn a_person_is_invited_and_chooses_a_password(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let wrong = owner.post("/admin/accounts/new", &[("name", ""), ("email", "nobody"), ("role", "king")]).await;
    assert_eq!(wrong.status, 422);
    for expected in ["Write an e-mail address", "Write a name", "Choose one of the roles", "href=\"#input-email\""] {
        assert!(wrong.text().contains(expected), "{expected}");
    }
    let fields = [("name", "Ravi <b>"), ("email", "Ravi@Example.org"), ("role", "desk")];
    let added = owner.post("/admin/accounts/new", &fields).await;
    assert_eq!(added.status, 200, "{}", added.text());
    assert!(added.text().contains("Ravi &lt;b&gt;") && !added.text().contains("Ravi <b>"));
    let duplicate = owner.post("/admin/accounts/new", &fields).await;
    assert!(duplicate.status == 422 && duplicate.text().contains("Somebody has an account with this address."));

    let link = link(&added);
    let token = link.split('=').nth(1).unwrap().to_owned();
    let ravi = Browser::new(&site);
    assert_eq!(
        ravi.sign_in("ravi@example.org", "").await.status,
        400,
        "an invited account cannot sign in before it has a password"
    );
    assert!(ravi.get(&link).await.text().contains("ravi@example.org"));
    let new = "umbrella-projector-mango-9";
    for (chosen, repeated, expected) in [
        ("short", "short", "it needs 12 or more"),
        ("ravi@example.org", "ravi@example.org", "too easy to guess"),
        (new, "umbrella-projector-mango-8", "do not match"),
    ] {
        let fields = [("token", token.as_str()), ("new_password", chosen), ("again", repeated)];
        let response = ravi.post("/admin/invitation", &fields).await;
        assert!(response.status == 422 && response.text().contains(expected), "{chosen}: {}", response.text());
    }
    let fields = [("token", token.as_str()), ("new_password", new), ("again", new)];
    assert_eq!(ravi.post("/admin/invitation", &fields).await.status, 303);
    assert_eq!(ravi.post("/admin/invitation", &fields).await.status, 404, "a link works once");
    assert_eq!(ravi.get(&link).await.status, 404);
    assert_eq!(ravi.sign_in("ravi@example.org", new).await.status, 303);
    assert_eq!((count_audited(&site, "add").await, count_audited(&site, "choose password").await), (1, 1));
    let secrets = "SELECT count(*) FROM admin_audit WHERE coalesce(after_json, '') LIKE '%umbrella%' \
                   OR coalesce(after_json, '') LIKE '%argon2%'";
    assert_eq!(site.number(secrets).await, 0);

    let fields = [("name", "Late"), ("email", "late@example.org"), ("role", "desk")];
    let late = self::link(&owner.post("/admin/accounts/new", &fields).await);
    site.clock.set(site.app.clock.now() + SignedDuration::from_hours(72));
    assert_eq!(Browser::new(&site).get(&late).await.status, 404, "the link expires after three days");
}

async fn the_last_owner_cannot_be_disabled_or_demoted(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let id = site.id("admin_accounts", "role = 'owner'").await;
    // An invited owner who has not chosen a password yet does not count.
    owner.post("/admin/accounts/new", &[("name", "Next"), ("email", "next@example.org"), ("role", "owner")]).await;
    let refused = owner.post(&format!("/admin/accounts/{id}/disable"), &[]).await;
    assert!(refused.status == 409 && refused.text().contains("the last owner"), "{}", refused.text());
    let refused = owner.post(&format!("/admin/accounts/{id}"), &[("name", "A"), ("role", "editor")]).await;
    assert_eq!(refused.status, 409);
    assert!(owner.is_signed_in().await);
    create_account_with_email(&site, "second@example.org", &OWNER).await;
    assert_eq!(owner.post(&format!("/admin/accounts/{id}/disable"), &[]).await.status, 303);
    assert!(!owner.is_signed_in().await);
    let second = Browser::signed_in(&site, "second@example.org").await;
    assert_eq!(second.post(&format!("/admin/accounts/{id}/enable"), &[]).await.status, 303);
    assert_eq!(owner.sign_in("owner@example.org", PASSWORD).await.status, 303);
}

async fn password_reset_ends_sessions_and_replaces_the_link(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    let editor = Browser::signed_in(&site, &create_account(&site, &EDITOR).await).await;
    let id = site.id("admin_accounts", "role = 'editor'").await;
    let confirmation = owner.get(&format!("/admin/accounts/{id}/reset")).await;
    assert!(confirmation.status == 200 && editor.is_signed_in().await, "the confirmation page changes nothing");
    let first = link(&owner.post(&format!("/admin/accounts/{id}/reset"), &[]).await);
    assert!(!editor.is_signed_in().await);
    assert_eq!(editor.sign_in("editor@example.org", PASSWORD).await.status, 400, "the old password is invalid");
    let own = site.id("admin_accounts", "role = 'owner'").await;
    let refused = owner.post(&format!("/admin/accounts/{own}/reset"), &[]).await;
    assert!(refused.status == 409 && owner.is_signed_in().await, "the last owner cannot be reset");
    let second = link(&owner.post(&format!("/admin/accounts/{id}/reset"), &[]).await);
    let stranger = Browser::new(&site);
    assert_eq!((stranger.get(&first).await.status, stranger.get(&second).await.status), (404, 200));
    owner.post(&format!("/admin/accounts/{id}/disable"), &[]).await;
    assert_eq!(stranger.get(&second).await.status, 404, "a disabled account has no link");
}

/// A site with a mail server, which does not answer.
async fn site_with_mail_server(database: Database) -> TestApp {
    TestApp::with(database, |settings| {
        settings.mail.host = "127.0.0.1".into();
        settings.mail.port = 9;
    })
    .await
}

/// The path and query of the newest link in the outbox.
async fn mailed_link(site: &TestApp) -> String {
    let texts = site.texts("SELECT body_text FROM outbox WHERE kind = 'account-link' ORDER BY id").await;
    let text = texts.last().expect("a mail is in the outbox");
    let (_, rest) = text.split_once("http://localhost/admin/invitation?token=").expect("the mail has a link");
    format!("/admin/invitation?token={}", rest.lines().next().unwrap())
}

async fn forgotten_password_is_replaced_by_a_link_in_a_mail(database: Database) {
    let site = site_with_mail_server(database).await;
    let email = create_account(&site, &OWNER).await;
    let owner = Browser::signed_in(&site, &email).await;
    let stranger = Browser::new(&site);
    assert!(stranger.get("/admin/sign-in").await.text().contains("href=\"/admin/forgotten\""));
    assert!(stranger.get("/admin/forgotten").await.text().contains("name=\"email\""));
    let upper = email.to_uppercase();
    let answer = stranger.post("/admin/forgotten", &[("email", &format!(" {upper} "))]).await;
    assert_eq!(answer.status, 303);
    assert!(owner.is_signed_in().await, "asking for a link changes nothing");
    let first = mailed_link(&site).await;
    stranger.post("/admin/forgotten", &[("email", &email)]).await;
    let second = mailed_link(&site).await;
    assert!(
        first != second && stranger.get(&first).await.status == 200,
        "whoever asks again does not spoil the first link"
    );
    let token = second.split('=').nth(1).unwrap();
    let new = "umbrella-projector-mango-9";
    let fields = [("token", token), ("new_password", new), ("again", new)];
    assert_eq!(stranger.post("/admin/invitation", &fields).await.status, 303);
    assert!(!owner.is_signed_in().await, "a new password ends all sessions");
    assert_eq!(stranger.get(&first).await.status, 404, "a new password ends all links");
    assert_eq!(stranger.sign_in(&email, new).await.status, 303);
    assert_eq!(count_audited(&site, "ask for link").await, 2);

    stranger.post("/admin/forgotten", &[("email", &email)]).await;
    let third = mailed_link(&site).await;
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(61));
    assert_eq!(Browser::new(&site).get(&third).await.status, 404, "the link expires after an hour");
}

async fn link_in_the_outbox_is_hidden_from_everybody(database: Database) {
    let site = site_with_mail_server(database).await;
    let email = create_account(&site, &OWNER).await;
    let other = create_account_with_email(&site, "second@example.org", &OWNER).await;
    let second = Browser::signed_in(&site, "second@example.org").await;
    Browser::new(&site).post("/admin/forgotten", &[("email", &email)]).await;
    let link = mailed_link(&site).await;
    let id = site.id("outbox", "kind = 'account-link'").await;
    let page = second.get(&format!("/admin/mail/{id}")).await;
    assert!(page.status == 200 && page.text().contains("The text is not shown"), "{}", page.text());
    let token = link.split('=').nth(1).unwrap();
    assert!(!page.text().contains(token));
    let version = format!("{other}");
    let to_self =
        [("version", version.as_str()), ("to_address", "second@example.org"), ("subject", "x"), ("body", "x")];
    let refused = second.post(&format!("/admin/mail/{id}"), &to_self).await;
    assert!(refused.status == 409 && refused.text().contains("goes out as it is"), "{}", refused.text());
    let held = second.post(&format!("/admin/mail/{id}/state"), &[("action", "hold")]).await;
    assert_eq!(held.status, 409);
    let exported = second.post("/admin/privacy/export", &[("email", &email)]).await;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(exported.body)).unwrap();
    let json = std::io::read_to_string(zip.by_name("person.json").unwrap()).unwrap();
    assert!(json.contains("The text is not shown") && !json.contains(token), "{json}");
}

async fn requests_for_links_are_limited_and_reveal_no_account(database: Database) {
    let site = site_with_mail_server(database).await;
    let email = create_account(&site, &OWNER).await;
    create_account_with_email(&site, "gone@example.org", &EDITOR).await;
    site.write("UPDATE admin_accounts SET is_disabled = 1 WHERE email = 'gone@example.org'").await;
    let browser = Browser::new(&site);
    let mut answers = Vec::new();
    for address in [email.as_str(), "gone@example.org", "nobody@example.org"] {
        for _ in 0..3 {
            let answer = browser.post("/admin/forgotten", &[("email", address)]).await;
            assert_eq!(answer.status, 303, "{address}");
            answers.push(browser.get("/admin/sign-in").await.text().contains("If there is an account"));
        }
        let fourth = browser.post("/admin/forgotten", &[("email", address)]).await;
        assert_eq!(fourth.status, 429, "{address}");
    }
    assert_eq!(answers, [true; 9]);
    assert_eq!(site.number("SELECT count(*) FROM outbox").await, 3, "one account, three links");

    let without = TestApp::new(database).await;
    create_account(&without, &OWNER).await;
    let browser = Browser::new(&without);
    assert_eq!(browser.get("/admin/forgotten").await.status, 404, "nobody would get the mail");
    assert!(browser.get("/admin/sign-in").await.text().contains("Ask an owner"));
}

async fn invitation_is_mailed_if_the_owner_asks_for_it(database: Database) {
    let site = site_with_mail_server(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &OWNER).await).await;
    assert!(owner.get("/admin/accounts/new").await.text().contains("Send the link by mail"));
    let fields = [("name", "Ravi"), ("email", "ravi@example.org"), ("role", "desk")];
    let quiet = owner.post("/admin/accounts/new", &fields).await;
    assert!(quiet.text().contains("Send this link to Ravi"));
    assert_eq!(site.number("SELECT count(*) FROM outbox").await, 0);
    let id = site.id("admin_accounts", "email = 'ravi@example.org'").await;
    let mailed = owner.post(&format!("/admin/accounts/{id}/reset"), &[("by_mail", "yes")]).await;
    assert!(mailed.text().contains("on its way to ravi@example.org"), "{}", mailed.text());
    let link = link(&mailed);
    assert_eq!(mailed_link(&site).await, link);
    assert_eq!(Browser::new(&site).get(&link).await.status, 200);
}

async fn audit_log_records_who_did_what_and_is_append_only(database: Database) {
    let site = TestApp::with(database, |settings| settings.trusted_proxies = vec!["127.0.0.1".into()]).await;
    let email = create_account(&site, &OWNER).await;
    let editor = create_account_with_email(&site, "editor@example.org", &EDITOR).await;
    let owner = Browser::new(&site).with("X-Forwarded-For", "192.0.2.44");
    owner.sign_in(&email, PASSWORD).await;
    let fields = [("name", "Now <i>Desk</i>"), ("role", "desk")];
    assert_eq!(owner.post(&format!("/admin/accounts/{editor}"), &fields).await.status, 303);
    let log = owner.get(&format!("/admin/audit?action=change&object=account&id={editor}")).await.text();
    for expected in
        ["26 Oct 2025, 12:00 PM", "owner@example.org", "192.0.2.44", "</b> changed <a ", "role: editor → desk"]
    {
        assert!(log.contains(expected), "{expected}");
    }
    assert!(log.contains("Now &lt;i&gt;Desk") && !log.contains("<i>Desk"));
    let other = owner.get("/admin/audit?action=change&from=2025-10-27").await.text();
    assert!(other.contains("No results"));
    let day = owner.get("/admin/audit?action=change&from=2025-10-26&until=2025-10-26").await.text();
    assert!(day.contains("192.0.2.44"));
    for sql in ["UPDATE admin_audit SET action = 'nothing'", "DELETE FROM admin_audit"] {
        let mut write = site.app.db.write().await.unwrap();
        let error = sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *write).await.unwrap_err();
        assert!(error.to_string().contains("the audit log is only added to"), "{error}");
    }
    for _ in 0..110 {
        site.write(
            "INSERT INTO admin_audit (at, network, action, object) VALUES ('2025-10-26T06:31:00.000Z', '', 'x', 'y')",
        )
        .await;
    }
    let page = owner.get("/admin/audit?action=x").await.text();
    assert_eq!(page.matches("<tr><td class=\"when\">").count(), 100);
    let (_, older) =
        page.split_once("rel=\"next\">").map(|(before, _)| before.rsplit_once("href=\"").unwrap()).unwrap();
    let older = older.trim_end_matches('"').trim_end_matches("\" ").replace("&amp;", "&").replace("&#x3D;", "=");
    let page = owner.get(older.split('"').next().unwrap()).await.text();
    assert_eq!(page.matches("<tr><td class=\"when\">").count(), 10);
}
