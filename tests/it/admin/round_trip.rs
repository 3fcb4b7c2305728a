//! An exported list fills an empty site with the same rows, in every format and with any texts.

use std::collections::BTreeSet;

use festival_core::Result;
use festival_core::editing::{self, Editor};
use festival_core::entity::{Choice, Entity, Field, Kind, Record, Values, table};
use festival_core::error::Error;
use festival_core::importing::{self, Decisions, Import, ImportOptions, Imported};
use festival_core::sheet::{self, Expected, Limits};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::browser::Browser;
use super::browser::site_with_owner;
use crate::selection::add_films;
use crate::support::{Database, TestApp};

on_both!(every_list_round_trips_through_every_format);

/// Rows of each list.
const ROWS: usize = 12;

/// Texts that a reader of lists would change, and that spreadsheets damage.
const HARD_TEXTS: [&str; 36] = [
    "-",
    "–",
    "NA",
    "N/A",
    "null",
    "None",
    "TRUE",
    "\\N",
    "'",
    "'tis",
    "'=1",
    "''=1",
    "=1+1",
    "=HYPERLINK(\"http://a.example\")",
    "+91 98470 12345",
    "@home",
    "0091",
    "1.0",
    "1e5",
    "2025-10-24",
    "#REF!",
    "_x000D_",
    "_x005F_",
    "<b>&amp;</b> ]]>",
    "{\"a\": [1]}",
    "sep=;",
    "Say \"no\", twice; and | more",
    "\u{200f}שלום\u{200e} a",
    "مرحبا 123",
    "👩\u{200d}👩\u{200d}👧 🇫🇷",
    "അവന്\u{200d} ൻ ൺ ക്‌ഷ",
    "മഴയുടെ വഴി",
    "a  b\u{a0}c",
    "\u{301}e\u{301}",
    "\u{fffe}",
    "\u{feff}a\u{feff}",
];

/// A text of one line, or of several with blanks at their ends.
fn text(lines: bool) -> impl Strategy<Value = String> {
    let part = prop_oneof![3 => select(&HARD_TEXTS[..]).prop_map(str::to_owned), 1 => "\\PC{1,12}"];
    let between = if lines { vec!["\n", "\n\n", "  \n  ", "\t", ", ", " "] } else { vec![" ", ", ", "", "; "] };
    proptest::collection::vec((part, select(between)), 1..4)
        .prop_map(|parts| parts.iter().map(|(part, between)| format!("{part}{between}")).collect())
}

/// Possible input for a field; `targets` are the rows that it may refer to, `files` those of the site.
fn input(field: &'static Field, targets: Vec<String>, files: &[String]) -> BoxedStrategy<String> {
    let filled = match field.kind {
        Kind::Text { .. } | Kind::AlternativeText => text(false).boxed(),
        Kind::Lines { .. } => text(true).boxed(),
        Kind::Html => text(true).prop_map(|text| format!("<p>{text}</p>\n<p>a &amp; b</p>")).boxed(),
        Kind::Integer { min, max } => (min..=max.min(1 << 53)).prop_map(|number| number.to_string()).boxed(),
        Kind::Year => (1880..=9999_i64).prop_map(|year| year.to_string()).boxed(),
        Kind::Flag => select(vec!["yes", "no"]).prop_map(str::to_owned).boxed(),
        Kind::Choice(choices) => select(choices).prop_map(|(key, _)| key.to_owned()).boxed(),
        Kind::Slug => "[a-z0-9-]{1,20}".boxed(),
        Kind::Url => prop_oneof!["/[a-z]{1,9}", "https://[a-z]{1,9}\\.example/\\?a=[0-9]{1,3}&b=[a-z]"].boxed(),
        Kind::Link => "https://[a-z]{1,9}\\.example/[a-z,;']{0,9}".boxed(),
        Kind::Email => "[a-z+]{1,9}@[a-z]{1,9}\\.example".boxed(),
        Kind::Phone => "\\+[0-9]{6,14}".boxed(),
        Kind::Date => "20[0-9]{2}-0[1-9]-[12][0-9]".boxed(),
        Kind::DateTime | Kind::LocalDateTime => "20[0-9]{2}-0[1-9]-[12][0-9]T1[0-9]:[0-5][0-9]:[0-5][0-9]".boxed(),
        Kind::Reference(_) if targets.is_empty() => Just(String::new()).boxed(),
        Kind::Reference(_) => select(targets).boxed(),
        Kind::Image | Kind::Document | Kind::Video | Kind::File { .. } => select(files.to_vec()).boxed(),
    };
    if field.required { filled } else { prop_oneof![1 => Just(String::new()), 3 => filled].boxed() }
}

