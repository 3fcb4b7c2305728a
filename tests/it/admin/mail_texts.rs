//! Texts of mails that organisers change: checked, previewed, sent, restored; broken ones are never sent.

use std::collections::BTreeSet;

use festival_core::admin::{EDITOR, OWNER, READER};
use festival_core::mail::Template;
use festival_forms::{DESK, REVIEWER};

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use super::payments;
use crate::forms::requests::{FormRequest, assert_received, lift_limits, message, send_message};
use crate::support::{Database, Response, TestApp};

on_both!(
    changed_text_is_checked_previewed_and_sent,
    broken_text_is_reported_and_not_sent,
    every_variable_of_every_mail_has_a_value,
    text_of_a_mail_conflicts_is_restored_and_reset,
    account_links_can_be_worded_but_not_leaked,
);

const RECEIPT: &str = "/admin/settings/mails/film-receipt";

async fn site_with_owner(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, |settings| {
        lift_limits(settings);
        // Links to choose a password are sent where there is a mail server.
        settings.mail.host = "mail.example.org".into();
    })
    .await;
    let owner = create_account(&site, &OWNER).await;
    (site, owner)
}

fn templates(site: &TestApp) -> Vec<&'static Template> {
    site.app.admin.contents.mails.iter().map(|mail| mail.template).collect()
}

/// Sends the form of a mail unchanged except for subject and text.
async fn save(browser: &Browser<'_>, page: &str, subject: &str, text: &str, then: &str) -> Response {
    let version = hidden_value(&browser.get(page).await, "version").unwrap();
    browser.post(page, &[("version", &version), ("subject", subject), ("text", text), ("then", then)]).await
}

async fn changed_text_is_checked_previewed_and_sent(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let list = browser.get("/admin/settings/mails").await.text();
    for template in templates(&site) {
        assert!(list.contains(template.name) && list.contains(template.key), "{}: {list}", template.key);
    }
    assert!(browser.get("/admin/settings").await.text().contains("href=\"/admin/settings/mails\""));
    for (subject, text, expected) in [
        ("Received", "{{refrence}}", "Did you mean {{reference}}?"),
        ("Received", "Hello {{sender}}", "{{reference}} is missing"),
        ("Received {{#if late}}", "{{reference}}", "There is no {{#if late}} in this mail."),
        ("", "{{reference}}", "Write a subject."),
        ("{{fields}}", "{{reference}}", "not in the subject"),
    ] {
        for then in ["", "preview"] {
            let refused = save(&browser, RECEIPT, subject, text, then).await;
            assert_eq!(refused.status, 422, "{}", refused.text());
            assert!(unescape_html(&refused.text()).contains(expected), "{expected}: {}", refused.text());
            assert!(unescape_html(&refused.text()).contains(&format!("{text}</textarea>")), "what was typed stays");
        }
    }
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
    let (subject, text) =
        ("Thank you ({{reference}})", "Hello {{sender}},\n\n{{film}}\n{{award}}\n{{code}}\n\n{{reference}}");
    // Only the examples are available for a preview.
    let preview = save(&browser, RECEIPT, subject, text, "preview").await;
    assert_eq!(preview.status, 200, "{}", preview.text());
    assert!(preview.text().contains("Filled in with examples.") && preview.text().contains("Hello Anu Das,"));
    assert_eq!(count_audited(&site, "view").await, 0);
    let film = FormRequest::film().with("title_english", "A {{code}} <b>");
    assert_received(&film.clone().with("award_category", "asian").post(&site, "/api/changed/").await);
    let preview = save(&browser, RECEIPT, subject, text, "preview").await;
    let shown = unescape_html(&preview.text());
    assert!(shown.contains("Filled in with AS-2025-0001") && shown.contains("Thank you (AS-2025-0001)"), "{shown}");
    assert!(shown.contains("Hello S. Submitter,\n\nA {{code}} <b>"), "{shown}");
    assert_eq!(count_audited(&site, "view").await, 1, "whose data was shown is written down");
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0, "a preview saves nothing");
    let saved = save(&browser, RECEIPT, subject, text, "").await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, RECEIPT), "{}", saved.text());
    assert_eq!(count_audited(&site, "change").await, 1);
    assert_received(&film.with("award_category", "indian").post(&site, "/api/changed/").await);
    let mails =
        site.texts("SELECT subject || '|' || body_text FROM outbox WHERE kind = 'film-receipt' ORDER BY id").await;
    assert!(mails[0].starts_with("Velicham 2025: your film A {{code}} <b> has arrived"), "{}", mails[0]);
    let expected =
        "Thank you (IN-2025-0001)|Hello S. Submitter,\n\nA {{code}} <b> (ഒരു വെളിച്ചം)\nIndian Cinema\n\nIN-2025-0001\n";
    assert_eq!(mails[1], expected);
    for role in [&EDITOR, &DESK, &REVIEWER, &READER] {
        let other = Browser::signed_in(&site, &create_account(&site, role).await).await;
        for page in ["/admin/settings/mails", RECEIPT] {
            assert_eq!(other.get(page).await.status, 403, "{role:?} {page}");
        }
        assert!(!other.get("/admin/search?q=receipt").await.text().contains(RECEIPT), "{role:?}");
    }
    assert!(browser.get("/admin/search?q=receipt").await.text().contains(RECEIPT));
}

