//! What people decide about the lines of statements, and the undo of imports.

use std::collections::{HashMap, HashSet};

use festival_core::admin::audit::Entry;
use festival_core::admin::nothing_here;
use festival_core::db::{Write, timestamp_text};
use festival_core::{Error, Result};
use serde_json::json;
use sqlx::{AnyConnection, Row as _};

use super::claims::Claims;
use super::ledger::Ledger;
use super::queue::{Decision, Queue};
use super::settle::Claim;
use super::store::{as_json, from_json};
use super::stored::{self, Match, MatchState, StoredLine, Submitted, kind_of};
use crate::review::payment_check::PaymentCheck;
use crate::submissions::SubmissionReader;

impl Ledger<'_> {
    /// Deletes the lines of an import, and takes back what they verified. Returns how many payments, and how many stay
    /// because somebody has decided about them since.
    ///
    /// # Errors
    /// 404 if there is no such import in the edition, 409 if it was undone before.
    pub(super) async fn undo(&self, write: &mut Write, import: i64) -> Result<(usize, usize)> {
        let sql = "UPDATE statement_imports SET undone_at = $1 WHERE id = $2 AND edition_id = $3 AND undone_at = ''";
        let query = sqlx::query(sql).bind(timestamp_text(self.decider.now)).bind(import).bind(self.edition.id);
        if query.execute(&mut **write).await?.rows_affected() == 0 {
            return Err(Error::Conflict(format!(
                "There is no import {import} of this edition, or it was undone before."
            )));
        }
        let mut lines = stored::lines(write, self.edition.id).await?;
        let (mut restored, mut kept, mut histories) = (0, 0, Vec::new());
        for line in lines.iter().filter(|line| line.import == import) {
            for found in &line.matches {
                histories
                    .push((found.submission, format!("The import of this payment was undone: {}", line.event_text())));
                if found.before.is_empty() {
                    continue;
                }
                let kind = kind_of(found.submission)?;
                let stored = SubmissionReader::find(&self.site.secrets, write, (kind, found.submission.1)).await?;
                match (stored, from_json(&found.before)) {
                    (Some(stored), Some(before)) if as_json(&PaymentCheck::stored(&stored)) == found.after => {
                        self.check(write, found.submission, |_| before).await?;
                        restored += 1;
                    }
                    _ => kept += 1,
                }
            }
        }
        self.record(write, histories).await?;
        for table in [
            "DELETE FROM statement_matches WHERE line_id IN (SELECT id FROM statement_lines WHERE import_id = $1)",
            "DELETE FROM statement_lines WHERE import_id = $1",
        ] {
            sqlx::query(table).bind(import).execute(&mut **write).await?;
        }
        lines.retain(|line| line.import != import);
        self.settle_again(write, &mut lines).await?;
        let after = json!({ "restored": restored, "kept": kept });
        self.decider.audit(write, Entry::new("undo import", "statement").id(import).after(after)).await?;
        Ok((restored, kept))
    }

    /// Settles stored lines again without verifying anything: after a person has decided, or an undo.
    async fn settle_again(&self, write: &mut Write, lines: &mut [StoredLine]) -> Result<()> {
        let claims = Claims::read(self, write).await?;
        let mut outcomes = claims.settle(self, lines);
        for outcome in outcomes.iter_mut().filter(|outcome| outcome.verifies) {
            // Left to a person, or to the next import.
            outcome.queue = Queue::Proposed;
        }
        let count = lines.len();
        self.apply(write, lines, &outcomes, &claims, (count, false)).await?;
        Ok(())
    }

    /// Applies what a person decided about a line: the submissions that it settles, or rejects. `seen` is where the line
    /// waited on the person's page.
    ///
    /// # Errors
    /// 404 if there is no such line in the edition, 409 if it waits elsewhere now.
    pub(super) async fn decide(
        &self,
        write: &mut Write,
        (id, seen): (i64, &str),
        answer: &Answer,
    ) -> Result<StoredLine> {
        let mut lines = stored::lines(write, self.edition.id).await?;
        let index = lines.iter().position(|line| line.id == id).ok_or_else(nothing_here)?;
        let mut line = lines[index].clone();
        if line.queue.key() != seen {
            return Err(Error::Conflict(
                "This line was decided or imported again meanwhile. Look at it once more.".into(),
            ));
        }
        let mut histories = Vec::new();
        match answer {
            Answer::Accept(chosen) => {
                let is_settled = |submission: &&Submitted| {
                    let is_same =
                        |found: &&Match| found.submission == **submission && found.state == MatchState::Settled;
                    line.matches.iter().any(|found| is_same(&found))
                };
                for submission in
                    chosen.iter().filter(|submission| !is_settled(submission)).copied().collect::<Vec<_>>().iter()
                {
                    let verified = self.verify(write, &line, *submission).await?;
                    line.matches.retain(|found| found.submission != *submission);
                    let (basis, state) = ("person".to_owned(), MatchState::Settled);
                    line.matches.push(Match {
                        submission: *submission,
                        basis,
                        state,
                        before: verified.0,
                        after: verified.1,
                    });
                }
                line.matches.iter_mut().filter(|found| !chosen.contains(&found.submission)).for_each(|found| {
                    found.state = MatchState::Refused;
                });
                line.decision = Decision::Accepted;
            }
            Answer::Reject(chosen, reason) => {
                for submission in chosen {
                    let reject = |before: &PaymentCheck| PaymentCheck {
                        state: "rejected",
                        reason: reason.clone(),
                        ..before.clone()
                    };
                    self.check(write, *submission, reject).await?;
                }
                line.matches.iter_mut().filter(|found| chosen.contains(&found.submission)).for_each(|found| {
                    found.state = MatchState::Refused;
                });
            }
            Answer::Dismiss => {
                histories.extend(
                    line.matches
                        .iter()
                        .map(|found| (found.submission, format!("No payment of this: {}", line.event_text()))),
                );
                line.matches.retain(|found| found.state == MatchState::Settled);
                line.decision = Decision::Dismissed;
            }
            Answer::Reopen => {
                line.matches.retain(|found| found.state == MatchState::Settled);
                line.decision = Decision::None;
            }
        }
        stored::update(write, &line).await?;
        stored::replace_matches(write, &[&line]).await?;
        self.record(write, histories).await?;
        lines[index] = line;
        self.settle_again(write, &mut lines).await?;
        self.decider.audit(write, Entry::new(answer.action(), "statement line").id(id)).await?;
        Ok(lines.swap_remove(index))
    }

    /// Reads what the page of statements shows.
    pub(super) async fn overview(&self, connection: &mut AnyConnection) -> Result<Overview> {
        let lines = stored::lines(connection, self.edition.id).await?;
        let claims = Claims::read(self, connection).await?;
        let named: HashSet<Submitted> =
            lines.iter().flat_map(|line| &line.matches).map(|found| found.submission).collect();
        let is_missing = |(claim, id): &(&Claim, &Submitted)| claim.state == "unchecked" && !named.contains(id);
        let without =
            claims.claims.iter().zip(&claims.ids).filter(is_missing).map(|(claim, _)| claim.reference.clone());
        let without_payment = if lines.is_empty() { Vec::new() } else { without.collect() };
        let categories = claims.ids.iter().copied().zip(claims.categories.iter().cloned()).collect();
        Ok(Overview { references: claims.references(), lines, categories, without_payment })
    }
}

