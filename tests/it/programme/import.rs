//! Lists of screenings in the back office: `Film, Venue, Date, Time`.

use std::path::Path;

use festival_core::admin::OWNER;

use super::planned;
use crate::admin::browser::{Browser, create_account};
use crate::admin::imports::{submit_import, upload_list};
use crate::support::{CommandOutput, Database, TestApp, festival};

on_both!(
    list_of_screenings_is_imported,
    headings_name_the_day_of_the_lines_below,
    unknown_titles_become_questions,
    days_without_a_year_belong_to_the_edition,
    exported_programme_imports_without_changes,
    films_with_remarks_and_packages_are_recognised,
    cancelled_screenings_are_recognised,
    several_times_of_a_film_are_as_many_screenings,
    order_of_day_and_month_is_decided_once_for_a_list,
    unlikely_times_are_noted,
);

const HOME: &str = "/admin/screenings";

async fn list_of_screenings_is_imported(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let list = "Film,Venue,Date,Time,Duration\n\
                bare,HALL 1,26 October 2025,6:30 PM,90 min\n\
                Bare,Hall 3,,12:30 AM,1 h 30\n\
                BARE,hall 1,27/10/2025,11:00,95\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    assert!(page.text().contains("The hall &quot;Hall 3&quot; is new"), "{}", page.text());
    let before = app.number("SELECT count(*) FROM screenings").await;
    assert_eq!(submit_import(&browser, HOME, &page, &[]).await.status, 303);
    assert_eq!(app.number("SELECT count(*) FROM screenings").await, before + 2, "the third is stored already");
    let times = app.texts("SELECT starts_at FROM screenings WHERE code IS NULL ORDER BY starts_at").await;
    assert_eq!(
        times,
        ["2025-10-26T13:00:00.000Z", "2025-10-26T19:00:00.000Z"],
        "half past midnight belongs to the 26th"
    );
    assert_eq!(app.number("SELECT minutes FROM screenings WHERE code = 'B1'").await, 95);
    let (_, again) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    assert!(again.text().contains("3 unchanged") || !again.text().contains("/import/now\""), "{}", again.text());
}

/// Whatever today is, and already in the preview.
async fn days_without_a_year_belong_to_the_edition(database: Database) {
    let app = planned(database).await;
    app.write("UPDATE editions SET starts_on = '2019-10-25', ends_on = '2019-11-01'").await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let list = "Film,Venue,Date,Time\nBare,Hall 1,26 October,18:30\nBare,Hall 2,\"Sunday, 27.10.\",18:30\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    assert!(page.text().contains("26 Oct 2019, 6:30 PM"), "{}", page.text());
    assert_eq!(submit_import(&browser, HOME, &page, &[]).await.status, 303);
    let times = app.texts("SELECT starts_at FROM screenings WHERE code IS NULL ORDER BY starts_at").await;
    assert_eq!(times, ["2019-10-26T13:00:00.000Z", "2019-10-27T13:00:00.000Z"]);
    let wrong = "Film,Venue,Date,Time\nBare,Hall 1,\"Monday, 26 October 2025\",18:30\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", wrong.as_bytes()).await;
    assert!(page.text().contains("a weekday before it must be that of the day"), "{}", page.text());
}

/// In lists without a column for it, too.
async fn headings_name_the_day_of_the_lines_below(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let list = "Time,Film,Venue\n\
                \"Sunday, 26 October\",,\n\
                6:30 PM,Bare,Hall 1\n\
                ,തിങ്കൾ ഒക്ടോബർ 27,\n\
                11:00,Bare,Hall 1\n\
                15:00,Bare,Hall 2\n\
                21:00,Bare,Hall 2\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    assert_eq!(submit_import(&browser, HOME, &page, &[]).await.status, 303, "{}", page.text());
    let times = app.texts("SELECT starts_at FROM screenings WHERE code IS NULL ORDER BY starts_at").await;
    assert_eq!(times, ["2025-10-26T13:00:00.000Z", "2025-10-27T09:30:00.000Z", "2025-10-27T15:30:00.000Z"]);
    let list = "Time,Film,Venue\n6:30 PM,Bare,Hall 1\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    assert!(page.text().contains("needed are also Date"), "{}", page.text());
}

