//! Searches history and audit log, a batch of rows at a time.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use festival_base::db::Write;
use festival_base::error::Result;

/// Rows of history and audit log that are read at a time.
const BATCH_SIZE: i64 = 500;

/// Returns the ids of the rows for which `is_match` is true. `statement` reads at most `$2` rows after the id `$1`,
/// with the id as the first column.
pub(super) async fn matching_ids(
    write: &mut Write,
    statement: &'static str,
    is_match: impl Fn(&AnyRow) -> Result<bool> + Send,
) -> Result<Vec<i64>> {
    let (mut ids, mut after) = (Vec::new(), 0_i64);
    loop {
        let rows = sqlx::query(statement).bind(after).bind(BATCH_SIZE).fetch_all(&mut **write).await?;
        let Some(last) = rows.last() else { return Ok(ids) };
        after = last.try_get(0)?;
        for row in &rows {
            if is_match(row)? {
                ids.push(row.try_get(0)?);
            }
        }
    }
}
