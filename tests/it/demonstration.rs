//! What the demonstration says of its days in pictures, events and the programme is the same before, during and after the
//! festival.

use std::collections::BTreeMap;

use festival_core::admin::OWNER;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::admin::browser::{Browser, create_account};
use crate::dates::{bare_site, demonstration, seed_text};
use crate::programme::release;
use crate::support::repository;

/// What is written in the pictures of the demonstration.
#[derive(Deserialize)]
struct PictureTexts {
    /// The lines of each day: "15:15 Salt Wind, Kadavu Theatre".
    schedule: Vec<Vec<String>>,
    /// Daily events in halls of the programme.
    daily_events: Vec<DailyEvent>,
}

#[derive(Deserialize)]
struct DailyEvent {
    title: String,
    hall: String,
    time: String,
    weekdays: Vec<String>,
}

/// A screening as visitors read it.
struct Slot {
    day: Date,
    starts_at: String,
    ends_at: String,
    hall: String,
    title: String,
}

fn slots(programme: &Value) -> Vec<Slot> {
    let halls: BTreeMap<i64, String> = programme["halls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hall| (hall["id"].as_i64().unwrap(), hall["name"].as_str().unwrap().to_owned()))
        .collect();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let running =
        programme["screenings"].as_array().unwrap().iter().filter(|screening| screening["cancelled"] == false);
    running
        .map(|screening| Slot {
            day: text(&screening["day"]).parse().unwrap(),
            starts_at: text(&screening["starts_at"]),
            ends_at: text(&screening["ends_at"]),
            hall: halls[&screening["hall"].as_i64().unwrap()].clone(),
            title: text(&screening["title"]),
        })
        .collect()
}

#[tokio::test]
async fn pictures_events_and_programme_of_the_demonstration_agree_on_every_day() {
    let texts: PictureTexts = serde_json::from_str(include_str!("../fixtures/demonstration-pictures.json")).unwrap();
    let app = bare_site().await;
    app.clock.set("2025-10-01T12:00:00+05:30".parse().unwrap());
    seed_text(&app, &demonstration(), false).await;
    let later = std::fs::read_to_string(repository("config/editions/2025-later.toml")).unwrap();
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    seed_text(&app, &later, false).await;
    release(&browser).await;
    // Before, during, on the last evening, after.
    for now in ["2025-10-10T12:00:00Z", "2025-10-26T13:05:00Z", "2025-10-31T16:30:00Z", "2025-11-05T12:00:00Z"] {
        app.clock.set(now.parse::<Timestamp>().unwrap());
        let programme = app.get("/api/programme/").await.json();
        let slots = slots(&programme);
        let pictures = app.get("/api/screening-schedule/").await.json();
        let days = programme["days"].as_array().unwrap();
        assert_eq!((pictures.as_array().unwrap().len(), texts.schedule.len()), (days.len(), days.len()), "{now}");
        for (at, day) in days.iter().enumerate() {
            let day: Date = day.as_str().unwrap().parse().unwrap();
            assert_eq!(pictures[at]["title"], day.strftime(&format!("Day {}, %A %-d %B", at + 1)).to_string(), "{now}");
            let line = |slot: &Slot| format!("{} {}, {}", &slot.starts_at[11..16], slot.title, slot.hall);
            let lines: Vec<String> = slots.iter().filter(|slot| slot.day == day).map(line).collect();
            assert_eq!(texts.schedule[at], lines, "{now}: the picture of day {}", at + 1);
        }
        for event in app.get("/api/upcoming-events/").await.json().as_array().unwrap() {
            let [title, at, location] =
                ["event", "event_datetime", "location"].map(|name| event[name].as_str().unwrap().to_owned());
            let hall = location.split(',').next().unwrap();
            if !slots.iter().any(|slot| slot.hall == hall) {
                continue;
            }
            let planned: Vec<&Slot> = slots.iter().filter(|slot| slot.hall == hall && slot.starts_at == at).collect();
            assert_eq!(planned.len(), 1, "{now}: {title} at {at} in {hall}");
            let is_opening = title.starts_with("Opening night: ") && planned[0].title == "Opening ceremony";
            assert!(is_opening || title.starts_with(&planned[0].title), "{now}: {title} is {}", planned[0].title);
            // The opening film is the next one in its hall.
            if let Some(film) = title.strip_prefix("Opening night: ") {
                let next = slots.iter().find(|slot| slot.hall == hall && slot.starts_at > at).unwrap();
                assert_eq!(next.title, film, "{now}");
            }
        }
        for event in &texts.daily_events {
            for slot in slots.iter().filter(|slot| slot.hall == event.hall) {
                let begin = format!("{}T{}:00+05:30", slot.day, event.time);
                let is_that_day = event.weekdays.contains(&slot.day.strftime("%A").to_string());
                let overlaps = slot.starts_at <= begin && begin < slot.ends_at;
                assert!(!is_that_day || !overlaps, "{now}: {} during {} in {}", event.title, slot.title, slot.hall);
            }
        }
    }
}
