//! Settings in the browser: effective at once, validated like the file, with history, and mails about payment details.

use festival_core::admin::{EDITOR, OWNER, READER};
use serde_json::{Value, json};

use super::browser::{Browser, count_audited, create_account, create_account_with_email, hidden_value};
use crate::forms::requests::{FormRequest, assert_received, lift_limits};
use crate::support::{Database, Response, TestApp, festival};

on_both!(
    changed_fee_takes_effect_everywhere_at_once,
    browser_settings_follow_the_rules_of_the_file,
    setting_can_be_reset_to_the_value_of_the_file,
    list_settings_can_be_edited_without_javascript,
    settings_conflict_shows_both_versions,
    settings_of_two_editors_are_merged,
    payment_details_of_two_editors_are_merged_before_confirmation,
    payment_detail_changes_are_mailed_to_every_owner,
    earlier_settings_can_be_restored_from_history,
    settings_enforce_roles,
);

/// Names and values of a settings form as its page shows it.
fn form_fields(page: &Response) -> Vec<(String, String)> {
    let unescaped = |text: &str| {
        text.replace("&quot;", "\"")
            .replace("&#x27;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    };
    let text = page.text();
    let form = text.split_once("data-guarded").map(|(_, rest)| rest).and_then(|rest| rest.split_once("</form>"));
    let mut fields = Vec::new();
    for tag in form.expect("a form").0.split('<').filter(|tag| tag.starts_with("input") || tag.starts_with("textarea"))
    {
        let value_of = |name: &str| Some(tag.split_once(&format!("{name}=\""))?.1.split('"').next()?.to_owned());
        let (Some(name), kind) = (value_of("name"), value_of("type")) else { continue };
        if name == "csrf" || name == "file" || (kind.as_deref() == Some("checkbox") && !tag.contains("checked")) {
            continue;
        }
        let value = match tag.starts_with("textarea") {
            true => tag.split_once('>').map(|(_, rest)| rest.trim_start_matches('\n').to_owned()),
            false => value_of("value"),
        };
        fields.push((name, unescaped(&value.unwrap_or_default())));
    }
    fields
}

fn set_field(fields: &mut Vec<(String, String)>, name: &str, value: &str) {
    fields.retain(|(known, _)| known != name);
    fields.push((name.to_owned(), value.to_owned()));
}

async fn post_fields(browser: &Browser<'_>, path: &str, fields: &[(String, String)]) -> Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(path, &fields).await
}

/// Opens a settings group, changes these fields and saves.
pub(crate) async fn save(browser: &Browser<'_>, group: &str, changes: &[(&str, &str)]) -> Response {
    let path = format!("/admin/settings/{group}");
    let mut fields = form_fields(&browser.get(&path).await);
    for (name, value) in changes {
        set_field(&mut fields, name, value);
    }
    post_fields(browser, &path, &fields).await
}

async fn site_facts(site: &TestApp) -> Value {
    site.get("/api/site/").await.json()
}

async fn site_with_owner(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, lift_limits).await;
    let owner = create_account(&site, &OWNER).await;
    (site, owner)
}

async fn changed_fee_takes_effect_everywhere_at_once(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(site_facts(&site).await["fees"]["film_submission_inr"], 5000);
    let saved =
        save(&browser, "fees", &[("fees.film_submission_inr", "6500"), ("fees.memberships.2.amount", "650")]).await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, "/admin/settings/fees"), "{}", saved.text());
    let fees = &site_facts(&site).await["fees"];
    assert_eq!((&fees["film_submission_inr"], &fees["film_submission_text"]), (&json!(6500), &json!("₹6,500")));
    assert_eq!(
        fees["memberships"][2],
        json!({ "key": "student", "label": "Student Delegate", "amount": 650, "amount_text": "₹650" })
    );
    assert!(site.get("/form").await.text().contains("₹650"), "the form");
    assert!(site.get("/form-indian").await.text().contains("6,500"), "the film form");
    // Registrations from now on are charged the new fee.
    assert_received(
        &FormRequest::delegate().with("category", "Student Delegate").post(&site, "/api/delegate-form/").await,
    );
    assert_eq!(site.number("SELECT fee_inr FROM delegates").await, 650);
    // A new category gets its key from its label.
    let saved =
        save(&browser, "fees", &[("fees.memberships.5.label", "Press & media"), ("fees.memberships.5.amount", "0")])
            .await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(site_facts(&site).await["fees"]["memberships"][5]["key"], "press-media");
    assert_eq!(count_audited(&site, "change").await, 2);
}

