//! Imports of statements: what is stored of them, what they settle, and their undo.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::ChosenEdition;
use festival_core::admin::{AdminRequest, Scope};
use festival_core::db::{Datum, Write, timestamp_text, update_rows};
use festival_core::settings::Settings;
use festival_core::site::Site;
use festival_core::{Error, Result, blocking, edition};
use serde_json::json;
use sqlx::AnyConnection;

use super::action::TELL;
use super::claims;
use super::clues::fold;
use super::layout::Assigned;
use super::queue::{PROPOSED, SETTLED};
use super::read;
use super::settle;
use super::statement::{BankLine, Problem};
use super::stored::{self, Checks, MatchState, StoredLine, Submitted};
use crate::decider::Decider;
use crate::hash::hash;
use crate::mails::{PaymentNotice, SubmissionMails};
use crate::review::decision::Decision;
use crate::review::events::{self, NewEvent};
use crate::review::payment_check::{self, PaymentCheck, find_state};
use crate::submissions::{BATCH_SIZE, KINDS, SubmissionReader};
use crate::transaction_numbers;

/// The statements of an edition, and who works on them.
pub(super) struct Ledger<'a> {
    pub(super) site: &'a Site,
    /// Settings in force.
    pub(super) settings: Arc<Settings>,
    decider: Decider,
    /// Id of the edition.
    pub(super) edition: i64,
    /// Whether senders are told by mail that their payments are verified or rejected.
    pub(super) tells: bool,
}

/// # Errors
/// [`Error::Closed`] if the account sees a part of the submissions only: a statement shows payments of all.
pub(super) fn of_all(scope: &Scope) -> Result<()> {
    let sentence = "Bank statements show payments of all submissions; your account is limited to some.";
    if scope.is_limited() { Err(Error::Closed(sentence.into())) } else { Ok(()) }
}

/// A file to import.
pub(super) struct Source<'a> {
    pub(super) bytes: Vec<u8>,
    pub(super) file_name: &'a str,
    /// The account, as organisers call it; "" if there is one.
    pub(super) bank: &'a str,
    /// Columns that somebody assigns now.
    pub(super) assigned: Assigned,
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
}

impl Report {
    /// Returns "12 lines: 9 new, 3 known. 1 payment verified".
    pub(super) fn summary(&self) -> String {
        let (new, known) = (self.lines.len(), self.known);
        let nouns = if new + known == 1 { "line" } else { "lines" };
        let payments = if self.verified == 1 { "payment" } else { "payments" };
        format!("{} {nouns}: {new} new, {known} known. {} {payments} verified", new + known, self.verified)
    }
}

impl<'a> Ledger<'a> {
    /// The statements that a request is about, and their edition.
    ///
    /// # Errors
    /// Those of [`of_all`].
    pub(super) async fn of_request(
        request: &'a AdminRequest,
        connection: &mut AnyConnection,
    ) -> Result<(Self, ChosenEdition)> {
        let scope = request.scope();
        of_all(&scope)?;
        let edition = ChosenEdition::read(request, connection, &scope).await?;
        let settings = request.site.in_force_on(connection).await?;
        let tells = request.form.get(TELL) == "yes";
        let ledger = Self { site: &request.site, settings, decider: Decider::of(request)?, edition: edition.id, tells };
        Ok((ledger, edition))
    }

    /// The statements of the edition of a year, or else of the current one, for the command line.
    pub(super) async fn of_year(site: &'a Site, year: Option<i64>) -> Result<Self> {
        let edition = edition::chosen(&mut *site.db.read().await?, year).await?.id;
        let (settings, decider) = (site.in_force().await?, Decider::command_line(site.clock.now()));
        Ok(Self { site, settings, decider, edition, tells: false })
    }

