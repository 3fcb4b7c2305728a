//! Writing an import: all of it in one short transaction.

use super::plan::{ChangedRow, NewRow, Outcome, Plan, plan};
use super::{Import, ParsedSheet, Reader};
use crate::editing::{self, Action, HistoryEntry};
use crate::entity::{Datum, Entity, Kind, Record, table};
use festival_base::db::{self, Write};
use festival_base::deadline;
use festival_base::error::Result;

/// How often an import is planned without keeping others from writing.
const ATTEMPTS: usize = 3;
/// How many rows are written by one statement. Many values per statement save time; statements have a limit of 32,766.
const ROWS_PER_STATEMENT: usize = 100;

/// What became of an import.
pub enum Imported {
    /// It was not accepted: nothing was written.
    Refused(Outcome),
    /// It is written, in a transaction that its caller commits.
    Written(Outcome, Write),
}

/// What an import would do. Nothing is written, and nobody who writes waits for it.
///
/// # Errors
/// If the database or the files cannot be read.
pub async fn rehearse(import: &Import<'_>, reader: &dyn Reader, reading: &ParsedSheet) -> Result<Outcome> {
    let mut connection = import.records.db.read().await?;
    Ok(plan(import, &mut connection, reader, reading).await?.outcome)
}

/// Writes what an import does, with its history, if `accept` says so of it.
///
/// Planning takes long and writing does not: others write meanwhile. Where what visitors see was changed between the two,
/// it is planned again, and after some attempts while nobody else can write.
///
/// # Errors
/// If the database or the files cannot be read, or the database not be written.
pub async fn write(
    import: &Import<'_>,
    reader: &dyn Reader,
    reading: &ParsedSheet,
    accept: impl Fn(&Outcome) -> bool,
) -> Result<Imported> {
    let db = &import.records.db;
    for _ in 0..ATTEMPTS {
        let mut connection = db.read().await?;
        let plan = plan(import, &mut connection, reader, reading).await?;
        drop(connection);
        if !accept(&plan.outcome) {
            return Ok(Imported::Refused(plan.outcome));
        }
        let mut write = begin(import).await?;
        if db::data_version(&mut write).await? == plan.version {
            return Ok(Imported::Written(plan.write(import, &mut write).await?, write));
        }
        write.rollback().await?;
    }
    let mut write = begin(import).await?;
    let plan = plan(import, &mut write, reader, reading).await?;
    if !accept(&plan.outcome) {
        write.rollback().await?;
        return Ok(Imported::Refused(plan.outcome));
    }
    Ok(Imported::Written(plan.write(import, &mut write).await?, write))
}

/// Begins to write: from here on nobody else changes the rows, nor those that they refer to.
async fn begin(import: &Import<'_>) -> Result<Write> {
    let mut write = import.records.db.write().await?;
    let targets = import.entity.columns().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some(target),
        _ => None,
    });
    let entities: Vec<&Entity> = std::iter::once(import.entity).chain(targets).collect();
    table::lock_tables(&mut write, import.records.db.backend(), &entities).await?;
    Ok(write)
}

impl Plan {
    /// Writes it.
    async fn write(mut self, import: &Import<'_>, write: &mut Write) -> Result<Outcome> {
        let Import { records, entity, edition, editor, .. } = *import;
        let mut ids = Vec::with_capacity(self.targets.len());
        for target in &self.targets {
            ids.push(editing::create(records, write, target.entity, edition, &target.values, editor).await?);
        }
        let resolve = |record: &mut Record| {
            for (field, datum) in entity.columns().zip(record) {
                if let Some(index) = self.targets.iter().position(|target| target.is_meant(field, datum)) {
                    *datum = Datum::Integer(ids[index]);
                }
            }
        };
        self.new.iter_mut().for_each(|row| resolve(&mut row.record));
        self.changed.iter_mut().for_each(|row| resolve(&mut row.record));
        for rows in self.new.chunks(ROWS_PER_STATEMENT) {
            insert(import, write, rows).await?;
            deadline::progress();
            (import.progress)(rows.len());
        }
        for rows in self.changed.chunks(ROWS_PER_STATEMENT) {
            update(import, write, rows).await?;
            deadline::progress();
            (import.progress)(rows.len());
        }
        Ok(self.outcome)
    }
}

async fn insert(import: &Import<'_>, write: &mut Write, rows: &[NewRow]) -> Result<()> {
    let Import { records, entity, edition, editor, .. } = *import;
    let now = db::timestamp_text(records.clock.now());
    let inserted: Vec<&Record> = rows.iter().map(|row| &row.record).collect();
    let ids = table::insert_many(write, records.db.backend(), entity, edition, &inserted, &now).await?;
    let entries: Vec<HistoryEntry<'_>> = ids
        .into_iter()
        .zip(rows)
        .map(|(id, row)| HistoryEntry {
            id,
            edition,
            action: Action::Created,
            record: &row.record,
            alternative_texts: &row.alternative_texts,
        })
        .collect();
    editing::add_history(write, entity, &entries, editor, &now).await
}

async fn update(import: &Import<'_>, write: &mut Write, rows: &[ChangedRow]) -> Result<()> {
    let Import { records, entity, editor, .. } = *import;
    let now = db::timestamp_text(records.clock.now());
    let current: Vec<_> = rows.iter().map(|row| &row.current).collect();
    editing::add_unknown_to_history(write, entity, &current, &now).await?;
    for row in rows {
        table::update(write, entity, row.current.id, &row.record, &now).await?;
        editing::unschedule_if_published(write, entity, &row.current, &row.record, editor).await?;
    }
    let entries: Vec<HistoryEntry<'_>> = rows
        .iter()
        .map(|row| HistoryEntry {
            id: row.current.id,
            edition: row.current.edition,
            action: Action::Changed,
            record: &row.record,
            alternative_texts: &row.alternative_texts,
        })
        .collect();
    editing::add_history(write, entity, &entries, editor, &now).await
}