async fn browser_settings_follow_the_rules_of_the_file(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for (group, name, value, expected) in [
        ("fees", "fees.film_submission_inr", "-1", "is not a whole number"),
        ("fees", "fees.film_submission_usd", "", "Please fill in"),
        ("fees", "fees.memberships.1.label", "Membership", "is listed twice"),
        ("fees", "fees.memberships.1.amount", "many", "is not a whole number"),
        ("payment", "payment.upi.id", "lamp", "is not a UPI ID"),
        ("payment", "payment.bank.ifsc", "EXMP", "is not an IFSC"),
        ("menus", "menu.footer.0.href", "javascript:alert(1)", "is not an address"),
        ("menus", "menu.header.14.href", "", "Enter an address"),
        ("social", "social.0.href", "//elsewhere.example", "is not an address"),
        ("contact", "contact.email", "office", "is not an e-mail address"),
        ("contact", "mail.organisers", "one@example.org\nnobody", "is not an address"),
    ] {
        let refused = save(&browser, group, &[(name, value)]).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.text());
        let text = refused.text();
        assert!(text.contains(expected), "{name}: {text}");
        let shown_again = form_fields(&refused);
        assert!(
            shown_again.iter().any(|(known, input)| known == name && input == value),
            "{name} is lost: {shown_again:?}"
        );
    }
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
}

