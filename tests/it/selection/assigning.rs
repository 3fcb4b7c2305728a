//! Who reviews what.

use festival_core::admin::READER;

use super::{add, add_films, add_juror, add_round, assign, site};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, TestApp};

on_both!(
    loads_of_300_films_and_9_reviewers_are_equal_and_again_after_two_left,
    awards_languages_conflicts_and_assignments_by_hand_are_respected,
    assignments_name_the_titles_of_entries_to_readers,
    names_in_synopses_of_a_long_list_are_looked_for_when_asked,
);

/// The number of films of each reviewer who has some, in the order of their ids.
async fn loads(site: &TestApp) -> Vec<String> {
    site.texts("SELECT CAST(count(*) AS TEXT) FROM selection_assignments GROUP BY juror_id ORDER BY juror_id").await
}

async fn loads_of_300_films_and_9_reviewers_are_equal_and_again_after_two_left(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 300).await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "3")]).await;
    let mut jurors = Vec::new();
    for name in ["Asha", "Biju", "Chitra", "Devi", "Eapen", "Faisal", "Gita", "Hari", "Indu"] {
        jurors.push(add_juror(&chair, name).await.0);
    }
    assign(&chair, round).await;
    assert_eq!(loads(&site).await, ["100"; 9]);
    let short = "SELECT count(*) FROM (SELECT film_submission_id FROM selection_assignments \
                 GROUP BY film_submission_id HAVING count(*) <> 3) AS films";
    assert_eq!(site.number(short).await, 0);
    // Asha reviews ten films, then she and Biju leave.
    site.write(&format!(
        "INSERT INTO selection_reviews (round_id, film_submission_id, juror_id, recommendation, committee_text, \
         film_maker_text, saved_at) SELECT round_id, film_submission_id, juror_id, 'yes', '', '', '2025-10-20T00:00:00Z' \
         FROM selection_assignments WHERE juror_id = {} ORDER BY id LIMIT 10",
        jurors[0]
    ))
    .await;
    site.write(&format!("UPDATE selection_jurors SET has_left = 1 WHERE id IN ({}, {})", jurors[0], jurors[1])).await;
    assert!(chair.get("/admin/").await.text().contains("190 entries are assigned to reviewers who left"));
    assign(&chair, round).await;
    // The ten reviews stay; the other 890 are on seven.
    assert_eq!(
        site.number(&format!("SELECT count(*) FROM selection_assignments WHERE juror_id = {}", jurors[0])).await,
        10
    );
    let mut others = loads(&site).await;
    others.remove(0);
    others.sort();
    assert_eq!(others, ["127", "127", "127", "127", "127", "127", "128"]);
    assert_eq!(site.number(short).await, 0);
    let before = site.texts("SELECT CAST(id AS TEXT) FROM selection_assignments ORDER BY id").await;
    assign(&chair, round).await;
    assert_eq!(site.texts("SELECT CAST(id AS TEXT) FROM selection_assignments ORDER BY id").await, before);
}

async fn awards_languages_conflicts_and_assignments_by_hand_are_respected(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 6).await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "1")]).await;
    let add_limited = async |name: &str, award: &str, languages: &str| {
        let email = format!("{name}@example.org");
        let fields = [("name", name), ("email", &*email), ("award", award), ("languages", languages)];
        add(&chair, "selection_jurors", &fields).await
    };
    let asian = add_limited("asian", "asian", "").await;
    let hindi = add_limited("hindi", "", "Hindi, English").await;
    let all = add_limited("all", "", "").await;
    // Films 3 and 6 are Asian in Tamil, 1 and 4 Indian in Hindi, 2 and 5 Malayalam.
    let film = async |number: usize| site.id("film_submissions", &format!("title_english = 'Film {number}'")).await;
    let (third, first) = (film(3).await, film(1).await);
    site.write(&format!(
        "INSERT INTO selection_conflicts (film_submission_id, juror_id, reason, declared_at) \
         VALUES ({third}, {asian}, 'A cousin', '2025-10-20T00:00:00Z')"
    ))
    .await;
    let by_hand = [("film_submission", "T-2025-0001"), ("round", "First"), ("juror", "asian@example.org")];
    add(&chair, "selection_assignments", &by_hand).await;
    assign(&chair, round).await;
    let of = async |juror: i64| {
        site.texts(&format!(
            "SELECT f.title_english FROM selection_assignments a JOIN film_submissions f ON f.id = a.film_submission_id \
             WHERE a.juror_id = {juror} ORDER BY f.id"
        ))
        .await
    };
    assert_eq!(of(asian).await, ["Film 1", "Film 6"], "film 1 by hand; not film 3, which a cousin made");
    assert_eq!(of(hindi).await, ["Film 4"]);
    assert_eq!(of(all).await, ["Film 2", "Film 3", "Film 5"]);
    assert_eq!(
        site.number(&format!("SELECT count(*) FROM selection_assignments WHERE film_submission_id = {first}")).await,
        1
    );
    let exported = chair.post("/admin/selection-assignments/file", &[("format", "csv")]).await.text();
    assert!(
        exported.contains("T-2025-0001,First,asian@example.org") || exported.contains("T-2025-0001,First,asian"),
        "{exported}"
    );
}

async fn assignments_name_the_titles_of_entries_to_readers(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 2).await;
    site.write("UPDATE film_submissions SET title_english = '' WHERE title_english = 'Film 2'").await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "1")]).await;
    add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    let reader = Browser::signed_in(&site, &create_account(&site, &READER).await).await;
    let list = reader.get("/admin/selection-assignments").await.text();
    for shown in ["Film 1", "First", "Asha", "T-2025-0002"] {
        assert!(list.contains(shown), "{shown}: {list}");
    }
    assert!(!list.contains("T-2025-0001"), "{list}");
    // A list names entries by their titles or reference numbers.
    let id = site.id("selection_assignments", "1 = 1").await;
    let form = chair.get(&format!("/admin/selection-assignments/{id}")).await.text();
    assert!(form.contains("<option value=\"T-2025-0001\" selected>Film 1</option>"), "{form}");
    assert!(form.contains("<h1>Film 1</h1>"), "{form}");
    assert!(form.contains("<option value=\"T-2025-0002\">T-2025-0002</option>"), "{form}");
}

async fn names_in_synopses_of_a_long_list_are_looked_for_when_asked(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 2_000).await;
    site.write(
        "UPDATE film_submissions SET director_name = 'Meenu Arackal', synopsis_short = 'Meenu Arackal rows home.' \
         WHERE title_english = 'Film 7'",
    )
    .await;
    add_round(&chair, "Blind", &[("is_blind", "yes")]).await;
    let page = "/admin/selection-progress";
    let named = "T-2025-0007</a>: Meenu Arackal";
    let shown = chair.get(page).await.text();
    assert!(shown.contains(named), "{shown}");
    // One more than are read unasked.
    site.write("UPDATE film_submissions SET reference = 'other' WHERE title_english = 'Film 1'").await;
    add_films(&site, 1).await;
    let shown = chair.get(page).await.text();
    assert!(!shown.contains(named) && shown.contains("Look for them in 2001 entries"), "{shown}");
    let asked = chair.get(&format!("{page}?names=yes")).await.text();
    assert!(asked.contains(named), "{asked}");
    site.write("UPDATE film_submissions SET synopsis_short = 'Rows home.'").await;
    let asked = chair.get(&format!("{page}?names=yes")).await.text();
    assert!(asked.contains("No names were found"), "{asked}");
}
