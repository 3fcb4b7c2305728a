//! Answers that the desk corrects: what was sent stays in the history.

use festival_core::admin::READER;
use festival_forms::DESK;

use super::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use super::payments::{film, submit};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp};

on_both!(desk_corrects_answers_and_the_history_keeps_the_original);

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
    // What identifies the sender, proves a payment or is empty is not on the form.
    for name in ["director_email", "transaction_details", "screener_link_password"] {
        assert!(!shown.text().contains(&format!("name=\"{name}\"")), "{name}");
    }
    let newer = hidden_value(&late, "version").unwrap();
    let empty = desk.post(&form, &[("version", &newer), ("director_name", " ")]).await;
    assert!(empty.status == 422 && empty.text().contains("Write a text of at most"), "{}", empty.text());
    let reader = Browser::signed_in(&site, &create_account(&site, &READER).await).await;
    assert_eq!(reader.get(&form).await.status, 403);
}
