//! Imports: planned outside the write transaction, and written only if the compared rows are unchanged.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use festival_core::editing::Editor;
use festival_core::entity::Entity;
use festival_core::importing::{
    self, Decisions, Import, ImportOptions, Imported, Matches, Outcome, ParsedSheet, Reader, Refusal, Row, RowMatch,
    RowOutcome,
};
use festival_core::sheet::Sheet;
use festival_core::{Records, Result};
use sqlx::{AnyConnection, Row as _};

use crate::support::{Database, TestApp};

on_both!(
    private_writes_do_not_invalidate_an_import_plan,
    import_is_planned_again_after_a_concurrent_change,
    import_completes_despite_constant_changes,
    large_import_writes_every_row_with_its_history,
    dry_run_does_not_wait_for_writers,
);

/// A concurrent write while an import is planned.
#[derive(Clone, Copy, PartialEq)]
enum Meanwhile {
    Nothing,
    SendsAForm,
    RenamesKeraHall,
    AlwaysMovesKeraHall,
}

/// Reads venues and matches them by name.
struct Venues {
    meanwhile: Meanwhile,
    plans: AtomicUsize,
}

impl Venues {
    fn new(meanwhile: Meanwhile) -> Self {
        Self { meanwhile, plans: AtomicUsize::new(0) }
    }

    fn plans(&self) -> usize {
        self.plans.load(Ordering::Relaxed)
    }
}

#[rocket::async_trait]
impl Reader for Venues {
    fn read(&self, _: &Records, _: &'static Entity, _: Sheet, _: &ImportOptions) -> Result<ParsedSheet, Refusal> {
        Err("the tests bring rows of their own".to_owned().into())
    }

    async fn match_rows(
        &self,
        import: &Import<'_>,
        connection: &mut AnyConnection,
        rows: &[Row],
    ) -> Result<Option<Matches>> {
        let found = sqlx::query("SELECT id, name FROM venues WHERE edition_id = $1")
            .bind(import.edition)
            .fetch_all(connection)
            .await?;
        let ids: HashMap<String, i64> = found.iter().map(|row| (row.get("name"), row.get("id"))).collect();
        let id = |row: &Row| ids.get(&row.values["name"]).copied();
        let rows = rows.iter().map(|row| RowMatch { id: id(row), ..RowMatch::default() }).collect();
        let db = &import.records.db;
        let before = self.plans.fetch_add(1, Ordering::Relaxed);
        let statement = match self.meanwhile {
            Meanwhile::RenamesKeraHall if before == 0 => {
                "UPDATE venues SET name = 'Sree Hall' WHERE name = 'Kera Hall'"
            }
            // The fourth plan is made inside the write transaction, where nobody else can write.
            Meanwhile::AlwaysMovesKeraHall if before < 3 => "UPDATE venues SET position = position + 1",
            Meanwhile::SendsAForm => "UPDATE admin_accounts SET name = name",
            _ => return Ok(Some(Matches { rows, ..Matches::default() })),
        };
        let mut write =
            if self.meanwhile == Meanwhile::SendsAForm { db.write_private().await? } else { db.write().await? };
        sqlx::query(statement).execute(&mut *write).await?;
        write.commit().await?;
        Ok(Some(Matches { rows, ..Matches::default() }))
    }
}

/// A table of venues: name and place.
fn table(venues: &[(&str, &str)]) -> ParsedSheet {
    let row = |(index, (name, place)): (usize, &(&str, &str))| Row {
        line: index as u64 + 2,
        id: None,
        values: [("name", (*name).to_owned()), ("place", (*place).to_owned())].into_iter().collect(),
    };
    ParsedSheet { rows: venues.iter().enumerate().map(row).collect(), ..ParsedSheet::default() }
}

/// Imports venues and returns the outcome; panics if the import is refused or fails.
async fn import(site: &TestApp, reader: &Venues, reading: &ParsedSheet) -> Outcome {
    try_to_import(site, reader, reading).await.unwrap()
}

async fn try_to_import(site: &TestApp, reader: &Venues, reading: &ParsedSheet) -> Result<Outcome> {
    let entity = site.app.registry.enabled().flat_map(|c| &c.entities).find(|entity| entity.table == "venues").unwrap();
    let edition = Some(site.id("editions", "is_current = 1").await);
    let editor = Editor::new(None, "Anu");
    let decisions = Decisions::default();
    let import = Import {
        records: &site.app.records,
        entity,
        edition,
        editor: &editor,
        source: "venues.csv",
        options: &ImportOptions::default(),
        decisions: &decisions,
        progress: &|_| (),
    };
    match importing::write(&import, Some(reader), reading, |_| true).await? {
        Imported::Refused(outcome) => panic!("{outcome:?}"),
        Imported::Written(outcome, write) => {
            write.commit().await?;
            Ok(outcome)
        }
    }
}

