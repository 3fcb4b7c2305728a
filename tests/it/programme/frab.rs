//! `/programme/schedule.xml` and `/programme/schedule.json`, which conference apps read.

use festival_core::admin::OWNER;
use serde_json::json;

use super::{planned, release, released};
use crate::admin::browser::{Browser, create_account};
use crate::support::Database;

on_both!(
    schedule_has_local_times_and_nights_under_the_evening_before,
    schedule_leaves_out_cancelled_screenings_and_keeps_numbers,
    schedule_in_json_says_the_same,
    schedule_before_the_first_release_has_no_screenings,
);

async fn schedule_has_local_times_and_nights_under_the_evening_before(database: Database) {
    let app = released(database).await;
    let response = app.get("/programme/schedule.xml").await;
    assert_eq!(response.header("Content-Type"), "application/xml; charset=utf-8");
    let xml = response.text();
    for part in [
        "<start>2025-10-24</start>\n<end>2025-10-27</end>\n",
        "<time_zone_name>Asia/Kolkata</time_zone_name>\n<days>2</days>\n<day_change>05:00</day_change>",
        "<day index=\"1\" date=\"2025-10-24\" start=\"2025-10-24T05:00:00+05:30\" end=\"2025-10-25T05:00:00+05:30\">",
        "<room name=\"Hall 1, Kairali\">",
        "<date>2025-10-24T18:00:00+05:30</date>\n<start>18:00</start>\n<duration>02:00</duration>",
        "<title>Night; shorts, &quot;two&quot;</title>",
        "<date>2025-10-25T00:30:00+05:30</date>\n<start>00:30</start>\n<duration>01:00</duration>",
        ">Asha Nair</person>",
    ] {
        assert!(xml.contains(part), "{part}\n{xml}");
    }
    let (first, second) = xml.split_once("</day>").unwrap();
    assert_eq!((first.matches("<event ").count(), second.matches("<event ").count()), (2, 2), "{xml}");
    assert!(!xml.contains("Z</date>") && !xml.contains("delegates' notes"), "{xml}");
    let page = app.get("/programme").await.text();
    assert!(page.contains("href=\"/programme/schedule.xml\""), "{page}");
}

async fn schedule_leaves_out_cancelled_screenings_and_keeps_numbers(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    let events = async || {
        let xml = app.get("/programme/schedule.xml").await.text();
        let events = xml.split("<event ").skip(1).map(|event| event.split('>').next().unwrap().to_owned());
        (events.collect::<Vec<_>>(), xml)
    };
    let (before, _) = events().await;
    let id = app.id("screenings", "code = 'B1'").await;
    assert!(before[2].starts_with(&format!("id=\"{id}\" guid=\"")), "{before:?}");
    app.write("UPDATE screenings SET is_cancelled = 1 WHERE code = 'T1'").await;
    app.write("UPDATE screenings SET minutes = 1440, talk_minutes = 60 WHERE code = 'B1'").await;
    release(&browser).await;
    let (after, xml) = events().await;
    assert_eq!(after, before[..3]);
    assert!(!xml.contains("A talk"), "{xml}");
    // Apps read a duration as a time of day.
    assert!(xml.contains("<duration>23:59</duration>"), "{xml}");
    assert!(xml.contains("<version>2</version>"), "{xml}");
}

async fn schedule_in_json_says_the_same(database: Database) {
    let app = released(database).await;
    let document = app.get("/programme/schedule.json").await.json();
    let conference = &document["schedule"]["conference"];
    assert_eq!((&conference["daysCount"], &conference["start"]), (&json!(2), &json!("2025-10-24")));
    assert_eq!(conference["rooms"].as_array().unwrap().len(), 2);
    let day = &conference["days"][0];
    assert_eq!((&day["date"], &day["day_end"]), (&json!("2025-10-24"), &json!("2025-10-25T05:00:00+05:30")));
    let night = &day["rooms"]["Hall 2"][0];
    let id = app.id("screenings", "code = 'A2'").await;
    assert_eq!((&night["id"], &night["date"]), (&json!(id), &json!("2025-10-25T00:30:00+05:30")));
    assert_eq!(
        (&night["start"], &night["duration"], &night["type"]),
        (&json!("00:30"), &json!("01:00"), &json!("package"))
    );
}

async fn schedule_before_the_first_release_has_no_screenings(database: Database) {
    let app = planned(database).await;
    let xml = app.get("/programme/schedule.xml").await.text();
    assert!(xml.contains("<start>2025-10-24</start>\n<end>2025-10-31</end>") && !xml.contains("<day "), "{xml}");
    assert_eq!(app.get("/programme/schedule.json").await.json()["schedule"]["conference"]["days"], json!([]));
}
