//! Nothing of an edition is public before it is made current.

use std::collections::{BTreeMap, BTreeSet};

use festival_core::editing::{self, Editor};
use festival_core::entity::{Entity, Field, Kind, Values};
use festival_core::next_edition;

use crate::support::{Database, TestApp};

on_both!(
    edition_is_invisible_until_it_is_current,
    first_edition_is_current_and_a_prepared_one_never_becomes_so_by_itself,
);

/// What nobody sees before or after: notes for organisers, and tables without a word that is shown.
const INTERNAL: [&str; 11] = [
    "certificates",
    "guest_stays",
    "hall_walks",
    "prints",
    "print_keys",
    "screening_films",
    "posters",
    "documents",
    "selection_rounds",
    "selection_criteria",
    "selection_jurors",
];

/// The word in every text of the rows of a table.
fn canary(table: &str) -> String {
    format!("canary-of-{}-end", table.replace('_', "-"))
}

/// A value for a field, with the table's word wherever text is possible.
fn value(app_key: &str, entity: &Entity, field: &Field, ids: &BTreeMap<&str, i64>) -> String {
    match field.kind {
        Kind::Text { .. } | Kind::Lines { .. } | Kind::AlternativeText => canary(entity.table),
        Kind::Html => format!("<p>{}</p>", canary(entity.table)),
        // The pages of sister festivals show their rows by this name.
        Kind::Slug if field.name == "festival" => "isff-2025".into(),
        Kind::Slug => canary(entity.table),
        Kind::Url | Kind::Link => format!("https://{}.example/", canary(entity.table)),
        Kind::Email => format!("{}@example.org", canary(entity.table)),
        Kind::Phone => "+91 484 000 0000".into(),
        Kind::Integer { min, max } => 20.clamp(min, max).to_string(),
        Kind::Year => "2025".into(),
        Kind::Flag => if field.name == "is_cancelled" { "no" } else { "yes" }.into(),
        Kind::Choice(choices) => choices[0].0.into(),
        Kind::Date => "2026-10-24".into(),
        Kind::DateTime if field.ends => "2026-10-24T20:00:00+05:30".into(),
        Kind::DateTime => "2026-10-24T18:00:00+05:30".into(),
        Kind::LocalDateTime => "2026-10-24T18:00:00".into(),
        Kind::Image if field.required => app_key.to_owned(),
        Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => String::new(),
        Kind::Reference(target) if target.key[0] == "id" => ids[target.table].to_string(),
        Kind::Reference(target) => canary(target.table),
    }
}

/// Prepares the edition of 2026 with a row of every entity, and releases its programme; returns the ids of the rows.
async fn prepare(app: &TestApp) -> BTreeMap<&'static str, i64> {
    let picture = app.texts("SELECT image FROM posters WHERE image IS NOT NULL LIMIT 1").await.remove(0);
    let mut write = app.app.db.write().await.unwrap();
    let editor = Editor::new(None, "test");
    let edition = [
        ("year", "2026"),
        ("ordinal", "21"),
        ("name", "canary-of-editions-end"),
        ("starts_on", "2026-10-24"),
        ("ends_on", "2026-10-31"),
        ("countdown_at", "2026-10-24T18:00:00"),
        ("countdown_label", "canary-of-editions-end"),
    ];
    let edition: Values = edition.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let edition = next_edition::start(&app.app.records, &mut write, &edition, None, &editor).await.unwrap();
    assert!(!edition.is_current);
    let mut ids = BTreeMap::new();
    // Assignments are of films that somebody submitted.
    let is_prepared = |entity: &&Entity| entity.per_edition && entity.table != "selection_assignments";
    let mut waiting: Vec<&Entity> = app.app.records.enabled().filter(is_prepared).collect();
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut later = Vec::new();
        for entity in waiting {
            let targets = entity.fields.iter().filter_map(|field| match field.kind {
                Kind::Reference(target) => Some(target.table),
                _ => None,
            });
            if targets.into_iter().any(|target| !ids.contains_key(target)) {
                later.push(entity);
                continue;
            }
            let values = |field: &Field| (field.name.to_owned(), value(&picture, entity, field, &ids));
            let mut values: Values = entity.fields.iter().map(values).collect();
            if entity.table == "hall_walks" {
                let hall = entity.fields.iter().find_map(|field| match field.kind {
                    Kind::Reference(hall) => Some(hall),
                    _ => None,
                });
                let mut other: Values =
                    hall.unwrap().fields.iter().map(|field| (field.name.to_owned(), String::new())).collect();
                other.insert("name".into(), "canary-of-halls-end 2".into());
                let halls = app.app.records.enabled().find(|entity| entity.table == "halls").unwrap();
                editing::create(&app.app.records, &mut write, halls, Some(edition.id), &other, &editor).await.unwrap();
                values.insert("other_hall".into(), "canary-of-halls-end 2".into());
            }
            let id = editing::create(&app.app.records, &mut write, entity, Some(edition.id), &values, &editor).await;
            ids.insert(entity.table, id.unwrap_or_else(|e| panic!("{}: {}", entity.table, e.for_terminal())));
        }
        assert!(later.len() < before, "these refer to each other: {later:?}");
        waiting = later;
    }
    write.commit().await.unwrap();
    let modules = app.app.registry.contributions().iter().filter(|module| module.module == "programme");
    let release = modules.flat_map(|module| &module.commands).find(|command| command.clap().get_name() == "release");
    let arguments = ["release", "--edition", "2026", "--sign"];
    let release = release.unwrap();
    release.run(app.app.app.clone(), &release.clap().get_matches_from(arguments)).await.unwrap();
    ids
}

