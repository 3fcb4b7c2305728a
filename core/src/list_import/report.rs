//! The report of an import: as a table in a file, and as text.

use festival_base::error::Result;
use festival_base::println;
use festival_base::text::shortened;
use festival_files::export::{Cell, Column, Output, TableWriter, Target};
use festival_records::importing::{CellError, Decision, Difference, Outcome, Question, RowOutcome};

/// The report as a table: a line for each row, or for each field of a row that changes.
pub(super) struct ReportFile {
    table: TableWriter<Target>,
    name: String,
}

impl ReportFile {
    /// Creates the file, which gets its name when it is complete.
    ///
    /// # Errors
    /// If there is such a file already, or it cannot be created.
    pub(super) fn create(output: &Output) -> Result<Self> {
        let columns = [
            ("line", 8),
            ("outcome", 12),
            ("title", 30),
            ("details", 22),
            ("field", 22),
            ("before", 40),
            ("after", 40),
        ]
        .map(|(name, width)| Column::new(name, name).width(width));
        Ok(Self { table: output.open(&columns)?, name: output.name() })
    }

    /// Writes the whole report.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(mut self, outcome: &Outcome) -> Result<()> {
        for (errors, word) in [(&outcome.errors, "error"), (&outcome.blanked, "left empty")] {
            for CellError { line, header, value, expected } in errors {
                self.row(*line, [word, "", "", header, value, &format!("expected {expected}")])?;
            }
        }
        for question in &outcome.questions {
            for line in &question.lines {
                self.row(*line, ["question", "", "", "", "", &question.text])?;
            }
        }
        for row in &outcome.rows {
            let word = outcome_word(row.outcome);
            if row.differences.is_empty() {
                self.row(row.line, [word, &row.title, &row.details, "", "", ""])?;
            }
            for Difference { label, before, after } in &row.differences {
                self.row(row.line, [word, &row.title, &row.details, label, before, after])?;
            }
        }
        self.table.finish()?.commit()?;
        eprintln!("The report is in {}.", self.name);
        Ok(())
    }

    fn row(&mut self, line: u64, texts: [&str; 6]) -> Result<()> {
        let cell = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::text(text) };
        let cells: Vec<Cell> = std::iter::once(Cell::Number(line as i64)).chain(texts.map(cell)).collect();
        self.table.row(&cells)
    }
}

/// An outcome in a word.
pub(super) const fn outcome_word(outcome: RowOutcome) -> &'static str {
    match outcome {
        RowOutcome::New => "new",
        RowOutcome::Changed => "changed",
        RowOutcome::Unchanged => "unchanged",
        RowOutcome::Undecided => "undecided",
        RowOutcome::LeftOut => "left out",
    }
}

/// Prints the questions with their answers on standard output.
pub(super) fn print_questions(questions: &[Question]) {
    for question in questions {
        let lines: Vec<String> = question.lines.iter().map(u64::to_string).collect();
        let answer = match question.decision {
            Some(decision) => format!("decided: {}", answer(question, decision)),
            None => format!("open; proposed: {}", answer(question, question.proposal)),
        };
        println!("line {}: {} ({answer})", lines.join(", "), question.text);
    }
}

/// The fields that a line changes, one per line.
pub(super) fn differences_text(differences: &[Difference]) -> String {
    let line = |Difference { label, before, after }: &Difference| {
        format!("            {label}: {} -> {}\n", displayed_value(before), displayed_value(after))
    };
    differences.iter().map(line).collect()
}

/// An answer to a question as text.
fn answer(question: &Question, decision: Decision) -> String {
    let choices = question.choices();
    choices.into_iter().find(|(choice, _)| *choice == decision).map(|(_, label)| label).unwrap_or_default()
}

/// A value in a line of the differences.
fn displayed_value(value: &str) -> String {
    if value.is_empty() { "nothing".to_owned() } else { shortened(value) }
}

/// Prints on standard error how an import is undone, and what keeps it from being written.
pub(super) fn print_end(outcome: &Outcome, dry_run: bool) {
    if let Some(id) = outcome.id {
        eprintln!("This is import {id}. To undo it: festival imports undo {id}");
    }
    let undecided = outcome.open_questions().count();
    if undecided > 0 {
        let (nouns, them) = if undecided == 1 { ("question is", "it") } else { ("questions are", "them") };
        eprintln!(
            "{undecided} {nouns} open, so nothing was imported. Answer {them} on a terminal, accept what is proposed with \
             --on-conflict update, or leave the lines out with --on-conflict skip."
        );
    }
    if dry_run {
        eprintln!("Dry run: nothing was written.");
    }
}
