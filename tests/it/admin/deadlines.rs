//! The deadline, the countdown and the closing of the forms as one setting, whose effects are shown before it is saved.

use festival_core::admin::{EDITOR, OWNER};

use super::browser::{Browser, count_audited, create_account, hidden_value};
use crate::forms::requests::{FormRequest, lift_limits};
use crate::support::{Database, Response, TestApp};

on_both!(
    deadline_sets_last_day_countdown_and_closing_at_once,
    effects_and_texts_naming_the_day_are_shown_before_saving,
    forms_may_close_at_different_times,
    deadline_form_is_refused_with_reasons,
    outdated_deadline_form_is_refused,
    closing_time_set_in_the_browser_closes_the_form,
);

const PATH: &str = "/admin/settings/closing";
/// Everything follows the deadline, with half an hour of grace.
const FOLLOWING: [(&str, &str); 8] = [
    ("deadline", "2025-12-01T18:00"),
    ("when.asian", "deadline"),
    ("when.indian", "deadline"),
    ("when.malayalam", "deadline"),
    ("when.delegate", "never"),
    ("grace", "30"),
    ("countdown", "deadline"),
    ("countdown_label", "until films close"),
];

async fn site_with_owner(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, lift_limits).await;
    let owner = create_account(&site, &OWNER).await;
    (site, owner)
}

/// The fields of [`FOLLOWING`] with these changes.
fn with<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
    FOLLOWING.into_iter().filter(|(name, _)| !is_changed(name)).chain(changes.iter().copied()).collect()
}

async fn version(browser: &Browser<'_>) -> String {
    hidden_value(&browser.get(PATH).await, "version").unwrap()
}

/// The page that shows the effects of a form.
async fn ask(browser: &Browser<'_>, fields: &[(&str, &str)]) -> Response {
    let version = version(browser).await;
    browser.post(PATH, &[fields, &[("version", &version)]].concat()).await
}

async fn save(browser: &Browser<'_>, fields: &[(&str, &str)]) -> Response {
    ask(browser, &[fields, &[("sure", "yes")]].concat()).await
}

async fn rules(site: &TestApp, form: &str) -> serde_json::Value {
    let rules = site.get("/api/forms/").await.json();
    rules["forms"].as_array().unwrap().iter().find(|rule| rule["key"] == form).unwrap().clone()
}

async fn deadline_sets_last_day_countdown_and_closing_at_once(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let saved = save(&browser, &FOLLOWING).await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, PATH), "{}", saved.text());
    let edition = site.get("/api/site/").await.json()["edition"].clone();
    assert_eq!(edition["submission_deadline"], "2025-12-01");
    assert_eq!(edition["countdown_at"], "2025-12-01T18:00:00");
    assert_eq!(edition["countdown_text"], "until films close");
    for form in ["asian", "indian", "malayalam"] {
        let rule = rules(&site, form).await;
        assert_eq!(rule["closes_at"], "2025-12-01T18:00:00+05:30", "{form}");
        assert_eq!(rule["accepted_until"], "2025-12-01T18:30:00+05:30", "{form}");
    }
    assert_eq!(rules(&site, "delegate").await["closes_at"], serde_json::Value::Null);
    assert_eq!((count_audited(&site, "change").await, count_audited(&site, "edit").await), (1, 1));
    // The form shows the input, and both histories have an entry.
    let page = browser.get(PATH).await.text();
    assert!(page.contains("value=\"2025-12-01T18:00:00\"") && page.contains("value=\"30\""), "{page}");
    assert!(page.contains("<option value=\"deadline\" selected>"), "{page}");
    assert!(browser.get(&format!("{PATH}/history")).await.text().contains("Films for the Asian awards"));
    let again = save(&browser, &FOLLOWING).await;
    assert_eq!(again.status, 303);
    assert_eq!(count_audited(&site, "change").await, 1, "nothing to save");
    assert_eq!(save(&browser, &with(&[("countdown_label", "")])).await.status, 303);
    assert_eq!(site.get("/api/site/").await.json()["edition"]["countdown_text"], "Countdown to the festival");
}

