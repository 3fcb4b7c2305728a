//! Imports of lists on the command line: reading the file, asking about what is uncertain, writing, reporting.

mod arguments;
mod command;
mod mapping;
mod pager;
mod report;
mod source;

use std::io::IsTerminal as _;

use festival_base::error::Result;
use festival_base::text::shortened;
use festival_records::importing::{
    self, Decision, Decisions, Difference, Import, Imported, Outcome, ParsedSheet, Question, Reader, terminal,
};

pub use arguments::{ListArguments, arguments, default_argument};
pub use command::{ImportList, import_list};

/// An import of one file.
struct Session<'a> {
    /// The entity, the editor, and the decisions that are known from the start.
    import: Import<'a>,
    /// The reader of the entity's module.
    registered: Option<&'a dyn Reader>,
    /// The rows.
    sheet: &'a ParsedSheet,
    /// Only report what would happen.
    dry_run: bool,
    /// Import the rows without errors even if others have some.
    skip_invalid: bool,
}

impl Session<'_> {
    /// Imports the rows, and calls `ask` with open questions until there are none. `None` if the person stops.
    ///
    /// # Errors
    /// Those of [`importing::write`], and of `ask`, which returns `false` if the person stops.
    async fn run(&self, asks: bool, ask: impl Fn(&Outcome, &mut Decisions) -> Result<bool>) -> Result<Option<Outcome>> {
        let mut decisions = self.import.decisions.clone();
        let is_refused = |outcome: &Outcome| !outcome.errors.is_empty() && !self.skip_invalid;
        let accept =
            |outcome: &Outcome| !self.dry_run && !is_refused(outcome) && outcome.open_questions().next().is_none();
        loop {
            let import = Import { decisions: &decisions, ..self.import };
            let outcome = match importing::write(&import, self.registered, self.sheet, accept).await? {
                Imported::Refused(outcome) => outcome,
                Imported::Written(outcome, write) => {
                    write.commit().await?;
                    return Ok(Some(outcome));
                }
            };
            // An answer can bring new questions.
            if !asks || is_refused(&outcome) || outcome.open_questions().next().is_none() {
                return Ok(Some(outcome));
            }
            if !ask(&outcome, &mut decisions)? {
                eprintln!("Stopped. Nothing was imported.");
                return Ok(None);
            }
        }
    }
}

/// Asks the open questions on the terminal.
///
/// # Errors
/// If the terminal cannot be read or written.
fn ask(outcome: &Outcome, decisions: &mut Decisions) -> Result<bool> {
    terminal::ask(outcome.open_questions(), decisions, std::io::stdin().lock(), std::io::stderr())
}

/// Whether somebody can be asked.
fn is_on_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Prints the questions with their answers on standard output.
fn print_questions(questions: &[Question]) {
    for question in questions {
        let lines: Vec<String> = question.lines.iter().map(u64::to_string).collect();
        let answer = match question.decision {
            Some(decision) => format!("decided: {}", answer(question, decision)),
            None => format!("open; proposed: {}", answer(question, question.proposal)),
        };
        festival_base::println!("line {}: {} ({answer})", lines.join(", "), question.text);
    }
}

/// The fields that a line changes, one per line.
fn differences_text(differences: &[Difference]) -> String {
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
fn print_end(outcome: &Outcome, dry_run: bool) {
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
