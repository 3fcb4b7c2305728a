//! Settings in the browser: in force at once, by the rules of the file, with a history, and a mail where money is concerned.

use festival_core::admin::Role;
use serde_json::{Value, json};

use super::browser::{Browser, audited, hidden, named, person};
use crate::forms::sent::{Sent, patient, received};
use crate::support::{Answer, Database, TestApp, festival};

on_both!(
    a_fee_is_in_force_everywhere_at_once,
    the_rules_are_those_of_the_file,
    the_file_is_followed_again,
    rows_move_without_a_script,
    two_who_change_the_same_see_both,
    where_money_goes_is_told_to_every_owner,
    the_history_leads_back,
    others_may_not,
    a_form_closes_when_the_browser_says,
);

/// What a form of settings holds, as its page shows it.
fn shown(page: &Answer) -> Vec<(String, String)> {
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

fn set(fields: &mut Vec<(String, String)>, name: &str, value: &str) {
    fields.retain(|(known, _)| known != name);
    fields.push((name.to_owned(), value.to_owned()));
}

async fn send(browser: &Browser<'_>, path: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(path, &fields).await
}

/// Opens a page of settings, changes these fields, saves.
async fn save(browser: &Browser<'_>, group: &str, changes: &[(&str, &str)]) -> Answer {
    let path = format!("/admin/settings/{group}");
    let mut fields = shown(&browser.get(&path).await);
    for (name, value) in changes {
        set(&mut fields, name, value);
    }
    send(browser, &path, &fields).await
}

async fn site_says(site: &TestApp) -> Value {
    site.get("/api/site/").await.json()
}

async fn at_work(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, patient).await;
    let owner = person(&site, Role::Owner).await;
    (site, owner)
}

async fn a_fee_is_in_force_everywhere_at_once(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(site_says(&site).await["fees"]["film_submission_inr"], 5000);
    let saved =
        save(&browser, "fees", &[("fees.film_submission_inr", "6500"), ("fees.memberships.2.amount", "650")]).await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, "/admin/settings/fees"), "{}", saved.text());
    let fees = &site_says(&site).await["fees"];
    assert_eq!((&fees["film_submission_inr"], &fees["film_submission_text"]), (&json!(6500), &json!("₹6,500")));
    assert_eq!(
        fees["memberships"][2],
        json!({ "key": "student", "label": "Student Delegate", "amount": 650, "amount_text": "₹650" })
    );
    assert!(site.get("/form").await.text().contains("₹650"), "the form");
    assert!(site.get("/form-indian").await.text().contains("6,500"), "the film form");
    // Who registers now owes the new fee.
    received(&Sent::delegate().with("category", "Student Delegate").to(&site, "/api/delegate-form/").await);
    assert_eq!(site.number("SELECT fee_inr FROM delegates").await, 650);
    // A new category needs no key: it gets one.
    let saved =
        save(&browser, "fees", &[("fees.memberships.5.label", "Press & media"), ("fees.memberships.5.amount", "0")])
            .await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(site_says(&site).await["fees"]["memberships"][5]["key"], "press-media");
    assert_eq!(audited(&site, "change").await, 2);
}

async fn the_rules_are_those_of_the_file(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for (group, name, value, words) in [
        ("fees", "fees.film_submission_inr", "-1", "is not a whole number"),
        ("fees", "fees.film_submission_usd", "", "Please fill in"),
        ("fees", "fees.memberships.1.label", "Membership", "is listed twice"),
        ("fees", "fees.memberships.1.amount", "many", "is not a whole number"),
        ("payment", "payment.upi.id", "lamp", "is not a UPI ID"),
        ("payment", "payment.bank.ifsc", "EXMP", "is not an IFSC"),
        ("menus", "menu.footer.0.href", "javascript:alert(1)", "is not an address"),
        ("menus", "menu.header.14.href", "", "Give it an address"),
        ("social", "social.0.href", "//elsewhere.example", "is not an address"),
        ("contact", "contact.email", "office", "is not an e-mail address"),
        ("contact", "mail.organisers", "one@example.org\nnobody", "is not an address"),
        ("closing", "modules.forms.closes_at.asian", "soon", "is not a moment"),
    ] {
        let refused = save(&browser, group, &[(name, value)]).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.text());
        let text = refused.text();
        assert!(text.contains(words), "{name}: {text}");
        let kept = shown(&refused);
        assert!(kept.iter().any(|(known, typed)| known == name && typed == value), "{name} is lost: {kept:?}");
    }
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
}

