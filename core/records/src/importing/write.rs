//! Writes an import: in one transaction, or in several where a list is long and others would have to wait.

use std::time::{Duration, Instant};

use tokio::sync::SemaphorePermit;
use tokio::time::timeout;

use super::outcome::Outcome;
use super::plan::{Plan, plan, version};
use super::planner::{ChangedRow, NewRow};
use super::{Import, ParsedSheet, Reader, answers, past};
use crate::Records;
use crate::editing::{self, Action, Editor, HistoryEntry};
use crate::entity::table::SearchKeys;
use crate::entity::{Datum, Entity, Kind, Record, table};
use festival_base::db::{self, Backend, Write};
use festival_base::deadline;
use festival_base::error::{Error, Result};

/// Attempts to plan an import without blocking other writers.
const MAX_ATTEMPTS: usize = 3;
/// Number of rows that one statement writes. It may have 32,766 values at most, and larger numbers are no faster.
const ROWS_PER_STATEMENT: usize = 400;

/// Maximum number of rows that are written all or not at all, however long it takes.
const ROWS_AT_ONCE: usize = 5_000;
/// How long a transaction of more rows keeps other writers of SQLite waiting.
const TURN: Duration = Duration::from_millis(100);
/// While an import waits for another one, its time limit restarts this often.
const WAIT: Duration = Duration::from_secs(1);

/// The result of an import.
pub enum Imported {
    /// It was not accepted, and nothing was written.
    Refused(Outcome),
    /// It was written; the caller has to commit the transaction, which may be the last of several.
    Written(Outcome, Write),
}

/// Writes an import with its history if `accept` approves the outcome; `registered` is the reader of a module for its
/// entity. As a rule an import that is not accepted blocks
/// no other writer.
///
/// Planning is slow, so others may write meanwhile. If the data that visitors see changed between planning and writing,
/// the import is planned again, and after some attempts while nobody else can write.
///
/// On SQLite all writers wait for the current one, so while a server is running a long list is written in several
/// transactions, between which others have their turn.
///
/// # Errors
/// If the database or the files cannot be read, or the database not be written. [`Error::Conflict`] if what visitors
/// see was changed between two transactions: the rows that were written stay, and are unchanged when the list is
/// imported again.
pub async fn write(
    import: &Import<'_>,
    registered: Option<&dyn Reader>,
    sheet: &ParsedSheet,
    accept: impl Fn(&Outcome) -> bool,
) -> Result<Imported> {
    let _turn = turn(import.records).await;
    let db = &import.records.db;
    let decisions = &answers::with_earlier(&mut *db.read().await?, import).await?;
    let import = &Import { decisions, ..*import };
    for _ in 0..MAX_ATTEMPTS {
        let mut connection = db.read().await?;
        let plan = plan(import, &mut connection, registered, sheet).await?;
        drop(connection);
        if !accept(&plan.outcome) {
            return Ok(Imported::Refused(plan.outcome));
        }
        let mut write = begin_write(import).await?;
        if version(&mut write).await? == plan.version {
            return plan.write(import, write).await;
        }
        write.rollback().await?;
    }
    let mut write = begin_write(import).await?;
    let plan = plan(import, &mut write, registered, sheet).await?;
    if !accept(&plan.outcome) {
        write.rollback().await?;
        return Ok(Imported::Refused(plan.outcome));
    }
    plan.write(import, write).await
}

/// Waits until no other import of this server is planned or written: the plan of a long list takes much memory.
async fn turn(records: &Records) -> Option<SemaphorePermit<'_>> {
    loop {
        match timeout(WAIT, records.importing.acquire()).await {
            Ok(permit) => return permit.ok(),
            Err(_) => deadline::progress(),
        }
    }
}

/// Begins a transaction and locks the tables of the rows and of those that they refer to.
async fn begin_write(import: &Import<'_>) -> Result<Write> {
    let mut write = import.records.db.write().await?;
    let targets = import.entity.columns().filter_map(|field| match field.kind {
        Kind::Reference(target) => Some(target),
        _ => None,
    });
    let entities: Vec<&Entity> = std::iter::once(import.entity).chain(targets).collect();
    table::lock_tables(&mut write, import.records.db.backend(), &entities).await?;
    Ok(write)
}