fn outcomes(outcome: &Outcome) -> Vec<RowOutcome> {
    outcome.rows.iter().map(|row| row.outcome).collect()
}

async fn dry_run_does_not_wait_for_writers(database: Database) {
    let site = TestApp::new(database).await;
    let entity = site.app.registry.enabled().flat_map(|c| &c.entities).find(|entity| entity.table == "venues").unwrap();
    let import = Import {
        records: &site.app.records,
        entity,
        edition: Some(site.id("editions", "is_current = 1").await),
        editor: &Editor::new(None, "Anu"),
        source: "venues.csv",
        options: &ImportOptions::default(),
        decisions: &Decisions::default(),
        progress: &|_| (),
    };
    let mut write = site.app.db.write().await.unwrap();
    sqlx::query("UPDATE venues SET place = 'Kollam'").execute(&mut *write).await.unwrap();
    // Waiting for the write lock would end with an error.
    let reader = Venues::new(Meanwhile::Nothing);
    let list = table(&[("Kera Hall", "Thrissur"), ("Nila", "Shoranur")]);
    let planned = importing::write(&import, Some(&reader), &list, |_| false).await.unwrap();
    assert!(
        matches!(planned, Imported::Refused(outcome) if outcomes(&outcome) == [RowOutcome::Changed, RowOutcome::New])
    );
    write.rollback().await.unwrap();
}

async fn private_writes_do_not_invalidate_an_import_plan(database: Database) {
    let site = TestApp::new(database).await;
    let reader = Venues::new(Meanwhile::SendsAForm);
    let outcome = import(&site, &reader, &table(&[("Kera Hall", "Thrissur"), ("Nila", "Shoranur")])).await;
    assert_eq!(outcomes(&outcome), [RowOutcome::Changed, RowOutcome::New]);
    assert_eq!(reader.plans(), 1, "private writes do not invalidate the plan");
}

async fn import_is_planned_again_after_a_concurrent_change(database: Database) {
    let site = TestApp::new(database).await;
    let reader = Venues::new(Meanwhile::RenamesKeraHall);
    let outcome = import(&site, &reader, &table(&[("Kera Hall", "Thrissur"), ("Sree Hall", "Kollam")])).await;
    assert_eq!((outcomes(&outcome), reader.plans()), (vec![RowOutcome::New, RowOutcome::Changed], 2));
    let places = "SELECT place FROM venues WHERE name IN ('Kera Hall', 'Sree Hall') ORDER BY name";
    assert_eq!(site.texts(places).await, ["Thrissur", "Kollam"]);
}

async fn import_completes_despite_constant_changes(database: Database) {
    let site = TestApp::new(database).await;
    let reader = Venues::new(Meanwhile::AlwaysMovesKeraHall);
    let position = "SELECT position FROM venues WHERE name = 'Kera Hall'";
    let before = site.number(position).await;
    let outcome = import(&site, &reader, &table(&[("Kera Hall", "Thrissur")])).await;
    assert_eq!((outcomes(&outcome), reader.plans()), (vec![RowOutcome::Changed], 4));
    assert_eq!(site.number(position).await, before + 3, "no concurrent change is overwritten");
}

/// More rows than one statement writes and one batch compares.
async fn large_import_writes_every_row_with_its_history(database: Database) {
    let site = TestApp::new(database).await;
    let reader = Venues::new(Meanwhile::Nothing);
    let names: Vec<String> = (0..1_234).map(|number| format!("Hall {number}")).collect();
    let venues = |place: &'static str| names.iter().map(|name| (name.as_str(), place)).collect::<Vec<_>>();
    let outcome = import(&site, &reader, &table(&venues("Kochi"))).await;
    assert_eq!(outcome.count(RowOutcome::New), 1_234);
    let outcome = import(&site, &reader, &table(&venues("Kochi"))).await;
    assert_eq!(outcome.count(RowOutcome::Unchanged), 1_234, "a second import changes nothing");
    let outcome = import(&site, &reader, &table(&venues("Kannur"))).await;
    assert_eq!(outcome.count(RowOutcome::Changed), 1_234);
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE place = 'Kannur'").await, 1_234);
    assert_eq!(
        site.number("SELECT count(DISTINCT position) FROM venues WHERE place = 'Kannur'").await,
        1_234,
        "in the order of the table"
    );
    // Each row has its own history: created, then changed.
    let steps = "SELECT CAST(count(*) AS TEXT) || ' ' || r.action FROM revisions r JOIN venues v ON v.id = r.row_id \
                 WHERE r.entity = 'venues' AND r.title = v.name AND v.place = 'Kannur' GROUP BY r.action ORDER BY r.action";
    assert_eq!(site.texts(steps).await, ["1234 changed", "1234 created"]);
}