async fn the_file_is_followed_again(database: Database) {
    let (site, owner) = at_work(database).await;
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
    let says = festival(directory, &["config", "show"], &environment);
    assert!(says.out.contains("\nphone = \"+91 484 111 1111\" # from the browser\n"), "{}", says.whole());
    assert_eq!(save(&browser, "contact", &[("file", "contact.phone")]).await.status, 303);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0, "what equals the file has no row");
    assert_eq!(site_says(&site).await["contact"]["phone"], "+91 484 000 0000");
    // What the file does not allow any more is passed over.
    site.write("INSERT INTO settings (path, value, updated_at) VALUES ('fees.science_public', '\"dear\"', ''), ('contact.phone', '\"1234567\"', '')").await;
    let says = site_says(&site).await;
    assert_eq!((&says["fees"]["science_public"], &says["contact"]["phone"]), (&json!(200), &json!("1234567")));
}

async fn rows_move_without_a_script(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let labels = |says: Value| -> Vec<String> {
        says["menu"]["footer"]
            .as_array()
            .unwrap()
            .iter()
            .map(|link| link["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let before = labels(site_says(&site).await);
    let mut fields = shown(&browser.get("/admin/settings/menus").await);
    for deed in ["up:menu.footer:1", "remove:menu.footer:2", "add:menu.footer"] {
        fields.push(("deed".to_owned(), deed.to_owned()));
        let page = send(&browser, "/admin/settings/menus", &fields).await;
        assert_eq!(page.status, 200, "{deed}");
        fields = shown(&page);
    }
    assert_eq!(labels(site_says(&site).await), before, "nothing is saved yet");
    assert_eq!(send(&browser, "/admin/settings/menus", &fields).await.status, 303);
    let mut expected = before;
    expected.swap(0, 1);
    expected.remove(2);
    assert_eq!(labels(site_says(&site).await), expected);
    // The header came back from the form as it was.
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 1);
}

async fn two_who_change_the_same_see_both(database: Database) {
    let (site, owner) = at_work(database).await;
    named(&site, "second@example.org", Role::Owner).await;
    let first = Browser::signed_in(&site, &owner).await;
    let second = Browser::signed_in(&site, "second@example.org").await;
    let mut mine = shown(&second.get("/admin/settings/fees").await);
    assert_eq!(save(&first, "fees", &[("fees.science_public", "250")]).await.status, 303);
    set(&mut mine, "fees.science_public", "300");
    let late = send(&second, "/admin/settings/fees", &mine).await;
    assert_eq!(late.status, 409);
    assert!(
        late.text().contains("Saved value") && late.text().contains("<td class=\"text\">250</td>"),
        "{}",
        late.text()
    );
    assert_eq!(site_says(&site).await["fees"]["science_public"], 250, "nothing is overwritten unseen");
    // Who has seen both may decide.
    assert_eq!(send(&second, "/admin/settings/fees", &shown(&late)).await.status, 303);
    assert_eq!(site_says(&site).await["fees"]["science_public"], 300);
}

async fn where_money_goes_is_told_to_every_owner(database: Database) {
    let (site, owner) = at_work(database).await;
    named(&site, "second@example.org", Role::Owner).await;
    named(&site, "editor@example.org", Role::Editor).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let notices = "SELECT count(*) FROM outbox WHERE kind = 'payment-notice'";
    let details = [
        ("payment.upi.id", "lamp@okbank"),
        ("payment.upi.payee", "Lamp & Light"),
        ("payment.bank.account_number", "0011 2233 4455"),
    ];
    let look = save(&browser, "payment", &details).await;
    assert_eq!(look.status, 200, "it is shown before it is saved");
    let text = look.text();
    assert!(
        text.contains("Confirm the payment details")
            && text.contains("data:image/svg+xml")
            && text.contains("lamp@okbank"),
        "{text}"
    );
    assert_eq!((site.number(notices).await, site.number("SELECT count(*) FROM settings").await), (0, 0));
    let mut fields = details.to_vec();
    let mark = hidden(&look, "mark").unwrap();
    fields.extend([("mark", mark.as_str()), ("sure", "yes")]);
    assert_eq!(browser.post("/admin/settings/payment", &fields).await.status, 303);
    assert_eq!(site.number(notices).await, 2, "every owner, and nobody else");
    assert_eq!(site_says(&site).await["payment"]["upi"], json!({ "id": "lamp@okbank", "payee": "Lamp & Light" }));

    let again = save(&browser, "payment", &[("payment.upi.id", "thief@okbank")]).await;
    let mut fields: Vec<(&str, &str)> = details.to_vec();
    fields[0].1 = "thief@okbank";
    let mark = hidden(&again, "mark").unwrap();
    fields.extend([("mark", mark.as_str()), ("sure", "yes")]);
    assert_eq!(browser.post("/admin/settings/payment", &fields).await.status, 303);
    let mut connection = site.app.db.read().await.unwrap();
    let body: String =
        sqlx::query_scalar("SELECT body_text FROM outbox WHERE kind = 'payment-notice' ORDER BY id DESC LIMIT 1")
            .fetch_one(&mut *connection)
            .await
            .unwrap();
    for words in [
        "UPI ID",
        "l•••@okbank",
        "thief@okbank",
        "Test Owner",
        "owner@example.org",
        "26 October 2025, 12:00 PM",
        "/admin/settings/payment/history",
    ] {
        assert!(body.contains(words), "{words}: {body}");
    }
    assert!(!body.contains("lamp@okbank") && !body.contains("4455"), "what did not change is not told: {body}");
}

async fn the_history_leads_back(database: Database) {
    let (site, owner) = at_work(database).await;
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
    assert_eq!(steps.len(), 2, "all but the present one");
    assert_eq!(browser.post(steps[1], &[]).await.status, 303);
    assert_eq!(site_says(&site).await["fees"]["science_public"], 200);
    assert_eq!(site.number("SELECT count(*) FROM settings").await, 0);
    assert_eq!(browser.post("/admin/settings/fees/history/999999/restore", &[]).await.status, 404);
    assert!(browser.get("/admin/settings").await.text().contains("Changed by Test Owner"));
}

async fn others_may_not(database: Database) {
    let (site, _) = at_work(database).await;
    let editor = Browser::signed_in(&site, &person(&site, Role::Editor).await).await;
    let reader = Browser::signed_in(&site, &person(&site, Role::Reader).await).await;
    for group in ["fees", "payment", "contact", "closing"] {
        let path = format!("/admin/settings/{group}");
        assert_eq!((editor.get(&path).await.status, editor.post(&path, &[]).await.status), (403, 403), "{group}");
    }
    assert_eq!(save(&editor, "social", &[("social.0.label", "Pictures")]).await.status, 303);
    let page = reader.get("/admin/settings/social").await;
    assert!(page.status == 200 && !page.text().contains(">Save<"), "no button that does nothing");
    assert_eq!(reader.post("/admin/settings/social", &[]).await.status, 403);
    let listed = reader.get("/admin/settings").await.text();
    assert!(listed.contains("Social links") && !listed.contains("Bank and UPI"), "{listed}");
}

async fn a_form_closes_when_the_browser_says(database: Database) {
    let (site, owner) = at_work(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(Sent::delegate().to(&site, "/api/delegate-form/").await.status, 201);
    // It is noon in Kochi.
    assert_eq!(
        save(&browser, "closing", &[("modules.forms.closes_at.delegate", "2025-10-26T11:59")]).await.status,
        303
    );
    let late = Sent::delegate().with("transaction_details", "UTR 2").to(&site, "/api/delegate-form/").await;
    assert_eq!(late.status, 403, "{}", late.text());
    let rules = site.get("/api/forms/").await.json();
    let delegate = rules["forms"].as_array().unwrap().iter().find(|form| form["key"] == "delegate").unwrap();
    assert_eq!(delegate["closes_at"], "2025-10-26T11:59:00+05:30");
    let page = browser.get("/admin/settings/closing").await.text();
    assert!(page.contains("value=\"2025-10-26T11:59:00\""), "{page}");
}
