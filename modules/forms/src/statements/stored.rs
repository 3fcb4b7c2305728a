//! Lines of statements and their matches in the database.

use std::collections::BTreeMap;

use festival_core::Result;
use festival_core::admin::collections::State;
use festival_core::db::{Datum, Order, Select, SelectedRow, Test, Write, insert_rows, update_each};
use sqlx::{AnyConnection, AssertSqlSafe};

use super::queue::{self, QUEUES};
use super::statement::BankLine;
use crate::amount::{Amount, Currency};
use crate::submissions::KINDS;

/// The table of the lines.
pub(super) const LINES: &str = "statement_lines";
/// Its columns that are read, in the order of [`StoredLine::of`], and those that an import stores.
const COLUMNS: &str =
    "line, day, value_day, narration, number, hundredths, currency, balance, status, reason, decision, import_id";
const STORED: &str = "line, day, value_day, narration, number, hundredths, currency, balance, status, reason, import_id, edition_id, identity";
/// What a person decided about a line: it settles submissions, or belongs to none.
pub(super) const ACCEPTED: &str = "accepted";
pub(super) const DISMISSED: &str = "dismissed";

/// A submission: its kind and its id.
pub(super) type Submitted = (&'static str, i64);

/// The checks of a payment before and after a decision, as JSON; "" without one.
pub(super) type Checks = (String, String);

/// Whether a line settles a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchState {
    Open,
    Settled,
    /// A person said that they do not belong together.
    Refused,
}

impl MatchState {
    const KEYS: [(Self, &'static str); 3] =
        [(Self::Open, "open"), (Self::Settled, "settled"), (Self::Refused, "refused")];
}

/// A submission that a line may belong to.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) submission: Submitted,
    /// How people call it.
    pub(super) reference: String,
    /// What it pays for, status of its payment, and number of the receipt, as they were read; "" for a match of now.
    pub(super) paid: [String; 3],
    pub(super) basis: String,
    pub(super) state: MatchState,
    /// The check of the payment before and after this line verified it, as JSON; "" if it did not.
    pub(super) before: String,
    pub(super) after: String,
}

/// A stored line.
#[derive(Clone, Debug)]
pub(super) struct StoredLine {
    pub(super) id: i64,
    pub(super) import: i64,
    /// The account, as organisers call it; "" if there is one.
    pub(super) bank: String,
    pub(super) line: BankLine,
    /// Where it waits.
    pub(super) queue: State,
    pub(super) reason: String,
    /// What a person decided, or "".
    pub(super) decision: String,
    pub(super) matches: Vec<Match>,
}

impl StoredLine {
    /// A row of [`select`].
    pub(super) fn of((id, values): SelectedRow) -> Self {
        let text = |index: usize| match &values[index] {
            Datum::Text(text) => text.clone(),
            _ => String::new(),
        };
        let number = |index: usize| match values[index] {
            Datum::Integer(number) => number,
            _ => 0,
        };
        let is_dollars = text(6) == Currency::Dollars.code();
        let currency = if is_dollars { Currency::Dollars } else { Currency::Rupees };
        let line = BankLine {
            line: number(0).unsigned_abs(),
            day: text(1).parse().unwrap_or_default(),
            value_day: text(2).parse().ok(),
            narration: text(3),
            number: text(4),
            amount: Amount { hundredths: number(5), currency },
            balance: text(7).parse().ok(),
        };
        let (queue, reason, decision) = (queue::find(&text(8)), text(9), text(10));
        Self { id, import: number(11), bank: text(12), line, queue, reason, decision, matches: Vec::new() }
    }

    /// Adds a submission; `checks` are those before and after the line verified its payment.
    pub(super) fn add_match(
        &mut self,
        submission: Submitted,
        reference: &str,
        (basis, state): (&str, MatchState),
        (before, after): Checks,
    ) {
        let (reference, basis) = (reference.to_owned(), basis.to_owned());
        let paid = Default::default();
        self.matches.push(Match { submission, reference, paid, basis, state, before, after });
    }