/// Adds rows to an entity, except those that its rules or its key do not allow. References name existing rows.
async fn add_rows(site: &TestApp, entity: &'static Entity, edition: Option<i64>, files: &[String]) -> Result<()> {
    let mut runner = TestRunner::default();
    let editor = Editor::new(None, "Anu");
    let mut write = site.app.db.write().await?;
    let mut inputs = Vec::new();
    for field in entity.columns() {
        let targets = match field.kind {
            Kind::Reference(target) => table::choices(&mut write, target, edition).await?,
            _ => Vec::new(),
        };
        inputs.push((field, input(field, keys_of_clear_titles(targets), files)));
    }
    for _ in 0..ROWS {
        let row = inputs.iter().map(|(field, input)| {
            let text = input.new_tree(&mut runner).expect("a value").current();
            let fits = field.parse(&text, &site.app.records.time_zone).is_ok();
            (field.name.to_owned(), if fits { text } else { format!("Plain {}", text.len()) })
        });
        let values: Values = row.collect();
        match editing::create(&site.app.records, &mut write, entity, edition, &values, &editor).await {
            Ok(_) | Err(Error::Invalid(_)) => {}
            Err(error) => return Err(error),
        }
    }
    write.commit().await
}

/// The keys of rows with a unique title: exports refer to rows by title.
fn keys_of_clear_titles(choices: Vec<Choice>) -> Vec<String> {
    let is_clear = |choice: &&Choice| choices.iter().filter(|other| other.name == choice.name).count() == 1;
    choices.iter().filter(is_clear).map(|choice| choice.key.clone()).collect()
}

/// The rows in the order of the list.
async fn rows(site: &TestApp, entity: &'static Entity, edition: Option<i64>) -> Result<Vec<Record>> {
    let (select, order) = (table::select(entity, edition), table::order(entity, None));
    let mut connection = site.app.db.read().await?;
    let rows = table::rows(&mut connection, entity, &select, &order, (0, 1_000)).await?;
    Ok(rows.into_iter().map(|row| row.record).collect())
}

/// Empties the table of an entity as if no row had ever been in it.
async fn empty(site: &TestApp, database: Database, entity: &'static Entity) {
    site.write(&format!("DELETE FROM {}", entity.table)).await;
    site.write(&format!("DELETE FROM revisions WHERE entity = '{}'", entity.table)).await;
    if database == Database::Postgres {
        let sequence = format!("pg_get_serial_sequence('{}', 'id')", entity.table);
        site.write(&format!("SELECT setval({sequence}, 1, false)")).await;
    }
}

/// Imports a list without its ids, which belong to the site of its origin.
async fn import(site: &TestApp, entity: &'static Entity, edition: Option<i64>, name: &str, list: &[u8]) -> Result<()> {
    let known = |header: &str| importing::knows(None, entity, header);
    let expected = Expected { known: &known, ..Expected::default() };
    let sheet = sheet::read_expecting(list, name, &Limits::default(), &expected).map_err(Error::internal)?;
    let reader = importing::reader(None, entity, &sheet.header);
    let columns = entity.columns().map(|field| field.name.to_owned());
    let columns = std::iter::once(String::new()).chain(columns).collect();
    let options = ImportOptions { columns: Some(columns), ..ImportOptions::default() };
    let sheet =
        reader.read(&site.app.records, entity, sheet, &options).map_err(|refusal| Error::internal(refusal.reason))?;
    let import = Import {
        records: &site.app.records,
        entity,
        edition,
        editor: &Editor::new(None, "Anu"),
        source: name,
        options: &options,
        decisions: &Decisions::default(),
        progress: &|_| (),
    };
    match importing::write(&import, None, &sheet, |outcome| outcome.errors.is_empty()).await? {
        Imported::Written(_, write) => write.commit().await,
        Imported::Refused(outcome) => {
            let errors: Vec<String> = outcome.errors.iter().map(ToString::to_string).collect();
            Err(Error::internal(errors.join("\n")))
        }
    }
}

