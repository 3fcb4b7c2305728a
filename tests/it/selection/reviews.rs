//! Reviews: what they come to, who sees them when, and conflicts of interest.

use super::{add, add_films, add_juror, add_round, assign, pile_path, site};
use crate::admin::browser::Browser;
use crate::support::Database;

on_both!(
    results_are_weighted_and_scores_of_others_are_seen_after_ones_own,
    conflict_hides_the_entry_and_is_seen_by_the_chair,
    reviews_are_checked_saved_and_lead_to_the_next_entry,
);

async fn results_are_weighted_and_scores_of_others_are_seen_after_ones_own(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 1).await;
    let film = site.id("film_submissions", "title_english = 'Film 1'").await;
    let round = add_round(&chair, "First", &[]).await;
    let direction =
        add(&chair, "selection_criteria", &[("name", "Direction"), ("round", "First"), ("weight", "2")]).await;
    let sound = add(&chair, "selection_criteria", &[("name", "Sound"), ("round", "First"), ("weight", "1")]).await;
    let names = (format!("score-{direction}"), format!("score-{sound}"));
    let mut jurors = Vec::new();
    for name in ["Asha", "Biju", "Chitra"] {
        jurors.push(add_juror(&chair, name).await);
    }
    assign(&chair, round).await;
    // (2 * 5 + 1 * 2) / 3 = 4.00; only direction counts: 2.00; abstains in everything.
    for ((juror, email), (first, second)) in jurors.iter().zip([("5", "2"), ("2", "abstain"), ("abstain", "abstain")]) {
        let browser = Browser::signed_in(&site, email).await;
        let pile = pile_path(&site, *juror, film).await;
        browser.post(&format!("{pile}/open"), &[]).await;
        let before = browser.get(&pile).await.text();
        assert!(!before.contains("Other reviews") && !before.contains("Quiet and exact"), "{email}: {before}");
        let review = [
            (&*names.0, first),
            (&names.1, second),
            ("recommendation", "maybe"),
            ("committee_text", "Quiet and exact"),
        ];
        assert_eq!(browser.post(&pile, &review).await.status, 303);
    }
    let own =
        Browser::signed_in(&site, &jurors[0].1).await.get(&pile_path(&site, jurors[0].0, film).await).await.text();
    assert!(own.contains("Other reviews") && own.contains("your score is 4.00"), "{own}");
    assert!(own.contains("Biju <small>2.00</small>") && own.contains("Direction 2, Sound abstained"), "{own}");
    let row = async || {
        let list = chair.get("/admin/selection").await.text();
        let figures: Vec<String> = list
            .split("<td class=\"figure\">")
            .skip(1)
            .map(|cell| cell.split('<').next().unwrap().to_owned())
            .collect();
        figures
    };
    // Reviews, median, mean, spread, disagreement.
    assert_eq!(row().await, ["3", "3.00", "3.00", "2.00", "1.00"]);
    // Direction counts as much as sound: (5 + 2) / 2 = 3.50 and 2.00.
    let page = format!("/admin/selection-criteria/{direction}");
    let version = crate::admin::browser::hidden_value(&chair.get(&page).await, "version").unwrap();
    let even = [("version", &*version), ("name", "Direction"), ("round", "First"), ("weight", "1")];
    assert_eq!(chair.post(&page, &even).await.status, 303);
    assert_eq!(row().await, ["3", "2.75", "2.75", "1.50", "0.75"]);
    for sort in
        ["reviews", "median", "mean", "spread", "deviation", "decision", "answer", "country", "language", "award"]
    {
        let sorted =
            chair.get(&format!("/admin/selection?sort={sort}&down=1&award=indian&country=India&language=Hindi")).await;
        assert!(sorted.status == 200 && sorted.text().contains("T-2025-0001"), "{sort}: {}", sorted.text());
    }
    for (query, is_listed) in [("q=Film", true), ("q=nothing", false), ("award=asian", false), ("decision=none", true)]
    {
        let list = chair.get(&format!("/admin/selection?{query}")).await.text();
        assert_eq!(list.contains("T-2025-0001"), is_listed, "{query}: {list}");
    }
    let exported = chair.post("/admin/selection/file", &[("format", "csv")]).await.text();
    assert!(
        exported.contains("T-2025-0001,Film 1,Director,Indian Cinema,India,Hindi,3,2.75,2.75,1.50,0.75"),
        "{exported}"
    );
    let progress = chair.get("/admin/selection-progress").await.text();
    assert!(progress.contains("1 of 1 entries have 3 reviews or more"), "{progress}");
    assert!(chair.get("/admin/selection-book").await.text().contains("Film 1"));
}