    /// The submissions that it may belong to, by reference.
    pub(super) fn references(&self) -> String {
        let found = self.matches.iter().filter(|found| found.state != MatchState::Refused);
        found.map(|found| found.reference.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The place of its queue in the order of the work, and the name of the queue.
    pub(super) fn place(&self) -> (Option<usize>, String) {
        (QUEUES.iter().position(|queue| *queue == self.queue), self.queue.label.to_owned())
    }

    /// The submissions with a state that it may belong to.
    pub(super) fn matched(&self, state: MatchState) -> impl Iterator<Item = Submitted> {
        self.matches.iter().filter(move |found| found.state == state).map(|found| found.submission)
    }
}

/// Selects the lines of an edition, or of all.
pub(super) fn select(edition: Option<i64>) -> Select {
    let columns = COLUMNS.split(", ").map(|column| format!("t.{column}")).chain(["i.bank".to_owned()]);
    let select = Select::new(LINES, columns).joined(" JOIN statement_imports i ON i.id = t.import_id");
    match edition {
        Some(edition) => select.filter("t.edition_id", Test::Is, Datum::Integer(edition)),
        None => select,
    }
}

/// Reads lines with their matches, as [`Select::slice`] does.
pub(super) async fn read(
    connection: &mut AnyConnection,
    (select, order): (&Select, &Order),
    page: (i64, i64),
    total: Option<i64>,
) -> Result<Vec<StoredLine>> {
    let rows = select.slice(connection, order, page, total).await?;
    let mut lines: Vec<StoredLine> = rows.into_iter().map(StoredLine::of).collect();
    let ids = || lines.iter().map(|line| line.id);
    let mut matches = matches(connection, (ids().min().unwrap_or_default(), ids().max().unwrap_or_default())).await?;
    lines.iter_mut().for_each(|line| line.matches = matches.remove(&line.id).unwrap_or_default());
    Ok(lines)
}

/// Reads all lines of an edition in the order of their ids.
pub(super) async fn lines(connection: &mut AnyConnection, edition: i64) -> Result<Vec<StoredLine>> {
    read(connection, (&select(Some(edition)), &Order::by("t.id")), (0, i64::MAX), None).await
}

/// Reads the matches of the lines from a first to a last id.
async fn matches(connection: &mut AnyConnection, (first, last): (i64, i64)) -> Result<BTreeMap<i64, Vec<Match>>> {
    let mut matches: BTreeMap<i64, Vec<Match>> = BTreeMap::new();
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let sql = format!(
            "SELECT m.line_id, s.id, s.reference, m.basis, m.state, m.before_json, m.after_json, s.{}, s.payment, \
             s.payment_receipt FROM statement_matches m JOIN {} s ON s.id = m.{} \
             WHERE m.line_id >= $1 AND m.line_id <= $2 ORDER BY m.id",
            kind.payment_category, kind.entity.table, kind.owner_column
        );
        let rows: Vec<(i64, i64, String, String, String, String, String, String, String, String)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(first).bind(last).fetch_all(&mut *connection).await?;
        for (line, id, reference, basis, state, before, after, category, payment, receipt) in rows {
            let state = MatchState::KEYS.iter().find(|(_, key)| *key == state);
            let state = state.map_or(MatchState::Open, |(state, _)| *state);
            let paid = [category, payment, receipt];
            let found = Match { submission: (kind.name, id), reference, paid, basis, state, before, after };
            matches.entry(line).or_default().push(found);
        }
    }
    Ok(matches)
}

fn text(text: &str) -> Datum {
    Datum::Text(text.to_owned())
}

/// Inserts lines, each with its identity, of an import into an edition.
pub(super) async fn insert(
    write: &mut Write,
    (import, edition): (i64, i64),
    lines: &[(BankLine, String)],
) -> Result<()> {
    let row = |(line, identity): &(BankLine, String)| {
        vec![
            Datum::Integer(i64::try_from(line.line).unwrap_or_default()),
            Datum::Text(line.day.to_string()),
            Datum::Text(line.value_day.map_or(String::new(), |day| day.to_string())),
            text(&line.narration),
            text(&line.number),
            Datum::Integer(line.amount.hundredths),
            text(line.amount.currency.code()),
            Datum::Text(line.balance.map_or(String::new(), |balance| balance.to_string())),
            text(queue::UNCLAIMED.key),
            text(""),
            Datum::Integer(import),
            Datum::Integer(edition),
            text(identity),
        ]
    };
    let columns: Vec<&str> = STORED.split(", ").collect();
    insert_rows(write, LINES, &columns, &lines.iter().map(row).collect::<Vec<_>>()).await
}

/// Stores where lines wait, and their matches.
pub(super) async fn update(write: &mut Write, lines: &[&StoredLine]) -> Result<()> {
    let waiting = lines.iter().map(|line| {
        let values = [("status", line.queue.key), ("reason", &line.reason), ("decision", &line.decision)];
        (line.id, values.map(|(column, value)| (column, text(value))).into())
    });
    update_each(write, LINES, &waiting.collect::<Vec<_>>()).await?;
    // Most lines are new and have none.
    let stored = matches(write, (0, i64::MAX)).await?;
    for line in lines.iter().filter(|line| stored.contains_key(&line.id)) {
        sqlx::query("DELETE FROM statement_matches WHERE line_id = $1").bind(line.id).execute(&mut **write).await?;
    }
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let columns = ["line_id", kind.owner_column, "basis", "state", "before_json", "after_json"];
        let rows = lines.iter().flat_map(|line| line.matches.iter().map(|found| (line.id, found)));
        let rows = rows.filter(|(_, found)| found.submission.0 == kind.name).map(|(line, found)| {
            let state = MatchState::KEYS.iter().find(|(state, _)| *state == found.state).map_or("", |(_, key)| key);
            let ids = [Datum::Integer(line), Datum::Integer(found.submission.1)];
            ids.into_iter().chain([&found.basis, state, &found.before, &found.after].map(text)).collect()
        });
        insert_rows(write, "statement_matches", &columns, &rows.collect::<Vec<_>>()).await?;
    }
    Ok(())
}