    /// Reads a file with the columns that are remembered for its bank, stores its lines that are new, and settles those of all
    /// imports again. Nothing is kept unless the transaction is committed.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the file is no statement. Problems of single lines are in the report.
    pub(super) async fn import(&self, write: &mut Write, source: Source<'_>) -> Result<Report> {
        let Source { bytes, file_name, bank, assigned } = source;
        let columns = remembered(write, bank, &assigned).await?;
        let now = self.decider.now.to_zoned(self.site.time_zone.clone());
        let name = file_name.to_owned();
        let statement = blocking(move || Ok(read::read(&bytes, &name, &columns, &now))).await?;
        let statement = statement.map_err(|problem| Error::BadRequest(format!("{file_name}: {problem}")))?;

        let identities = identities(&statement.lines, bank);
        let days = || statement.lines.iter().map(|line| line.day);
        let sql = "SELECT identity FROM statement_lines WHERE day >= $1 AND day <= $2";
        let [first, last] = [days().min(), days().max()].map(|day| day.unwrap_or_default().to_string());
        let stored: Vec<String> = sqlx::query_scalar(sql).bind(first).bind(last).fetch_all(&mut **write).await?;
        let stored: HashSet<String> = stored.into_iter().collect();
        let count = statement.lines.len();
        let lines = statement.lines.into_iter().zip(identities);
        let new: Vec<(BankLine, String)> = lines.filter(|(_, identity)| !stored.contains(identity)).collect();
        let mut import = None;
        if !new.is_empty() {
            let sql = "INSERT INTO statement_imports (edition_id, bank, file_name, account_id, who, at, new_lines) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id";
            let query = sqlx::query_scalar(sql).bind(self.edition).bind(bank.to_owned()).bind(file_name.to_owned());
            let who = self.decider.name.clone();
            let query = query.bind(self.decider.account).bind(who).bind(timestamp_text(self.decider.now));
            let id = query.bind(i64::try_from(new.len()).unwrap_or_default()).fetch_one(&mut **write).await?;
            stored::insert(write, (id, self.edition), &new).await?;
            import = Some(id);
        }
        let mut report = self.settle(write, true).await?;
        report.lines.retain(|line| Some(line.import) == import);
        let after = json!({ "bank": bank, "file": file_name, "new": new.len(), "verified": report.verified });
        let entry = Entry::new("import", "statement").after(after);
        self.decider.audit(write, import.map_or(entry.clone(), |id| entry.id(id))).await?;
        Ok(Report { import, known: count - new.len(), problems: statement.problems, notes: statement.notes, ..report })
    }

    /// Settles the lines of all imports again, and reports about all. Verifies payments if `verifies`; otherwise they are
    /// left to a person, or to the next import.
    async fn settle(&self, write: &mut Write, verifies: bool) -> Result<Report> {
        let mut lines = stored::lines(write, self.edition).await?;
        let claims = claims::read(self.site, &self.settings, write, self.edition).await?;
        let outcomes = claims::settle(&self.settings, &lines, &claims);
        let certain = lines.iter().zip(&outcomes).filter(|(_, outcome)| outcome.verifies && verifies);
        let certain = certain.flat_map(|(line, outcome)| outcome.claims.iter().map(move |(claim, _)| (line, *claim)));
        let verifying = certain.map(|(line, claim)| (claims[claim].submission, verified_by(&line.line))).collect();
        let mut checks: BTreeMap<Submitted, Checks> = self.check(write, verifying).await?.into_iter().collect();
        let (verified, mut changed, mut histories) = (checks.len(), Vec::new(), Vec::new());
        for (index, (line, outcome)) in lines.iter_mut().zip(&outcomes).enumerate() {
            let shown = |line: &StoredLine| {
                let found = line.matches.iter();
                let matches: BTreeSet<_> = found.map(|it| (it.submission, it.basis.clone(), it.state)).collect();
                (line.queue, line.reason.clone(), matches)
            };
            let before = shown(line);
            line.queue = if outcome.verifies && !verifies { PROPOSED } else { outcome.queue };
            line.reason.clone_from(&outcome.reason);
            line.matches.retain(|found| found.state != MatchState::Open);
            for (claim, basis) in &outcome.claims {
                let claim = &claims[*claim];
                if line.matches.iter().any(|found| found.submission == claim.submission) {
                    continue;
                }
                let state = if line.queue == SETTLED { MatchState::Settled } else { MatchState::Open };
                let own = if outcome.verifies { checks.remove(&claim.submission) } else { None };
                line.add_match(claim.submission, &claim.reference, (basis.key(), state), own.unwrap_or_default());
            }
            if shown(line) != before {
                changed.push(index);
                let claims = outcome.claims.iter().map(|(claim, _)| claims[*claim].submission);
                histories.extend(claims.map(|submission| (submission, line.event_text())));
            }
        }
        stored::update(write, &changed.into_iter().map(|index| &lines[index]).collect::<Vec<_>>()).await?;
        self.record(write, histories).await?;
        let without_payment =
            settle::without_payment(&outcomes, &claims).map(|claim| claim.reference.clone()).collect();
        Ok(Report { lines, verified, without_payment, ..Report::default() })
    }