async fn setting_can_be_reset_to_the_value_of_the_file(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(save(&browser, "contact", &[("contact.phone", "+91 484 111 1111")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 1);
    assert!(browser.get("/admin/settings").await.text().contains("1 setting differs from the file"));
    let page = browser.get("/admin/settings/contact").await;
    assert!(
        page.text().contains("In the settings file: <span class=\"text\">+91 484 000 0000</span>"),
        "{}",
        page.text()
    );
    let directory = site.directory.path();
    let databases = format!("{{festival={{url=\"{}\"}}}}", site.database.url(directory));
    let environment = [("FESTIVAL_DATA_DIR", directory.to_str().unwrap()), ("ROCKET_DATABASES", databases.as_str())];
    let facts = festival(directory, &["config", "show"], &environment);
    assert!(facts.out.contains("\nphone = \"+91 484 111 1111\" # from the browser\n"), "{}", facts.transcript());
    assert_eq!(save(&browser, "contact", &[("file", "contact.phone")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0, "values equal to the file are not stored");
    assert_eq!(site_facts(&site).await["contact"]["phone"], "+91 484 000 0000");
    // Stored values that the rules no longer allow are ignored.
    site.write("INSERT INTO settings (path, value, updated_at) VALUES ('fees.science_public', '\"dear\"', ''), ('contact.phone', '\"1234567\"', '')").await;
    let facts = site_facts(&site).await;
    assert_eq!((&facts["fees"]["science_public"], &facts["contact"]["phone"]), (&json!(200), &json!("1234567")));
}

async fn list_settings_can_be_edited_without_javascript(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let labels = |facts: Value| -> Vec<String> {
        facts["menu"]["footer"]
            .as_array()
            .unwrap()
            .iter()
            .map(|link| link["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let before = labels(site_facts(&site).await);
    let form = browser.get("/admin/settings/menus").await;
    assert!(form.text().contains("<option value=\"/team\">"), "pages are proposed: {}", form.text());
    assert!(!form.text().contains("<option value=\"/films/{"), "no address has a parameter: {}", form.text());
    let mut fields = form_fields(&form);
    for action in ["up:menu.footer:1", "remove:menu.footer:2", "add:menu.footer"] {
        fields.push(("action".to_owned(), action.to_owned()));
        let page = post_fields(&browser, "/admin/settings/menus", &fields).await;
        assert_eq!(page.status, 200, "{action}");
        fields = form_fields(&page);
    }
    assert_eq!(labels(site_facts(&site).await), before, "nothing is saved yet");
    assert_eq!(post_fields(&browser, "/admin/settings/menus", &fields).await.status, 303);
    let mut expected = before;
    expected.swap(0, 1);
    expected.remove(2);
    assert_eq!(labels(site_facts(&site).await), expected);
    for (address, is_named) in
        [("/teem", true), ("document:teem", true), ("/team#chair", false), ("https://example.org", false)]
    {
        let mut fields = form_fields(&browser.get("/admin/settings/menus").await);
        let first = fields.iter_mut().find(|(name, _)| name == "menu.footer.0.href").unwrap();
        address.clone_into(&mut first.1);
        let saved = post_fields(&browser, "/admin/settings/menus", &fields).await;
        assert_eq!(saved.status, 303, "{address}");
        let page = browser.get("/admin/settings/menus").await.text();
        let message = page.split("role=\"status\">").nth(1).and_then(|rest| rest.split("</p>").next()).unwrap();
        assert!(message.contains("These links are not shown, because nothing is there on this site: "), "{message}");
        let (_, label) = fields.iter().find(|(name, _)| name == "menu.footer.0.label").unwrap();
        assert_eq!(message.contains(&format!("“{label}” ({address})")), is_named, "{address}: {message}");
    }
    // The header menu came back from the form unchanged.
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 1);
}

async fn settings_conflict_shows_both_versions(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    create_account_with_email(&site, "second@example.org", &OWNER).await;
    let first = Browser::signed_in(&site, &owner).await;
    let second = Browser::signed_in(&site, "second@example.org").await;
    let mut mine = form_fields(&second.get("/admin/settings/fees").await);
    assert_eq!(save(&first, "fees", &[("fees.science_public", "250")]).await.status, 303);
    set_field(&mut mine, "fees.science_public", "300");
    let conflict = post_fields(&second, "/admin/settings/fees", &mine).await;
    assert_eq!(conflict.status, 409);
    assert!(
        conflict.text().contains("Saved value") && conflict.text().contains("<td class=\"text\">250</td>"),
        "{}",
        conflict.text()
    );
    assert_eq!(site_facts(&site).await["fees"]["science_public"], 250, "the first save is not overwritten");
    // After seeing both versions the user may save.
    assert_eq!(post_fields(&second, "/admin/settings/fees", &form_fields(&conflict)).await.status, 303);
    assert_eq!(site_facts(&site).await["fees"]["science_public"], 300);
}

async fn settings_of_two_editors_are_merged(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    create_account_with_email(&site, "second@example.org", &OWNER).await;
    let first = Browser::signed_in(&site, &owner).await;
    let second = Browser::signed_in(&site, "second@example.org").await;
    let fees = async || site_facts(&site).await["fees"].clone();
    let mut mine = form_fields(&second.get("/admin/settings/fees").await);
    let opened_first = mine.clone();
    assert_eq!(save(&first, "fees", &[("fees.science_public", "250")]).await.status, 303);
    set_field(&mut mine, "fees.film_submission_inr", "6000");
    let united = post_fields(&second, "/admin/settings/fees", &mine).await;
    assert_eq!(united.status, 303, "{}", united.text());
    let told = second.get("/admin/settings/fees").await.text();
    assert!(told.contains("was changed by") && told.contains("; that stays."), "{told}");
    let stored = fees().await;
    assert_eq!((&stored["science_public"], &stored["film_submission_inr"]), (&json!(250), &json!(6000)));

    // Two versions later: one setting was changed by both, one by others, one by this editor.
    let mut late = opened_first;
    set_field(&mut late, "fees.film_submission_inr", "7000");
    set_field(&mut late, "fees.film_submission_usd", "70");
    let conflict = post_fields(&first, "/admin/settings/fees", &late).await;
    assert_eq!(conflict.status, 409);
    let text = conflict.text();
    let rows = text.matches("<th scope=\"row\"><a href=\"#input-").count();
    assert!(
        rows == 1 && text.contains("#input-fees.film_submission_inr") && text.contains("<td class=\"text\">6000</td>"),
        "{text}"
    );
    assert!(text.contains("what the other person changed elsewhere"), "{text}");
    assert_eq!(post_fields(&first, "/admin/settings/fees", &form_fields(&conflict)).await.status, 303);
    let stored = fees().await;
    let changed = ["science_public", "film_submission_inr", "film_submission_usd"].map(|name| stored[name].as_i64());
    assert_eq!(changed, [Some(250), Some(7000), Some(70)]);
}

async fn payment_details_of_two_editors_are_merged_before_confirmation(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let confirm = async |fields: &[(String, String)]| {
        let mut fields = fields.to_vec();
        set_field(&mut fields, "sure", "yes");
        post_fields(&browser, "/admin/settings/payment", &fields).await
    };
    let opened = form_fields(&browser.get("/admin/settings/payment").await);
    let (mut first, mut second) = (opened.clone(), opened);
    set_field(&mut first, "payment.upi.id", "lamp@okbank");
    set_field(&mut second, "payment.upi.payee", "Lamp");
    assert_eq!(confirm(&first).await.status, 303);
    let united = confirm(&second).await;
    assert_eq!(united.status, 409, "nobody has seen the new code yet");
    let fields = form_fields(&united);
    assert!(fields.contains(&("payment.upi.id".to_owned(), "lamp@okbank".to_owned())), "{fields:?}");
    assert_eq!(site_facts(&site).await["payment"]["upi"], json!({ "id": "lamp@okbank", "payee": "" }));
    assert_eq!(confirm(&fields).await.status, 303);
    assert_eq!(site_facts(&site).await["payment"]["upi"], json!({ "id": "lamp@okbank", "payee": "Lamp" }));
}

async fn payment_detail_changes_are_mailed_to_every_owner(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    create_account_with_email(&site, "second@example.org", &OWNER).await;
    create_account_with_email(&site, "editor@example.org", &EDITOR).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let notices = "SELECT count(*) FROM outbox WHERE kind = 'payment-notice'";
    let details = [
        ("payment.upi.id", "lamp@okbank"),
        ("payment.upi.payee", "Lamp & Light"),
        ("payment.bank.account_number", "0011 2233 4455"),
    ];
    let confirmation = save(&browser, "payment", &details).await;
    assert_eq!(confirmation.status, 200, "the change is shown before it is saved");
    let text = confirmation.text();
    assert!(
        text.contains("Confirm the payment details")
            && text.contains("data:image/svg+xml")
            && text.contains("lamp@okbank"),
        "{text}"
    );
    assert_eq!((site.number(notices).await, site.number("SELECT count(*) FROM settings").await), (0, 0));
    let mut fields = details.to_vec();
    let version = hidden_value(&confirmation, "version").unwrap();
    fields.extend([("version", version.as_str()), ("sure", "yes")]);
    assert_eq!(browser.post("/admin/settings/payment", &fields).await.status, 303);
    assert_eq!(site.number(notices).await, 2, "only owners are notified");
    assert_eq!(site_facts(&site).await["payment"]["upi"], json!({ "id": "lamp@okbank", "payee": "Lamp & Light" }));

    let again = save(&browser, "payment", &[("payment.upi.id", "thief@okbank")]).await;
    let mut fields: Vec<(&str, &str)> = details.to_vec();
    fields[0].1 = "thief@okbank";
    let version = hidden_value(&again, "version").unwrap();
    fields.extend([("version", version.as_str()), ("sure", "yes")]);
    assert_eq!(browser.post("/admin/settings/payment", &fields).await.status, 303);
    let mut connection = site.app.db.read().await.unwrap();
    let body: String =
        sqlx::query_scalar("SELECT body_text FROM outbox WHERE kind = 'payment-notice' ORDER BY id DESC LIMIT 1")
            .fetch_one(&mut *connection)
            .await
            .unwrap();
    for expected in [
        "UPI ID",
        "l•••@okbank",
        "thief@okbank",
        "Test Owner",
        "owner@example.org",
        "26 October 2025, 12:00 PM",
        "/admin/settings/payment/history",
    ] {
        assert!(body.contains(expected), "{expected}: {body}");
    }
    assert!(!body.contains("lamp@okbank") && !body.contains("4455"), "unchanged details are not in the mail: {body}");
}

async fn earlier_settings_can_be_restored_from_history(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for fee in ["210", "220"] {
        assert_eq!(save(&browser, "fees", &[("fees.science_public", fee)]).await.status, 303);
    }
    let page = browser.get("/admin/settings/fees/history").await.text();
    assert!(page.contains("<del>210</del> <ins>220</ins>") && page.contains("as in the settings file"), "{page}");
    let steps: Vec<&str> = page
        .split("action=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|to| to.ends_with("/restore"))
        .collect();
    assert_eq!(steps.len(), 2, "every version but the current one");
    assert_eq!(browser.post(steps[1], &[]).await.status, 303);
    assert_eq!(site_facts(&site).await["fees"]["science_public"], 200);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
    assert_eq!(browser.post("/admin/settings/fees/history/999999/restore", &[]).await.status, 404);
    assert!(browser.get("/admin/settings").await.text().contains("Changed by Test Owner"));
}

async fn settings_enforce_roles(database: Database) {
    let (site, _) = site_with_owner(database).await;
    let editor = Browser::signed_in(&site, &create_account(&site, &EDITOR).await).await;
    let reader = Browser::signed_in(&site, &create_account(&site, &READER).await).await;
    for group in ["fees", "payment", "contact", "closing"] {
        let path = format!("/admin/settings/{group}");
        assert_eq!((editor.get(&path).await.status, editor.post(&path, &[]).await.status), (403, 403), "{group}");
    }
    assert_eq!(save(&editor, "social", &[("social.0.label", "Pictures")]).await.status, 303);
    let page = reader.get("/admin/settings/social").await;
    assert!(page.status == 200 && !page.text().contains(">Save<"), "readers have no save button");
    assert_eq!(reader.post("/admin/settings/social", &[]).await.status, 403);
    let listed = reader.get("/admin/settings").await.text();
    assert!(listed.contains("Social links") && !listed.contains("Bank and UPI"), "{listed}");
}
