//! Answers that the desk corrects: what was sent stays in the history.

use festival_core::admin::READER;
use festival_forms::DESK;
use festival_selection::CHAIR;

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use super::payments::{film, submit};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp};

on_both!(desk_corrects_answers_and_the_history_keeps_the_original, addresses_are_corrected_by_those_who_see_them,);

async fn desk_corrects_answers_and_the_history_keeps_the_original(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    submit(
        &site,
        &film("asian")
            .with("title_english", "Kadal")
            .with("synopsis_short", "A sea\nof sand.")
            .with("director_name", "Ravi Nayr"),
    )
    .await;
    let page = format!("/admin/film-submissions/{}", site.id("film_submissions", "director_name = 'Ravi Nayr'").await);
    let form = format!("{page}/correct");
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    assert!(desk.get(&page).await.text().contains(&format!("href=\"{form}\"")), "the page leads to the form");
    let shown = desk.get(&form).await;
    let version = hidden_value(&shown, "version").unwrap();
    assert!(unescape_html(&shown.text()).contains("A sea\nof sand.</textarea>"), "{}", shown.text());
    let fields =
        [("version", version.as_str()), ("director_name", "Ravi Nair"), ("synopsis_short", "A sea\r\nof sand.")];
    let saved = desk.post(&form, &fields).await;
    assert_eq!((saved.status, saved.header("Location").as_str()), (303, page.as_str()), "{}", saved.text());
    assert_eq!(site.texts("SELECT director_name FROM film_submissions").await, ["Ravi Nair"]);
    let after = unescape_html(&desk.get(&page).await.text());
    assert!(after.contains("corrected: Name of the director."), "one answer differs, line ends do not: {after}");
    assert!(after.contains("Ravi Nayr</del>") && after.contains("Ravi Nair</ins>"), "{after}");
    assert_eq!(count_audited(&site, "correct").await, 1);
    let found = desk.get("/admin/film-submissions?q=nair").await.text();
    assert!(found.contains("Kadal"), "the search knows the new text: {found}");
    // The form from before: somebody was faster.
    let late = desk.post(&form, &[("version", &version), ("director_name", "Ravi Menon")]).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("Ravi Menon"), "what was entered stays: {}", late.text());
    // What proves a payment or is empty is not on the form.
    for name in ["transaction_details", "screener_link_password"] {
        assert!(!shown.text().contains(&format!("name=\"{name}\"")), "{name}");
    }
    let newer = hidden_value(&late, "version").unwrap();
    let empty = desk.post(&form, &[("version", &newer), ("director_name", " ")]).await;
    assert!(empty.status == 422 && empty.text().contains("Write a text of at most"), "{}", empty.text());
    let reader = Browser::signed_in(&site, &create_account(&site, &READER).await).await;
    assert_eq!(reader.get(&form).await.status, 403);
}

async fn addresses_are_corrected_by_those_who_see_them(database: Database) {
    let site = TestApp::with(database, lift_limits).await;
    submit(&site, &film("asian").with("correspondence_email", "asha@exmaple.org")).await;
    let page = format!("/admin/film-submissions/{}", site.id("film_submissions", "1 = 1").await);
    let form = format!("{page}/correct");
    let desk = Browser::signed_in(&site, &create_account(&site, &DESK).await).await;
    let version = hidden_value(&desk.get(&form).await, "version").unwrap();
    let post =
        async |address: &str| desk.post(&form, &[("version", &version), ("correspondence_email", address)]).await;
    let refused = post("asha at example.org").await;
    assert!(refused.status == 422 && refused.text().contains("name@example.org"), "{}", refused.text());
    assert_eq!(post("asha@example.org").await.status, 303);
    assert_eq!(site.texts("SELECT correspondence_email FROM film_submissions").await, ["asha@example.org"]);
    let history = unescape_html(&desk.get(&page).await.text());
    assert!(history.contains("asha@exmaple.org</del>") && history.contains("asha@example.org</ins>"), "{history}");
    assert!(desk.get("/admin/film-submissions?q=asha@example.org").await.text().contains("A Light"));
    // A chair corrects answers, and sees no contact details: neither on the form nor in the history.
    let chair = Browser::signed_in(&site, &create_account(&site, &CHAIR).await).await;
    let shown = chair.get(&form).await.text();
    assert!(shown.contains("name=\"director_name\""), "{shown}");
    for name in ["correspondence_email", "director_mobile", "name_of_submitter"] {
        assert!(!shown.contains(&format!("name=\"{name}\"")), "{name}");
    }
    let history = chair.get(&page).await.text();
    assert!(!history.contains("asha@"), "{history}");
}
