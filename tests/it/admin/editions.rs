//! Starting the next edition and making it current, in the back office and on the command line.

use festival_core::admin::EDITOR;

use super::browser::{Browser, create_account};
use crate::support::{Database, TestApp, festival, repository};

on_both!(next_edition_copies_lasting_records_and_becomes_current_on_demand, impossible_editions_are_refused);

pub(super) const NEXT: &str = "/admin/current-edition/next";

pub(super) fn next_year() -> [(&'static str, &'static str); 6] {
    [
        ("year", "2026"),
        ("ordinal", "21"),
        ("name", "21st Festival"),
        ("starts_on", "2026-10-23"),
        ("ends_on", "2026-10-30"),
        ("submission_deadline", ""),
    ]
}

async fn next_edition_copies_lasting_records_and_becomes_current_on_demand(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &EDITOR).await).await;
    let form = owner.get(NEXT).await.text();
    assert!(form.contains(r#"name="year""#) && form.contains(r#"value="2026""#), "the next year is suggested: {form}");
    let count = async |table: &str, year: i64| {
        let edition = format!("edition_id = (SELECT id FROM editions WHERE year = {year})");
        site.number(&format!("SELECT count(*) FROM {table} WHERE {edition}")).await
    };
    assert_eq!(owner.post(NEXT, &next_year()).await.status, 303);
    for table in ["categories", "venues", "team_members", "awards", "organisers", "namesakes"] {
        assert!(count(table, 2025).await > 0, "{table} has rows to copy");
        assert_eq!(count(table, 2025).await, count(table, 2026).await, "{table}");
    }
    for table in ["films", "guests", "upcoming_events", "partners"] {
        assert!(count(table, 2025).await > 0, "{table} has rows");
        assert_eq!(count(table, 2026).await, 0, "{table} belongs to its year");
    }
    assert_eq!(
        site.number("SELECT count(*) FROM revisions WHERE entity = 'venues' AND action = 'created'").await,
        count("venues", 2026).await,
        "copies have a history"
    );
    let films = async || site.get("/api/categories/").await.json()[0]["id"].clone();
    let before = films().await;
    let id = site.id("editions", "year = 2026").await.to_string();
    let question = owner.get(&format!("/admin/current-edition/make-current?edition={id}")).await.text();
    for sentence in ["Show 21st Festival on the site?", "none of these yet: documents", "goes to the archive"] {
        assert!(question.contains(sentence), "{sentence}: {question}");
    }
    assert_eq!(owner.get("/admin/current-edition/make-current?edition=999").await.status, 404);
    assert_eq!(owner.post("/admin/current-edition", &[("edition", &id)]).await.status, 303);
    assert_ne!(films().await, before, "visitors see the new edition's categories");
    assert!(site.get("/").await.text().contains("21st"), "visitors see the new edition");
    let page = owner.get("/admin/current-edition").await.text();
    let others = site.number("SELECT count(*) FROM editions").await - 1;
    assert_eq!(page.matches("Make current").count() as i64, others, "{page}");
    // 2025 was current, 2024 never was.
    assert!(page.contains(r#"href="/archive/2025""#) && !page.contains(r#"href="/archive/2024""#), "{page}");
    assert_eq!((site.get("/archive/2025").await.status, site.get("/archive/2024").await.status), (200, 404));
    let former = site.id("editions", "year = 2025").await.to_string();
    let archive = "/admin/current-edition/archive";
    assert_eq!(owner.post(archive, &[("edition", &former), ("archive", "no")]).await.status, 303);
    assert_eq!(site.get("/archive/2025").await.status, 404);
    assert_eq!(owner.post(archive, &[("edition", &former), ("archive", "yes")]).await.status, 303);
    assert_eq!(site.get("/archive/2025").await.status, 200);
    assert_eq!(owner.post(archive, &[("edition", &id), ("archive", "yes")]).await.status, 404, "it is current");
}

async fn impossible_editions_are_refused(database: Database) {
    let site = TestApp::new(database).await;
    let owner = Browser::signed_in(&site, &create_account(&site, &EDITOR).await).await;
    for (field, value, sentence) in [
        ("year", "2025", "Another edition has this year already"),
        ("ends_on", "2026-10-22", "The last day is before the first"),
        ("starts_on", "", "First day"),
    ] {
        let mut fields = next_year();
        fields.iter_mut().filter(|(name, _)| *name == field).for_each(|(_, known)| *known = value);
        let refused = owner.post(NEXT, &fields).await;
        assert_eq!(refused.status, 422, "{field}");
        assert!(refused.text().contains(sentence) && refused.text().contains("21st Festival"), "{}", refused.text());
    }
    assert_eq!(site.number("SELECT count(*) FROM editions WHERE year > 2025").await, 0);
    assert_eq!(owner.post("/admin/current-edition", &[("edition", "999")]).await.status, 404);
}

#[test]
fn editions_are_started_and_activated_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let seed = repository("config/editions/2025.toml");
    assert_eq!(festival(folder.path(), &["seed", seed.to_str().unwrap()], &[]).code, 0);
    let transcript: Vec<String> = [
        &["editions", "list"][..],
        &["editions", "new", "2026", "--first-day", "2026-10-23", "--last-day", "2026-10-30"],
        &["editions", "new", "2026", "--first-day", "2026-10-23", "--last-day", "2026-10-30"],
        &["editions", "new", "2027", "--first-day", "2027-10-23", "--last-day", "tomorrow", "--empty"],
        &["editions", "activate", "2027"],
        &["editions", "activate", "2026"],
        &["editions", "list"],
        &["editions", "archive", "2026"],
        &["editions", "archive", "2025", "--remove"],
        &["editions", "archive", "2025"],
        &["editions", "list", "--json"],
    ]
    .into_iter()
    .map(|arguments| {
        format!("$ festival {}\n{}", arguments.join(" "), festival(folder.path(), arguments, &[]).transcript())
    })
    .collect();
    snapshot!("editions commands", transcript.join("\n"));
}
