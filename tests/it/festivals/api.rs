//! Events, posters, venues, people, awards, history, winners.

use serde_json::json;

use crate::support::{Database, TestApp};

on_both!(
    programme_lists_are_served,
    sessions_and_packages_of_sister_festivals_are_served,
    next_events_follow_the_clock,
    people_and_history_lists_are_served,
    edition_is_selected_by_its_year,
    lists_without_rows_are_empty_arrays
);

const PER_EDITION: &[(&str, &str)] = &[
    ("upcoming-events", "upcoming_events"),
    ("posters", "posters"),
    ("screening-schedule", "schedule_items"),
    ("daily-events", "daily_events"),
    ("venues", "venues"),
    ("guests", "guests"),
    ("partners", "partners"),
    ("organisers", "organisers"),
    ("namesakes", "namesakes"),
    ("awards", "awards"),
    ("team", "team_members"),
    ("winners", "winners"),
];

async fn programme_lists_are_served(database: Database) {
    let app = TestApp::new(database).await;
    for list in ["upcoming-events", "posters", "screening-schedule", "daily-events", "venues", "awards", "winners"] {
        snapshot!(json format!("festivals {list}"), app.get(&format!("/api/{list}/")).await.json());
    }
    let upcoming = app.get("/api/upcoming-events/?upcoming=1").await.json();
    assert_eq!(upcoming.as_array().unwrap().len(), 1);
    assert_eq!(upcoming[0]["event"], "അടുത്ത വെളിച്ചം");
    assert_eq!(app.get("/api/upcoming-events/?upcoming=0").await.json(), app.get("/api/upcoming-events/").await.json());
}

async fn sessions_and_packages_of_sister_festivals_are_served(database: Database) {
    let app = TestApp::new(database).await;
    app.write("UPDATE editions SET is_public = 1 WHERE year = 2024").await;
    for list in ["sessions", "packages"] {
        snapshot!(json format!("festivals {list}"), app.get(&format!("/api/{list}/isff-2025/")).await.json());
        assert_eq!(app.get(&format!("/api/{list}/isff-2025/?edition=2024")).await.json(), json!([]), "{list}");
        assert_eq!(app.get(&format!("/api/{list}/nothing/")).await.json(), json!([]), "{list}");
    }
    assert_eq!(app.get("/api/sessions/ifff-9th/").await.json()[0]["sessions"][0]["title"], "Rice");
}

async fn next_events_follow_the_clock(database: Database) {
    let app = TestApp::new(database).await;
    let next = async |now: &str| -> Vec<(String, String, String)> {
        app.clock.set(now.parse().unwrap());
        let items = app.get("/api/next/").await.json();
        let text = |item: &serde_json::Value, key: &str| item[key].as_str().unwrap_or_default().to_owned();
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (text(item, "title"), text(item, "when_text"), text(item, "href")))
            .collect()
    };
    let item = |title: &str, when: &str, href: &str| (title.to_owned(), when.to_owned(), href.to_owned());
    let lecture = "Light {{z}} </script>";
    let night = "After midnight \"second day\"";
    let opening = "Opening {{z}} & <b>lamp</b>";

    assert_eq!(next("2025-07-25T10:29:59Z").await, [], "more than two weeks ahead is not near");
    let isff = "/isff-2025";
    assert_eq!(next("2025-07-25T10:30:00Z").await, [item(lecture, "Friday 8 August, 4:00 PM", isff)]);
    assert_eq!(
        next("2025-08-07T12:00:00Z").await,
        [item(lecture, "Tomorrow, 4:00 PM", isff), item(night, "Saturday 9 August, 12:30 AM", isff)]
    );
    assert_eq!(
        next("2025-08-07T18:30:00Z").await,
        [item(lecture, "Today, 4:00 PM", isff), item(night, "Tomorrow, 12:30 AM", isff)],
        "a day begins at the festival's midnight"
    );
    assert_eq!(next("2025-08-08T10:30:00Z").await[0], item(lecture, "Now, until 5:30 PM", isff));
    assert_eq!(next("2025-08-08T12:00:00Z").await, [item(night, "Tomorrow, 12:30 AM", isff)]);
    assert_eq!(next("2025-08-08T19:00:00Z").await, [], "an event without an end is over when it begins");
    assert_eq!(next("2025-10-24T12:29:59Z").await[0], item(opening, "Today, 6:00 PM", "/#upcoming-events"));
    assert_eq!(next("2025-10-24T12:30:00Z").await[0].0, "അടുത്ത വെളിച്ചം");
    assert_eq!(next("2025-10-26T06:30:00Z").await, [], "drafts never show");
}

async fn people_and_history_lists_are_served(database: Database) {
    let app = TestApp::new(database).await;
    for list in ["guests", "partners", "organisers", "namesakes", "team", "history"] {
        snapshot!(json format!("festivals {list}"), app.get(&format!("/api/{list}/")).await.json());
    }
}

async fn edition_is_selected_by_its_year(database: Database) {
    let app = TestApp::new(database).await;
    for (list, _) in PER_EDITION {
        let current = app.get(&format!("/api/{list}/")).await.json();
        assert!(!current.as_array().unwrap().is_empty(), "{list}");
        assert_eq!(app.get(&format!("/api/{list}/?edition=2025")).await.json(), current, "{list}");
        assert_ne!(app.get(&format!("/api/{list}?edition=2024")).await.json(), current, "{list}");
        app.get(&format!("/api/{list}/?edition=1999")).await.assert_error(404, "not_found");
    }
    // The history belongs to the festival, not to an edition.
    assert_eq!(app.get("/api/history/?edition=1999").await.json(), app.get("/api/history/").await.json());
}

async fn lists_without_rows_are_empty_arrays(database: Database) {
    let app = TestApp::new(database).await;
    for (list, table) in PER_EDITION {
        app.write(&format!("DELETE FROM {table}")).await;
        assert_eq!(app.get(&format!("/api/{list}/")).await.json(), json!([]), "{list}");
    }
    for path in app.pages().await {
        assert_eq!(app.get(&path).await.status, 200, "{path}");
    }
}