async fn unknown_titles_become_questions(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    app.write("UPDATE films SET name = 'Umbrellas without owners' WHERE name = 'Bare'").await;
    let list = "Film,Venue,Date,Time\n\
                Umbrela without owner,Hall 2,29 October 2025,14:00\n\
                Masterclass of light,Hall 2,30 October 2025,14:00\n\
                Umbrellas without owners,Hall 1,27 October 2025,15:00\n\
                Umbrellas without owners,Hall 1,27 October 2025,noonish\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", list.as_bytes()).await;
    let text = page.text();
    assert!(text.contains("Is &quot;Umbrela without owner&quot; film"), "{text}");
    assert!(text.contains("No film is called &quot;Masterclass of light&quot;"), "{text}");
    assert!(text.contains("moved to Monday 27 October, 15:00?"), "{text}");
    assert!(text.contains("a time like 18:30 or 6:30 PM"), "{text}");

    // The command reports wrong values and open questions together.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "list.csv"]);
    for part in ["a time like 18:30 or 6:30 PM", "No film is called \"Masterclass of light\""] {
        assert!(refused.code == 1 && refused.out.contains(part), "{part}: {}", refused.transcript());
    }
}

/// Runs `festival programme` on the data of the site.
pub(super) fn run_programme(app: &TestApp, folder: &Path, arguments: &[&str]) -> CommandOutput {
    let url = app.database.url(app.directory.path());
    let environment = [
        ("FESTIVAL_DATA_DIR", app.directory.path().to_str().unwrap()),
        ("ROCKET_DATABASES", &format!("{{festival={{url=\"{url}\"}}}}")),
    ];
    festival(folder, &[&["programme"], arguments].concat(), &environment)
}

/// A site with halls and films, but no screenings that those of a list could be taken for.
pub(super) async fn without_screenings(database: Database) -> TestApp {
    let app = planned(database).await;
    app.write("DELETE FROM screening_films").await;
    app.write("DELETE FROM screenings").await;
    app
}

async fn films_with_remarks_and_packages_are_recognised(database: Database) {
    let app = without_screenings(database).await;
    app.write("UPDATE films SET name = 'The Rain Road', original_title = 'മഴപ്പാത' WHERE name = 'Bare'").await;
    app.write(
        "UPDATE films SET name = 'Salt Wind' WHERE id = (SELECT min(f.id) FROM films f \
         JOIN editions e ON e.id = f.edition_id WHERE e.year = 2025 AND f.name <> 'The Rain Road')",
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Film,Venue,Date,Time\n\
                The Rain Road (repeat),Hall 1,2025-10-28,07:00\n\
                The Rain Road*,Hall 1,2025-10-28,09:00\n\
                THE RAIN ROAD (104 min),Hall 1,2025-10-28,11:00\n\
                The Rain Road / Anagha Vellimon / India / 2026,Hall 1,2025-10-28,13:00\n\
                Salt Wind + The Rain Road,Hall 1,2025-10-28,15:00\n\
                Salt Wind / The Rain Road (2nd screening),Hall 1,2025-10-28,17:00\n\
                Opening film: The Rain Road,Hall 1,2025-10-29,07:00\n\
                The Rain Road followed by Q&A,Hall 1,2025-10-29,09:00\n\
                \"The Rain Road, India, 104 min\",Hall 1,2025-10-29,11:00\n\
                The Rain Road / മഴപ്പാത,Hall 1,2025-10-29,13:00\n\
                1. Salt Wind | 2. The Rain Road,Hall 1,2025-10-29,15:00\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv", "--on-conflict", "update"]);
    assert!(read.out.contains("11 screenings: 11 new"), "{}", read.transcript());
    let films = "SELECT f.name || ', ' || s.kind || ', ' || coalesce((SELECT g.name FROM screening_films x \
                 JOIN films g ON g.id = x.film_id WHERE x.screening_id = s.id), '') FROM screenings s \
                 JOIN films f ON f.id = s.film_id WHERE s.code IS NULL ORDER BY s.starts_at";
    let alone = "The Rain Road, film, ";
    let package = "Salt Wind, package, The Rain Road";
    assert_eq!(
        app.texts(films).await,
        [alone, alone, alone, alone, package, package, alone, alone, alone, alone, package]
    );
    let again = run_programme(&app, folder.path(), &["import", "list.csv", "--on-conflict", "update"]);
    assert!(again.out.contains("0 new, 0 changed, 11 unchanged"), "{}", again.transcript());

    // A list of events has films among them; and what is in brackets behind a hall is no part of its name.
    let events = "Event,Type,Venue,Date,Time\n\
                  Opening,Ceremony,Hall 1,2025-10-30,07:00\n\
                  Salt Wind,Film,Hall 1 (420 seats),2025-10-30,09:00\n";
    std::fs::write(folder.path().join("events.csv"), events).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "events.csv", "--on-conflict", "update"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let shown = "SELECT coalesce(f.name, '') || ', ' || coalesce(s.title, '') || ', ' || h.name FROM screenings s \
                 JOIN halls h ON h.id = s.hall_id LEFT JOIN films f ON f.id = s.film_id \
                 WHERE s.starts_at > '2025-10-30' ORDER BY s.starts_at";
    assert_eq!(app.texts(shown).await, [", Opening, Hall 1", "Salt Wind, , Hall 1"]);
}

