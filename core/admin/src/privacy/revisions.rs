//! What the history and the bin of what organisers edit hold about people: versions that name the e-mail address. What
//! the site shows at present is the organisers' to change.

use sqlx::{AnyConnection, Row as _};

use super::{Erased, Found, Person, PersonalData};
use festival_base::db::Write;
use festival_base::error::Result;
use festival_web::site::Site;

/// How many versions are read at a time.
const PAGE: i64 = 500;

/// The history.
pub(super) struct History;

#[rocket::async_trait]
impl PersonalData for History {
    async fn addresses(&self, _: &mut AnyConnection) -> Result<Vec<String>> {
        // Whoever is erased is looked for here; nobody is found here alone.
        Ok(Vec::new())
    }

    async fn find(&self, _: &mut AnyConnection, _: &Person) -> Result<Found> {
        Ok(Found::default())
    }

    async fn erase(&self, _: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let (mut ids, mut after) = (Vec::new(), 0_i64);
        loop {
            let rows = sqlx::query(
                "SELECT id, title, record, at FROM revisions WHERE entity <> 'settings' AND id > $1 ORDER BY id LIMIT $2",
            )
            .bind(after)
            .bind(PAGE)
            .fetch_all(&mut **write)
            .await?;
            let Some(last) = rows.last() else { break };
            after = last.try_get(0)?;
            for row in &rows {
                let (id, title, record, at): (i64, String, String, String) =
                    (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
                if person.counts(&at) && (person.is_named_in(&title) || person.is_named_in(&record)) {
                    ids.push(id);
                }
            }
        }
        for id in &ids {
            sqlx::query("DELETE FROM revisions WHERE id = $1").bind(*id).execute(&mut **write).await?;
        }
        let mut erased = Erased::default();
        erased.count("versions in the history", ids.len() as u64);
        Ok(erased)
    }
}
