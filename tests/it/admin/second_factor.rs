//! The second factor: set up, required at sign-in, removed, and recovery codes for a lost phone.

use festival_core::admin::OWNER;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::SignedDuration;
use sha1::Sha1;

use super::browser::{Browser, PASSWORD, count_audited, create_account, hidden_value};
use crate::support::{Database, Response, TestApp};

on_both!(
    sign_in_requires_the_authenticator_code,
    recovery_codes_replace_a_lost_phone_and_work_once,
    guesses_at_the_code_are_limited,
    enabling_the_second_factor_ends_other_sessions,
    sensitive_screens_ask_for_the_code_again,
    settings_can_require_a_second_factor,
);

/// The code that an authenticator with `secret` shows, `steps` of thirty seconds from now.
pub(super) fn code(site: &TestApp, secret: &str, steps: i64) -> String {
    let secret = data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).unwrap();
    let step = site.app.clock.now().as_second() / 30 + steps;
    let mut mac = Hmac::<Sha1>::new_from_slice(&secret).unwrap();
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let offset = usize::from(digest[19] & 15);
    let number = u32::from_be_bytes(digest[offset..offset + 4].try_into().unwrap()) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}

/// Sets up the second factor and returns the secret and the page with the recovery codes.
pub(super) async fn set_up(browser: &Browser<'_>) -> (String, Response) {
    let page = browser.get("/admin/account/second-factor").await;
    assert!(page.text().contains("src=\"data:image/svg+xml;base64,"), "{}", page.text());
    let secret = hidden_value(&page, "secret").unwrap();
    let wrong = browser.post("/admin/account/second-factor", &[("secret", &secret), ("code", "000000")]).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(hidden_value(&wrong, "secret").as_deref(), Some(secret.as_str()), "the form keeps the secret");
    let code = code(browser.site, &secret, 0);
    let page = browser.post("/admin/account/second-factor", &[("secret", &secret), ("code", &code)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    (secret, page)
}

async fn sign_in_requires_the_authenticator_code(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let (secret, _) = set_up(&Browser::signed_in(&site, &owner).await).await;
    let browser = Browser::new(&site);
    let half =
        browser.post("/admin/sign-in", &[("email", &owner), ("password", PASSWORD), ("next", "/admin/audit")]).await;
    assert_eq!(half.header("Location"), "/admin/sign-in/code?next=%2Fadmin%2Faudit");
    assert!(!browser.is_signed_in().await, "the password alone opens nothing");
    assert_eq!(browser.get("/admin/accounts").await.status, 303);
    let enter =
        async |code: String| browser.post("/admin/sign-in/code", &[("code", &code), ("next", "/admin/audit")]).await;
    assert_eq!(enter(code(&site, &secret, 0)).await.status, 422, "the code of the setup cannot be used again");
    assert_eq!(enter(code(&site, &secret, 2)).await.status, 422, "a code from a minute ahead is invalid");
    let token = browser.session_token();
    let response = enter(code(&site, &secret, 1)).await;
    assert_eq!((response.status, response.header("Location").as_str()), (303, "/admin/audit"));
    assert!(browser.is_signed_in().await && browser.session_token() != token);
    let again = Browser::new(&site);
    again.sign_in(&owner, PASSWORD).await;
    let response = again.post("/admin/sign-in/code", &[("code", &code(&site, &secret, 1))]).await;
    assert_eq!(response.status, 422, "a code works once");
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(10));
    let response = again.post("/admin/sign-in/code", &[("code", &code(&site, &secret, 0))]).await;
    assert_eq!(response.header("Location"), "/admin/sign-in", "the half-finished sign-in expires");

    let next = code(&site, &secret, 0);
    let wrong = browser.post("/admin/account/second-factor/remove", &[("code", "000000")]).await;
    assert_eq!(wrong.status, 422);
    let removed = browser.post("/admin/account/second-factor/remove", &[("code", &next)]).await;
    assert_eq!((removed.status, removed.header("Location").as_str()), (303, "/admin/account"));
    assert_eq!(site.number("SELECT count(*) FROM admin_recovery_codes").await, 0);
    assert!(Browser::signed_in(&site, &owner).await.is_signed_in().await);
}

async fn recovery_codes_replace_a_lost_phone_and_work_once(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let (_, page) = set_up(&Browser::signed_in(&site, &owner).await).await;
    let codes: Vec<String> =
        page.text().split("<li><code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned()).collect();
    assert_eq!(codes.len(), 10);
    let stored_in_plain =
        site.number(&format!("SELECT count(*) FROM admin_recovery_codes WHERE code_hash = '{}'", codes[0])).await;
    assert_eq!(stored_in_plain, 0, "the database has only hashes");
    for (code, status) in [(codes[0].to_uppercase(), 303), (codes[0].clone(), 422), (codes[1].replace('-', " "), 303)] {
        let browser = Browser::new(&site);
        browser.sign_in(&owner, PASSWORD).await;
        assert_eq!(browser.post("/admin/sign-in/code", &[("code", &code)]).await.status, status, "{code}");
    }
    let browser = Browser::new(&site);
    browser.sign_in(&owner, PASSWORD).await;
    browser.post("/admin/sign-in/code", &[("code", &codes[2])]).await;
    assert!(browser.get("/admin/").await.text().contains("You have 7 left"));
    browser.post("/admin/account/second-factor/codes", &[]).await;
    assert_eq!(site.number("SELECT count(*) FROM admin_recovery_codes WHERE used_at IS NULL").await, 10);
    assert_eq!(
        (count_audited(&site, "use recovery code").await, count_audited(&site, "renew recovery codes").await),
        (3, 1)
    );
}

async fn guesses_at_the_code_are_limited(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let (secret, _) = set_up(&Browser::signed_in(&site, &owner).await).await;
    let browser = Browser::new(&site);
    browser.sign_in(&owner, PASSWORD).await;
    for _ in 0..10 {
        assert_eq!(browser.post("/admin/sign-in/code", &[("code", "123")]).await.status, 422);
    }
    let right = code(&site, &secret, 1);
    assert_eq!(browser.post("/admin/sign-in/code", &[("code", &right)]).await.status, 429);
}

async fn enabling_the_second_factor_ends_other_sessions(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let (here, there) = (Browser::signed_in(&site, &owner).await, Browser::signed_in(&site, &owner).await);
    set_up(&here).await;
    assert!(here.is_signed_in().await && !there.is_signed_in().await);
}

async fn sensitive_screens_ask_for_the_code_again(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (secret, _) = set_up(&browser).await;
    site.clock.set(site.app.clock.now() + SignedDuration::from_mins(16));
    let confirm_path = browser.get("/admin/accounts/new").await.header("Location");
    assert_eq!(confirm_path, "/admin/confirm?next=%2Fadmin%2Faccounts%2Fnew");
    assert!(browser.get(&confirm_path).await.text().contains("name=\"code\""));
    let confirm = async |code: &str| browser.post("/admin/confirm", &[("password", PASSWORD), ("code", code)]).await;
    assert_eq!(confirm("").await.status, 422, "the password alone is not enough");
    assert_eq!(confirm("000000").await.status, 422);
    assert_eq!(browser.get("/admin/accounts/new").await.status, 303);
    let now = code(&site, &secret, 0);
    assert_eq!(confirm(&now).await.status, 303);
    assert_eq!(browser.get("/admin/accounts/new").await.status, 200);
    assert_eq!(confirm(&now).await.status, 422, "a code works once here too");
}

async fn settings_can_require_a_second_factor(database: Database) {
    let site = TestApp::with(database, |settings| settings.admin.require_second_factor = true).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for path in ["/admin/", "/admin/accounts", "/admin/account"] {
        assert_eq!(browser.get(path).await.header("Location"), "/admin/account/second-factor", "{path}");
    }
    set_up(&browser).await;
    assert!(browser.is_signed_in().await);
}
