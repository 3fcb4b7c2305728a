//! Consent: the notice on personal data, the stored consent, and forms without it.

use festival_core::admin::OWNER;
use serde_json::{Value, json};

use super::requests::{
    FormRequest, assert_received, assert_refused, lift_limits, message, send_message, set_forms_setting,
};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, Response, TestApp};

on_both!(consent_is_stored_with_the_text_of_its_notice, forms_without_consent_are_stored_and_flagged);

/// The notice of a form, as served to its page.
async fn notice(app: &TestApp, form: &str) -> Value {
    let rules = app.get("/api/forms/").await.json();
    let all = rules["notices"].as_array().unwrap();
    let is_of_it = |notice: &&Value| notice["forms"].as_array().unwrap().contains(&json!(form));
    all.iter().find(is_of_it).cloned().unwrap_or_else(|| panic!("{form}: {rules}"))
}

/// Sends each kind of form with these additional values; returns table and response.
async fn send_each(app: &TestApp, more: &[(&str, &str)]) -> Vec<(&'static str, Response)> {
    let with = |form: FormRequest| more.iter().fold(form, |form, (name, value)| form.with(name, value));
    let mut message = message();
    for (name, value) in more {
        message[*name] = json!(value);
    }
    vec![
        ("film_submissions", with(FormRequest::film()).post(app, "/api/malayalam-form/").await),
        ("delegates", with(FormRequest::delegate()).post(app, "/api/delegate-form/").await),
        ("contact_messages", send_message(app, &message).await),
    ]
}

#[tokio::test]
async fn every_consent_notice_is_complete() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.contact.email = "office@velicham.example".into();
        set_forms_setting(settings, "retention", json!({ "film_days": 400, "contact_days": 90 }));
    })
    .await;
    for (form, term) in [
        ("delegate", "until"),
        ("asian", "400 days"),
        ("indian", "400 days"),
        ("malayalam", "400 days"),
        ("contact", "90 days"),
    ] {
        let notice = notice(&app, form).await;
        let items = notice["items"].as_array().unwrap();
        let titles: Vec<&str> = items.iter().map(|item| item["title"].as_str().unwrap()).collect();
        assert_eq!(
            titles,
            ["What we keep", "What for", "How long", "Your rights", "Whom to ask", "Complaints"],
            "{form}"
        );
        let text = |index: usize| items[index]["text"].as_str().unwrap().to_lowercase();
        assert!(text(2).contains(term), "{form}: {}", text(2));
        for right in ["ask what we keep", "corrected", "erased", "withdraw"] {
            assert!(text(3).contains(right), "{form}: {right}");
        }
        assert_eq!(items[4]["email"], "office@velicham.example");
        assert!(text(5).contains("data protection board of india"), "{form}");
    }
}

async fn consent_is_stored_with_the_text_of_its_notice(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    for (table, response) in send_each(&app, &[("consent", "yes")]).await {
        assert!(response.status < 300, "{}", response.text());
        let form = match table {
            "film_submissions" => "malayalam",
            "delegates" => "delegate",
            _ => "contact",
        };
        let notice = notice(&app, form).await;
        let version = notice["version"].as_str().unwrap();
        let stored = format!(
            "SELECT count(*) FROM {table} t JOIN consent_notices n ON n.version = t.consent_notice \
             WHERE t.consent_notice = '{version}' AND t.consented_at = t.created_at \
             AND n.text LIKE '%Data Protection Board%By sending this form you agree to this notice on your personal data.'"
        );
        assert_eq!(app.number(&stored).await, 1, "{table}");
        let id = app.id(table, "id > 0").await;
        let page = browser.get(&format!("/admin/{}/{id}", table.replace('_', "-"))).await.text();
        assert!(page.contains(&format!("version {version}, ")) && page.contains("Data Protection Board"), "{page}");
        assert!(!page.contains("Consent was not given"), "{page}");
    }
    // The stored version is that of the notice shown when the page was opened.
    let former = FormRequest::film()
        .with("title_english", "Former")
        .with("consent", "yes")
        .with("consent_notice", "0123456789ab");
    assert_received(&former.post(&app, "/api/asian-form/").await);
    let stored = "SELECT count(*) FROM film_submissions WHERE consent_notice = '0123456789ab' AND consented_at <> ''";
    assert_eq!(app.number(stored).await, 1);
    let odd = FormRequest::film().with("title_english", "Odd").with("consent", "on").with("consent_notice", "latest");
    assert_received(&odd.post(&app, "/api/asian-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE consent_notice = 'latest'").await, 0);
    assert_eq!(app.number("SELECT count(*) FROM consent_notices").await, 3);
}

async fn forms_without_consent_are_stored_and_flagged(database: Database) {
    let app = TestApp::with(database, lift_limits).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &OWNER).await).await;
    // A client without the field, and one that says no.
    for (table, response) in send_each(&app, &[]).await.into_iter().chain(send_each(&app, &[("consent", "no")]).await) {
        assert!(response.status < 300, "{table}: {}", response.text());
        let without = format!("SELECT count(*) FROM {table} WHERE consent_notice IS NULL AND consented_at IS NULL");
        assert_eq!(app.number(&without).await, 2);
        let (home, id) = (format!("/admin/{}", table.replace('_', "-")), app.id(table, "id > 0").await);
        let page = browser.get(&format!("{home}/{id}")).await.text();
        assert!(page.contains("Consent was not given with this form."), "{page}");
        let list = browser.get(&home).await.text();
        assert!(list.contains("<span class=\"badge warn\">no consent</span>"), "{list}");
    }
}

#[tokio::test]
async fn organisers_can_ask_for_a_tick_without_which_forms_are_refused() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        lift_limits(settings);
        set_forms_setting(settings, "consent", json!("tick"));
    })
    .await;
    for (table, response) in send_each(&app, &[]).await {
        let sentence = "Please read the notice on personal data and tick the box below it";
        assert_eq!(assert_refused(&response), ("consent".to_owned(), sentence.to_owned()), "{table}");
    }
    for (table, response) in send_each(&app, &[("consent", "yes")]).await {
        assert!(response.status < 300, "{table}: {}", response.text());
    }
    assert_eq!(app.get("/api/forms/").await.json()["consent"], "tick");
    let ticked = "SELECT count(*) FROM consent_notices WHERE text LIKE '%I have read this notice and agree to it.'";
    assert_eq!(app.number(ticked).await, 3);
}
