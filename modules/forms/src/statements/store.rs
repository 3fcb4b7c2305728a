//! Stores the lines of statements, and settles what is certain.

use std::collections::{BTreeMap, HashMap, HashSet};

use festival_core::admin::audit::Entry;
use festival_core::db::{Datum, Write, timestamp_text, update_rows};
use festival_core::{Error, Result};
use serde_json::json;

use super::claims::Claims;
use super::clues::fold;
use super::ledger::Ledger;
use super::queue::{Decision, Queue};
use super::settle::{self, Outcome};
use super::statement::{BankLine, Problem, Statement};
use super::stored::{self, Match, MatchState, StoredLine, Submitted, kind_of};
use crate::amount::Amount;
use crate::hash::hash;
use crate::review::decision::Decision as SubmissionDecision;
use crate::review::events::{self, NewEvent};
use crate::review::payment_check::{PaymentCheck, find_state};
use crate::submissions::{KINDS, SubmissionReader};
use crate::transaction_numbers;

/// The name of a file, and of the account that it is about.
pub(super) struct Source<'a> {
    pub(super) bank: &'a str,
    pub(super) file_name: &'a str,
}

/// What an import did, or would do.
#[derive(Default)]
pub(super) struct Report {
    /// The id of the import; `None` if no line was new.
    pub(super) import: Option<i64>,
    /// The lines that are new.
    pub(super) lines: Vec<StoredLine>,
    /// Lines that an earlier import brought.
    pub(super) known: usize,
    pub(super) problems: Vec<Problem>,
    pub(super) notes: Vec<Problem>,
    /// The payments that were verified.
    pub(super) verified: usize,
    /// Unchecked submissions without a payment, by reference.
    pub(super) without_payment: Vec<String>,
    /// References of submissions.
    pub(super) references: HashMap<Submitted, String>,
}

