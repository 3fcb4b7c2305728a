//! Lists of screenings as printed programmes have them: in blocks, with rows that are no screenings.

use super::import::{run_programme, without_screenings};
use crate::support::Database;

on_both!(printed_programme_is_read_block_by_block);

/// As in printed programmes: the first day above the header, which is repeated for each day, halls named once, and rows
/// that are no screenings.
async fn printed_programme_is_read_block_by_block(database: Database) {
    let app = without_screenings(database).await;
    let folder = tempfile::tempdir().unwrap();
    let list = "\"DAY 2 – SUNDAY, 26 OCTOBER 2025\",,\n\
                Venue,Time,Film\n\
                Hall 1,9.30 am,Bare\n\
                ,12 noon,Bare\n\
                LUNCH BREAK 2 pm to 3 pm,,\n\
                Hall 2,6-30 pm,Bare\n\
                Day 3 (27/10/2025),,\n\
                Venue,Time,Film\n\
                Hall 2,1830 hrs,Bare\n\
                Page 1 of 1,,\n";
    std::fs::write(folder.path().join("list.csv"), list).unwrap();
    let read = run_programme(&app, folder.path(), &["import", "list.csv"]);
    assert!(read.out.contains("4 screenings: 4 new"), "{}", read.transcript());
    let notes = [
        "line 4: names no hall; it is in that of the line above, \"Hall 1\"",
        "line 5: \"LUNCH BREAK 2 pm to 3 pm\" stands alone in its line, which was left out",
        "line 10: \"Page 1 of 1\" stands alone in its line, which was left out",
    ];
    for note in notes {
        assert!(read.err.contains(note), "{note}: {}", read.transcript());
    }
    let halls =
        "SELECT h.name || ' ' || s.starts_at FROM screenings s JOIN halls h ON h.id = s.hall_id ORDER BY s.starts_at";
    let expected = [
        "Hall 1 2025-10-26T04:00:00.000Z",
        "Hall 1 2025-10-26T06:30:00.000Z",
        "Hall 2 2025-10-26T13:00:00.000Z",
        "Hall 2 2025-10-27T13:00:00.000Z",
    ];
    assert_eq!(app.texts(halls).await, expected);
    app.write("DELETE FROM screenings").await;
    // The hall of a line with a day of its own is not known, and neither is what is shown without a title.
    for (rows, message) in [
        ("Bare,Hall 1,26 October,11:00\nBare,,27 October,11:00\n", "line 3, Venue: \"\", expected a value"),
        (
            "Bare,Hall 1,26 October,11:00\n,Hall 2,,11:00\n",
            "line 3, Film: \"\", expected the title of a film or of an event",
        ),
        ("Bare,Hall 1,26 October,11:00\nBare,,,\n", "line 3, Time: \"\", expected a time"),
    ] {
        std::fs::write(folder.path().join("list.csv"), format!("Film,Venue,Date,Time\n{rows}")).unwrap();
        let refused = run_programme(&app, folder.path(), &["import", "list.csv"]);
        assert!(refused.code == 1 && refused.out.contains(message), "{message}: {}", refused.transcript());
    }
}
