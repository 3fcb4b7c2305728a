//! `/upcoming-events.ics` and `/upcoming-events/{id}.ics`.

use crate::support::{Database, SECRET, TestApp};

on_both!(upcoming_events_are_a_calendar, single_event_is_a_calendar, event_keeps_its_uid_when_it_changes);

/// The unfolded lines of a calendar.
fn lines(text: &str) -> Vec<String> {
    assert!(text.ends_with("END:VCALENDAR\r\n"), "{text}");
    for line in text.split("\r\n") {
        assert!(line.len() <= 75 && !line.contains(['\n', '\r']), "{line}");
    }
    text.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

fn value<'a>(lines: &'a [String], name: &str) -> Vec<&'a str> {
    lines.iter().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':')).collect()
}

async fn upcoming_events_are_a_calendar(database: Database) {
    let app = TestApp::new(database).await;
    let long = "വെളിച്ചം, ".repeat(20);
    app.write(&format!("UPDATE upcoming_events SET location = 'Hall; 1, \"A\"\\B\r\n{long}' WHERE image IS NOT NULL"))
        .await;
    let response = app.get("/upcoming-events.ics").await;
    assert_eq!(response.header("Content-Type"), "text/calendar; charset=utf-8");
    assert_eq!(response.header("Content-Disposition"), "attachment; filename=\"upcoming-events.ics\"");
    let text = response.text();
    assert!(!text.contains(SECRET));
    let lines = lines(&text);
    assert_eq!(&lines[..2], ["BEGIN:VCALENDAR", "VERSION:2.0"]);
    assert_eq!(value(&lines, "SUMMARY"), ["Opening {{z}} & <b>lamp</b>", "അടുത്ത വെളിച്ചം"]);
    assert_eq!(value(&lines, "DTSTART"), ["20251024T123000Z", "20251026T063000Z"]);
    assert_eq!(value(&lines, "DURATION"), ["PT2H", "PT2H"]);
    assert_eq!(value(&lines, "UID").len(), 2);
    assert_eq!(value(&lines, "DTSTAMP"), value(&lines, "LAST-MODIFIED"));
    let escaped = format!("Hall\\; 1\\, \"A\"\\\\B\\n{}", long.replace(',', "\\,"));
    assert_eq!(value(&lines, "LOCATION")[0], escaped);
    let home = app.get("/").await.text();
    assert!(home.contains("href=\"/upcoming-events.ics\""));
    let event = app.id("upcoming_events", "is_published = 1").await;
    assert!(home.contains(&format!("href=\"/upcoming-events/{event}.ics\"")));
}

async fn single_event_is_a_calendar(database: Database) {
    let app = TestApp::new(database).await;
    let event = app.id("upcoming_events", "event LIKE 'Opening%'").await;
    let response = app.get(&format!("/upcoming-events/{event}.ics")).await;
    assert_eq!(response.header("Content-Disposition"), "attachment; filename=\"event.ics\"");
    assert_eq!(value(&lines(&response.text()), "SUMMARY"), ["Opening {{z}} & <b>lamp</b>"]);
    let draft = app.id("upcoming_events", "is_published = 0").await;
    for path in [format!("{draft}.ics"), "999999.ics".into(), "x.ics".into(), event.to_string(), ".ics".into()] {
        assert_eq!(app.get(&format!("/upcoming-events/{path}")).await.status, 404, "{path}");
    }
}

async fn event_keeps_its_uid_when_it_changes(database: Database) {
    let app = TestApp::new(database).await;
    let event = app.id("upcoming_events", "event LIKE 'Opening%'").await;
    let path = format!("/upcoming-events/{event}.ics");
    let before = lines(&app.get(&path).await.text());
    app.write(&format!(
        "UPDATE upcoming_events SET event = 'Moved', event_datetime = '2025-10-25T12:30:00.000Z', \
         updated_at = '2025-10-01T01:02:03.000Z' WHERE id = {event}"
    ))
    .await;
    let after = lines(&app.get_with(&path, &[("Host", "127.0.0.1")]).await.text());
    assert_eq!(value(&before, "UID"), value(&after, "UID"));
    assert_eq!(value(&after, "DTSTART"), ["20251025T123000Z"]);
    assert_eq!(value(&after, "LAST-MODIFIED"), ["20251001T010203Z"]);
}