impl Ledger<'_> {
    /// Imports the lines of a statement that are new, and settles those of all imports again.
    ///
    /// # Errors
    /// If the database cannot be read or written; the transaction must not be committed then.
    pub(super) async fn import(&self, write: &mut Write, statement: Statement, source: &Source<'_>) -> Result<Report> {
        let identities = identities(&statement.lines, source.bank);
        let stored: HashSet<String> =
            match (statement.lines.iter().map(|l| l.day).min(), statement.lines.iter().map(|l| l.day).max()) {
                (Some(first), Some(last)) => {
                    let sql = "SELECT identity FROM statement_lines WHERE day >= $1 AND day <= $2";
                    let query = sqlx::query_scalar(sql).bind(first.to_string()).bind(last.to_string());
                    query.fetch_all(&mut **write).await?.into_iter().collect()
                }
                _ => HashSet::new(),
            };
        let mut report = Report { problems: statement.problems, notes: statement.notes, ..Report::default() };
        let mut lines = stored::lines(write, self.edition.id).await?;
        let first_new = lines.len();
        let mut new_identities = Vec::new();
        for (line, identity) in statement.lines.into_iter().zip(identities) {
            if stored.contains(&identity) {
                report.known += 1;
                continue;
            }
            new_identities.push(identity);
            let (queue, reason, decision) = (Queue::Unclaimed, String::new(), Decision::None);
            lines.push(StoredLine { id: 0, import: 0, line, queue, reason, decision, matches: Vec::new() });
        }
        let claims = Claims::read(self, write).await?;
        let outcomes = claims.settle(self, &lines);
        if !new_identities.is_empty() {
            let import = self.insert_import(write, source, new_identities.len()).await?;
            report.import = Some(import);
            for (line, outcome) in lines.iter_mut().zip(&outcomes).skip(first_new) {
                (line.import, line.queue) = (import, outcome.queue);
                line.reason.clone_from(&outcome.reason);
            }
            let new: Vec<(&StoredLine, &str)> =
                lines[first_new..].iter().zip(&new_identities).map(|(line, identity)| (line, &**identity)).collect();
            let ids = stored::insert(write, (import, self.edition.id), &new).await?;
            for (line, identity) in lines[first_new..].iter_mut().zip(&new_identities) {
                line.id = ids.get(identity).copied().ok_or_else(|| Error::internal("a line was not stored"))?;
            }
        }
        report.verified = self.apply(write, &mut lines, &outcomes, &claims, (first_new, true)).await?;
        report.without_payment = settle::without_payment(&outcomes, &claims.claims)
            .iter()
            .map(|claim| claims.claims[*claim].reference.clone())
            .collect();
        report.references = claims.references();
        report.lines = lines.split_off(first_new);
        let after = json!({ "bank": source.bank, "file": source.file_name, "new": report.lines.len(), "verified": report.verified });
        let entry = Entry::new("import", "statement").after(after);
        self.decider.audit(write, report.import.map_or(entry.clone(), |id| entry.id(id))).await?;
        Ok(report)
    }

    async fn insert_import(&self, write: &mut Write, source: &Source<'_>, lines: usize) -> Result<i64> {
        let sql = "INSERT INTO statement_imports (edition_id, bank, file_name, account_id, who, at, new_lines) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id";
        let query = sqlx::query_scalar(sql)
            .bind(self.edition.id)
            .bind(source.bank.to_owned())
            .bind(source.file_name.to_owned());
        let query =
            query.bind(self.decider.account).bind(self.decider.name.clone()).bind(timestamp_text(self.decider.now));
        Ok(query.bind(i64::try_from(lines).unwrap_or_default()).fetch_one(&mut **write).await?)
    }

    /// Stores what was decided about lines: those from `first_new` on are new. Verifies payments if `verifies`, and returns
    /// their number.
    pub(super) async fn apply(
        &self,
        write: &mut Write,
        lines: &mut [StoredLine],
        outcomes: &[Outcome],
        claims: &Claims,
        (first_new, verifies): (usize, bool),
    ) -> Result<usize> {
        let (mut verified, mut changed, mut histories) = (0, Vec::new(), Vec::new());
        for (index, (line, outcome)) in lines.iter_mut().zip(outcomes).enumerate() {
            let mut matches: Vec<Match> =
                line.matches.iter().filter(|found| found.state != MatchState::Open).cloned().collect();
            for (claim, basis) in &outcome.claims {
                let submission = claims.ids[*claim];
                if matches.iter().any(|found| found.submission == submission) {
                    continue;
                }
                let is_settled = outcome.queue == Queue::Settled;
                let state = if is_settled { MatchState::Settled } else { MatchState::Open };
                let mut found = Match {
                    submission,
                    basis: basis.key().to_owned(),
                    state,
                    before: String::new(),
                    after: String::new(),
                };
                if outcome.verifies && verifies {
                    (found.before, found.after) = self.verify(write, line, submission).await?;
                    verified += 1;
                }
                matches.push(found);
            }
            let keys = |matches: &[Match]| -> HashSet<(Submitted, String, bool)> {
                let key = |found: &Match| (found.submission, found.basis.clone(), found.state == MatchState::Open);
                matches.iter().map(key).collect()
            };
            let has_new_matches = keys(&line.matches) != keys(&matches);
            let is_changed = (line.queue, &line.reason) != (outcome.queue, &outcome.reason);
            if index >= first_new || is_changed || has_new_matches {
                line.queue = outcome.queue;
                line.reason.clone_from(&outcome.reason);
                if is_changed {
                    stored::update(write, line).await?;
                }
                for (claim, _) in &outcome.claims {
                    histories.push((claims.ids[*claim], line.event_text()));
                }
            }
            if has_new_matches {
                line.matches = matches;
                changed.push(index);
            }
        }
        let changed: Vec<&StoredLine> = changed.into_iter().map(|index| &lines[index]).collect();
        stored::replace_matches(write, &changed).await?;
        self.record(write, histories).await?;
        Ok(verified)
    }

    /// Adds entries to the histories of submissions.
    pub(super) async fn record(&self, write: &mut Write, histories: Vec<(Submitted, String)>) -> Result<()> {
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            let of_kind = histories.iter().filter(|((name, _), _)| *name == kind.name);
            let event = |((_, id), text): &(Submitted, String)| NewEvent {
                id: *id,
                kind: "statement",
                before: String::new(),
                after: text.clone(),
            };
            events::add_all(write, self.decider, kind, of_kind.map(event).collect()).await?;
        }
        Ok(())
    }

    /// Verifies the payment of a submission by a line. Returns the check before and after it, as JSON.
    pub(super) async fn verify(
        &self,
        write: &mut Write,
        line: &StoredLine,
        submission: Submitted,
    ) -> Result<(String, String)> {
        self.check(write, submission, |before| PaymentCheck {
            state: "verified",
            transaction: match &*before.transaction {
                "" => transaction_number(&line.line),
                known => known.to_owned(),
            },
            amount: line.line.amount.text(),
            reason: String::new(),
        })
        .await
    }

    /// Decides about the payment of a submission, which stays locked. Returns the check before and after it, as JSON.
    pub(super) async fn check(
        &self,
        write: &mut Write,
        submission: Submitted,
        decide: impl FnOnce(&PaymentCheck) -> PaymentCheck,
    ) -> Result<(String, String)> {
        let kind = kind_of(submission)?;
        let now = Datum::Text(timestamp_text(self.decider.now));
        update_rows(write, kind.entity.table, &[("updated_at", now)], &[submission.1]).await?;
        let found = SubmissionReader::find(&self.site.secrets, write, (kind, submission.1)).await?;
        let found = found.ok_or_else(|| Error::Conflict("A submission was deleted meanwhile. Try again.".into()))?;
        let before = PaymentCheck::stored(&found);
        let after = decide(&before);
        let texts = (as_json(&before), as_json(&after));
        SubmissionDecision::Payment(after).apply_by(write, self.decider, kind, std::slice::from_ref(&found)).await?;
        Ok(texts)
    }
}