/// The entities, each before those that it refers to.
fn entities(site: &TestApp) -> Vec<&'static Entity> {
    let mut waiting: Vec<&'static Entity> =
        site.app.registry.enabled().flat_map(|contents| contents.entities.iter().copied()).collect();
    let mut sorted = Vec::new();
    while !waiting.is_empty() {
        let refers = |from: &Entity, to: &Entity| {
            let is_target = |field: &Field| matches!(field.kind, Kind::Reference(target) if target.table == to.table);
            from.table != to.table && (to.table == "editions" && from.per_edition || from.columns().any(is_target))
        };
        let (ready, rest): (Vec<_>, Vec<_>) =
            waiting.iter().copied().partition(|entity| !waiting.iter().any(|other| refers(other, entity)));
        assert!(!ready.is_empty(), "entities refer to each other in a circle");
        sorted.extend(ready);
        waiting = rest;
    }
    sorted
}

async fn every_list_round_trips_through_every_format(database: Database) {
    let (site, owner) = site_with_owner(database).await;
    let browser = Browser::signed_in(&site, &owner).await;
    let current = site.id("editions", "is_current = 1").await;
    let files = site.texts("SELECT poster FROM films WHERE poster IS NOT NULL UNION SELECT still_one FROM films WHERE still_one IS NOT NULL").await;
    let mut checked = BTreeSet::new();
    let edition_of = |entity: &Entity| entity.per_edition.then_some(current);
    // Rows to refer to. Submitted films are none of the entities.
    add_films(&site, 20).await;
    for entity in entities(&site).into_iter().rev() {
        if rows(&site, entity, edition_of(entity)).await.unwrap().len() < 2 {
            add_rows(&site, entity, edition_of(entity), &files).await.unwrap();
        }
    }
    for entity in entities(&site) {
        let edition = edition_of(entity);
        let export = async |format: &str| {
            let file = browser.post(&format!("/admin/{}/file", entity.slug()), &[("format", format)]).await;
            assert_eq!(file.status, 200, "{} {format}: {}", entity.table, file.text());
            file.body
        };
        empty(&site, database, entity).await;
        add_rows(&site, entity, edition, &files).await.unwrap();
        let expected = rows(&site, entity, edition).await.unwrap();
        assert!(expected.len() > 1, "{}", entity.table);
        // After a first import in the order of the list, the rows keep the same ids in later imports.
        for (number, format) in ["json", "csv", "xlsx", "ods", "json"].into_iter().enumerate() {
            let (before, name) = (export(format).await, format!("list.{format}"));
            empty(&site, database, entity).await;
            let imported = import(&site, entity, edition, &name, &before).await;
            imported.unwrap_or_else(|error| panic!("{} {format}: {}", entity.table, error.for_terminal()));
            assert_eq!(rows(&site, entity, edition).await.unwrap(), expected, "{} {format}", entity.table);
            assert!(number == 0 || export(format).await == before, "{} {format}: other bytes", entity.table);
        }
        // Removes references to the rows of the next entities.
        empty(&site, database, entity).await;
        if entity.table == "selection_assignments" {
            site.write("DELETE FROM film_submissions").await;
        }
        checked.insert(entity.table);
    }
    assert!(checked.contains("films") && checked.contains("screening_films"), "{checked:?}");
}
