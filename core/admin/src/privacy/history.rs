//! Personal data in the history, among deleted rows and in the details of the audit log. Current content is for organisers
//! to edit.

use serde_json::json;
use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::{Erased, Person, PersonalData};
use festival_base::db::{Datum, Write, update_rows};
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
        let is_theirs = |(id, title, record, at): &(i64, String, String, String)| {
            (*id, person.counts(at) && (person.is_named_in(title) || person.is_named_in(record)))
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
        type Row = (i64, String, String, Option<i64>, String, String);
        let statement = "SELECT id, at, object, object_id, coalesce(before_json, ''), coalesce(after_json, '') \
                         FROM admin_audit WHERE id > $1 AND (before_json IS NOT NULL OR after_json IS NOT NULL) \
                         AND object <> 'person' AND object <> 'account' ORDER BY id LIMIT $2";
        let is_theirs = |(id, at, object, object_id, before, after): &Row| {
            let details = format!("{before} {after}");
            let is_about = |(kind, of): &(&str, i64)| *kind == object.as_str() && Some(*of) == *object_id;
            let is_traced = person.is_traced_in(&details) || person.submissions.iter().any(is_about);
            (*id, is_traced && person.counts(at) && !details.starts_with(" {\"erased\":"))
        };
        let ids = matching_ids(write, statement, is_theirs).await?;
        let replacement = json!({ "erased": person.hash }).to_string();
        let values = [("before_json", Datum::Null), ("after_json", replacement.into())];
        update_rows(write, "admin_audit", &values, &ids).await?;
        let mut erased = Erased::default();
        erased.count("details of the audit log", ids.len() as u64);
        Ok(erased)
    }
}

/// Rows of history and audit log that are read at a time.
const BATCH_SIZE: i64 = 500;

/// Returns the ids of the rows that match. `statement` reads at most `$2` rows after the id `$1`; `id_and_match` returns
/// the id of a row, and whether it matches.
async fn matching_ids<T>(
    write: &mut Write,
    statement: &'static str,
    id_and_match: impl Fn(&T) -> (i64, bool) + Send,
) -> Result<Vec<i64>>
where
    T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
{
    let (mut ids, mut after) = (Vec::new(), 0_i64);
    loop {
        let rows: Vec<T> = sqlx::query_as(statement).bind(after).bind(BATCH_SIZE).fetch_all(&mut **write).await?;
        let Some(last) = rows.last() else { return Ok(ids) };
        after = id_and_match(last).0;
        ids.extend(rows.iter().map(&id_and_match).filter_map(|(id, is_match)| is_match.then_some(id)));
    }
}
