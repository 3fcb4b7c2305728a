//! Two people at one form: changes to different fields are kept, only fields changed by both need a decision.

use festival_core::admin::OWNER;

use super::browser::{Browser, create_account, hidden_value};
use crate::support::{Database, TestApp};

on_both!(
    changes_to_different_fields_are_merged,
    fields_changed_by_both_need_a_decision,
    times_of_publication_are_merged_too,
);

/// A film of the fixture and the version on its page.
async fn opened(site: &TestApp, browser: &Browser<'_>) -> (i64, String) {
    let film = site.id("films", "name = 'Bare'").await;
    let page = browser.get(&format!("/admin/films/{film}")).await;
    (film, hidden_value(&page, "version").unwrap())
}

fn form<'a>(version: &'a str, changed: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let stored =
        [("category", "malayalam"), ("name", "Bare"), ("position", "0"), ("is_published", "yes"), ("version", version)];
    let unchanged = stored.into_iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    unchanged.chain(changed.iter().copied()).collect()
}

async fn changes_to_different_fields_are_merged(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let (first, second) = (Browser::signed_in(&site, &owner).await, Browser::signed_in(&site, &owner).await);
    let (film, version) = opened(&site, &first).await;
    let path = format!("/admin/films/{film}");
    assert_eq!(
        first.post_with_files(&path, &form(&version, &[("country", "India"), ("year", "2020")]), &[]).await.status,
        303
    );
    let saved = second
        .post_with_files(&path, &form(&version, &[("director_name", "Uma Rao"), ("country", ""), ("year", "")]), &[])
        .await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let list = second.get(&saved.header("Location")).await.text();
    assert!(list.contains("“Bare” saved. Year, Country was changed by Test Owner on "), "{list}");
    let film = format!("SELECT director_name || ' ' || country || ' ' || year FROM films WHERE id = {film}");
    assert_eq!(site.texts(&film).await, ["Uma Rao India 2020"]);
}

async fn fields_changed_by_both_need_a_decision(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (film, version) = opened(&site, &browser).await;
    let path = format!("/admin/films/{film}");
    for (country, year) in [("India", "2020"), ("France", "2021")] {
        let page = browser.get(&path).await;
        let version = hidden_value(&page, "version").unwrap();
        assert_eq!(
            browser.post_with_files(&path, &form(&version, &[("country", country), ("year", year)]), &[]).await.status,
            303
        );
    }
    let sent = [("country", "Peru"), ("year", ""), ("director_name", "Uma Rao")];
    let conflict = browser.post_with_files(&path, &form(&version, &sent), &[]).await;
    let text = conflict.text();
    assert_eq!(conflict.status, 409);
    assert!(text.contains("This film was changed by Test Owner on "), "{text}");
    let table = text.split_once("class=\"differences\"").unwrap().1.split_once("</section>").unwrap().0;
    assert!(table.contains("<td class=\"text\">France</td><td class=\"text\">Peru</td>"), "{table}");
    assert!(!table.contains("Year</a>") && !table.contains("Director</a>"), "{table}");
    assert!(table.contains("what the other person changed elsewhere: Year."), "{table}");
    assert!(text.contains("value=\"2021\"") && text.contains("value=\"Peru\""), "{text}");

    let version = hidden_value(&conflict, "version").unwrap();
    let decided = [("country", "Peru"), ("year", "2021"), ("director_name", "Uma Rao")];
    assert_eq!(browser.post_with_files(&path, &form(&version, &decided), &[]).await.status, 303);
    let film = format!("SELECT director_name || ' ' || country || ' ' || year FROM films WHERE id = {film}");
    assert_eq!(site.texts(&film).await, ["Uma Rao Peru 2021"]);
}

async fn times_of_publication_are_merged_too(database: Database) {
    let site = TestApp::new(database).await;
    let owner = create_account(&site, &OWNER).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let (film, version) = opened(&site, &browser).await;
    let path = format!("/admin/films/{film}");
    let planned = [("is_published", "planned"), ("publish_at", "2099-12-11T18:00")];
    assert_eq!(browser.post_with_files(&path, &form(&version, &planned), &[]).await.status, 303);
    let saved = browser.post_with_files(&path, &form(&version, &[("country", "India"), ("publish_at", "")]), &[]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let state = format!("SELECT country || ' ' || is_published FROM films WHERE id = {film}");
    assert_eq!(site.texts(&state).await, ["India 0"]);
    assert_eq!(site.number("SELECT count(*) FROM publications").await, 1);

    // The other way round: one enters the time, another has saved the country.
    let version = hidden_value(&browser.get(&path).await, "version").unwrap();
    let other = [("country", "Peru"), ("is_published", "planned"), ("publish_at", "2099-12-11T18:00")];
    assert_eq!(browser.post_with_files(&path, &form(&version, &other), &[]).await.status, 303);
    let later = [("country", "India"), ("is_published", "planned"), ("publish_at", "2100-01-01T18:00")];
    assert_eq!(browser.post_with_files(&path, &form(&version, &later), &[]).await.status, 303);
    assert_eq!(site.texts(&state).await, ["Peru 0"]);
    assert_eq!(site.texts("SELECT publish_at FROM publications").await, ["2100-01-01T12:30:00.000Z"]);
}
