//! `/programme.ics`, `/programme/{day}.ics` and `/programme/screenings/{id}.ics`.

use festival_core::admin::OWNER;

use super::{planned, release};
use crate::admin::browser::{Browser, create_account};
use crate::support::Database;

on_both!(programme_is_a_calendar, moved_and_cancelled_screenings_update_their_events);

/// The unfolded lines of a calendar.
fn lines(text: &str) -> Vec<String> {
    assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"), "{text}");
    text.split("\r\n").for_each(|line| assert!(line.len() <= 75, "{line}"));
    text.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

fn value<'a>(lines: &'a [String], name: &str) -> Vec<&'a str> {
    lines.iter().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':')).collect()
}

async fn programme_is_a_calendar(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    release(&Browser::signed_in(&app, &owner).await).await;
    let response = app.get("/programme.ics").await;
    assert_eq!(response.header("Content-Type"), "text/calendar; charset=utf-8");
    let all = lines(&response.text());
    let times = ["20251024T123000Z", "20251024T190000Z", "20251027T053000Z", "20251027T103000Z"];
    assert_eq!(value(&all, "DTSTART"), times);
    assert_eq!(value(&all, "DTEND")[0], "20251024T143000Z");
    assert_eq!(value(&all, "SUMMARY")[1], "Night\\; shorts\\, \"two\"");
    assert_eq!(value(&all, "LOCATION")[0], "Hall 1\\, Kairali");
    assert!(value(&all, "DESCRIPTION")[0].contains("With Asha Nair\\, Biju"), "{all:?}");
    assert_eq!(value(&all, "STATUS"), ["CONFIRMED"; 4]);
    app.write("UPDATE halls SET venue = 'Hall 1, Round Road' WHERE name = 'Hall 1'").await;
    release(&Browser::signed_in(&app, &owner).await).await;
    let again = lines(&app.get("/programme.ics").await.text());
    assert_eq!(value(&again, "LOCATION")[0], "Hall 1\\, Round Road", "the hall stands once");
    assert_eq!(value(&all, "SEQUENCE"), ["1"; 4]);
    let day = lines(&app.get("/programme/2025-10-24.ics").await.text());
    assert_eq!(value(&day, "DTSTART"), times[..2], "with the screening after midnight");
    let id = app.id("screenings", "code = 'B1'").await;
    let one = lines(&app.get(&format!("/programme/screenings/{id}.ics")).await.text());
    assert_eq!((value(&one, "DTSTART"), value(&one, "UID")[0]), (vec![times[2]], value(&all, "UID")[2]));
    let jury = app.id("screenings", "code = 'J1'").await;
    for missing in
        [format!("screenings/{jury}.ics"), "2025-10-25.ics".into(), "x.ics".into(), "screenings/x.ics".into()]
    {
        assert_eq!(app.get(&format!("/programme/{missing}")).await.status, 404, "{missing}");
    }
}

async fn moved_and_cancelled_screenings_update_their_events(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    let before = lines(&app.get("/programme.ics").await.text());
    app.write("UPDATE screenings SET starts_at = '2025-10-27T06:30:00Z' WHERE code = 'B1'").await;
    app.write("UPDATE screenings SET is_cancelled = 1 WHERE code = 'T1'").await;
    app.clock.set("2025-10-26T07:00:00Z".parse().unwrap());
    release(&browser).await;
    let after = lines(&app.get("/programme.ics").await.text());
    assert_eq!(value(&after, "UID"), value(&before, "UID"));
    assert_eq!(value(&after, "SEQUENCE"), ["1", "1", "2", "2"]);
    assert_eq!(value(&after, "STATUS"), ["CONFIRMED", "CONFIRMED", "CONFIRMED", "CANCELLED"]);
    assert_eq!(value(&after, "SUMMARY")[3], "Cancelled: A talk");
    assert_eq!(value(&after, "DTSTART")[2], "20251027T063000Z");
    assert_eq!(value(&after, "LAST-MODIFIED")[2], "20251026T070000Z");
}
