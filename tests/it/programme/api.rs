//! `/programme/`, `/screenings/` and `/programme/changes/`: the newest release and nothing else.

use festival_core::admin::OWNER;
use serde_json::{Value, json};

use super::{planned, release, released};
use crate::admin::browser::{Browser, create_account};
use crate::support::{Database, SECRET, TestApp, boot};

on_both!(
    nothing_is_public_before_a_release,
    released_programme_is_complete,
    changes_are_marked_and_logged,
    visitors_see_one_release_at_a_time,
    deleted_screening_stays_as_cancelled,
    today_follows_the_clock,
    programme_says_since_when_the_same_screenings_run,
);

async fn nothing_is_public_before_a_release(database: Database) {
    let app = planned(database).await;
    let programme = app.get("/api/programme/").await.json();
    assert_eq!((&programme["version"], &programme["released_at"]), (&json!(0), &Value::Null));
    assert_eq!((&programme["screenings"], &programme["films"]), (&json!([]), &json!([])));
    assert_eq!(programme["time_zone"], "Asia/Kolkata");
    assert_eq!(app.get("/api/screenings/").await.json(), json!([]));
    assert_eq!(app.get("/api/programme/changes/").await.json(), json!({ "version": 0, "changes": [] }));
    assert!(!app.get("/sitemap.xml").await.text().contains("/programme"));
    assert!(!app.get("/api/site/").await.json()["menu"].to_string().contains("\"/programme\""));
    let page = app.get("/programme").await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains("Kairali") && page.text().contains("not out yet"), "{}", page.text());
}

async fn released_programme_is_complete(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    release(&Browser::signed_in(&app, &owner).await).await;
    let response = app.get("/api/programme/").await;
    assert!(!response.text().contains(SECRET));
    let programme = response.json();
    assert_eq!(programme["version"], 1);
    assert_eq!(programme["released_at"], "2025-10-26T12:00:00+05:30");
    assert_eq!(programme["days"], json!(["2025-10-24", "2025-10-27"]));
    let halls = programme["halls"].as_array().unwrap();
    assert_eq!(
        (&halls[0]["name"], &halls[0]["venue"], &halls[0]["capacity"]),
        (&json!("Hall 1"), &json!("Kairali"), &json!(300))
    );
    assert_eq!(halls[0]["walking"], json!([{ "hall": halls[1]["id"], "minutes": 7 }]));
    assert_eq!(halls[1]["walking"], json!([{ "hall": halls[0]["id"], "minutes": 7 }]));
    let screenings = programme["screenings"].as_array().unwrap();
    assert_eq!(screenings.len(), 4, "all but the screening for the jury: {screenings:?}");
    let first = &screenings[0];
    assert_eq!(first["starts_at"], "2025-10-24T18:00:00+05:30");
    assert_eq!(first["ends_at"], "2025-10-24T20:00:00+05:30");
    assert_eq!((&first["guests"], &first["with_guests"]), (&json!(["Asha Nair", "Biju"]), &json!(true)));
    assert_eq!((&first["change"], &first["cancelled"]), (&Value::Null, &json!(false)));
    // Half past midnight belongs to the evening before.
    assert_eq!(
        (&screenings[1]["day"], &screenings[1]["starts_at"]),
        (&json!("2025-10-24"), &json!("2025-10-25T00:30:00+05:30"))
    );
    let films = programme["films"].as_array().unwrap();
    let ids: Vec<&Value> = films.iter().map(|film| &film["id"]).collect();
    assert_eq!(screenings[1]["films"].as_array().unwrap().iter().collect::<Vec<_>>(), ids);
    let poster = films[0]["poster"].as_str().unwrap().strip_prefix("http://localhost").unwrap();
    assert_eq!(app.get(poster).await.status, 200);
    assert!(films[0]["synopsis"].as_str().unwrap().chars().count() <= 302);
    assert!(films[0]["section"]["name"].is_string());

    let film = films[1]["id"].as_i64().unwrap();
    let of_film = app.get(&format!("/api/screenings/?film={film}")).await.json();
    assert_eq!(of_film, json!([screenings[1], screenings[2]]));
    let part = app.get(&format!("/api/programme/?film={film}")).await.json();
    assert_eq!((&part["screenings"], &part["version"]), (&of_film, &json!(1)));
    assert_eq!((&part["days"], &part["halls"]), (&programme["days"], &programme["halls"]));
    let nothing = app.get("/api/programme/?film=99999").await.json();
    assert_eq!((&nothing["screenings"], &nothing["halls"], &nothing["films"]), (&json!([]), &json!([]), &json!([])));
    app.get("/api/programme/?film=x").await.assert_error(400, "bad_request");
    assert_eq!(app.get("/api/screenings/?day=2025-10-27").await.json(), json!([screenings[2], screenings[3]]));
    app.get("/api/screenings/?film=x").await.assert_error(400, "bad_request");
    app.get("/api/screenings/?day=monday").await.assert_error(400, "bad_request");
    app.get("/api/programme/changes/?since=-1").await.assert_error(400, "bad_request");

    let etag = response.header("ETag");
    assert_eq!(app.get_with("/api/programme/", &[("If-None-Match", &etag)]).await.status, 304);
    let page = app.get("/programme").await.text();
    assert_eq!(boot(&page)["data"]["/programme/"], programme);
    assert!(page.contains("\"ScreeningEvent\"") && page.contains("https://schema.org/EventScheduled"), "{page}");
    assert!(app.get("/sitemap.xml").await.text().contains("<loc>http://localhost/programme</loc>"));
    assert!(app.get("/api/site/").await.json()["menu"]["header"].to_string().contains("\"/programme\""));
}