    /// Deletes the lines of an import, and takes back what they verified. Returns how many payments, and how many stay
    /// because somebody has decided about them since.
    ///
    /// # Errors
    /// [`Error::Conflict`] if there is no such import in the edition, or it was undone before.
    pub(super) async fn undo(&self, write: &mut Write, import: i64) -> Result<(usize, usize)> {
        let sql = "UPDATE statement_imports SET undone_at = $1 WHERE id = $2 AND edition_id = $3 AND undone_at = ''";
        let query = sqlx::query(sql).bind(timestamp_text(self.decider.now)).bind(import).bind(self.edition);
        if query.execute(&mut **write).await?.rows_affected() == 0 {
            return Err(Error::Conflict(format!(
                "There is no import {import} of this edition, or it was undone before."
            )));
        }
        let lines = stored::lines(write, self.edition).await?;
        let (mut restoring, mut own, mut histories) = (Vec::new(), Vec::new(), Vec::new());
        for line in lines.iter().filter(|line| line.import == import) {
            let event = format!("The import of this payment was undone: {}", line.event_text());
            for found in &line.matches {
                histories.push((found.submission, event.clone()));
                let Some(before) = from_json(&found.before) else { continue };
                let restored = move |stored: &PaymentCheck| {
                    if as_json(stored) == found.after { before } else { stored.clone() }
                };
                restoring.push((found.submission, restored));
                own.push(&found.after);
            }
        }
        let checks = self.check(write, restoring).await?;
        let restored = checks.iter().zip(&own).filter(|((_, (stored, _)), own)| stored == **own).count();
        let kept = own.len() - restored;
        self.record(write, histories).await?;
        for table in [
            "DELETE FROM statement_matches WHERE line_id IN (SELECT id FROM statement_lines WHERE import_id = $1)",
            "DELETE FROM statement_lines WHERE import_id = $1",
        ] {
            sqlx::query(table).bind(import).execute(&mut **write).await?;
        }
        self.settle(write, false).await?;
        let after = json!({ "restored": restored, "kept": kept });
        self.decider.audit(write, Entry::new("undo import", "statement").id(import).after(after)).await?;
        Ok((restored, kept))
    }

    /// Stores what a person decided about lines, and settles all again.
    pub(super) async fn decided(&self, write: &mut Write, lines: &[&StoredLine], action: &'static str) -> Result<()> {
        stored::update(write, lines).await?;
        self.settle(write, false).await?;
        let entries: Vec<Entry> = lines.iter().map(|line| Entry::new(action, "statement line").id(line.id)).collect();
        self.decider.audit_rows(write, &entries).await
    }

