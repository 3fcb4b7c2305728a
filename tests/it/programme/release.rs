//! Releasing the programme in the back office: refusals, and the plan of a day.

use festival_core::admin::{EDITOR, OWNER, READER};

use super::{RELEASE, planned, release};
use crate::admin::browser::{Browser, count_audited, create_account, hidden_value, unescape_html};
use crate::support::Database;

on_both!(
    overlap_in_a_hall_is_refused,
    film_without_certificate_needs_the_signature_of_an_owner,
    release_based_on_an_outdated_page_is_refused,
    plan_of_a_day_shows_screenings_and_conflicts,
    readers_cannot_release,
);

async fn overlap_in_a_hall_is_refused(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let fingerprint = hidden_value(&browser.get(RELEASE).await, "fingerprint").unwrap();
    app.write("UPDATE screenings SET starts_at = '2025-10-27T05:30:00Z', hall_id = (SELECT id FROM halls WHERE name = 'Hall 1') WHERE code = 'T1'").await;
    let page = browser.get(RELEASE).await.text();
    assert!(page.contains("are at the same time in Hall 1") && !page.contains("name=\"fingerprint\""), "{page}");
    let refused = browser.post(RELEASE, &[("fingerprint", &fingerprint)]).await;
    assert_eq!(refused.status, 409);
    assert_eq!(app.number("SELECT count(*) FROM programme_releases").await, 0);
}

async fn film_without_certificate_needs_the_signature_of_an_owner(database: Database) {
    let app = planned(database).await;
    app.write("UPDATE certificates SET status = 'applied'").await;
    let editor = create_account(&app, &EDITOR).await;
    let editors = Browser::signed_in(&app, &editor).await;
    let page = editors.get(RELEASE).await.text();
    assert!(page.contains("waits for its exemption") && page.contains("have an owner release"), "{page}");
    let owner = create_account(&app, &OWNER).await;
    let owners = Browser::signed_in(&app, &owner).await;
    let form = owners.get(RELEASE).await;
    let fingerprint = hidden_value(&form, "fingerprint").unwrap();
    assert!(form.text().contains("I answer for showing the films"));
    let signed = [("fingerprint", fingerprint.as_str()), ("sign", "yes")];
    assert_eq!(owners.post(RELEASE, &signed[..1]).await.status, 409);
    assert_eq!(editors.post(RELEASE, &signed).await.status, 409);
    assert_eq!(owners.post(RELEASE, &signed).await.status, 303);
    let films = app.texts("SELECT signed_for FROM programme_releases").await;
    assert!(films[0].contains("Bare"), "{films:?}");
    assert_eq!(count_audited(&app, "release").await, 1);
}

async fn release_based_on_an_outdated_page_is_refused(database: Database) {
    let app = planned(database).await;
    let owner = create_account(&app, &OWNER).await;
    let browser = Browser::signed_in(&app, &owner).await;
    let fingerprint = hidden_value(&browser.get(RELEASE).await, "fingerprint").unwrap();
    app.write("UPDATE screenings SET starts_at = '2025-10-27T06:30:00Z' WHERE code = 'B1'").await;
    let refused = browser.post(RELEASE, &[("fingerprint", &fingerprint)]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("The programme changed since you opened this page."), "{}", refused.text());
    let page = release(&browser).await;
    assert!(page.contains("Release 1 is on the site.") && page.contains("A note"), "{page}");
    assert!(page.contains("Nothing changed since the latest release"), "{page}");
    let double = browser.post(RELEASE, &[("fingerprint", &fingerprint)]).await;
    assert_eq!((double.status, app.number("SELECT count(*) FROM programme_releases").await), (409, 1));
}

async fn plan_of_a_day_shows_screenings_and_conflicts(database: Database) {
    let app = planned(database).await;
    let editor = create_account(&app, &EDITOR).await;
    let browser = Browser::signed_in(&app, &editor).await;
    app.write("UPDATE halls SET closing_time = '19:00' WHERE name = 'Hall 1'").await;
    let page = browser.get("/admin/programme?day=2025-10-24").await;
    assert_eq!(page.status, 200, "{}", page.text());
    let text = page.text();
    let first = app.id("screenings", "code = 'A1'").await;
    assert!(text.contains(&format!("href=\"/admin/screenings/{first}\"")) && text.contains("18:00–20:00"), "{text}");
    assert!(text.contains("Hall 1 closes at 19:00. Begin at 17:00 at the latest"), "{text}");
    assert!(text.contains("00:30–01:30"), "half past midnight belongs to the evening: {text}");
    // The next form begins after the last screening and the changeover.
    let form = "/admin/screenings/new?edition=2025&hall=Hall+1&starts_at=2025-10-24T20%3A15";
    assert!(unescape_html(&text).contains(form), "{text}");
    let form = browser.get(form).await.text();
    assert!(
        form.contains("value=\"2025-10-24T20:15\"") && form.contains("<option value=\"Hall 1\" selected>"),
        "{form}"
    );
    // A film is chosen by its number, because titles are not unique.
    let film = app.id("films", "name = 'Bare'").await.to_string();
    let hall = [
        ("kind", "film"),
        ("film", &*film),
        ("hall", "Hall 2"),
        ("starts_at", "2025-10-24T10:00"),
        ("edition", "2025"),
        ("audience", "all"),
    ];
    assert_eq!(browser.post("/admin/screenings/new", &hall).await.status, 303);
    assert_eq!(
        app.number(&format!(
            "SELECT count(*) FROM screenings WHERE film_id = {film} AND starts_at = '2025-10-24T04:30:00.000Z'"
        ))
        .await,
        1
    );
    let delete = format!("/admin/films/{film}/delete");
    browser.confirm(&browser.get(&delete).await, &delete).await;
    assert_eq!(
        app.number(&format!("SELECT count(*) FROM films WHERE id = {film}")).await,
        1,
        "a film with screenings stays"
    );
}

async fn readers_cannot_release(database: Database) {
    let app = planned(database).await;
    let reader = create_account(&app, &READER).await;
    let browser = Browser::signed_in(&app, &reader).await;
    let page = browser.get(RELEASE).await;
    assert!(page.status == 200 && !page.text().contains("Make release"), "{}", page.text());
    assert_eq!(browser.post(RELEASE, &[("fingerprint", "x")]).await.status, 403);
}
