//! Lines of statements and their matches in the database.

use std::collections::{BTreeMap, HashMap};

use festival_core::db::{Datum, Write, insert_rows};
use festival_core::{Error, Result};
use jiff::civil::Date;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

use super::queue::{Decision, Queue};
use super::statement::BankLine;
use crate::amount::{Amount, Currency};
use crate::submissions::{KINDS, SubmissionKind};

/// A submission: its kind and its id.
pub(super) type Submitted = (&'static str, i64);

/// Whether a line settles a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchState {
    Open,
    Settled,
    /// A person said that they do not belong together.
    Refused,
}

impl MatchState {
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Settled => "settled",
            Self::Refused => "refused",
        }
    }
}

/// A submission that a line may belong to.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) submission: Submitted,
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
    pub(super) line: BankLine,
    pub(super) queue: Queue,
    pub(super) reason: String,
    pub(super) decision: Decision,
    pub(super) matches: Vec<Match>,
}

/// Reads the lines of an edition with their matches, in the order of their ids.
pub(super) async fn lines(connection: &mut AnyConnection, edition: i64) -> Result<Vec<StoredLine>> {
    let mut matches = matches(connection, edition).await?;
    let rows = sqlx::query(
        "SELECT id, import_id, line, day, value_day, narration, number, hundredths, currency, balance, queue, reason, decision \
         FROM statement_lines WHERE edition_id = $1 ORDER BY id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let line = |row: sqlx::any::AnyRow| {
        let text = |index: usize| row.try_get::<String, _>(index);
        let day = |text: String| text.parse::<Date>().ok();
        let id: i64 = row.try_get(0)?;
        let is_dollars = text(8)? == Currency::Dollars.code();
        let currency = if is_dollars { Currency::Dollars } else { Currency::Rupees };
        Ok(StoredLine {
            id,
            import: row.try_get(1)?,
            line: BankLine {
                line: row.try_get::<i64, _>(2)?.unsigned_abs(),
                day: day(text(3)?).ok_or_else(|| Error::internal("a stored line has no day"))?,
                value_day: day(text(4)?),
                narration: text(5)?,
                number: text(6)?,
                amount: Amount { hundredths: row.try_get(7)?, currency },
                balance: text(9)?.parse().ok(),
            },
            queue: Queue::find(&text(10)?).unwrap_or(Queue::Unclaimed),
            reason: text(11)?,
            decision: match &*text(12)? {
                "accepted" => Decision::Accepted,
                "dismissed" => Decision::Dismissed,
                _ => Decision::None,
            },
            matches: matches.remove(&id).unwrap_or_default(),
        })
    };
    rows.into_iter().map(line).collect()
}

async fn matches(connection: &mut AnyConnection, edition: i64) -> Result<HashMap<i64, Vec<Match>>> {
    let mut matches: HashMap<i64, Vec<Match>> = HashMap::new();
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let owner = kind.owner_column;
        let sql = format!(
            "SELECT m.line_id, m.{owner}, m.basis, m.state, m.before_json, m.after_json FROM statement_matches m \
             JOIN statement_lines l ON l.id = m.line_id WHERE l.edition_id = $1 AND m.{owner} IS NOT NULL ORDER BY m.id"
        );
        for row in sqlx::query(AssertSqlSafe(sql)).bind(edition).fetch_all(&mut *connection).await? {
            let found = Match {
                submission: (kind.name, row.try_get(1)?),
                basis: row.try_get(2)?,
                state: match row.try_get::<String, _>(3)?.as_str() {
                    "settled" => MatchState::Settled,
                    "refused" => MatchState::Refused,
                    _ => MatchState::Open,
                },
                before: row.try_get(4)?,
                after: row.try_get(5)?,
            };
            matches.entry(row.try_get(0)?).or_default().push(found);
        }
    }
    Ok(matches)
}

/// Inserts lines of an import; `identities` has one for each. Returns their ids by identity.
pub(super) async fn insert(
    write: &mut Write,
    (import, edition): (i64, i64),
    lines: &[(&StoredLine, &str)],
) -> Result<BTreeMap<String, i64>> {
    const COLUMNS: [&str; 14] = [
        "import_id",
        "edition_id",
        "identity",
        "line",
        "day",
        "value_day",
        "narration",
        "number",
        "hundredths",
        "currency",
        "balance",
        "queue",
        "reason",
        "decision",
    ];
    let text = |text: &str| Datum::Text(text.to_owned());
    let row = |(stored, identity): &(&StoredLine, &str)| {
        let line = &stored.line;
        vec![
            Datum::Integer(import),
            Datum::Integer(edition),
            text(identity),
            Datum::Integer(i64::try_from(line.line).unwrap_or_default()),
            Datum::Text(line.day.to_string()),
            Datum::Text(line.value_day.map_or(String::new(), |day| day.to_string())),
            text(&line.narration),
            text(&line.number),
            Datum::Integer(line.amount.hundredths),
            text(line.amount.currency.code()),
            Datum::Text(line.balance.map_or(String::new(), |balance| balance.to_string())),
            text(stored.queue.key()),
            text(&stored.reason),
            text(""),
        ]
    };
    let rows: Vec<Vec<Datum>> = lines.iter().map(row).collect();
    insert_rows(write, "statement_lines", &COLUMNS, &rows).await?;
    let sql = "SELECT identity, id FROM statement_lines WHERE import_id = $1";
    let ids = sqlx::query(sql).bind(import).fetch_all(&mut **write).await?;
    ids.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Replaces the matches of lines.
pub(super) async fn replace_matches(write: &mut Write, lines: &[&StoredLine]) -> Result<()> {
    for line in lines {
        sqlx::query("DELETE FROM statement_matches WHERE line_id = $1").bind(line.id).execute(&mut **write).await?;
    }
    for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
        let columns = ["line_id", kind.owner_column, "basis", "state", "before_json", "after_json"];
        let text = |text: &str| Datum::Text(text.to_owned());
        let rows = lines.iter().flat_map(|line| line.matches.iter().map(|found| (line.id, found)));
        let rows = rows.filter(|(_, found)| found.submission.0 == kind.name).map(|(line, found)| {
            let ids = [Datum::Integer(line), Datum::Integer(found.submission.1)];
            let texts = [text(&found.basis), text(found.state.key()), text(&found.before), text(&found.after)];
            ids.into_iter().chain(texts).collect()
        });
        insert_rows(write, "statement_matches", &columns, &rows.collect::<Vec<_>>()).await?;
    }
    Ok(())
}

/// Stores where a line waits.
pub(super) async fn update(write: &mut Write, line: &StoredLine) -> Result<()> {
    let decision = match line.decision {
        Decision::None => "",
        Decision::Accepted => "accepted",
        Decision::Dismissed => "dismissed",
    };
    sqlx::query("UPDATE statement_lines SET queue = $1, reason = $2, decision = $3 WHERE id = $4")
        .bind(line.queue.key())
        .bind(line.reason.clone())
        .bind(decision)
        .bind(line.id)
        .execute(&mut **write)
        .await?;
    Ok(())
}

/// The kind of a submission.
pub(super) fn kind_of(submission: Submitted) -> Result<&'static SubmissionKind> {
    SubmissionKind::find(submission.0).ok_or_else(|| Error::internal("a match without a kind"))
}