async fn broken_text_is_reported_and_not_sent(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    site.write("INSERT INTO settings (path, value, updated_at) VALUES ('mail.texts.film-receipt.text', '\"{{gone}}\"', '2025-10-26')").await;
    assert_received(&FormRequest::film().with("award_category", "asian").post(&site, "/api/changed/").await);
    let mail = site.texts("SELECT body_text FROM outbox WHERE kind = 'film-receipt'").await.remove(0);
    assert!(mail.contains("thank you for submitting your film"), "{mail}");
    assert!(browser.get("/admin/settings/mails").await.text().contains("The original is sent"));
    let page = browser.get(RECEIPT).await;
    let text = unescape_html(&page.text());
    assert!(text.contains("The changed text is not used") && text.contains("There is no {{gone}}"), "{text}");
    let version = hidden_value(&page, "version").unwrap();
    assert_eq!(browser.post(RECEIPT, &[("version", &version), ("then", "original")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
    assert!(!browser.get(RECEIPT).await.text().contains("not used"));
}

/// Kind of the letters about decisions.
const LETTER: &str = "selection-letter";

/// Changes every mail to a text of all of its variables: a variable without a value would make the mail fall back to
/// the original.
async fn every_variable_of_every_mail_has_a_value(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let mut changed = BTreeSet::new();
    for template in templates(&site).into_iter().filter(|template| template.fixed.is_none()) {
        let lines: Vec<String> = template.variables().map(|variable| variable.written()).collect();
        let inline = template.variables().filter(|variable| !variable.is_block).map(|variable| variable.written());
        let subject = format!("Changed {}", inline.collect::<Vec<_>>().join(" "));
        let page = format!("/admin/settings/mails/{}", template.key);
        let saved = save(&browser, &page, &subject, &format!("Changed\n{}", lines.join("\n")), "").await;
        assert_eq!(saved.status, 303, "{}: {}", template.key, saved.text());
        let shown = save(&browser, &page, &subject, "{{none}}", "").await;
        assert_eq!(shown.status, 422);
        changed.insert(template.kind);
    }
    // Letters about decisions are sent by a release: tests/it/selection/release.rs.
    changed.remove(LETTER);
    let film = payments::submit(&site, &payments::film("asian")).await;
    assert_received(&FormRequest::delegate().post(&site, "/api/delegate-form/").await);
    assert_eq!(send_message(&site, &message()).await.status, 200);
    for payment in ["rejected", "unchecked", "verified"] {
        let fields = [("payment", payment), ("payment_reason", "Too little"), ("tell", "yes")];
        assert_eq!(payments::save(&browser, &film, &fields).await.status, 303);
    }
    let confirmed = [("status", "confirmed"), ("payment", "verified"), ("tell", "yes")];
    assert_eq!(payments::save(&browser, "/admin/delegates/1", &confirmed).await.status, 303);
    let own_page = [("Sec-Fetch-Site", "same-origin")];
    let lost = browser.send("/status/lost", &[("email", "delegate@example.org")], &own_page).await;
    assert_eq!(lost.status, 303, "{}", lost.text());
    let answer = [("version", "0"), ("answer", "Hello")];
    assert_eq!(browser.post("/admin/contact-messages/1/answer", &answer).await.status, 303);
    assert_eq!(browser.post("/admin/forgotten", &[("email", &owner)]).await.status, 303);
    let account = [("name", "Anu"), ("email", "anu@example.org"), ("role", "editor")];
    assert!(browser.post("/admin/accounts/new", &account).await.status < 400);
    // Every mail can be previewed with real submissions.
    for template in templates(&site).into_iter().filter(|template| template.fixed.is_none()) {
        let page = format!("/admin/settings/mails/{}", template.key);
        let original = template.original();
        let preview = save(&browser, &page, &original.subject, &original.text, "preview").await;
        assert_eq!(preview.status, 200, "{}: {}", template.key, preview.text());
        let is_real = preview.text().contains("-2025-0001, the latest");
        assert_eq!(
            is_real,
            !["account-link", "status-link", LETTER].contains(&template.kind),
            "{}: {}",
            template.key,
            preview.text()
        );
    }
    let sent: BTreeSet<String> =
        site.texts("SELECT DISTINCT kind FROM outbox WHERE subject LIKE 'Changed %'").await.into_iter().collect();
    assert_eq!(sent, changed.iter().map(|kind| (*kind).to_owned()).collect());
    let original = site.texts("SELECT kind FROM outbox WHERE body_text NOT LIKE 'Changed%'").await;
    assert_eq!(original, Vec::<String>::new(), "the original went out, so a value is missing");
    let left = site.texts("SELECT kind FROM outbox WHERE body_text LIKE '%{{%' OR subject LIKE '%{{%'").await;
    assert_eq!(left, Vec::<String>::new());
}

async fn text_of_a_mail_conflicts_is_restored_and_reset(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let version = hidden_value(&browser.get(RECEIPT).await, "version").unwrap();
    assert_eq!(save(&browser, RECEIPT, "One", "One {{reference}}", "").await.status, 303);
    let late = [("version", version.as_str()), ("subject", "Two"), ("text", "Two {{reference}}"), ("then", "")];
    let conflict = browser.post(RECEIPT, &late).await;
    assert_eq!(conflict.status, 409);
    let text = unescape_html(&conflict.text());
    assert!(text.contains("One {{reference}}") && text.contains("Two {{reference}}</textarea>"), "{text}");
    let version = hidden_value(&conflict, "version").unwrap();
    let again = [("version", version.as_str()), ("subject", "Two"), ("text", "Two {{reference}}"), ("then", "")];
    assert_eq!(browser.post(RECEIPT, &again).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 2);
    let history = browser.get(&format!("{RECEIPT}/history")).await;
    assert!(unescape_html(&history.text()).contains("One {{reference}}"), "{}", history.text());
    let id = site.number("SELECT id FROM revisions WHERE record LIKE '%One {{reference}}%'").await;
    let restored = browser.post(&format!("{RECEIPT}/history/{id}/restore"), &[]).await;
    assert_eq!((restored.status, restored.header("Location").as_str()), (303, RECEIPT));
    assert!(unescape_html(&browser.get(RECEIPT).await.text()).contains("One {{reference}}</textarea>"));
    // A version with a variable that no longer exists cannot be restored.
    site.write("UPDATE revisions SET record = replace(record, 'Two {{reference}}', 'Two {{gone}}')").await;
    let id = site.number("SELECT id FROM revisions WHERE record LIKE '%Two {{gone}}%'").await;
    let refused = browser.post(&format!("{RECEIPT}/history/{id}/restore"), &[]).await;
    assert_eq!(refused.header("Location"), format!("{RECEIPT}/history"));
    assert!(unescape_html(&browser.get(RECEIPT).await.text()).contains("One {{reference}}</textarea>"));
    // A text equal to the original is not stored, so a later original takes effect.
    let original = templates(&site).into_iter().find(|template| template.key == "film-receipt").unwrap().original();
    assert_eq!(save(&browser, RECEIPT, &original.subject, &original.text, "").await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
    assert!(browser.get(RECEIPT).await.text().contains("{{signature}}</textarea>"));
    assert!(save(&browser, RECEIPT, &original.subject, &original.text, "").await.status == 303);
    assert!(browser.get(RECEIPT).await.text().contains("No changes to save."));
}

async fn account_links_can_be_worded_but_not_leaked(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let page = "/admin/settings/mails/forgotten-password";
    // Subjects are shown in the list of mails.
    assert_eq!(save(&browser, page, "{{link}}", "{{link}}", "").await.status, 422);
    assert_eq!(save(&browser, page, "Password", "No link", "").await.status, 422);
    assert_eq!(save(&browser, page, "Password", "Hello {{name}},\n\n{{link}}", "").await.status, 303);
    assert_eq!(browser.post("/admin/forgotten", &[("email", &owner)]).await.status, 303);
    let mail = site.texts("SELECT subject || '|' || body_text FROM outbox WHERE kind = 'account-link'").await.remove(0);
    assert!(mail.starts_with("Password|Hello ") && mail.contains("/admin/invitation?token="), "{mail}");
    let fixed = "/admin/settings/mails/payment-changed";
    assert!(!browser.get(fixed).await.text().contains("<textarea"));
    assert!([404, 405].contains(&browser.post(fixed, &[("subject", "x"), ("text", "x")]).await.status));
}