/// Imports `count` halls while somebody else writes repeatedly: privately until the first halls are in, then publicly
/// if `publicly` is set. Returns the result and the numbers of halls that the other writer saw.
async fn import_beside_others(site: &TestApp, count: usize, publicly: bool) -> (Result<Outcome>, Vec<i64>) {
    let names: Vec<String> = (0..count).map(|number| format!("Hall {number}")).collect();
    let list = table(&names.iter().map(|name| (name.as_str(), "Kochi")).collect::<Vec<_>>());
    let is_over = AtomicBool::new(false);
    let importing = async {
        let result = try_to_import(site, &Venues::new(Meanwhile::Nothing), &list).await;
        is_over.store(true, Ordering::Relaxed);
        result
    };
    let others = async {
        let mut seen = Vec::new();
        while !is_over.load(Ordering::Relaxed) {
            let db = &site.app.db;
            let is_public = publicly && seen.last().is_some_and(|halls| *halls > 0);
            let mut write = if is_public { db.write().await } else { db.write_private().await }.unwrap();
            let halls = "SELECT count(*) FROM venues WHERE name LIKE 'Hall %'";
            seen.push(sqlx::query_scalar(halls).fetch_one(&mut *write).await.unwrap());
            write.commit().await.unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        seen
    };
    tokio::join!(importing, others)
}

/// On SQLite others wait for the duration of a transaction.
#[tokio::test]
async fn others_write_while_a_long_list_is_imported() {
    let site = TestApp::new(Database::Sqlite).await;
    let version = "SELECT version FROM data_version";
    let before = site.number(version).await;
    let (result, seen) = import_beside_others(&site, 12_000, false).await;
    assert_eq!(result.unwrap().count(RowOutcome::New), 12_000);
    assert_eq!(site.number(version).await, before + 1, "cached pages remain valid until the end");
    assert!(seen.iter().any(|halls| (1..12_000).contains(halls)), "nobody wrote before it was over: {seen:?}");
    let counts = "SELECT CAST(created AS TEXT) || ' ' || changed FROM imports";
    assert_eq!(site.texts(counts).await, ["12000 0"]);
}

#[tokio::test]
async fn shorter_lists_are_imported_as_a_whole() {
    let site = TestApp::new(Database::Sqlite).await;
    let (result, seen) = import_beside_others(&site, 5_000, true).await;
    assert_eq!(result.unwrap().count(RowOutcome::New), 5_000);
    assert!(!seen.iter().any(|halls| (1..5_000).contains(halls)), "a part was visible: {seen:?}");
}

#[tokio::test]
async fn interrupted_import_reports_its_progress_and_is_completed_by_the_next_one() {
    let site = TestApp::new(Database::Sqlite).await;
    let (result, _) = import_beside_others(&site, 12_000, true).await;
    let halls = "SELECT count(*) FROM venues WHERE name LIKE 'Hall %'";
    let written = site.number(halls).await;
    assert!((1..12_000).contains(&written), "{written}");
    let error = result.unwrap_err().to_string();
    assert!(error.contains(&format!("{written} of its 12000 rows are in")), "{error}");
    assert_eq!(site.number("SELECT created FROM imports").await, written, "what an undo is about");

    let (result, _) = import_beside_others(&site, 12_000, false).await;
    let outcome = result.unwrap();
    assert_eq!(outcome.count(RowOutcome::Unchanged) as i64, written);
    assert_eq!(outcome.count(RowOutcome::New) as i64, 12_000 - written);
    assert_eq!(site.number(halls).await, 12_000);
}

#[tokio::test]
async fn concurrent_imports_of_one_long_list_create_no_duplicates() {
    let site = TestApp::new(Database::Sqlite).await;
    let names: Vec<String> = (0..12_000).map(|number| format!("Hall {number}")).collect();
    let list = table(&names.iter().map(|name| (name.as_str(), "Kochi")).collect::<Vec<_>>());
    let reader = Venues::new(Meanwhile::Nothing);
    let (first, second) = tokio::join!(try_to_import(&site, &reader, &list), try_to_import(&site, &reader, &list));
    assert!(first.is_ok() || second.is_ok());
    for error in [first.err(), second.err()].into_iter().flatten().map(|error| error.to_string()) {
        assert!(error.contains("of its 12000 rows are in"), "{error}");
    }
    assert_eq!(site.number("SELECT count(*) FROM venues WHERE name LIKE 'Hall %'").await, 12_000);
}
