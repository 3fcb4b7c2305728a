//! Who reviews what.

use festival_core::admin::{EDITOR, READER};
use festival_selection::CHAIR;

use super::{add, add_films, add_juror, add_round, assign, site};
use crate::admin::browser::{Browser, create_account, create_account_with_email};
use crate::support::{Database, TestApp};

on_both!(
    loads_of_300_films_and_9_reviewers_are_equal_and_again_after_two_left,
    awards_languages_conflicts_and_assignments_by_hand_are_respected,
    assignments_name_the_titles_of_entries_to_readers,
    limited_accounts_see_no_titles_of_other_sections,
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

async fn limited_accounts_see_no_titles_of_other_sections(database: Database) {
    let (site, chair) = site(database).await;
    let chair = Browser::signed_in(&site, &chair).await;
    add_films(&site, 3).await;
    site.write("UPDATE film_submissions SET country_of_origin = 'Chad' WHERE title_english = 'Film 1'").await;
    let round = add_round(&chair, "First", &[("reviews_per_film", "1"), ("is_blind", "yes")]).await;
    add_juror(&chair, "Asha").await;
    assign(&chair, round).await;
    // Film 3 was submitted for the Asian award; the others were not.
    let assigned =
        |title: &str| format!("film_submission_id = (SELECT id FROM film_submissions WHERE title_english = '{title}')");
    let other = site.id("selection_assignments", &assigned("Film 1")).await;
    let (own, hidden) =
        (site.id("film_submissions", "title_english = 'Film 3'").await, ["Film 1", "T-2025-0001", "Chad"]);
    for role in [&CHAIR, &EDITOR, &READER] {
        let email = format!("asian-{}@example.org", role.key);
        let id = create_account_with_email(&site, &email, role).await;
        site.write(&format!("UPDATE admin_accounts SET scope = 'section=asian' WHERE id = {id}")).await;
        let limited = Browser::signed_in(&site, &email).await;
        let assignments = "/admin/selection-assignments";
        for path in [
            assignments.to_owned(),
            format!("{assignments}?q=Film"),
            format!("{assignments}/new"),
            format!("{assignments}/{other}"),
            format!("{assignments}/{other}/history"),
            format!("{assignments}/{other}/delete"),
            format!("{assignments}/bin"),
            format!("{assignments}/import"),
            format!("{assignments}/imports"),
            "/admin/selection-progress?names=yes".to_owned(),
            "/admin/selection-release".to_owned(),
        ] {
            assert_eq!(limited.get(&path).await.status, 403, "{role:?} {path}");
        }
        for path in [
            format!("{assignments}/file"),
            format!("{assignments}/preview"),
            format!("{assignments}/selected"),
            format!("{assignments}/import/now"),
            format!("{assignments}/{other}/preview"),
            "/admin/selection-release".to_owned(),
            "/admin/selection-progress/assign".to_owned(),
        ] {
            assert_eq!(limited.post(&path, &[("format", "csv")]).await.status, 403, "{role:?} {path}");
        }
        for path in ["/admin/", "/admin/search?q=film+1", "/admin/search?q=T-2025-0001"] {
            let page = limited.get(path).await.text();
            let content = page[page.find("id=\"main\"").unwrap()..].replace("value=\"T-2025-0001\"", "");
            assert!(
                !hidden.iter().any(|text| content.contains(text)) && !content.contains(assignments),
                "{role:?} {path}: {content}"
            );
        }
    }
    let limited = Browser::signed_in(&site, "asian-chair@example.org").await;
    for path in ["/admin/selection", "/admin/selection-book", "/admin/search?q=film"] {
        let page = limited.get(path).await.text();
        assert!(page.contains("Film 3") && !hidden.iter().any(|text| page.contains(text)), "{path}: {page}");
    }
    assert!(!limited.get("/admin/selection").await.text().contains("/admin/selection-release"));
    assert!(chair.get("/admin/selection").await.text().contains("/admin/selection-release"));
    let file = limited.post("/admin/selection/file", &[("format", "csv")]).await.text();
    assert!(file.contains("Film 3") && !file.contains("Film 1"), "{file}");
    let other = site.id("film_submissions", "title_english = 'Film 1'").await;
    assert_eq!(limited.get(&format!("/admin/selection/{own}")).await.status, 200);
    assert_eq!(limited.get(&format!("/admin/selection/{other}")).await.status, 404);
    let moved = [("row", &*other.to_string()), ("action", "selected"), ("sure", "yes")];
    assert_eq!(limited.post("/admin/selection/selected", &moved).await.status, 404);
    assert!(chair.get("/admin/search?q=film+1").await.text().contains("/admin/selection-assignments"));
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
