//! Plans an import: checks the rows of a table and compares them with the stored rows, without writing anything and
//! without blocking other writers.

use serde::Serialize;
use sqlx::AnyConnection;

use super::matching::{match_by_id, match_by_key};
use super::names::Names;
use super::parse::RowParser;
use super::planner::Planner;
use super::write;
use super::{CellError, ID, Import, Matches, NewTarget, ParsedSheet, Question, Reader, Row, RowMatch};
use crate::editing::Current;
use crate::entity::{Datum, Field, Kind, Record, table};
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
    pub title: Box<str>,
    /// What else people recognise it by: the other parts of its key.
    pub details: Box<str>,
    /// What is done.
    pub outcome: RowOutcome,
    /// The fields that change, or would change if an undecided line is about [`Self::similar`]; of a new row what the table
    /// says, if [`ImportOptions::describe_new`](super::ImportOptions::describe_new).
    pub differences: Box<[Difference]>,
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

/// An import that is ready to be written.
pub(super) struct Plan<'a> {
    pub(super) outcome: Outcome,
    /// The [`write::version`] that the plan is based on.
    pub(super) version: (i64, i64),
    pub(super) targets: Vec<NewTarget>,
    pub(super) new: Vec<NewRow>,
    pub(super) changed: Vec<ChangedRow>,
    /// The rows of the table, with what new ones need to be parsed again.
    pub(super) rows: &'a [Row],
    pub(super) matches: Vec<RowMatch>,
    pub(super) parser: RowParser<'a>,
}

/// A row to add.
pub(super) struct NewRow {
    /// Its index in the table.
    pub(super) index: usize,
    /// Its position, if the table does not say one.
    pub(super) position: i64,
}

/// A row to overwrite. References to rows that the import creates are keys, all others are ids.
pub(super) struct ChangedRow {
    pub(super) current: Current,
    pub(super) record: Record,
    /// When it will be published, as stored.
    pub(super) publish_at: Option<String>,
}

/// Plans an import from what `connection` reads.
pub(super) async fn plan<'a>(
    import: &'a Import<'a>,
    connection: &mut AnyConnection,
    reader: &dyn Reader,
    sheet: &'a ParsedSheet,
) -> Result<Plan<'a>> {
    let version = write::version(connection).await?;
    let matched = reader.match_rows(import, connection, &sheet.rows).await?;
    let mut names = Names::load(connection, import.entity, import.edition).await?;
    for target in matched.iter().flat_map(|matches| &matches.new_targets) {
        names.add(import.entity, target);
    }
    let parser = RowParser::new(import, names, sheet);
    let checks_keys = matched.is_none();
    // Where ids can be given, a line without one is a new row.
    let has_ids = parser.headers.contains_key(ID);
    let by_id = match matched {
        None if has_ids => match_by_id(&parser, connection, &sheet.rows).await?,
        matched => matched,
    };
    let Matches { rows: matches, new_targets, questions, notes } = match by_id {
        Some(matches) => matches,
        None => {
            let mut matches = match_by_key(&parser, connection, &sheet.rows).await?;
            let year = if import.entity.per_edition { "of this edition" } else { "here" };
            let note = format!("the column of ids holds no ids of {} {year}, and was not used", import.entity.plural);
            matches.notes.extend(Some(note).filter(|_| has_ids));
            matches
        }
    };
    let position = table::last_position(connection, import.records.db.backend(), import.entity, import.edition).await?;
    let outcome = Outcome {
        rows: Vec::with_capacity(sheet.rows.len()),
        errors: sheet.errors.clone(),
        blanked: sheet.blanked.clone(),
        questions,
        ..Outcome::default()
    };
    let mut planner = Planner::new(parser, position, outcome, checks_keys);
    for (index, rows) in sheet.rows.chunks(CHUNK_SIZE).enumerate() {
        let first = index * CHUNK_SIZE;
        let matches = if matches.is_empty() { &[] } else { &matches[first..][..rows.len()] };
        planner.plan_chunk(connection, (first, rows), matches).await?;
        deadline::progress();
        (import.progress)(rows.len());
    }
    let Planner { parser, mut outcome, new, changed, references, .. } = planner;
    // A target that only rows with errors name is not created.
    let is_used = |target: &NewTarget| {
        let mut fields = import.entity.columns().filter(|field| target.is_target_of(field));
        fields.any(|field| references.contains(&(field.name, target.key.clone())))
    };
    let targets: Vec<NewTarget> = new_targets.into_iter().filter(is_used).collect();
    outcome.new_targets = targets.iter().map(|target| target.title().to_owned()).collect();
    let created = targets.iter().map(|target| format!("the {} \"{}\" is new", target.entity.singular, target.title()));
    outcome.notes = sheet.notes.iter().cloned().chain(created).chain(notes).collect();
    outcome.errors.sort_by_key(|error| error.line);
    outcome.blanked.sort_by_key(|error| error.line);
    Ok(Plan { outcome, version, targets, new, changed, rows: &sheet.rows, matches, parser })
}

impl NewTarget {
    /// Its title.
    pub(super) fn title(&self) -> &str {
        self.values.get(self.entity.title().name).map_or(&self.key, String::as_str)
    }

    /// Whether a field refers to rows of its kind.
    fn is_target_of(&self, field: &Field) -> bool {
        matches!(field.kind, Kind::Reference(target) if target.table == self.entity.table)
    }

    /// Whether the value of a field refers to it.
    pub(super) fn is_referenced_by(&self, field: &Field, datum: &Datum) -> bool {
        self.is_target_of(field) && matches!(datum, Datum::Reference(key) if *key == self.key)
    }
}