async fn conflict_hides_the_entry_and_is_seen_by_the_chair(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 1).await;
    let film = site.id("film_submissions", "title_english = 'Film 1'").await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "1")]).await;
    let (juror, email) = add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let browser = Browser::signed_in(&site, &email).await;
    let pile = pile_path(&site, juror, film).await;
    let asked = browser.get(&pile).await.text();
    assert!(asked.contains("No conflict: open the entry") && !asked.contains("https://video.example.org/1"), "{asked}");
    assert_eq!(browser.post(&pile, &[("recommendation", "yes")]).await.status, 404, "not before it is opened");
    let declared = browser.post(&format!("{pile}/conflict"), &[("reason", "My brother edited it")]).await;
    assert_eq!((declared.status, declared.header("Location")), (303, "/admin/pile".to_owned()));
    assert_eq!(browser.get(&pile).await.status, 404);
    assert!(!browser.get("/admin/pile").await.text().contains("Film 1"));
    let page = chair.get(&format!("/admin/selection/{film}")).await.text();
    assert!(page.contains("<b>Asha</b>") && page.contains("My brother edited it"), "{page}");
    let (other, _) = add_juror(&chair, "Biju").await;
    assign(&chair, round).await;
    let assigned = site.texts("SELECT CAST(juror_id AS TEXT) FROM selection_assignments").await;
    assert_eq!(assigned, [other.to_string()]);
}

async fn reviews_are_checked_saved_and_lead_to_the_next_entry(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 2).await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "1")]).await;
    let criterion = add(&chair, "selection_criteria", &[("name", "Direction"), ("round", "First")]).await;
    let (_, email) = add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let browser = Browser::signed_in(&site, &email).await;
    let ids = site.texts("SELECT CAST(id AS TEXT) FROM selection_assignments ORDER BY id").await;
    let (first, second) = (format!("/admin/pile/{}", ids[0]), format!("/admin/pile/{}", ids[1]));
    assert!(browser.get("/admin/pile").await.text().contains(&format!("rel=\"next\" href=\"{first}\"")));
    assert!(browser.get("/admin/").await.text().contains("2 entries to review"));
    browser.post(&format!("{first}/open"), &[]).await;
    let score = format!("score-{criterion}");
    let wrong = browser.post(&first, &[(&score, "6"), ("recommendation", ""), ("committee_text", "Kept")]).await;
    let text = wrong.text();
    assert_eq!(wrong.status, 422);
    assert!(
        text.contains("Direction: choose 1 to 5, or abstain.") && text.contains("Choose what you recommend."),
        "{text}"
    );
    assert!(text.contains(">\nKept</textarea>"), "{text}");
    let saved = browser.post(&first, &[(&score, "5"), ("recommendation", "yes"), ("then", "next")]).await;
    assert_eq!((saved.status, saved.header("Location")), (303, second.clone()));
    assert!(browser.get("/admin/pile").await.text().contains("1 of 2 reviewed."));
    assert!(browser.get("/admin/").await.text().contains("1 entry to review"));
    // Saved again, it is the same review.
    browser.post(&first, &[(&score, "abstain"), ("recommendation", "no")]).await;
    assert_eq!(site.number("SELECT count(*) FROM selection_reviews WHERE recommendation = 'no'").await, 1);
    assert_eq!(site.number("SELECT count(*) FROM selection_scores WHERE score IS NULL").await, 1);
    site.write("UPDATE selection_rounds SET ends_at = '2025-10-25T00:00:00Z'").await;
    let late = browser.post(&first, &[(&score, "1"), ("recommendation", "yes")]).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("The round has ended."), "{}", late.text());
    assert!(!browser.get("/admin/").await.text().contains("to review"), "the round has ended");
}
