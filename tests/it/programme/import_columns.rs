//! What screenings have in several columns.

use super::import::{run_programme, without_screenings};
use crate::support::Database;

on_both!(
    ends_and_periods_of_the_day_have_columns_of_their_own,
    two_columns_name_a_hall,
    screenings_of_days_in_json_repeated_lines_and_remarks,
);

async fn ends_and_periods_of_the_day_have_columns_of_their_own(database: Database) {
    let app = without_screenings(database).await;
    let folder = tempfile::tempdir().unwrap();
    let read = async |list: &str| {
        app.write("DELETE FROM screenings").await;
        std::fs::write(folder.path().join("list.csv"), list).unwrap();
        let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
        assert_eq!(read.code, 0, "{}", read.transcript());
        let times = "SELECT substr(starts_at, 9, 8) || ' ' || coalesce(minutes, 0) FROM screenings ORDER BY starts_at";
        (app.texts(times).await, read.transcript())
    };
    let header = "Film,Venue,Date,Time,AM/PM\n";
    let rows = "Bare,Hall 1,2025-10-28,6:30,PM\nBare,Hall 1,2025-10-29,9:30,AM\nBare,Hall 1,2025-10-30,12:15,PM\n";
    let (times, _) = read(&format!("{header}{rows}")).await;
    assert_eq!(times, ["28T13:00 0", "29T04:00 0", "30T06:45 0"]);
    let rows =
        "Bare,Hall 1,2025-10-28,2:30,AN\nBare,Hall 1,2025-10-29,9:30,FN\nBare,Hall 1,2025-10-30,9:30,Second show\n";
    let (times, _) = read(&format!("{header}{rows}")).await;
    assert_eq!(times, ["28T09:00 0", "29T04:00 0", "30T16:00 0"]);
    // Those of 24 hours need none.
    let (times, _) = read("Film,Venue,Date,Time,Session\nBare,Hall 1,2025-10-28,14:00,Evening\n").await;
    assert_eq!(times, ["28T08:30 0"]);

    let header = "Film,Venue,Date,Start time,End time,Talk minutes\n";
    let rows = "Bare,Hall 1,2025-10-28,18:30,20:15,\nBare,Hall 1,2025-10-29,6:30,8:15 PM,15\n\
                Bare,Hall 1,2025-10-30,23:00,00:45,\nBare,Hall 1,2025-10-31,18:30,late,\n";
    let (times, words) = read(&format!("{header}{rows}")).await;
    assert_eq!(times, ["28T13:00 105", "29T13:00 90", "30T17:30 105", "31T13:00 0"]);
    assert!(words.contains("line 5: \"late\" was not read as the end of the screening"), "{words}");
    let (times, _) =
        read("Film,Venue,Starts at,Ends at\nBare,Hall 1,2025-10-28T13:00:00Z,2025-10-28T20:15:00+05:30\n").await;
    assert_eq!(times, ["28T13:00 105"]);
    let (times, _) = read("Film,Venue,Date,From,To\nBare,Hall 1,2025-10-28,18.3,20.15\n").await;
    assert_eq!(times, ["28T13:00 105"]);
    let (times, _) = read("Film,Venue,Start,End\nBare,Hall 1,2025-10-28 23:00,2025-10-29 00:45\n").await;
    assert_eq!(times, ["28T17:30 105"]);
}

async fn two_columns_name_a_hall(database: Database) {
    let app = without_screenings(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "Film,Theatre,Screen,Date,Time\nBare,Lantern,1,2025-10-28,18:30\nBare,Lamp,1,2025-10-29,18:30\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let halls = "SELECT h.name FROM screenings s JOIN halls h ON h.id = s.hall_id ORDER BY s.starts_at";
    assert_eq!(app.texts(halls).await, ["Lantern 1", "Lamp 1"]);
    app.write("DELETE FROM screenings").await;
    // Each hall is in one place.
    let list = "Film,Hall,Place,Date,Time\nBare,Hall 1,Kochi,2025-10-28,18:30\nBare,Hall 2,Kochi,2025-10-29,18:30\n\
                Bare,Hall 2,\"Kochi, Kerala\",2025-10-30,18:30\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    assert_eq!(app.texts(halls).await, ["Hall 1", "Hall 2", "Hall 2"]);
    // Two screenings in a line.
    let list = "Film,Hall,Date 1,Time 1,Date 2,Time 2\nBare,Hall 1,2025-10-28,18:30,2025-10-29,20:30\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let refused = run_programme(&app, folder.path(), &["import", "list.csv"]);
    let reason = "the columns \"Date 1\" and \"Date 2\" are both taken for Date; say what each column is";
    assert!(refused.code == 2 && refused.err.contains(reason), "{}", refused.transcript());
}

async fn screenings_of_days_in_json_repeated_lines_and_remarks(database: Database) {
    let app = without_screenings(database).await;
    app.write("UPDATE films SET name = 'Salt Wind' WHERE id = (SELECT min(f.id) FROM films f JOIN editions e ON e.id = f.edition_id WHERE e.year = 2025 AND f.name <> 'Bare')").await;
    let folder = tempfile::tempdir().unwrap();
    let list = r#"{"days": [{"date": "2025-10-28", "screenings": [{"film": "Bare", "hall": "Hall 1", "time": "18:30"},
        {"film": "Salt Wind", "hall": "Hall 2", "time": "20:30"}]}]}"#;
    std::fs::write(folder.path().join("list.json"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.json"]);
    assert_eq!(read.code, 0, "{}", read.transcript());
    let screenings = "SELECT f.name || ', ' || h.name || substr(s.starts_at, 11, 6) FROM screenings s \
                      JOIN films f ON f.id = s.film_id JOIN halls h ON h.id = s.hall_id ORDER BY s.starts_at";
    assert_eq!(app.texts(screenings).await, ["Bare, Hall 1T13:00", "Salt Wind, Hall 2T15:00"]);

    let list = "Film,Hall,Date,Time\nBare,Hall 1,2025-10-29,18:30\nBare,Hall 1,29/10/2025,6:30 PM\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert!(read.out.contains("1 screening: 1 new"), "{}", read.transcript());
    assert!(read.transcript().contains("line 3: repeats line 2 and was left out"), "{}", read.transcript());

    let list = "Film,Hall,Date,Time,Guests,Remarks\nBare,Hall 1,2025-10-30,18:30,TBC,Cancelled due to rain\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    let note = "line 2: \"Cancelled due to rain\" cancels nothing; a column \"Cancelled\" does";
    assert!(read.code == 0 && read.transcript().contains(note), "{}", read.transcript());
    let guests = "SELECT coalesce(guests, '-') || is_cancelled FROM screenings WHERE starts_at > '2025-10-30'";
    assert_eq!(app.texts(guests).await, ["-0"]);
}
