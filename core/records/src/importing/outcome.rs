//! What an import does, line by line.

use serde::Serialize;

use super::parsed::CellError;
use super::question::Question;

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
    /// The fields that change, or would change if an undecided line is about [`Self::similar`]; of a new row what the
    /// table says, if [`ImportOptions::describe_new`](super::ImportOptions::describe_new).
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
    /// The questions that only a person can decide, answered or not.
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
