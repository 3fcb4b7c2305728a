//! What an import did, as figures and as a table.

use festival_core::Result;
use festival_core::export::{Cell, Column, Output};

use super::queue::Queue;
use super::store::{Report, sum};
use super::stored::{MatchState, StoredLine};

/// The number and the sum of the lines in one queue.
pub(super) struct QueueTotal {
    pub(super) queue: Queue,
    pub(super) count: usize,
    pub(super) sum: String,
}

/// Returns the totals of each queue that has lines. Together they are all lines.
pub(super) fn totals(lines: &[StoredLine]) -> Vec<QueueTotal> {
    let in_queue = |queue: Queue| lines.iter().filter(move |line| line.queue == queue);
    let total = |queue: Queue| QueueTotal { queue, count: in_queue(queue).count(), sum: sum(in_queue(queue)) };
    Queue::ALL.into_iter().map(total).filter(|total| total.count > 0).collect()
}

impl Report {
    /// The references of the submissions that a line may belong to.
    pub(super) fn references_of(&self, line: &StoredLine) -> String {
        let found = line.matches.iter().filter(|found| found.state != MatchState::Refused);
        let texts: Vec<&str> =
            found.filter_map(|found| self.references.get(&found.submission)).map(String::as_str).collect();
        texts.join(", ")
    }

    /// Returns "12 lines: 9 new, 3 known".
    pub(super) fn summary(&self) -> String {
        let (new, known) = (self.lines.len(), self.known);
        let nouns = if new + known == 1 { "line" } else { "lines" };
        let payments = if self.verified == 1 { "payment" } else { "payments" };
        format!("{} {nouns}: {new} new, {known} known. {} {payments} verified", new + known, self.verified)
    }

    /// Writes a row for each line to a table file.
    ///
    /// # Errors
    /// If the file exists, or cannot be written.
    pub(super) fn write(&self, output: &Output) -> Result<()> {
        let columns = [
            ("line", "Line"),
            ("day", "Day"),
            ("amount", "Amount"),
            ("narration", "Narration"),
            ("queue", "Queue"),
            ("reason", "Reason"),
            ("submissions", "Submissions"),
        ];
        let columns = columns.map(|(name, title)| Column::new(name, title).width(24));
        let mut table = output.open(&columns)?;
        let number = |line: u64| Cell::Number(i64::try_from(line).unwrap_or_default());
        for (problems, word) in [(&self.problems, "error"), (&self.notes, "note")] {
            for problem in problems {
                let empty = || Cell::text("");
                let cells = [
                    number(problem.line),
                    empty(),
                    empty(),
                    empty(),
                    Cell::text(word),
                    Cell::text(&problem.text),
                    empty(),
                ];
                table.row(&cells)?;
            }
        }
        for line in &self.lines {
            let hundredths = line.line.amount.hundredths;
            let amount = format!(
                "{}{}.{:02}",
                if hundredths < 0 { "-" } else { "" },
                hundredths.abs() / 100,
                hundredths.abs() % 100
            );
            table.row(&[
                number(line.line.line),
                Cell::text(line.line.day.to_string()),
                Cell::text(amount),
                Cell::text(&line.line.narration),
                Cell::text(line.queue.label()),
                Cell::text(&line.reason),
                Cell::text(self.references_of(line)),
            ])?;
        }
        let rows = self.lines.len() + self.problems.len() + self.notes.len();
        output.finish(table, rows as u64, ["line", "lines"])?;
        Ok(())
    }
}