async fn cancelled_screenings_are_recognised(database: Database) {
    let app = without_screenings(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Film,Venue,Date,Time,Status\n\
                Bare,Hall 1,2025-10-28,07:00,Confirmed\n\
                Bare,Hall 1,2025-10-28,09:00,CANCELLED\n\
                Bare (Cancelled),Hall 1,2025-10-28,11:00,\n\
                Bare (repeat),Hall 1,2025-10-28,13:00,On sale\n\
                Bare (screening cancelled) *,Hall 1,2025-10-28,15:00,\n\
                CANCELLED: Bare,Hall 1,2025-10-28,17:00,\n\
                Bare – cancelled due to rain,Hall 1,2025-10-28,19:00,\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv", "--on-conflict", "update"]);
    assert!(read.out.contains("7 screenings: 7 new"), "{}", read.transcript());
    let cancelled = "SELECT starts_at || ' ' || is_cancelled FROM screenings WHERE code IS NULL ORDER BY starts_at";
    let expected = ["01:30 0", "03:30 1", "05:30 1", "07:30 0", "09:30 1", "11:30 1", "13:30 1"];
    let expected = expected.map(|it| format!("2025-10-28T{}", it.replace(' ', ":00.000Z ")));
    assert_eq!(app.texts(cancelled).await, expected);
    let remarks =
        "Film,Venue,Date,Time,Remarks\nBare,Hall 1,2025-10-29,07:00,Cancelled\nBare,Hall 1,2025-10-29,09:00,Q&A\n";
    std::fs::write(folder.path().join("remarks.csv"), remarks).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "remarks.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let cancelled = "SELECT starts_at FROM screenings WHERE is_cancelled = 1 AND starts_at > '2025-10-29'";
    assert_eq!(app.texts(cancelled).await, ["2025-10-29T01:30:00.000Z"]);
    // What nobody knows is refused, and a column of other words is none of these.
    std::fs::write(folder.path().join("odd.csv"), list.replace("On sale", "Perhaps")).unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "odd.csv", "--on-conflict", "update"]);
    assert!(refused.code == 1 && refused.out.contains("\"Perhaps\", expected yes or no"), "{}", refused.transcript());
    let other = list.replace("Confirmed", "Gala").replace("CANCELLED", "Gala").replace("On sale", "Gala");
    std::fs::write(folder.path().join("other.csv"), other).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "other.csv", "--on-conflict", "update", "--dry-run"]);
    assert!(read.code == 0 && read.err.contains("is left out: no field of a screening"), "{}", read.transcript());
}

