//! Personal data in the details of the audit log: searches and changes. Who did what, and when, stays; the person's
//! hash replaces the details.

use serde_json::json;
use sqlx::Row as _;

use super::matching::matching_ids;
use super::{Erased, Person, PersonalData};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

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
