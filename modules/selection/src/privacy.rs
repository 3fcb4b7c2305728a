//! Personal data: what reviewers and the chair wrote about an entry, and what its sender wanted to have corrected, is erased
//! with it. Of a submission that is deleted the database deletes it; of one whose payment is kept for the accounts it is
//! deleted here.

use festival_core::Result;
use festival_core::admin::privacy::{Erased, Person, PersonalData, PersonalRecord};
use festival_core::db::Write;
use festival_core::site::Site;
use serde::Serialize;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use crate::status::{FILMS, KINDS};

/// Texts about submissions.
pub(crate) struct TextsAboutSubmissions;

/// What somebody wanted to have corrected.
#[derive(FromRow, Serialize)]
struct Correction {
    #[serde(skip)]
    id: i64,
    field: String,
    #[serde(rename = "before")]
    before_text: String,
    #[serde(rename = "after")]
    after_text: String,
    state: String,
    proposed_at: String,
}

/// The beginning of a statement that reads corrections.
const SELECT: &str = "SELECT id, field, before_text, after_text, state, proposed_at FROM selection_corrections";

/// Reads the corrections of the person's submissions.
async fn own(connection: &mut AnyConnection, person: &Person) -> Result<Vec<Correction>> {
    let mut rows = Vec::new();
    for (table, id) in &person.submissions {
        let Some(kind) = KINDS.into_iter().find(|kind| kind.table == *table) else { continue };
        let own = sqlx::query_as(AssertSqlSafe(format!("{SELECT} WHERE {} = $1 ORDER BY id", kind.owner)));
        rows.extend(own.bind(*id).fetch_all(&mut *connection).await?);
    }
    Ok(rows)
}

#[rocket::async_trait]
impl PersonalData for TextsAboutSubmissions {
    async fn find(&self, _: &Site, connection: &mut AnyConnection, person: &mut Person) -> Result<Vec<PersonalRecord>> {
        let record =
            |row| Ok(PersonalRecord { kind: "corrections", record: serde_json::to_value(row)?, files: Vec::new() });
        own(connection, person).await?.iter().map(record).collect()
    }

    async fn erase(&self, site: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut ids: Vec<i64> = own(write, person).await?.into_iter().map(|row| row.id).collect();
        let all: Vec<Correction> = sqlx::query_as(SELECT).fetch_all(&mut **write).await?;
        let names = |row: &&Correction| {
            person.counts(&row.proposed_at)
                && (person.is_traced_in(&row.before_text) || person.is_traced_in(&row.after_text))
        };
        ids.extend(all.iter().filter(names).map(|row| row.id));
        let mut erased = self.expire(site, write).await?;
        for id in ids {
            let deleted = sqlx::query("DELETE FROM selection_corrections WHERE id = $1").bind(id);
            erased.count("corrections", deleted.execute(&mut **write).await?.rows_affected());
        }
        Ok(erased)
    }

    /// Deletes what is stored about submissions of which only the payment is kept.
    async fn expire(&self, _: &Site, write: &mut Write) -> Result<Erased> {
        let mut erased = Erased::default();
        let about_films = ["reviews", "results", "assignments", "conflicts", "decisions"];
        let about_films = about_films.map(|table| (table, FILMS, "reviews and decisions"));
        for (table, kind, name) in about_films.into_iter().chain(KINDS.map(|kind| ("corrections", kind, "corrections")))
        {
            let delete = sqlx::query(AssertSqlSafe(format!(
                "DELETE FROM selection_{table} WHERE {} IN (SELECT id FROM {} WHERE status = 'erased')",
                kind.owner, kind.table
            )));
            erased.count(name, delete.execute(&mut **write).await?.rows_affected());
        }
        Ok(erased)
    }
}
