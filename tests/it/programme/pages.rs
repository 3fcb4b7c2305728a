//! The page of the programme, rendered on the server with the search of its address.

use festival_core::admin::OWNER;
use serde_json::{Value, json};

use super::{planned, release, released};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, boot, json_ld_items};

on_both!(search_and_day_are_rendered_on_the_server, structured_data_describes_each_screening);

async fn search_and_day_are_rendered_on_the_server(database: Database) {
    let app = released(database).await;
    let screenings = async |query: &str| {
        let html = app.get(&format!("/programme{query}")).await.text();
        let count = html.matches("id=\"screening-").count();
        (count, boot(&html)["query"].clone(), html)
    };
    let (first_day, ..) = screenings("").await;
    let (other_day, ..) = screenings("?day=2025-10-27").await;
    assert_eq!((first_day, other_day), (2, 2), "24 October with the night, and 27 October");
    let (found, query, html) = screenings("?q=%20TALK%20").await;
    assert_eq!((found, &query["q"]), (1, &"TALK".into()));
    assert!(html.contains("1 screening") && html.contains("A talk"));
    // A search text that contains the name of another parameter stays a text.
    let (none, query, _) = screenings("?q=TALK%20time%3Dmorning").await;
    assert_eq!((none, &query["time"]), (0, &serde_json::Value::Null));
    assert_eq!(screenings("?q=TALK&time=morning").await.1["time"], "morning");
    let late = app.id("screenings", "code = 'T1'").await;
    let (day, _, html) = screenings(&format!("?screening={late}")).await;
    assert!(day == 2 && html.contains("aria-current=\"true\""), "the day of the screening, and which one it is");
    assert_eq!(screenings("?screening=99999").await.0, first_day);
    // Implausibly long input is ignored.
    let (all, query, _) = screenings(&format!("?q={}", "a".repeat(301))).await;
    assert_eq!((all, &query["q"]), (first_day, &serde_json::Value::Null));
}

async fn structured_data_describes_each_screening(database: Database) {
    let app = planned(database).await;
    app.clock.set("2025-10-20T07:00:00Z".parse().unwrap());
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    app.write("UPDATE screenings SET hall_id = (SELECT id FROM halls WHERE name = 'Hall 2') WHERE code = 'A1'").await;
    app.write("UPDATE screenings SET starts_at = '2025-10-27T11:30:00Z' WHERE code = 'T1'").await;
    app.write("UPDATE screenings SET is_cancelled = 1 WHERE code = 'B1'").await;
    release(&browser).await;
    let things = json_ld_items(&app.get("/programme").await.text());
    let mut events = Vec::new();
    for code in ["A1", "T1", "B1"] {
        let end = format!("/programme?screening={}", app.id("screenings", &format!("code = '{code}'")).await);
        let is_it = |thing: &&Value| thing["url"].as_str().is_some_and(|url| url.ends_with(&end));
        events.push(things.iter().find(is_it).unwrap_or_else(|| panic!("{end}: {things:#?}")).clone());
    }
    let [film, talk, cancelled] = &events[..] else { panic!() };
    assert_eq!((&film["@type"], &film["workPresented"][0]["@type"]), (&json!("ScreeningEvent"), &json!("Movie")));
    assert_eq!(
        (&film["startDate"], &film["endDate"]),
        (&json!("2025-10-24T18:00:00+05:30"), &json!("2025-10-24T20:00:00+05:30"))
    );
    // Another hall at the same time is another location, and nothing is rescheduled.
    assert_eq!((&film["location"]["@type"], &film["location"]["name"]), (&json!("Place"), &json!("Hall 2")));
    assert_eq!(film["location"]["address"]["@type"], "PostalAddress");
    // What they refer to is on the page, too.
    for (referred, kind) in [("organizer", "Organization"), ("superEvent", "Festival")] {
        let is_it = |thing: &&Value| thing["@type"] == kind && thing["@id"] == film[referred]["@id"];
        assert!(things.iter().find(is_it).is_some_and(|thing| thing["name"].is_string()), "{kind}: {things:#?}");
    }
    let of_day = json_ld_items(&app.get("/programme?day=2025-10-27").await.text());
    let days: Vec<&str> = of_day.iter().filter_map(|thing| thing["endDate"].as_str()?.get(..10)).collect();
    assert_eq!(days, ["2025-10-31", "2025-10-27", "2025-10-27"], "the festival, and the screenings of the day");
    assert_eq!(
        (&film["eventStatus"], &film["previousStartDate"]),
        (&json!("https://schema.org/EventScheduled"), &Value::Null)
    );
    assert_eq!(
        (&talk["@type"], &talk["eventStatus"]),
        (&json!("Event"), &json!("https://schema.org/EventRescheduled"))
    );
    assert_eq!(talk["previousStartDate"], "2025-10-27T16:00:00+05:30");
    assert_eq!(cancelled["eventStatus"], "https://schema.org/EventCancelled");
}
