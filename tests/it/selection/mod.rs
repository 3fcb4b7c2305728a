//! The module `selection`: assignments, piles of reviewers, results, decisions and their release, status pages, and films
//! that are made of entries.

mod assigning;
mod blind;
mod films;
mod release;
mod reminders;
mod replaced_files;
mod reviews;
pub(crate) mod status;

use festival_selection::{CHAIR, JUROR_ROLE};

use crate::admin::browser::{Browser, create_account, create_account_with_email};
use crate::forms::requests::lift_limits;
use crate::support::{Database, TestApp, festival};

/// A site that takes any number of films, with an account of the chair.
async fn site(database: Database) -> (TestApp, String) {
    let site = TestApp::with(database, lift_limits).await;
    let chair = create_account(&site, &CHAIR).await;
    (site, chair)
}

/// Adds `count` films of three awards and languages.
pub(crate) async fn add_films(site: &TestApp, count: usize) {
    let values = (1..=count).map(|number| {
        let award = ["asian", "indian", "malayalam"][number % 3];
        let language = ["Tamil", "Hindi", "Malayalam"][number % 3];
        let title = format!("Film {number}");
        let texts = [
            &format!("T-2025-{number:04}"),
            title.as_str(),
            &title,
            language,
            "Yes",
            "Feature Film",
            "First",
            "India",
            "Colour",
            "4K",
            "DCP",
            "Producer",
            "p@example.org",
            "1",
            "Director",
            "d@example.org",
            "1",
            "Biography",
            "https://video.example.org/1",
            "",
            "Long",
            "Short",
            "https://stills.example.org/1",
            "Cast",
            &format!("Sender {number}"),
            "1",
            &format!("sender{number}@example.org"),
            award,
            "field",
            "new",
            "",
            "",
            "",
            "2025-10-01T00:00:00Z",
            "2025-10-01T00:00:00Z",
        ];
        let texts: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
        format!("((SELECT id FROM editions WHERE year = 2025), {}, 90, 2025, 5000, 0, 0, 0, 0)", texts.join(", "))
    });
    let columns = "edition_id, reference, title_original, title_english, film_language, subtitles, film_type, \
                   is_first_or_second_feature, country_of_origin, technical_features, origination_format, \
                   presentation_format, producer_name, producer_email, producer_mobile, director_name, director_email, \
                   director_mobile, biography, screener_link, screener_link_password, synopsis_long, synopsis_short, \
                   stills_link, cast_and_crew, name_of_submitter, correspondence_contact, correspondence_email, \
                   award_category, category_source, status, over_long, fingerprint, subject_hash, created_at, updated_at, \
                   duration_minutes, year_of_production, fee_inr, fee_usd, is_quarantined, is_late, is_possible_duplicate";
    let values = values.collect::<Vec<_>>().join(", ");
    site.write(&format!("INSERT INTO film_submissions ({columns}) VALUES {values}")).await;
}

/// Posts the form of a new record, and returns its id.
async fn add(chair: &Browser<'_>, table: &str, fields: &[(&str, &str)]) -> i64 {
    let path = format!("/admin/{}/new", table.replace('_', "-"));
    let added = chair.post(&path, &[&[("edition", "2025")], fields].concat()).await;
    assert_eq!(added.status, 303, "{path}: {}", added.text());
    chair.site.number(&format!("SELECT max(id) FROM {table}")).await
}

/// Adds a round that is open.
async fn add_round(chair: &Browser<'_>, name: &str, more: &[(&str, &str)]) -> i64 {
    let times = [("name", name), ("starts_at", "2025-10-01T09:00"), ("ends_at", "2025-11-10T20:00")];
    add(chair, "selection_rounds", &[&times, more].concat()).await
}

/// Adds a reviewer with an account; returns its row id and e-mail address.
async fn add_juror(chair: &Browser<'_>, name: &str) -> (i64, String) {
    let email = format!("{}@example.org", name.to_lowercase());
    create_account_with_email(chair.site, &email, &JUROR_ROLE).await;
    (add(chair, "selection_jurors", &[("name", name), ("email", &email)]).await, email)
}

/// Assigns the entries of a round as the button does.
async fn assign(chair: &Browser<'_>, round: i64) {
    let done = chair.post("/admin/selection-progress/assign", &[("round", &round.to_string())]).await;
    assert_eq!(done.status, 303, "{}", done.text());
}

/// The path of a film in the pile of a reviewer.
async fn pile_path(site: &TestApp, juror: i64, film: i64) -> String {
    let id = site.id("selection_assignments", &format!("juror_id = {juror} AND film_submission_id = {film}")).await;
    format!("/admin/pile/{id}")
}

/// The demonstration has entries in two rounds, with reviewers and reviews; elsewhere nothing is invented.
#[test]
fn demonstration_has_entries_to_review_and_other_sites_have_none() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let environment = [("FESTIVAL_DATA_DIR", data.to_str().unwrap())];
    let run = |arguments: &[&str]| festival(directory.path(), arguments, &environment);
    let refused = run(&["selection", "demonstrate"]);
    assert_ne!(refused.code, 0, "{}", refused.transcript());
    let seeded = run(&["seed", "--demo"]);
    assert!(seeded.out.contains("Selection: 40 entries in 2 rounds, 120 assignments."), "{}", seeded.transcript());
    let again = run(&["selection", "demonstrate"]);
    assert!(again.err.contains("There are rounds of review already."), "{}", again.transcript());
    let exported = run(&["records", "export", "selection-assignments", "assignments.csv"]);
    assert_eq!(exported.code, 0, "{}", exported.transcript());
    let list = std::fs::read_to_string(directory.path().join("assignments.csv")).unwrap();
    assert_eq!(list.lines().count(), 121, "{list}");
}
