//! Personal data in the history and among deleted rows: versions that contain the e-mail address. Current content is
//! for organisers to edit.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::matching::matching_ids;
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