impl StoredLine {
    /// "₹5,000 on 26 October 2025: claimed twice …".
    pub(super) fn event_text(&self) -> String {
        let reason = if self.reason.is_empty() { String::new() } else { format!(" ({})", self.reason) };
        let day = self.line.day.strftime("%-d %B %Y");
        format!("{} on {day}, line {}: {}{reason}", self.line.amount.text(), self.line.line, self.queue.label())
    }
}

/// The number of a payment: in the narration, before that of a column of its own, which may be the bank's.
fn transaction_number(line: &BankLine) -> String {
    let texts = [&line.narration, &line.number];
    let number = texts.into_iter().flat_map(|text| transaction_numbers::longest(text)).next();
    number.unwrap_or_default().to_uppercase()
}

/// What identifies each line: account, day, amount, words and balance; equal ones are counted, those of one day together.
fn identities(lines: &[BankLine], bank: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let bank = fold(bank);
    let identity = |line: &BankLine| {
        let (day, amount) = (line.day.to_string(), line.amount.hundredths.to_string());
        let balance = line.balance.map_or(String::new(), |balance| balance.to_string());
        let parts = [&*bank, &day, &amount, line.amount.currency.code(), &fold(&line.narration), &balance];
        let same = hash(parts);
        let count = counts.entry(same.clone()).or_default();
        *count += 1;
        if *count == 1 { same } else { hash([&*same, &count.to_string()]) }
    };
    lines.iter().map(identity).collect()
}

pub(super) fn as_json(check: &PaymentCheck) -> String {
    json!([check.state, check.transaction, check.amount, check.reason]).to_string()
}

pub(super) fn from_json(text: &str) -> Option<PaymentCheck> {
    let [state, transaction, amount, reason]: [String; 4] = serde_json::from_str(text).ok()?;
    Some(PaymentCheck { state: find_state(&state)?.key, transaction, amount, reason })
}

/// The sum of amounts in rupees; dollars apart.
pub(super) fn sum<'l>(lines: impl IntoIterator<Item = &'l StoredLine>) -> String {
    let mut sums: BTreeMap<&str, Amount> = BTreeMap::new();
    for line in lines {
        let amount = line.line.amount;
        sums.entry(amount.currency.code()).or_insert(Amount { hundredths: 0, ..amount }).hundredths +=
            amount.hundredths;
    }
    let texts: Vec<String> = sums.into_values().map(Amount::text).collect();
    if texts.is_empty() { Amount::rupees(0).text() } else { texts.join(" and ") }
}
