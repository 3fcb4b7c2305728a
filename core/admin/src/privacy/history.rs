//! Personal data in the history, among deleted rows and in the details of the audit log. Current content is for organisers
//! to edit.

use serde_json::json;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Erased, Person, PersonalData};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

/// The history of content.
pub(super) struct History;

/// All versions except those of [`DELETED`].
const VERSIONS: &str = "SELECT id, title, record, at FROM revisions r WHERE id > $1 \
     AND NOT (action = 'deleted' AND NOT EXISTS (SELECT 1 FROM revisions later \
     WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id)) ORDER BY id LIMIT $2";
/// The last version of each deleted row.
const DELETED: &str = "SELECT id, title, record, at FROM revisions r WHERE id > $1 \
     AND action = 'deleted' AND NOT EXISTS (SELECT 1 FROM revisions later \
     WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id) ORDER BY id LIMIT $2";

#[rocket::async_trait]
impl PersonalData for History {
    async fn erase(&self, _: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let is_theirs = |row: &AnyRow| {
            let (title, record, at): (String, String, String) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
            Ok(person.counts(&at) && (person.is_named_in(&title) || person.is_named_in(&record)))
        };
        let versions = matching_ids(write, VERSIONS, is_theirs).await?;
        let deleted = matching_ids(write, DELETED, is_theirs).await?;
        for id in versions.iter().chain(&deleted) {
            sqlx::query("DELETE FROM revisions WHERE id = $1").bind(*id).execute(&mut **write).await?;
        }
        let mut erased = Erased::default();
        erased.count("versions in the history", versions.len() as u64);
        erased.count("deleted records", deleted.len() as u64);
        Ok(erased)
    }
}

/// The details of the audit log.
pub(super) struct AuditDetails;

#[rocket::async_trait]
impl PersonalData for AuditDetails {
    async fn erase(&self, _: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let statement = "SELECT id, at, object, object_id, coalesce(before_json, ''), coalesce(after_json, '') \
                         FROM admin_audit WHERE id > $1 AND (before_json IS NOT NULL OR after_json IS NOT NULL) \
                         AND object <> 'person' AND object <> 'account' ORDER BY id LIMIT $2";
        let ids = matching_ids(write, statement, |row| {
            let (at, object, object_id): (String, String, Option<i64>) =
                (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
            let details = row.try_get::<String, _>(4)? + " " + &row.try_get::<String, _>(5)?;
            let is_theirs = |(kind, id): &(&str, i64)| *kind == object && Some(*id) == object_id;
            let is_traced = person.is_traced_in(&details) || person.submissions.iter().any(is_theirs);
            Ok(is_traced && person.counts(&at) && !details.starts_with(" {\"erased\":"))
        });
        let ids = ids.await?;
        let replacement = json!({ "erased": person.hash }).to_string();
        for id in &ids {
            sqlx::query("UPDATE admin_audit SET before_json = NULL, after_json = $1 WHERE id = $2")
                .bind(replacement.clone())
                .bind(*id)
                .execute(&mut **write)
                .await?;
        }
        let mut erased = Erased::default();
        erased.count("details of the audit log", ids.len() as u64);
        Ok(erased)
    }
}

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
