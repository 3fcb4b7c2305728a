//! The stored rows that lines are about, and what only a person can decide: a film that moved to another section, a title
//! that was corrected, a namesake.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::entity::{Entity, Values};

/// An answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is the stored row with this id.
    Same(i64),
    /// It is a new row.
    New,
    /// The lines are left out.
    Skip,
}

impl std::fmt::Display for Decision {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Same(id) => write!(formatter, "same-{id}"),
            Self::New => formatter.write_str("new"),
            Self::Skip => formatter.write_str("skip"),
        }
    }
}

impl FromStr for Decision {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "new" => Ok(Self::New),
            "skip" => Ok(Self::Skip),
            _ => text.strip_prefix("same-").and_then(|id| id.parse().ok()).map(Self::Same).ok_or(()),
        }
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A stored row that lines may be about.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its id.
    pub id: i64,
    /// How people recognise it.
    pub label: String,
}

/// What a person has to decide about one or more lines.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// Names it among the questions of a file; the same file has the same keys.
    pub key: String,
    /// The lines that wait for the answer.
    pub lines: Vec<u64>,
    /// The question, for people.
    pub text: String,
    /// What would be new: "film".
    pub noun: &'static str,
    /// The rows that it may be, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// The decision for those who accept every proposal.
    pub proposal: Decision,
    /// The answer; `None`: it is open, and its lines do nothing.
    pub decision: Option<Decision>,
}

impl Question {
    /// Recognises it in another list: a hash of its text, which names people, and of the rows that it may be about.
    pub(super) fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.text);
        for candidate in &self.candidates {
            hash.update(format!("\0{}", candidate.id));
        }
        HEXLOWER.encode(&hash.finalize())
    }

    /// The possible answers, with their labels.
    pub fn choices(&self) -> Vec<(Decision, String)> {
        let lines = if self.lines.len() == 1 { "this line" } else { "these lines" };
        let same = self.candidates.iter().map(|it| (Decision::Same(it.id), format!("the same as {}", it.label)));
        let others = [(Decision::New, format!("a new {}", self.noun)), (Decision::Skip, format!("leave {lines} out"))];
        same.chain(others).collect()
    }

    /// The match that the answer gives its lines; its candidates are rows of the list's entity.
    pub fn row_match(&self) -> RowMatch {
        let similar = self.candidates.first().map(|first| first.id);
        match self.decision {
            None => RowMatch { similar, status: MatchStatus::Open, ..RowMatch::default() },
            Some(Decision::Skip) => RowMatch { status: MatchStatus::Skipped, ..RowMatch::default() },
            Some(Decision::New) => RowMatch { similar, ..RowMatch::default() },
            Some(Decision::Same(id)) => RowMatch { id: Some(id), ..RowMatch::default() },
        }
    }
}

/// Values with their fields; rows with the same ones share them.
pub type SharedValues = Arc<[(&'static str, String)]>;

/// The stored row that a row of the table describes.
#[derive(Debug, Default)]
pub struct RowMatch {
    /// Its id; `None`: a new row, even if a stored one has the same key.
    pub id: Option<i64>,
    /// Values with their fields that replace those in the table. References are keys.
    pub values: SharedValues,
    /// The id of a stored row that a new one resembles, or that an undecided one may be.
    pub similar: Option<i64>,
    /// Whether the line is written.
    pub status: MatchStatus,
    /// Rows of other entities to create with a new row, each with the field that refers to it and its other values.
    pub further: Vec<(&'static Entity, &'static str, Values)>,
}

impl RowMatch {
    /// The value that replaces that of a field.
    pub fn value(&self, field: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| *name == field).map(|(_, value)| value.as_str())
    }
}

/// Whether a line of a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchStatus {
    /// It is.
    #[default]
    Decided,
    /// It waits for the answer to a question.
    Open,
    /// It is left out, as the answer to a question says.
    Skipped,
}

/// What to do about questions that nobody answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// They stay open.
    #[default]
    Ask,
    /// Each gets its proposed decision.
    Update,
    /// Their lines are left out.
    Skip,
}

/// The answers to the questions of an import.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// For those without an answer.
    pub otherwise: OnConflict,
    /// By the key of the question.
    pub chosen: BTreeMap<String, Decision>,
    /// Those of earlier imports, by the fingerprint of the question.
    pub earlier: BTreeMap<String, Decision>,
}

impl Decisions {
    /// The question with its answer, if there is one that fits it.
    pub fn answered(&self, mut question: Question) -> Question {
        let fits = |decision: &Decision| match decision {
            Decision::Same(id) => question.candidates.iter().any(|candidate| candidate.id == *id),
            Decision::New | Decision::Skip => true,
        };
        let chosen = self.chosen.get(&question.key).copied().filter(fits);
        let earlier = || self.earlier.get(&question.fingerprint()).copied().filter(fits);
        question.decision = chosen.or_else(earlier).or(match self.otherwise {
            OnConflict::Ask => None,
            OnConflict::Update => Some(question.proposal),
            OnConflict::Skip => Some(Decision::Skip),
        });
        question
    }
}

/// Asks about single lines.
pub struct Questions<'a> {
    decisions: &'a Decisions,
    /// What a new row is called: "film".
    noun: &'static str,
    /// The questions, each with the answer that is known.
    pub asked: Vec<Question>,
}

impl<'a> Questions<'a> {
    /// No questions yet.
    pub fn new(decisions: &'a Decisions, noun: &'static str) -> Self {
        Self { decisions, noun, asked: Vec::new() }
    }

    /// Asks which row a line is about, and returns the match that the answer gives it.
    pub fn ask(&mut self, line: u64, text: String, candidates: Vec<Candidate>, proposal: Decision) -> RowMatch {
        let question = self.decisions.answered(Question {
            key: format!("line-{line}"),
            lines: vec![line],
            text,
            noun: self.noun,
            candidates,
            proposal,
            decision: None,
        });
        let known = question.row_match();
        self.asked.push(question);
        known
    }
}