/// The lines of an edition, and its submissions.
pub(super) struct Overview {
    pub(super) lines: Vec<StoredLine>,
    pub(super) references: HashMap<Submitted, String>,
    /// What each submission pays for, as people call it.
    pub(super) categories: HashMap<Submitted, String>,
    /// Unchecked submissions without a payment, by reference.
    pub(super) without_payment: Vec<String>,
}

/// What a person decides about a line.
pub(super) enum Answer {
    /// It pays these submissions, and no others.
    Accept(Vec<Submitted>),
    /// The payments of these submissions are rejected, for this reason.
    Reject(Vec<Submitted>, String),
    /// It belongs to no submission.
    Dismiss,
    /// The decision is taken back; what it verified stays.
    Reopen,
}

impl Answer {
    const fn action(&self) -> &'static str {
        match self {
            Self::Accept(_) => "accept",
            Self::Reject(..) => "reject",
            Self::Dismiss => "dismiss",
            Self::Reopen => "reopen",
        }
    }
}

/// An import, for lists.
pub(super) struct PastImport {
    pub(super) id: i64,
    pub(super) bank: String,
    pub(super) file_name: String,
    pub(super) who: String,
    pub(super) at: String,
    pub(super) new_lines: i64,
    pub(super) is_undone: bool,
}

/// Reads the imports of an edition, newest first.
pub(super) async fn imports(connection: &mut AnyConnection, edition: i64) -> Result<Vec<PastImport>> {
    let sql = "SELECT id, bank, file_name, who, at, new_lines, undone_at FROM statement_imports WHERE edition_id = $1 ORDER BY id DESC";
    let rows = sqlx::query(sql).bind(edition).fetch_all(connection).await?;
    let import = |row: sqlx::any::AnyRow| {
        Ok(PastImport {
            id: row.try_get(0)?,
            bank: row.try_get(1)?,
            file_name: row.try_get(2)?,
            who: row.try_get(3)?,
            at: row.try_get(4)?,
            new_lines: row.try_get(5)?,
            is_undone: !row.try_get::<String, _>(6)?.is_empty(),
        })
    };
    rows.into_iter().map(import).collect()
}