/// Every public address, with the ids of `ids`, and with and without the prepared year.
fn addresses(app: &TestApp, ids: &BTreeMap<&'static str, i64>) -> BTreeSet<String> {
    let contents = &app.app.contents;
    let prefix = app.app.settings.api_prefix();
    let endpoints = contents.endpoints.iter().map(|endpoint| format!("{prefix}{}", endpoint.path.for_openapi()));
    let pages = contents.pages.iter().map(|page| page.path.for_openapi());
    let documents = contents.documents.iter().map(|document| document.path.for_openapi());
    let numbers: BTreeSet<i64> = ids.values().copied().collect();
    let film = ids["films"].to_string();
    let mut paths: BTreeSet<String> = BTreeSet::new();
    for path in endpoints.chain(pages).chain(documents) {
        let path = path.replace("{film}", &film).replace("{part}", "1").replace("{day}", "2026-10-24");
        for slug in ["isff-2025", "about-us", &canary("categories")] {
            let path = path.replace("{slug}", slug);
            if path.contains("{id}") {
                paths.extend(numbers.iter().map(|id| path.replace("{id}", &id.to_string())));
            } else {
                paths.insert(path);
            }
        }
    }
    paths.insert(format!("/cards/x/films/{}.jpg", ids["categories"]));
    paths.insert(format!("/cards/x/films/{}.jpg?film={film}", ids["categories"]));
    let mut addresses = BTreeSet::new();
    for path in paths {
        let screening = ids["screenings"];
        addresses.insert(format!("{path}?edition=2026&film={film}&screening={screening}"));
        addresses.insert(format!("/archive/2026{path}"));
        addresses.insert(path);
    }
    addresses
}

async fn edition_is_invisible_until_it_is_current(database: Database) {
    let app = TestApp::new(database).await;
    let ids = prepare(&app).await;
    let addresses = addresses(&app, &ids);
    let category = format!("/films/{}", ids["categories"]);
    for address in &addresses {
        let response = app.get(address).await;
        let (text, place) = (response.text(), response.header("Location"));
        assert!(!text.contains("canary"), "{address}: {text}");
        assert!(!place.contains("canary") && !place.contains("2026"), "{address}: {place}");
        assert!(!address.starts_with("/archive/2026") || response.status == 404, "{address}: {}", response.status);
        let is_a_list = !address.contains(&category);
        assert!(!is_a_list || !text.contains(&format!("localhost{category}")), "{address}: {text}");
    }
    for path in ["/api/venues/?edition=2026", "/api/guests/?edition=2026", "/api/programme/?edition=2026", &category] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    for path in ["", "/films/", "/films/parts/1/", "/a-z/", &format!("/films/{}/", ids["films"])]
        .map(|path| format!("/api/categories/{}{path}", ids["categories"]))
    {
        assert_eq!(app.get(&path).await.status, 404, "{path}");
    }

    app.write("UPDATE editions SET is_public = 1 WHERE is_current = 1").await;
    app.write("UPDATE editions SET is_current = CASE WHEN year = 2026 THEN 1 ELSE 0 END").await;
    let mut seen = String::new();
    for address in addresses.iter().filter(|address| !address.contains('?') && !address.starts_with("/archive")) {
        seen.push_str(&app.get(address).await.text());
    }
    for table in ids.keys().chain([&"editions"]).filter(|table| !INTERNAL.contains(table)) {
        assert!(seen.contains(&canary(table)), "{table} is nowhere, so its absence proved nothing");
    }
    assert!(seen.contains(&format!("localhost{category}?film={}", ids["films"])), "the sitemap has its films");
    // The edition before it is in the archive, and is found by its year.
    assert_eq!(app.get("/archive/2025").await.status, 200);
    assert_eq!(app.get("/api/venues/?edition=2025").await.status, 200);
}

async fn first_edition_is_current_and_a_prepared_one_never_becomes_so_by_itself(database: Database) {
    let app = TestApp::new(database).await;
    let start = async |year: &str| {
        let values =
            [("year", year), ("ordinal", "21"), ("name", year), ("starts_on", "2026-10-24"), ("ends_on", "2026-10-31")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let mut write = app.app.db.write().await.unwrap();
        let editor = Editor::new(None, "test");
        let started = next_edition::start(&app.app.records, &mut write, &values, None, &editor).await.unwrap();
        write.commit().await.unwrap();
        started.is_current
    };
    let shown = async || app.get("/api/site/").await.json()["edition"]["year"].clone();
    assert!(!start("2026").await);
    // Without a current one the last that visitors have seen is shown.
    app.write("UPDATE editions SET is_current = 0").await;
    assert_eq!(shown().await, 2025);
    app.write("UPDATE editions SET is_public = 0").await;
    assert_eq!(shown().await, serde_json::Value::Null);
    assert!(start("2027").await, "there is no other");
    assert_eq!(shown().await, 2027);
}