async fn changes_are_marked_and_logged(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    let (first, last) = (app.id("screenings", "code = 'A1'").await, app.id("screenings", "code = 'T1'").await);
    let package = app.id("screenings", "code = 'A2'").await;
    let (one, two) = (app.id("halls", "name = 'Hall 1'").await, app.id("halls", "name = 'Hall 2'").await);
    app.write(&format!("UPDATE screenings SET hall_id = {two}, starts_at = '2025-10-24T13:00:00Z' WHERE id = {first}"))
        .await;
    app.write(&format!("UPDATE screenings SET is_cancelled = 1 WHERE id = {last}")).await;
    app.write(&format!("UPDATE screenings SET title = 'Late shorts' WHERE id = {package}")).await;
    let shown = browser.get(super::RELEASE).await.text();
    assert!(
        shown.contains("Moved from Hall 1, Friday 24 October, 18:00 to Hall 2, Friday 24 October, 18:30."),
        "{shown}"
    );
    app.clock.set("2025-10-26T07:00:00Z".parse().unwrap());
    release(&browser).await;
    let programme = app.get("/api/programme/").await.json();
    let at = "2025-10-26T12:30:00+05:30";
    assert_eq!((&programme["version"], &programme["released_at"]), (&json!(2), &json!(at)));
    let change = |id: i64| {
        let screenings = programme["screenings"].as_array().unwrap();
        screenings.iter().find(|screening| screening["id"] == id).unwrap()["change"].clone()
    };
    let was = json!({ "hall": one, "starts_at": "2025-10-24T18:00:00+05:30" });
    let now = json!({ "hall": two, "starts_at": "2025-10-24T18:30:00+05:30" });
    assert_eq!(change(first), json!({ "kind": "moved", "at": at, "was": was }));
    assert_eq!(change(last), json!({ "kind": "cancelled", "at": at, "was": null }));
    assert_eq!(change(package), json!({ "kind": "changed", "at": at, "was": null }));
    let log = app.get("/api/programme/changes/?since=1").await.json();
    assert_eq!((&log["version"], log["changes"].as_array().unwrap().len()), (&json!(2), 3));
    assert_eq!((&log["changes"][0]["was"], &log["changes"][0]["now"]), (&was, &now));
    assert_eq!((&log["changes"][2]["kind"], &log["changes"][2]["now"]), (&json!("cancelled"), &Value::Null));
    assert_eq!(app.get("/api/programme/changes/?since=2").await.json()["changes"], json!([]));
    // A later release keeps the marks of screenings that it does not change.
    app.write("UPDATE screenings SET guests = NULL WHERE code = 'B1' OR code = 'A1'").await;
    release(&browser).await;
    let programme = app.get("/api/programme/").await.json();
    let again = programme["screenings"].as_array().unwrap().iter().find(|screening| screening["id"] == last).unwrap();
    assert_eq!((&again["change"]["at"], &again["version"]), (&json!(at), &json!(2)));
    assert_eq!(app.get("/api/programme/changes/").await.json()["changes"].as_array().unwrap().len(), 4);
    let feed = app.get("/programme/changes.xml").await;
    assert_eq!(feed.header("Content-Type"), "application/atom+xml; charset=utf-8");
    let feed = feed.text();
    assert_eq!(feed.matches("<entry>").count(), 4);
    assert!(feed.contains(&format!("<id>urn:x-festival:velicham/programme?screening={last}#2</id>")), "{feed}");
    assert!(feed.contains("<title>Cancelled: A talk</title>") && feed.contains("Changed: Late shorts"), "{feed}");
}

