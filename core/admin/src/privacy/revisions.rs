//! What the history and the bin of what organisers edit hold about people: versions that name the e-mail address. What
//! the site shows at present is the organisers' to change.

use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Erased, Person, PersonalData, matching};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

/// The history.
pub(super) struct History;

/// All versions but those in [`BIN`].
const VERSIONS: &str = "SELECT id, title, record, at FROM revisions r WHERE entity <> 'settings' AND id > $1 \
     AND NOT (action = 'deleted' AND NOT EXISTS (SELECT 1 FROM revisions later \
     WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id)) ORDER BY id LIMIT $2";
/// The last version of each record in the bin.
const BIN: &str = "SELECT id, title, record, at FROM revisions r WHERE entity <> 'settings' AND id > $1 \
     AND action = 'deleted' AND NOT EXISTS (SELECT 1 FROM revisions later \
     WHERE later.entity = r.entity AND later.row_id = r.row_id AND later.id > r.id) ORDER BY id LIMIT $2";

#[rocket::async_trait]
impl PersonalData for History {
    async fn erase(&self, _: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let is_theirs = |row: &AnyRow| {
            let (title, record, at): (String, String, String) = (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
            Ok(person.counts(&at) && (person.is_named_in(&title) || person.is_named_in(&record)))
        };
        let versions = matching(write, VERSIONS, is_theirs).await?;
        let bin = matching(write, BIN, is_theirs).await?;
        for id in versions.iter().chain(&bin) {
            sqlx::query("DELETE FROM revisions WHERE id = $1").bind(*id).execute(&mut **write).await?;
        }
        let mut erased = Erased::default();
        erased.count("versions in the history", versions.len() as u64);
        erased.count("deleted records in the bin", bin.len() as u64);
        Ok(erased)
    }
}