async fn several_times_of_a_film_are_as_many_screenings(database: Database) {
    let app = without_screenings(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Film,Venue,Date and time\nBare,Hall 1,\"2025-10-26T17:00, 2025-10-27T19:10, 2025-10-28T19:15\"\n\
                Bare,Hall 2,28 October at 10.30\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert!(read.out.contains("4 screenings: 4 new"), "{}", read.transcript());
    let times = "SELECT starts_at FROM screenings WHERE code IS NULL ORDER BY starts_at";
    let expected = [
        "2025-10-26T11:30:00.000Z",
        "2025-10-27T13:40:00.000Z",
        "2025-10-28T05:00:00.000Z",
        "2025-10-28T13:45:00.000Z",
    ];
    assert_eq!(app.texts(times).await, expected);
    std::fs::write(folder.path().join("day.csv"), "Film,Venue,Date and time\nBare,Hall 1,2025-10-27\n").unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "day.csv"]);
    assert!(refused.code == 1 && refused.out.contains("expected a day with a time"), "{}", refused.transcript());

    let both = "Film,Venue,Date,Time\nBare,Hall 1,26 October; 27 October,11:00; 15:00\n";
    std::fs::write(folder.path().join("both.csv"), both).unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "both.csv"]);
    assert!(refused.code == 1 && refused.out.contains("which time is on which day"), "{}", refused.transcript());

    // A day with a time has its own midnight, not that of a festival day.
    std::fs::write(folder.path().join("late.csv"), "Film,Venue,Date\nBare,Hall 2,2025-11-02 00:20\n").unwrap();
    let read = run_programme(&app, folder.path(), &["import", "late.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    assert_eq!(app.number("SELECT count(*) FROM screenings WHERE starts_at = '2025-11-01T18:50:00.000Z'").await, 1);
    app.write("DELETE FROM screenings WHERE starts_at = '2025-11-01T18:50:00.000Z'").await;

    let nested = r#"[{"title": "Bare", "screenings": [{"date": "2025-10-29T17:00", "venue": "Hall 1"},
        {"date": "2025-10-30T19:10", "venue": "Hall 2"}]}]"#;
    std::fs::write(folder.path().join("list.json"), nested).unwrap();
    let map = ["--map", "film=title", "--map", "hall=screenings.venue", "--map", "starts_at=screenings.date"];
    let read = run_programme(&app, folder.path(), &[&["import", "list.json"][..], &map].concat());
    assert!(read.out.contains("2 screenings: 2 new"), "{}", read.transcript());
    let halls = "SELECT h.name || ' ' || s.starts_at FROM screenings s JOIN halls h ON h.id = s.hall_id \
                 WHERE s.starts_at > '2025-10-29' ORDER BY s.starts_at";
    assert_eq!(app.texts(halls).await, ["Hall 1 2025-10-29T11:30:00.000Z", "Hall 2 2025-10-30T13:40:00.000Z"]);

    let whole = "Film,Venue,Start Time\nBare,Hall 1,\"October 31, 2025 6:30 PM\"\nBare,Hall 2,2025-10-30T13:40:00Z\n";
    std::fs::write(folder.path().join("whole.csv"), whole).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "whole.csv"]);
    assert!(read.out.contains("2 screenings: 1 new, 0 changed, 1 unchanged"), "{}", read.transcript());
    app.write("DELETE FROM screenings WHERE starts_at = '2025-10-31T13:00:00.000Z'").await;

    let span = "Film,Venue,Date,Time\nBare,Hall 1,2025-10-31,10:00-12:30\n";
    std::fs::write(folder.path().join("span.csv"), span).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "span.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let minutes = "SELECT starts_at || ' ' || minutes FROM screenings WHERE starts_at LIKE '2025-10-31%'";
    assert_eq!(app.texts(minutes).await, ["2025-10-31T04:30:00.000Z 150"]);
}