/// How far an import is written.
struct Progress {
    /// The id of the import.
    id: i64,
    /// Rows to write.
    total: usize,
    /// Rows that were added.
    created: usize,
    /// Rows that were changed.
    changed: usize,
    /// When the current transaction began.
    since: Instant,
    /// Whether others write between its transactions.
    takes_turns: bool,
}

impl Progress {
    /// Counts rows that were written. After a turn of a long list, others write before the returned transaction begins.
    async fn advance(
        &mut self,
        import: &Import<'_>,
        mut write: Write,
        created: usize,
        changed: usize,
    ) -> Result<Write> {
        self.created += created;
        self.changed += changed;
        deadline::progress();
        (import.progress)(created + changed);
        let db = &import.records.db;
        let written = self.created + self.changed;
        let is_turn_over = self.takes_turns && self.since.elapsed() >= TURN;
        if written < self.total && !is_turn_over {
            return Ok(write);
        }
        past::count_rows(&mut write, self.id, (self.created, self.changed)).await?;
        if written == self.total {
            return Ok(write);
        }
        let before = version(&mut write).await?;
        let mut write = db.let_others_write(write).await?;
        self.since = Instant::now();
        if version(&mut write).await? != before {
            return Err(Error::Conflict(format!(
                "Others changed the site while the list was written: {written} of its {} rows are in. Import it again for the rest.",
                self.total
            )));
        }
        Ok(write)
    }
}

