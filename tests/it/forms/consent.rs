//! The notice on personal data: what it says, what is kept of the consent to it, and what becomes of forms without.

use festival_core::admin::Role;
use serde_json::{Value, json};

use super::sent::{Sent, message, patient, received, refused, send_message, set};
use crate::admin::browser::{Browser, person};
use crate::support::{Answer, Database, TestApp};

on_both!(consent_is_kept_with_the_words_it_was_given_to, forms_without_consent_are_kept_and_marked);

/// The notice of a form, as its page is given it.
async fn notice(app: &TestApp, form: &str) -> Value {
    let rules = app.get("/api/forms/").await.json();
    let all = rules["notices"].as_array().unwrap();
    let is_of_it = |notice: &&Value| notice["forms"].as_array().unwrap().contains(&json!(form));
    all.iter().find(is_of_it).cloned().unwrap_or_else(|| panic!("{form}: {rules}"))
}

/// Sends each form with more values, at least once: its table and the answer.
async fn send_each(app: &TestApp, more: &[(&str, &str)]) -> Vec<(&'static str, Answer)> {
    let with = |form: Sent| more.iter().fold(form, |form, (name, value)| form.with(name, value));
    let mut message = message();
    for (name, value) in more {
        message[*name] = json!(value);
    }
    vec![
        ("film_submissions", with(Sent::film()).to(app, "/api/malayalam-form/").await),
        ("delegates", with(Sent::delegate()).to(app, "/api/delegate-form/").await),
        ("contact_messages", send_message(app, &message).await),
    ]
}

#[tokio::test]
async fn each_notice_has_its_items() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        settings.contact.email = "office@velicham.example".into();
        set(settings, "retention", json!({ "film_days": 400, "contact_days": 90 }));
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
        let text = |place: usize| items[place]["text"].as_str().unwrap().to_lowercase();
        assert!(text(2).contains(term), "{form}: {}", text(2));
        for right in ["ask what we keep", "corrected", "erased", "withdraw"] {
            assert!(text(3).contains(right), "{form}: {right}");
        }
        assert_eq!(items[4]["email"], "office@velicham.example");
        assert!(text(5).contains("data protection board of india"), "{form}");
    }
}

async fn consent_is_kept_with_the_words_it_was_given_to(database: Database) {
    let app = TestApp::with(database, patient).await;
    let browser = Browser::signed_in(&app, &person(&app, Role::Owner).await).await;
    for (table, answer) in send_each(&app, &[("consent", "yes")]).await {
        assert!(answer.status < 300, "{}", answer.text());
        let form = match table {
            "film_submissions" => "malayalam",
            "delegates" => "delegate",
            _ => "contact",
        };
        let notice = notice(&app, form).await;
        let version = notice["version"].as_str().unwrap();
        let kept = format!(
            "SELECT count(*) FROM {table} t JOIN consent_notices n ON n.version = t.consent_notice \
             WHERE t.consent_notice = '{version}' AND t.consented_at = t.created_at \
             AND n.text LIKE '%Data Protection Board%I have read this notice and agree to it.'"
        );
        assert_eq!(app.number(&kept).await, 1, "{table}");
        let id = app.id(table, "id > 0").await;
        let page = browser.get(&format!("/admin/{}/{id}", table.replace('_', "-"))).await.text();
        assert!(page.contains(&format!("version {version}, ")) && page.contains("Data Protection Board"), "{page}");
        assert!(!page.contains("Consent was not given"), "{page}");
    }
    // The notice that stood on the page when it was opened is the one that was agreed to.
    let former =
        Sent::film().with("title_english", "Former").with("consent", "yes").with("consent_notice", "0123456789ab");
    received(&former.to(&app, "/api/asian-form/").await);
    let kept = "SELECT count(*) FROM film_submissions WHERE consent_notice = '0123456789ab' AND consented_at <> ''";
    assert_eq!(app.number(kept).await, 1);
    let odd = Sent::film().with("title_english", "Odd").with("consent", "on").with("consent_notice", "latest");
    received(&odd.to(&app, "/api/asian-form/").await);
    assert_eq!(app.number("SELECT count(*) FROM film_submissions WHERE consent_notice = 'latest'").await, 0);
    assert_eq!(app.number("SELECT count(*) FROM consent_notices").await, 3);
}

async fn forms_without_consent_are_kept_and_marked(database: Database) {
    let app = TestApp::with(database, patient).await;
    let browser = Browser::signed_in(&app, &person(&app, Role::Owner).await).await;
    // A client that knows the specification alone, and a box that was not ticked.
    for (table, answer) in send_each(&app, &[]).await.into_iter().chain(send_each(&app, &[("consent", "no")]).await) {
        assert!(answer.status < 300, "{table}: {}", answer.text());
        let without = format!("SELECT count(*) FROM {table} WHERE consent_notice IS NULL AND consented_at IS NULL");
        assert_eq!(app.number(&without).await, 1);
        let (home, id) = (format!("/admin/{}", table.replace('_', "-")), app.id(table, "id > 0").await);
        let page = browser.get(&format!("{home}/{id}")).await.text();
        assert!(page.contains("Consent was not given with this form."), "{page}");
        let list = browser.get(&home).await.text();
        assert!(list.contains("<span class=\"badge warn\">no consent</span>"), "{list}");
    }
}

#[tokio::test]
async fn organisers_may_refuse_forms_without_consent() {
    let app = TestApp::with(Database::Sqlite, |settings| {
        patient(settings);
        set(settings, "require_consent", json!(true));
    })
    .await;
    for (table, answer) in send_each(&app, &[]).await {
        let sentence = "Please read the notice on personal data and tick the box below it";
        assert_eq!(refused(&answer), ("consent".to_owned(), sentence.to_owned()), "{table}");
    }
    for (table, answer) in send_each(&app, &[("consent", "yes")]).await {
        assert!(answer.status < 300, "{table}: {}", answer.text());
    }
    assert_eq!(app.get("/api/forms/").await.json()["require_consent"], true);
}