async fn order_of_day_and_month_is_decided_once_for_a_list(database: Database) {
    let app = planned(database).await;
    app.write("UPDATE editions SET starts_on = '2026-12-10', ends_on = '2026-12-20'").await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let folder = tempfile::tempdir().unwrap();
    let american = "Film,Venue,Date,Time\nBare,Hall 1,12/11/2026,18:30\nBare,Hall 1,12/13/2026,18:30\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", american.as_bytes()).await;
    assert!(page.text().contains("11 Dec 2026, 6:30 PM"), "{}", page.text());
    let both = "Film,Venue,Date,Time\nBare,Hall 1,03/04/2019,18:30\n";
    let (_, page) = upload_list(&browser, HOME, "screenings.csv", both.as_bytes()).await;
    assert!(page.text().contains("may be 3 April 2019 or 4 March 2019"), "{}", page.text());
    assert!(page.text().contains("A date such as 3/4/2027"), "{}", page.text());
    std::fs::write(folder.path().join("both.csv"), both).unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "both.csv"]);
    assert!(refused.code == 2 && refused.err.contains("3 April 2019 or 4 March 2019"), "{}", refused.transcript());
    let read = run_programme(&app, folder.path(), &["import", "both.csv", "--dates", "month-first"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    assert_eq!(app.number("SELECT count(*) FROM screenings WHERE starts_at = '2019-03-04T13:00:00.000Z'").await, 1);
}

/// What was mostly meant otherwise is noted: a day outside of the edition, and a list that knows no afternoon.
async fn unlikely_times_are_noted(database: Database) {
    let app = planned(database).await;
    app.write("UPDATE editions SET starts_on = '2026-12-10', ends_on = '2026-12-20'").await;
    let folder = tempfile::tempdir().unwrap();
    let notes = |rows: &str| {
        std::fs::write(folder.path().join("list.csv"), format!("Film,Venue,Date,Time,Duration\n{rows}")).unwrap();
        run_programme(&app, folder.path(), &["import", "list.csv", "--dry-run"]).transcript()
    };
    let outside =
        notes("Bare,Hall 1,12 Dec 2026,18:30,\nBare,Hall 1,26-12-13,18:30,\nBare,Hall 1,12 Dec 2025,18:30,\n");
    assert!(outside.contains("line 3: 26 December 2013 is no day of the edition, and 1 more like it"), "{outside}");
    let half_day = notes("Bare,Hall 1,12 Dec,9.30,\nBare,Hall 1,12 Dec,12.15,\nBare,Hall 1,12 Dec,3.00,\n");
    assert!(half_day.contains("line 4: 3:00 was read as 3:00 AM, and no screening begins after noon"), "{half_day}");
    let mixed = notes("Bare,Hall 1,12 Dec,9.30 AM,\nBare,Hall 1,12 Dec,3.00,\n");
    assert!(mixed.contains("line 3: 3:00 was read as 3:00 AM, and other lines say AM or PM"), "{mixed}");
    for rows in [
        "Bare,Hall 1,12 Dec,9.30,\nBare,Hall 1,12 Dec,18.15,\nBare,Hall 1,20 Dec,24:30,\n",
        "Bare,Hall 1,12 Dec,9.30 AM,\nBare,Hall 1,12 Dec,3.00 AM,\n",
        "Bare,Hall 1,12 Dec,7.00,\nBare,Hall 1,12 Dec,11.00,\n",
    ] {
        let read = notes(rows);
        assert!(!read.contains("no day of the edition") && !read.contains(" AM, and"), "{read}");
    }
    // As in lists of films.
    std::fs::write(folder.path().join("list.csv"), "Film,Venue,Date,Time,Duration\nBare,Hall 1,12 Dec,18:30,12:30\n")
        .unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    assert_eq!(app.number("SELECT minutes FROM screenings WHERE starts_at = '2026-12-12T13:00:00.000Z'").await, 13);
}

/// What `festival programme export` writes is read back by `festival programme import`; changed times are.
async fn exported_programme_imports_without_changes(database: Database) {
    let app = planned(database).await;
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run_programme(&app, folder.path(), arguments);
    for file in ["list.csv", "list.xlsx", "list.ods", "list.json"] {
        let written = run(&["export", file]);
        assert_eq!(written.code, 0, "{}", written.transcript());
        let read = run(&["import", file]);
        assert!(read.out.contains("5 screenings: 0 new, 0 changed, 5 unchanged"), "{}", read.transcript());
    }
    let list = std::fs::read_to_string(folder.path().join("list.csv")).unwrap();
    assert!(list.contains("2025-10-24,00:30"), "after midnight belongs to the evening: {list}");
    std::fs::write(folder.path().join("list.csv"), list.replace("00:30", "00:45")).unwrap();
    let read = run(&["import", "list.csv"]);
    assert!(read.out.contains("0 new, 1 changed, 4 unchanged"), "{}", read.transcript());
    assert_eq!(app.number("SELECT count(*) FROM screenings WHERE starts_at = '2025-10-24T19:15:00.000Z'").await, 1);
    let checked = run(&["check"]);
    assert!(checked.code == 0 && checked.out.contains("No conflicts."), "{}", checked.transcript());
    let released = run(&["release"]);
    assert!(released.out.contains("Release 1: 4 screenings."), "{}", released.transcript());
    assert!(run(&["release"]).err.contains("Nothing was released"));

    let text = "a".repeat(40_000);
    app.write(&format!("UPDATE screenings SET title = '{text}' WHERE id = (SELECT min(id) FROM screenings)")).await;
    let cut = run(&["export", "cut.xlsx"]);
    assert!(cut.code == 1 && cut.err.contains("1 text was too long for a workbook"), "{}", cut.transcript());
}