impl Plan<'_> {
    /// Writes the rows with their history.
    async fn write(mut self, import: &Import<'_>, mut write: Write) -> Result<Imported> {
        let Import { records, entity, edition, source, .. } = *import;
        answers::store(&mut write, import, &self.outcome.questions).await?;
        let total = self.new.len() + self.changed.len();
        if total == 0 {
            return Ok(Imported::Written(self.outcome, write));
        }
        let now = db::timestamp_text(records.clock.now());
        let id = past::record_import(&mut write, entity, edition, source, import.editor, &now).await?;
        let is_long = records.db.backend() == Backend::Sqlite && total > ROWS_AT_ONCE;
        let mut progress = Progress {
            id,
            total,
            created: 0,
            changed: 0,
            since: Instant::now(),
            takes_turns: is_long && records.media.is_served().await?,
        };
        let editor = &Editor { import: Some(id), ..import.editor.clone() };
        let import = &Import { editor, ..*import };
        self.outcome.id = Some(id);
        let mut ids = Vec::with_capacity(self.targets.len());
        for target in &self.targets {
            ids.push(editing::create(records, &mut write, target.entity, edition, &target.values, editor).await?);
        }
        write = self.insert(import, write, &mut progress, &ids).await?;
        let mut changed = std::mem::take(&mut self.changed);
        changed.iter_mut().for_each(|row| self.resolve(entity, &ids, &mut row.record));
        for rows in changed.chunks(ROWS_PER_STATEMENT) {
            update(import, &mut write, rows).await?;
            write = progress.advance(import, write, 0, rows.len()).await?;
        }
        Ok(Imported::Written(self.outcome, write))
    }

    /// Replaces the keys of rows that the import has created by their ids.
    fn resolve(&self, entity: &Entity, ids: &[i64], record: &mut Record) {
        for (field, datum) in entity.columns().zip(record) {
            let Datum::Reference(key) = &*datum else { continue };
            if let Some(index) = self.targets.iter().position(|it| it.is_target_of(field) && it.key == *key) {
                *datum = Datum::Integer(ids[index]);
            }
        }
    }

    /// The record of a row to add, and when it will be published.
    fn record(&self, entity: &Entity, targets: &[i64], new: &NewRow) -> Result<(Record, Option<String>)> {
        let (row, known) = (&self.rows[new.index], self.matches.get(new.index));
        let (mut record, publish_at, _) = self.parser.new_record(row, known, new.position)?;
        self.resolve(entity, targets, &mut record);
        Ok((record, publish_at))
    }

    /// Adds the new rows; `targets` are the ids of [`Plan::targets`]. While the database writes some, the next ones
    /// become statements.
    async fn insert(
        &self,
        import: &Import<'_>,
        mut write: Write,
        progress: &mut Progress,
        targets: &[i64],
    ) -> Result<Write> {
        let Import { records, entity, edition, editor, .. } = *import;
        let now = db::timestamp_text(records.clock.now());
        let backend = records.db.backend();
        let mut ids = table::new_ids(&mut write, backend, entity, self.new.len()).await?;
        // Lists that show the latest first sort equal times by descending id: reversed ids keep the order of the file.
        if entity.default_order().1 {
            ids.reverse();
        }
        let statements = |(ids, rows): (&[i64], &[NewRow])| {
            let parsed = rows.iter().map(|row| self.record(entity, targets, row));
            let parsed: Vec<(Record, Option<String>)> = parsed.collect::<Result<_>>()?;
            let with_ids: Vec<(i64, &Record)> = ids.iter().copied().zip(parsed.iter().map(|(it, _)| it)).collect();
            let entry =
                |&(id, record): &(i64, &Record)| HistoryEntry::new(entity, (id, edition), Action::Created, record);
            let entries = with_ids.iter().map(entry).collect();
            let history = editing::history_statement(backend, entity.table, entries, editor, &now);
            let keys = table::insert_search_keys(backend, entity, &with_ids);
            let insert = table::insert_many(backend, entity, edition, &with_ids, &[], &now);
            let scheduled = ids.iter().copied().zip(parsed.into_iter().map(|(_, publish_at)| publish_at));
            let scheduled: Vec<(i64, String)> = scheduled.filter_map(|(id, at)| Some((id, at?))).collect();
            Ok::<_, Error>((rows.len(), insert, keys, history, scheduled))
        };
        let mut chunks = ids.chunks(ROWS_PER_STATEMENT).zip(self.new.chunks(ROWS_PER_STATEMENT));
        let mut next = chunks.next().map(statements).transpose()?;
        while let Some((count, insert, keys, history, scheduled)) = next {
            let execute = async {
                insert.execute(&mut *write).await?;
                if let Some(keys) = keys {
                    keys.execute(&mut *write).await?;
                }
                history.execute(&mut *write).await
            };
            let (written, following) = tokio::join!(execute, async { chunks.next().map(statements).transpose() });
            written?;
            next = following?;
            for (id, at) in scheduled {
                editing::schedule(&mut write, entity, id, Some(&at), editor).await?;
            }
            write = progress.advance(import, write, count, 0).await?;
        }
        for (id, row) in ids.iter().zip(&self.new) {
            for (entity, field, values) in self.matches.get(row.index).iter().flat_map(|known| &known.further) {
                let values = values.clone().into_iter().chain([((*field).to_owned(), id.to_string())]).collect();
                editing::create(records, &mut write, entity, edition, &values, editor).await?;
            }
        }
        Ok(write)
    }
}

async fn update(import: &Import<'_>, write: &mut Write, rows: &[ChangedRow]) -> Result<()> {
    let Import { entity, editor, .. } = *import;
    let now = db::timestamp_text(import.records.clock.now());
    let current: Vec<_> = rows.iter().map(|row| &row.current).collect();
    editing::add_unknown_to_history(write, entity, &current, &now).await?;
    for row in rows {
        table::update(write, entity, row.current.id, &row.record, &now).await?;
        if SearchKeys::of(entity, &row.current.record) != SearchKeys::of(entity, &row.record) {
            table::store_search_keys(write, entity, row.current.id, &row.record).await?;
        }
        if row.publish_at != row.current.publish_at {
            past::keep_schedule(write, entity, editor, &row.current).await?;
            editing::schedule(write, entity, row.current.id, row.publish_at.as_deref(), editor).await?;
        }
    }
    let entry = |row: &ChangedRow| {
        HistoryEntry::new(entity, (row.current.id, row.current.edition), Action::Changed, &row.record)
    };
    editing::add_history(write, entity.table, rows.iter().map(entry).collect(), editor, &now).await
}
