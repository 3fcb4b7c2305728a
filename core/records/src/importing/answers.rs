//! Answers of earlier imports: the same question about the same rows is not asked again.

use sqlx::AnyConnection;

use super::Import;
use super::question::{Decision, Decisions, Question};
use festival_base::db;
use festival_base::error::Result;

/// Returns the decisions of an import with the answers that earlier imports into the same edition were given.
pub(super) async fn with_earlier(connection: &mut AnyConnection, import: &Import<'_>) -> Result<Decisions> {
    let rows = sqlx::query_as("SELECT question, decision FROM import_answers WHERE entity = $1 AND edition_id = $2")
        .bind(import.entity.table)
        .bind(import.edition.unwrap_or_default())
        .fetch_all(connection)
        .await?;
    let known = |(question, decision): (String, String)| Some((question, decision.parse::<Decision>().ok()?));
    let earlier = rows.into_iter().filter_map(known).collect();
    Ok(Decisions { earlier, ..import.decisions.clone() })
}

/// Stores the answers that somebody has given to `questions`.
pub(super) async fn store(connection: &mut AnyConnection, import: &Import<'_>, questions: &[Question]) -> Result<()> {
    let now = db::timestamp_text(import.records.clock.now());
    for question in questions {
        let Some(decision) = import.decisions.chosen.get(&question.key).filter(|_| question.decision.is_some()) else {
            continue;
        };
        sqlx::query(
            "INSERT INTO import_answers (entity, edition_id, question, decision, answered_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (entity, edition_id, question) DO UPDATE SET decision = excluded.decision, \
             answered_at = excluded.answered_at",
        )
        .bind(import.entity.table)
        .bind(import.edition.unwrap_or_default())
        .bind(question.fingerprint())
        .bind(decision.to_string())
        .bind(now.clone())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
