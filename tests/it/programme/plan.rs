//! The plan of a day in the back office: moving, adding and copying, and two people at once.

use std::collections::BTreeMap;

use festival_core::admin::{EDITOR, READER};

use super::planned;
use crate::admin::browser::{Browser, count_audited, create_account, unescape_html};
use crate::support::{Database, Response, TestApp};

on_both!(
    screening_is_moved_from_where_it_was_seen,
    concurrent_moves_are_not_lost,
    film_is_added_by_its_title,
    day_is_copied_with_its_packages_and_the_copy_undone,
    screenings_of_a_day_are_listed_and_deleted_together,
    readers_see_the_plan_and_change_nothing,
);

const DAY: &str = "2025-10-24";
const NEXT: &str = "2025-10-25";

/// Sends the form of a move: where the screening was seen, and where it should be, each as day, hall, time and minutes.
async fn moved(browser: &Browser<'_>, id: i64, was: [&str; 4], to: [&str; 4]) -> Response {
    let id = id.to_string();
    let names = ["visible_day", "was_hall", "was_time", "was_minutes", "day", "hall", "time", "minutes"];
    let mut fields: Vec<(&str, &str)> = names.into_iter().zip(was.into_iter().chain(to)).collect();
    fields.push(("screening", &id));
    browser.post("/admin/programme/move", &fields).await
}

async fn place(app: &TestApp, id: i64) -> String {
    let columns = "h.name || ' ' || s.starts_at || ' ' || coalesce(s.minutes, 0)";
    let sql = format!("SELECT {columns} FROM screenings s JOIN halls h ON h.id = s.hall_id WHERE s.id = {id}");
    app.texts(&sql).await.remove(0)
}

