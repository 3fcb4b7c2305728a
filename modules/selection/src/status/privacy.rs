//! Corrections are personal data of those who proposed them and of those whom they name.

use festival_core::Result;
use festival_core::admin::privacy::{Erased, Person, PersonalData, PersonalRecord};
use festival_core::db::Write;
use festival_core::site::Site;
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

use super::links::KINDS;

/// What people wanted to have corrected.
pub(super) struct Corrections;

#[derive(FromRow)]
struct Row {
    id: i64,
    field: String,
    before_text: String,
    after_text: String,
    state: String,
    proposed_at: String,
}

/// The beginning of a statement that reads corrections.
const SELECT: &str = "SELECT id, field, before_text, after_text, state, proposed_at FROM selection_corrections";

/// Reads the corrections of the person's submissions.
async fn own(connection: &mut AnyConnection, person: &Person) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for (table, id) in &person.submissions {
        let Some(kind) = KINDS.into_iter().find(|kind| kind.table == *table) else { continue };
        let sql = format!("{SELECT} WHERE {} = $1 ORDER BY id", kind.owner);
        rows.extend(sqlx::query_as::<_, Row>(AssertSqlSafe(sql)).bind(*id).fetch_all(&mut *connection).await?);
    }
    Ok(rows)
}

#[rocket::async_trait]
impl PersonalData for Corrections {
    async fn find(&self, _: &Site, connection: &mut AnyConnection, person: &mut Person) -> Result<Vec<PersonalRecord>> {
        let record = |row: Row| PersonalRecord {
            kind: "corrections",
            record: json!({
                "field": row.field, "before": row.before_text, "after": row.after_text, "state": row.state,
                "proposed_at": row.proposed_at,
            }),
            files: Vec::new(),
        };
        Ok(own(connection, person).await?.into_iter().map(record).collect())
    }

    async fn erase(&self, _: &Site, write: &mut Write, person: &Person) -> Result<Erased> {
        let mut ids: Vec<i64> = own(write, person).await?.into_iter().map(|row| row.id).collect();
        let all: Vec<Row> = sqlx::query_as(AssertSqlSafe(SELECT.to_owned())).fetch_all(&mut **write).await?;
        let names = |row: &&Row| {
            person.counts(&row.proposed_at)
                && (person.is_traced_in(&row.before_text) || person.is_traced_in(&row.after_text))
        };
        ids.extend(all.iter().filter(names).map(|row| row.id));
        let mut erased = Erased::default();
        for id in ids {
            let deleted = sqlx::query("DELETE FROM selection_corrections WHERE id = $1").bind(id);
            erased.count("corrections", deleted.execute(&mut **write).await?.rows_affected());
        }
        Ok(erased)
    }

    /// Those of submissions of which only the payment is kept.
    async fn expire(&self, _: &Site, write: &mut Write) -> Result<Erased> {
        let mut erased = Erased::default();
        for kind in KINDS {
            let sql = format!(
                "DELETE FROM selection_corrections WHERE {} IN (SELECT id FROM {} WHERE status = 'erased')",
                kind.owner, kind.table
            );
            let deleted = sqlx::query(AssertSqlSafe(sql)).execute(&mut **write).await?;
            erased.count("corrections", deleted.rows_affected());
        }
        Ok(erased)
    }
}
