//! Removes people from the lines of statements. Day, amount, balance and the bank's number stay for the accounts. The identity
//! of a line stays, too, so importing the same period again does not bring its words back.

use festival_core::Result;
use festival_core::admin::privacy::Person;
use festival_core::db::{Datum, Write, update_rows};
use sqlx::AssertSqlSafe;

use crate::submissions::SubmissionKind;
use crate::transaction_numbers;

/// SQL: lines that still have the bank's words, each with its import.
const LINES: &str = "SELECT l.id, l.narration, l.number, i.at FROM statement_lines l \
                     JOIN statement_imports i ON i.id = l.import_id WHERE (l.narration <> '' OR l.number <> '')";

type Line = (i64, String, String, String);

/// Removes the words of lines that belong, or may belong, to a submission. Returns how many lines that were.
pub(crate) async fn of_submission(write: &mut Write, kind: &SubmissionKind, id: i64) -> Result<u64> {
    if !kind.has_payment() {
        return Ok(0);
    }
    let sql = format!(
        "{LINES} AND EXISTS (SELECT 1 FROM statement_matches m WHERE m.line_id = l.id AND m.{} = {id} AND m.state <> 'refused')",
        kind.owner_column
    );
    let lines: Vec<Line> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut **write).await?;
    erase(write, lines).await
}

/// Removes the words of lines that name a person and pay for no submission of another.
pub(crate) async fn naming(write: &mut Write, person: &Person) -> Result<u64> {
    let sql = format!(
        "{LINES} AND NOT EXISTS (SELECT 1 FROM statement_matches m WHERE m.line_id = l.id AND m.state = 'settled')"
    );
    let mut lines: Vec<Line> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut **write).await?;
    lines.retain(|(_, narration, _, at)| person.counts(at) && person.is_traced_in(narration));
    erase(write, lines).await
}

/// Removes the words of lines that were imported before this time.
pub(crate) async fn imported_before(write: &mut Write, time: &str) -> Result<u64> {
    let sql = format!("{LINES} AND i.at < $1");
    let lines: Vec<Line> = sqlx::query_as(AssertSqlSafe(sql)).bind(time.to_owned()).fetch_all(&mut **write).await?;
    erase(write, lines).await
}

async fn erase(write: &mut Write, lines: Vec<Line>) -> Result<u64> {
    let mut erased = 0;
    for (id, narration, number, _) in lines {
        let numbers = transaction_numbers::longest(&format!("{narration} | {number}"));
        let anonymous = numbers.into_iter().find(|number| transaction_numbers::identifies_nobody(number));
        let anonymous = anonymous.unwrap_or_default().to_uppercase();
        if narration.is_empty() && anonymous == number {
            continue; // It was erased before.
        }
        let values = [("narration", Datum::Text(String::new())), ("number", Datum::Text(anonymous))];
        update_rows(write, "statement_lines", &values, &[id]).await?;
        erased += 1;
    }
    Ok(erased)
}