async fn effects_and_texts_naming_the_day_are_shown_before_saving(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    save(&browser, &FOLLOWING).await;
    site.write(
        "UPDATE blogs SET content = '<p>Films are taken until 1st December.</p>' \
         WHERE id = (SELECT min(id) FROM blogs)",
    )
    .await;
    let blog = site.number("SELECT min(id) FROM blogs").await;
    let confirmation = ask(&browser, &with(&[("deadline", "2025-12-10T23:59"), ("when.indian", "never")])).await;
    let page = confirmation.text();
    assert_eq!(confirmation.status, 200, "{page}");
    for sentence in [
        "Closes on 1 December 2025, 6:00 PM; what begins to arrive until 1 December 2025, 6:30 PM is taken and marked as late.",
        "Closes on 10 December 2025, 11:59 PM; what begins to arrive until 11 December 2025, 12:29 AM is taken and marked",
        "Stays open; what comes after 10 December 2025, 11:59 PM is marked as late.",
        "Counts to 10 December 2025, 11:59 PM on the visitor",
        "The festival begins on",
    ] {
        assert!(page.contains(sentence), "{sentence}: {page}");
    }
    assert!(page.contains(&format!("href=\"/admin/blogs/{blog}\"")), "{page}");
    assert_eq!(site.get("/api/site/").await.json()["edition"]["submission_deadline"], "2025-12-01", "nothing is saved");
    // Back to the form with the input.
    let fields = with(&[("deadline", "2025-12-10T23:59"), ("then", "edit")]);
    assert!(ask(&browser, &fields).await.text().contains("value=\"2025-12-10T23:59\""));
    let past = ask(&browser, &with(&[("deadline", "2025-10-01T12:00"), ("grace", "0")])).await.text();
    assert!(past.contains("the form is closed at once, because that time has passed"), "{past}");
}

async fn forms_may_close_at_different_times(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let fields = with(&[
        ("when.indian", "other"),
        ("at.indian", "2025-11-20T12:00"),
        ("when.delegate", "other"),
        ("at.delegate", "2025-12-20T12:00"),
        ("countdown", "other"),
        ("countdown_at", "2025-12-05T22:00"),
    ]);
    let confirmation = ask(&browser, &fields).await.text();
    assert!(confirmation.contains("the form closes before the last day that the site names"), "{confirmation}");
    assert_eq!(save(&browser, &fields).await.status, 303);
    assert_eq!(rules(&site, "indian").await["closes_at"], "2025-11-20T12:00:00+05:30");
    assert_eq!(rules(&site, "delegate").await["closes_at"], "2025-12-20T12:00:00+05:30");
    assert_eq!(site.get("/api/site/").await.json()["edition"]["countdown_at"], "2025-12-05T22:00:00");
    let page = browser.get(PATH).await.text();
    for value in ["2025-12-01T18:00:00", "2025-11-20T12:00:00", "2025-12-20T12:00:00", "2025-12-05T22:00:00"] {
        assert!(page.contains(&format!("value=\"{value}\"")), "{value}: {page}");
    }
}

async fn deadline_form_is_refused_with_reasons(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    for (changes, reason) in [
        (&[("deadline", "")][..], "Enter the deadline, or choose below what does not depend on it"),
        (&[("deadline", "soon")][..], "is not a date and time"),
        (&[("when.asian", "other"), ("at.asian", "")][..], "Enter the time"),
        (&[("grace", "many")][..], "is not a whole number"),
    ] {
        let refused = ask(&browser, &with(changes)).await;
        let page = refused.text();
        assert!(refused.status == 422 && page.contains(reason), "{} {reason}: {page}", refused.status);
        assert!(page.contains("until films close"), "what was typed stays: {page}");
    }
    let editor = Browser::signed_in(&site, &create_account(&site, &EDITOR).await).await;
    assert_eq!(editor.get(PATH).await.status, 403);
    assert_eq!(editor.post(PATH, &FOLLOWING).await.status, 403);
}

async fn outdated_deadline_form_is_refused(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let outdated = version(&browser).await;
    // Only the edition changes: the settings have the same version.
    save(
        &browser,
        &with(&[("when.asian", "never"), ("when.indian", "never"), ("when.malayalam", "never"), ("grace", "0")]),
    )
    .await;
    let refused = browser.post(PATH, &[&FOLLOWING[..], &[("version", &outdated), ("sure", "yes")]].concat()).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert_eq!(rules(&site, "asian").await["closes_at"], serde_json::Value::Null, "neither half is saved");
}

async fn closing_time_set_in_the_browser_closes_the_form(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    assert_eq!(FormRequest::delegate().post(&site, "/api/delegate-form/").await.status, 201);
    // The test clock shows noon in Kochi.
    let closed = with(&[("when.delegate", "other"), ("at.delegate", "2025-10-26T11:59"), ("grace", "0")]);
    assert_eq!(save(&browser, &closed).await.status, 303);
    let late = FormRequest::delegate().with("transaction_details", "UTR 2").post(&site, "/api/delegate-form/").await;
    assert_eq!(late.status, 403, "{}", late.text());
    assert_eq!(rules(&site, "delegate").await["closes_at"], "2025-10-26T11:59:00+05:30");
}