    /// Adds entries to the histories of submissions.
    pub(super) async fn record(&self, write: &mut Write, histories: Vec<(Submitted, String)>) -> Result<()> {
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            let of_kind = histories.iter().filter(|((name, _), _)| *name == kind.name);
            let event = |((_, id), text): &(Submitted, String)| NewEvent::new(*id, "statement", text);
            events::add_all(write, &self.decider, kind, of_kind.map(event).collect()).await?;
        }
        Ok(())
    }

    /// Locks submissions before the first receipt is numbered. Who holds the counter of receipts must not wait for a
    /// submission, or it waits for somebody who waits for the counter.
    pub(super) async fn lock(&self, write: &mut Write, submissions: &[Submitted]) -> Result<()> {
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            let of_kind = submissions.iter().filter(|(name, _)| *name == kind.name);
            let ids: Vec<i64> = of_kind.map(|(_, id)| *id).collect();
            let now = Datum::Text(timestamp_text(self.decider.now));
            update_rows(write, kind.entity.table, &[("updated_at", now)], &ids).await?;
        }
        Ok(())
    }

    /// Decides about the payments of submissions, which stay locked. Returns each with its check before and after the
    /// decision; a second decision about a submission finds what the first one left.
    pub(super) async fn check<D: FnOnce(&PaymentCheck) -> PaymentCheck + Send>(
        &self,
        write: &mut Write,
        decisions: Vec<(Submitted, D)>,
    ) -> Result<Vec<(Submitted, Checks)>> {
        let all: Vec<Submitted> = decisions.iter().map(|(submission, _)| *submission).collect();
        self.lock(write, &all).await?;
        let mut texts: Vec<Checks> = vec![Default::default(); decisions.len()];
        let mut waiting: BTreeMap<Submitted, Vec<(usize, D)>> = BTreeMap::new();
        for (index, (submission, decide)) in decisions.into_iter().enumerate() {
            waiting.entry(submission).or_default().push((index, decide));
        }
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            let of_kind = waiting.keys().filter(|(name, _)| *name == kind.name);
            let ids: Vec<i64> = of_kind.map(|(_, id)| *id).collect();
            for ids in ids.chunks(BATCH_SIZE.into()) {
                let submissions = SubmissionReader::find_batch(&self.site.secrets, write, kind, ids).await?;
                if submissions.len() < ids.len() {
                    return Err(Error::Conflict("A submission was deleted meanwhile. Try again.".into()));
                }
                let (mut checks, mut told) = (BTreeMap::new(), BTreeMap::<_, Vec<i64>>::new());
                for submission in &submissions {
                    let stored = PaymentCheck::stored(submission);
                    let mut check = stored.clone();
                    for (index, decide) in waiting.remove(&(kind.name, submission.id)).unwrap_or_default() {
                        let before = as_json(&check);
                        check = decide(&check);
                        texts[index] = (before, as_json(&check));
                    }
                    if self.tells && stored.state != check.state {
                        told.entry((check.state, check.reason.clone())).or_default().push(submission.id);
                    }
                    checks.insert(submission.id, check);
                }
                Decision::Payment(checks).apply(write, &self.decider, &submissions).await?;
                for ((state, reason), ids) in told {
                    let mails = SubmissionMails::about(self.site, &self.settings, write, &submissions[0]).await?;
                    let notice = PaymentNotice::about(state);
                    payment_check::tell(write, &self.decider, &mails, &ids, (notice, &reason)).await?;
                }
            }
        }
        Ok(all.into_iter().zip(texts).collect())
    }
}

impl StoredLine {
    /// "₹5,000 on 26 October 2025, line 3: Claimed twice (…)".
    pub(super) fn event_text(&self) -> String {
        let reason = if self.reason.is_empty() { String::new() } else { format!(" ({})", self.reason) };
        format!("{}, line {}: {}{reason}", self.title(), self.line.line, self.queue.label)
    }

    /// "₹5,000 on 26 October 2025".
    pub(super) fn title(&self) -> String {
        format!("{} on {}", self.line.amount.text(), self.line.day.strftime("%-d %B %Y"))
    }
}

/// The columns of a bank that somebody assigned, those that are `assigned` now included.
async fn remembered(write: &mut Write, bank: &str, assigned: &Assigned) -> Result<Assigned> {
    for (header, field) in assigned {
        let sql = "INSERT INTO statement_columns (bank, header, field) VALUES ($1, $2, $3) \
                   ON CONFLICT (bank, header) DO UPDATE SET field = excluded.field";
        let query = sqlx::query(sql).bind(bank.to_owned()).bind(header.clone()).bind(field.clone());
        query.execute(&mut **write).await?;
    }
    let sql = "SELECT header, field FROM statement_columns WHERE bank = $1";
    let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(bank.to_owned()).fetch_all(&mut **write).await?;
    Ok(rows.into_iter().collect())
}

/// Verifies a payment by a line, with its amount and, unless one is known, its number.
pub(super) fn verified_by(line: &BankLine) -> impl FnOnce(&PaymentCheck) -> PaymentCheck + use<> {
    let (number, amount) = (transaction_number(line), line.amount.text());
    move |before| {
        let transaction = if before.transaction.is_empty() { number } else { before.transaction.clone() };
        PaymentCheck { state: "verified", transaction, amount, reason: String::new() }
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

fn as_json(check: &PaymentCheck) -> String {
    json!([check.state, check.transaction, check.amount, check.reason]).to_string()
}

fn from_json(text: &str) -> Option<PaymentCheck> {
    let [state, transaction, amount, reason]: [String; 4] = serde_json::from_str(text).ok()?;
    Some(PaymentCheck { state: find_state(&state)?.key, transaction, amount, reason })
}
