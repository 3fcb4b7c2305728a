//! Receipts of verified payments: their numbers are a series in each edition, without gaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use festival_core::db::{Datum, Write, timestamp_text, update_each};
use festival_core::{App, Result};
use jiff::Timestamp;
use sqlx::AssertSqlSafe;

use crate::submissions::{KINDS, SubmissionKind};

/// Numbers the verified payments of a kind that have no receipt yet, in the transaction that verifies them, and returns how
/// many. A payment keeps its number, whatever is decided about it later.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn number(write: &mut Write, kind: &SubmissionKind, now: Timestamp) -> Result<usize> {
    let table = kind.entity.table;
    // Locks the rows, so that no other transaction numbers them.
    let sql = format!(
        "UPDATE {table} SET payment_receipt_at = $1 WHERE payment = 'verified' AND payment_receipt_at = '' \
         RETURNING id, edition_id"
    );
    let mut verified: Vec<(i64, i64)> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(timestamp_text(now)).fetch_all(&mut **write).await?;
    verified.sort_unstable();
    let mut editions: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    verified.iter().for_each(|(id, edition)| editions.entry(*edition).or_default().push(*id));
    for (edition, ids) in editions {
        // Locks the counter until the transaction ends: the next one takes the numbers if this one is rolled back.
        let (last, year): (i64, i64) = sqlx::query_as(
            "INSERT INTO submission_counters (prefix, edition_id, last_number) VALUES ('R', $1, $2) \
             ON CONFLICT (prefix, edition_id) \
             DO UPDATE SET last_number = submission_counters.last_number + excluded.last_number \
             RETURNING last_number, (SELECT year FROM editions WHERE id = edition_id)",
        )
        .bind(edition)
        .bind(ids.len() as i64)
        .fetch_one(&mut **write)
        .await?;
        let numbers = last - ids.len() as i64 + 1..=last;
        let receipt = |number: i64| vec![("payment_receipt", Datum::Text(format!("R-{year}-{number:04}")))];
        update_each(write, table, &ids.into_iter().zip(numbers.map(receipt)).collect::<Vec<_>>()).await?;
    }
    Ok(verified.len())
}

/// Numbers payments that were verified by an earlier build, or by the demonstration.
pub(crate) async fn number_earlier(app: Arc<App>) {
    let numbering = async {
        let mut write = app.db.write_private().await?;
        let mut count = 0;
        for kind in KINDS.iter().filter(|kind| kind.has_payment()) {
            count += number(&mut write, kind, app.clock.now()).await?;
        }
        if count > 0 { write.commit().await } else { write.rollback().await }
    };
    if let Err(error) = numbering.await {
        tracing::warn!(
            cause = error.for_terminal(),
            "cannot number payments of earlier builds; the next start tries again"
        );
    }
}
