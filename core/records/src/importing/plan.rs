//! Plans an import: checks the rows of a table and compares them with the stored rows, without writing anything and
//! without blocking other writers.

use serde::Serialize;
use sqlx::AnyConnection;

use super::names::Names;
use super::planner::Planner;
use super::{CellError, Import, Matches, NewTarget, ParsedSheet, Question, Reader};
use crate::editing::Current;
use crate::entity::{Datum, Entity, Field, Kind, Listing, Record, table};
use festival_base::db;
use festival_base::deadline;
use festival_base::error::Result;

/// Rows that are compared with the stored ones at a time.
const CHUNK_SIZE: usize = 500;

/// What a line of the table does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOutcome {
    /// It adds a row.
    New,
    /// It changes a stored row.
    Changed,
    /// It equals a stored row.
    Unchanged,
    /// It does nothing until somebody decides.
    Undecided,
    /// It was left out by decision.
    LeftOut,
}

/// A line of the table and what it does.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The line in the file, from 1.
    pub line: u64,
    /// The id of the stored row; `None` for a new one.
    pub id: Option<i64>,
    /// The title of the row.
    pub title: String,
    /// What else people recognise it by: the other parts of its key.
    pub details: String,
    /// What is done.
    pub outcome: RowOutcome,
    /// The fields that change, or would change if an undecided line is about [`Self::similar`]; empty for a new row.
    pub differences: Vec<Difference>,
    /// The id of a stored row that a new one resembles, or that an undecided one may be.
    pub similar: Option<i64>,
}

/// A field that changes, as people read it.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The label of the field.
    pub label: &'static str,
    /// The stored value.
    pub before: String,
    /// The new value.
    pub after: String,
}

/// What an import does, or did.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Line by line.
    pub rows: Vec<RowChange>,
    /// Cells that cannot be used, in the order of the lines; these lines do nothing.
    pub errors: Vec<CellError>,
    /// Cells that cannot be used and count as empty, in the order of the lines.
    pub blanked: Vec<CellError>,
    /// What only a person can decide, answered or not.
    pub questions: Vec<Question>,
    /// The id of the import, if anything was written.
    pub id: Option<i64>,
    /// Titles of the rows that are created because others refer to them.
    pub new_targets: Vec<String>,
    /// Remarks for people.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Lines with this outcome.
    pub fn count(&self, outcome: RowOutcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// The questions without an answer.
    pub fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| question.decision.is_none())
    }
}

/// An import that is ready to be written. In its records, references to rows that it creates are keys; all others are ids.
pub(super) struct Plan {
    pub(super) outcome: Outcome,
    /// The [`db::data_version`] that the plan is based on.
    pub(super) version: i64,
    pub(super) targets: Vec<NewTarget>,
    pub(super) new: Vec<NewRow>,
    pub(super) changed: Vec<ChangedRow>,
}

/// A row to add.
pub(super) struct NewRow {
    pub(super) record: Record,
    /// When it will be published, as stored.
    pub(super) publish_at: Option<String>,
}

/// A row to overwrite.
pub(super) struct ChangedRow {
    pub(super) current: Current,
    pub(super) record: Record,
    /// When it will be published, as stored.
    pub(super) publish_at: Option<String>,
}

/// Plans an import from what `connection` reads.
pub(super) async fn plan(
    import: &Import<'_>,
    connection: &mut AnyConnection,
    reader: &dyn Reader,
    sheet: &ParsedSheet,
) -> Result<Plan> {
    let version = db::data_version(connection).await?;
    let Matches { rows: matches, new_targets, questions, notes } =
        reader.match_rows(import, connection, &sheet.rows).await?.unwrap_or_default();
    let mut names = Names::load(connection, import.entity, import.edition).await?;
    for target in &new_targets {
        names.add(import.entity, target);
    }
    let position = last_position(import, connection).await?;
    let outcome =
        Outcome { errors: sheet.errors.clone(), blanked: sheet.blanked.clone(), questions, ..Outcome::default() };
    let plan = Plan { outcome, version, targets: Vec::new(), new: Vec::new(), changed: Vec::new() };
    let mut planner = Planner::new(import, names, sheet, position, plan);
    let has_matches = !matches.is_empty();
    for (index, rows) in sheet.rows.chunks(CHUNK_SIZE).enumerate() {
        let matches = if has_matches { &matches[index * CHUNK_SIZE..][..rows.len()] } else { &[] };
        planner.plan_chunk(connection, rows, matches).await?;
        deadline::progress();
        (import.progress)(rows.len());
    }
    let mut plan = planner.plan;
    // A target that only rows with errors name is not created.
    let records = || plan.new.iter().map(|row| &row.record).chain(plan.changed.iter().map(|row| &row.record));
    let is_used = |target: &NewTarget| records().any(|record| target.is_used_by(import.entity, record));
    plan.targets = new_targets.into_iter().filter(is_used).collect();
    plan.outcome.new_targets = plan.targets.iter().map(|target| target.title().to_owned()).collect();
    let created =
        plan.targets.iter().map(|target| format!("the {} \"{}\" is new", target.entity.singular, target.title()));
    plan.outcome.notes = sheet.notes.iter().cloned().chain(created).chain(notes).collect();
    plan.outcome.errors.sort_by_key(|error| error.line);
    plan.outcome.blanked.sort_by_key(|error| error.line);
    Ok(plan)
}

/// The highest position of a row of the edition; 0 without rows or positions.
async fn last_position(import: &Import<'_>, connection: &mut AnyConnection) -> Result<i64> {
    let Some(field) = import.entity.field("position") else { return Ok(0) };
    let listing = Listing { edition: import.edition, sort: Some((field, true)), ..Listing::first(1) };
    let last = table::list(connection, import.records.db.backend(), import.entity, &listing).await?;
    let index = import.entity.position("position").unwrap_or_default();
    Ok(match last.rows.first().and_then(|row| row.record.get(index)) {
        Some(Datum::Integer(position)) => *position,
        _ => 0,
    })
}

impl NewTarget {
    /// Its title.
    pub(super) fn title(&self) -> &str {
        self.values.get(self.entity.title().name).map_or(&self.key, String::as_str)
    }

    /// Whether a record of `entity` refers to it.
    fn is_used_by(&self, entity: &Entity, record: &Record) -> bool {
        entity.columns().zip(record).any(|(field, datum)| self.is_referenced_by(field, datum))
    }

    /// Whether the value of a field refers to it.
    pub(super) fn is_referenced_by(&self, field: &Field, datum: &Datum) -> bool {
        let is_target = matches!(field.kind, Kind::Reference(target) if target.table == self.entity.table);
        is_target && matches!(datum, Datum::Reference(key) if *key == self.key)
    }
}