async fn screening_is_moved_from_where_it_was_seen(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let (first, second) = (Browser::signed_in(&app, &editor).await, Browser::signed_in(&app, &editor).await);
    let id = app.id("screenings", "code = 'A1'").await;
    let was = [DAY, "Hall 1", "18:00", "100"];
    // A time after midnight belongs to the evening before.
    let done = moved(&first, id, was, [DAY, "Hall 2", "00:05", ""]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(place(&app, id).await, "Hall 2 2025-10-24T18:35:00.000Z 0");
    assert_eq!(done.header("Location"), format!("/admin/programme?day={DAY}"));
    let page = first.get(&done.header("Location")).await.text();
    assert!(page.contains("Hall 2, Saturday 25 October, 00:05."), "{page}");
    assert_eq!(count_audited(&app, "edit").await, 1);
    // A form based on the old position does not overwrite the move.
    let refused = moved(&second, id, was, [DAY, "Hall 1", "20:00", "100"]).await;
    let page = unescape_html(&refused.text());
    assert!(refused.status == 409 && page.contains("It is in Hall 2 now, Saturday 25 October, 00:05."), "{page}");
    assert!(page.contains("Test Editor has changed its place"), "{page}");
    // A change to another field does not prevent a move.
    app.write("UPDATE screenings SET notes = 'Ask the projectionist'").await;
    let other_day = moved(&second, id, [DAY, "Hall 2", "00:05", ""], [NEXT, "Hall 1", "20:00", "90"]).await;
    assert_eq!(other_day.header("Location"), format!("/admin/programme?day={NEXT}"), "{}", other_day.text());
    assert_eq!(place(&app, id).await, "Hall 1 2025-10-25T14:30:00.000Z 90");
    for (to, told) in [
        ([NEXT, "Hall 9", "20:00", "90"], "Hall: there is no hall \"Hall 9\"."),
        ([NEXT, "Hall 1", "25:00", "90"], "Enter a time of day, such as 18:30."),
        ([NEXT, "Hall 1", "20:00", "long"], "Minutes: "),
        (["soon", "Hall 1", "20:00", "90"], "Choose a day of the festival."),
    ] {
        let refused = moved(&second, id, [NEXT, "Hall 1", "20:00", "90"], to).await;
        let page = unescape_html(&refused.text());
        assert!(refused.status == 400 && page.contains(told), "{to:?}: {} {page}", refused.status);
    }
    assert_eq!(place(&app, id).await, "Hall 1 2025-10-25T14:30:00.000Z 90");
}

/// Moves of each of two people.
const MOVES: u32 = 200;

/// Every acknowledged move is in the history of its screening, directly after the one that its sender saw.
async fn concurrent_moves_are_not_lost(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let (first, second) = (Browser::signed_in(&app, &editor).await, Browser::signed_in(&app, &editor).await);
    let ids = [app.id("screenings", "code = 'A1'").await, app.id("screenings", "code = 'A2'").await];
    app.write("UPDATE screenings SET minutes = 1440, starts_at = '2025-10-24T06:30:00.000Z'").await;
    let (first, second) = tokio::join!(edit(&app, &first, ids, 0), edit(&app, &second, ids, MOVES));
    let acknowledged: Vec<_> = first.iter().chain(&second).collect();
    let refused = 2 * MOVES as usize - acknowledged.len();
    // Each refusal is caused by a different move of the other person.
    assert!(acknowledged.len() >= MOVES as usize, "{refused} of {} were refused", 2 * MOVES);
    for id in ids {
        let sql = format!("SELECT record FROM revisions WHERE entity = 'screenings' AND row_id = {id} ORDER BY id");
        let history: Vec<i64> = app.texts(&sql).await.iter().map(|data| minutes(data)).collect();
        let followers: BTreeMap<i64, i64> = history.windows(2).map(|pair| (pair[0], pair[1])).collect();
        for (_, seen, written) in acknowledged.iter().filter(|(of, ..)| *of == id) {
            assert_eq!(followers.get(seen), Some(written), "{history:?}");
        }
        assert!(place(&app, id).await.ends_with(&format!(" {}", history.last().unwrap())));
    }
}

/// The minutes in a row of the history.
fn minutes(data: &str) -> i64 {
    serde_json::from_str::<serde_json::Value>(data).unwrap()["minutes"].as_i64().unwrap()
}

/// Moves the screenings repeatedly, each time with a unique length. Returns the acknowledged moves: the screening, the
/// minutes that were seen and those that were written.
async fn edit(app: &TestApp, browser: &Browser<'_>, ids: [i64; 2], from: u32) -> Vec<(i64, i64, i64)> {
    let mut acknowledged = Vec::new();
    for index in from + 1..=from + MOVES {
        let id = ids[index as usize % 2];
        let seen = place(app, id).await;
        let seen: Vec<&str> = seen.rsplitn(3, ' ').collect();
        let (was, minutes) = ([DAY, seen[2], "12:00", seen[0]], index.to_string());
        let hall = if index % 3 == 0 { "Hall 1" } else { "Hall 2" };
        let reply = moved(browser, id, was, [DAY, hall, "12:00", &minutes]).await;
        match reply.status {
            303 => acknowledged.push((id, seen[0].parse().unwrap(), i64::from(index))),
            409 => assert!(unescape_html(&reply.text()).contains("Move it again"), "{}", reply.text()),
            other => panic!("{other}: {}", reply.text()),
        }
    }
    acknowledged
}

async fn film_is_added_by_its_title(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    let film = app.id("films", "name = 'Bare'").await;
    let add = async |film: &str, more: &[(&str, &str)]| {
        let fields = [("visible_day", DAY), ("hall", "Hall 2"), ("time", "10:00"), ("film", film)];
        browser.post("/admin/programme/add", &[&fields[..], more].concat()).await
    };
    let done = add("bare", &[]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let count =
        format!("SELECT count(*) FROM screenings WHERE film_id = {film} AND starts_at = '2025-10-24T04:30:00.000Z'");
    assert_eq!(app.number(&count).await, 1);
    // The hall remains chosen, with the time at which it is free again.
    assert_eq!(done.header("Location"), format!("/admin/programme?day={DAY}&hall=Hall+2&time=12%3A15"));
    let page = browser.get(&done.header("Location")).await.text();
    assert!(page.contains("<option selected data-free=") && page.contains(">Hall 2</option>"), "{page}");
    let misspelt = add("Barre", &[]).await;
    let page = unescape_html(&misspelt.text());
    assert!(page.contains("No film is called “Barre”. Is it “Bare” ("), "{page}");
    assert!(page.contains("value=\"Barre\"") && page.contains("value=\"10:00\""), "what was entered stays: {page}");
    assert!(unescape_html(&add("Xyzzy", &[]).await.text()).contains("No film is called “Xyzzy”."));
    assert!(add(" ", &[]).await.text().contains("Enter the title of a film"));
    // The button next to a film needs no title.
    assert_eq!(add("", &[("film_id", &film.to_string())]).await.status, 303);
    assert_eq!(app.number(&count).await, 2);
}

async fn day_is_copied_with_its_packages_and_the_copy_undone(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    app.write("UPDATE screenings SET is_cancelled = 1 WHERE code = 'A1'").await;
    let count = "SELECT count(*) FROM screenings";
    let before = app.number(count).await;
    let fields = [("visible_day", DAY), ("to", "2025-10-30"), ("sure", "yes")];
    let question = browser.post("/admin/programme/copy", &fields[..2]).await;
    let asked = question.text();
    let title = "Copy 1 screening from Friday 24 October to Thursday 30 October?";
    assert!(question.status == 200 && asked.contains(title) && asked.contains("No conflict arises."), "{asked}");
    assert!(asked.contains("00:30 Night; shorts, &quot;two&quot;, Hall 2</a>"), "the screenings are listed: {asked}");
    assert_eq!(app.number(count).await, before, "nothing is stored before the answer");
    let copied = browser.post("/admin/programme/copy", &fields).await;
    assert_eq!(copied.status, 303, "{}", copied.text());
    let page = browser.get(&copied.header("Location")).await.text();
    assert!(page.contains("1 screening is copied from Friday 24 October."), "{page}");
    assert!(page.contains("00:30–01:30"), "{page}");
    // The same places once more.
    let asked = browser.post("/admin/programme/copy", &fields[..2]).await.text();
    assert!(asked.contains("arise") && asked.contains("at the same time"), "{asked}");
    let films = "SELECT count(*) FROM screenings s JOIN screening_films f ON f.screening_id = s.id \
                 WHERE s.starts_at = '2025-10-30T19:00:00.000Z' AND s.code IS NULL";
    assert_eq!(app.number(films).await, 1);
    let path = page.split("href=\"").find(|rest| rest.contains(">Undo the copy</a>"));
    let path = path.and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let question = browser.get(&path).await;
    let text = unescape_html(&question.text());
    assert!(text.contains("copy of Friday 24 October to Thursday 30 October"), "{text}");
    assert_eq!(browser.confirm(&question, &path).await.status, 303);
    assert_eq!((app.number(films).await, app.number(count).await), (0, before));
    for (to, told) in [(DAY, "Choose another day"), ("2025-10-31", "nothing to copy")] {
        let visible = if to == DAY { DAY } else { "2025-10-26" };
        let refused = browser.post("/admin/programme/copy", &[("visible_day", visible), ("to", to)]).await;
        assert!(refused.status == 400 && refused.text().contains(told), "{}", refused.text());
    }
}

async fn screenings_of_a_day_are_listed_and_deleted_together(database: Database) {
    let app = planned(database).await;
    let browser = Browser::signed_in(&app, &create_account(&app, &EDITOR).await).await;
    app.write("DELETE FROM screening_films").await;
    let list = browser.get("/admin/screenings").await.text();
    assert!(list.contains("<option value=\"2025-10-24\">Friday 24 October 2025</option>"), "{list}");
    // In the festival's time zone: 00:30 on Saturday is 19:00 on Friday in UTC.
    let on_saturday = "SELECT count(*) FROM screenings WHERE starts_at >= '2025-10-24T18:30:00.000Z' \
                       AND starts_at < '2025-10-25T18:30:00.000Z'";
    let (count, all) = (app.number(on_saturday).await, app.number("SELECT count(*) FROM screenings").await);
    assert!(count > 0 && count < all, "{count} of {all}");
    let address = "/admin/screenings/selected?starts_at=2025-10-25";
    let question = browser.post(address, &[("all", "yes"), ("action", "delete")]).await;
    let noun = if count == 1 { "screening" } else { "screenings" };
    assert!(question.text().contains(&format!("Delete {count} {noun}?")), "{}", question.text());
    assert_eq!(browser.confirm(&question, address).await.status, 303);
    assert_eq!(app.number(on_saturday).await, 0);
    assert_eq!(app.number("SELECT count(*) FROM screenings").await, all - count);
}

async fn readers_see_the_plan_and_change_nothing(database: Database) {
    let app = planned(database).await;
    let reader = create_account(&app, &READER).await;
    let browser = Browser::signed_in(&app, &reader).await;
    let page = browser.get(&format!("/admin/programme?day={DAY}")).await.text();
    assert!(page.contains("18:00–20:00") && !page.contains("/admin/programme/move"), "{page}");
    for path in ["move", "add", "copy"] {
        assert_eq!(browser.post(&format!("/admin/programme/{path}"), &[("visible_day", DAY)]).await.status, 403);
    }
}