/// Changes by programmers are not public before the next release.
async fn visitors_see_one_release_at_a_time(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    let before = app.get("/api/programme/").await.json();
    app.write("UPDATE screenings SET is_cancelled = 1").await;
    app.write("UPDATE halls SET name = name || ' new'").await;
    app.write("UPDATE films SET name = 'Other'").await;
    assert_eq!(app.get("/api/programme/").await.json(), before);
    let calendar = app.get("/programme.ics").await.text();
    assert!(!calendar.contains("CANCELLED") && !calendar.contains(" new"), "{calendar}");
    release(&browser).await;
    assert_ne!(app.get("/api/programme/").await.json()["halls"], before["halls"]);
}

async fn programme_says_since_when_the_same_screenings_run(database: Database) {
    let app = released(database).await;
    for (now, since) in [
        ("2025-10-24T17:59:00+05:30", Value::Null),
        ("2025-10-24T18:00:00+05:30", json!("2025-10-24T18:00:00+05:30")),
        ("2025-10-24T19:59:00+05:30", json!("2025-10-24T18:00:00+05:30")),
        ("2025-10-24T20:00:00+05:30", json!("2025-10-24T20:00:00+05:30")),
        ("2025-10-25T00:45:00+05:30", json!("2025-10-25T00:30:00+05:30")),
        ("2025-12-01T00:00:00+05:30", json!("2025-10-27T17:00:00+05:30")),
    ] {
        app.clock.set(now.parse().unwrap());
        assert_eq!(app.get("/api/programme/today/").await.json()["since"], since, "{now}");
    }
}

async fn deleted_screening_stays_as_cancelled(database: Database) {
    let app: TestApp = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    release(&browser).await;
    let id = app.id("screenings", "code = 'B1'").await;
    app.write(&format!("DELETE FROM screenings WHERE id = {id}")).await;
    release(&browser).await;
    let of = app.get("/api/screenings/?day=2025-10-27").await.json();
    assert_eq!(
        (&of[0]["id"], &of[0]["cancelled"], &of[0]["change"]["kind"]),
        (&json!(id), &json!(true), &json!("cancelled"))
    );
}

async fn today_follows_the_clock(database: Database) {
    let app = planned(database).await;
    let today = async |time: &str| {
        app.clock.set(time.parse().unwrap());
        let home = app.get("/").await.text();
        (app.get("/api/programme/today/").await.json()["day"].clone(), home.contains("See the programme"))
    };
    assert_eq!(today("2025-10-24T12:00:00+05:30").await, (Value::Null, false), "nothing is released");
    app.clock.set("2025-10-26T12:00:00+05:30".parse().unwrap());
    let owner = create_account(&app, &OWNER).await;
    release(&Browser::signed_in(&app, &owner).await).await;
    // The edition is from 24 to 31 October, and screenings on the 24th and 27th. A festival day ends in the morning.
    for (time, day, is_near) in [
        ("2025-08-24T23:59:00+05:30", Value::Null, false),
        ("2025-08-25T00:00:00+05:30", Value::Null, true),
        ("2025-10-24T05:00:00+05:30", json!("2025-10-24"), true),
        ("2025-10-25T04:59:00+05:30", json!("2025-10-24"), true),
        ("2025-10-25T05:00:00+05:30", Value::Null, true),
        ("2025-10-31T23:59:00+05:30", Value::Null, true),
        ("2025-11-01T00:00:00+05:30", Value::Null, false),
    ] {
        assert_eq!(today(time).await, (day, is_near), "{time}");
    }
}
