//! Assigning the entries of a round to its reviewers: what is read, and what is written.

use std::collections::HashSet;

use festival_core::Result;
use festival_core::db::{Datum, Write, insert_rows, timestamp_text};
use jiff::Timestamp;
use sqlx::AnyConnection;

use crate::assign::{self, Plan, Task, suits};
use crate::outline::is_entry;
use crate::round::Round;

/// Ids, awards and languages of the entries of a round.
pub(crate) async fn entries(
    connection: &mut AnyConnection,
    edition: i64,
    round: &Round,
) -> Result<Vec<(i64, String, String)>> {
    const SQL: &str = concat!(
        "SELECT f.id, f.award_category, f.film_language FROM film_submissions f WHERE f.edition_id = $1 \
         AND ($2 = '' OR f.award_category = $2) AND ($3 = 'all' OR f.status = $3) AND ",
        is_entry!(),
        " ORDER BY f.id"
    );
    let entries = sqlx::query_as(SQL).bind(edition).bind(round.award.as_deref().unwrap_or_default());
    Ok(entries.bind(&round.entries).fetch_all(connection).await?)
}

/// Reads what the assignments of a round depend on.
async fn task(connection: &mut AnyConnection, edition: i64, round: &Round) -> Result<Task> {
    let reviewers = sqlx::query_as(
        "SELECT id, award, languages FROM selection_jurors \
         WHERE edition_id = $1 AND has_left = 0 AND coalesce(round_id, $2) = $2 ORDER BY id",
    );
    let reviewers: Vec<(i64, Option<String>, Option<String>)> =
        reviewers.bind(edition).bind(round.id).fetch_all(&mut *connection).await?;
    let conflicts = sqlx::query_as("SELECT film_submission_id, juror_id FROM selection_conflicts");
    let conflicts: HashSet<(i64, i64)> = conflicts.fetch_all(&mut *connection).await?.into_iter().collect();
    // Conflicts and reviewers who left are out; what they reviewed stays.
    let assigned = sqlx::query_as(
        "SELECT a.film_submission_id, a.juror_id, \
         CASE WHEN v.id IS NULL AND (a.is_automatic = 1 AND a.opened_at IS NULL OR j.has_left = 1) THEN 1 ELSE 0 END \
         FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
         LEFT JOIN selection_reviews v ON v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id \
         AND v.juror_id = a.juror_id WHERE a.round_id = $1",
    );
    let assigned: Vec<(i64, i64, i64)> = assigned.bind(round.id).fetch_all(&mut *connection).await?;
    let mut task = Task { per_film: usize::try_from(round.reviews_per_film).unwrap_or(1), ..Task::default() };
    task.reviewers = reviewers.iter().map(|(id, ..)| *id).collect();
    for (film, award, language) in entries(connection, edition, round).await? {
        let eligible = reviewers.iter().filter(|(id, only, languages)| {
            only.as_ref().is_none_or(|only| *only == award)
                && suits(languages.as_deref(), &language)
                && !conflicts.contains(&(film, *id))
        });
        task.films.insert(film, eligible.map(|(id, ..)| *id).collect());
    }
    for (film, reviewer, may_move) in assigned {
        let has_conflict = conflicts.contains(&(film, reviewer));
        if may_move == 1 || has_conflict {
            task.movable.insert((film, reviewer));
        } else {
            task.fixed.insert((film, reviewer));
        }
    }
    Ok(task)
}

/// Assigns the entries of a round: adds what is missing, takes what is not reviewed from reviewers who left or have a
/// conflict, and balances the loads.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn assign(write: &mut Write, edition: i64, round: &Round, now: Timestamp) -> Result<Plan> {
    let task = task(write, edition, round).await?;
    let plan = assign::plan(&task);
    for (film, juror) in &plan.removed {
        let delete = sqlx::query(
            "DELETE FROM selection_assignments WHERE round_id = $1 AND film_submission_id = $2 AND juror_id = $3",
        );
        delete.bind(round.id).bind(*film).bind(*juror).execute(&mut **write).await?;
    }
    let row = |(film, juror): &(i64, i64)| {
        let now = Datum::Text(timestamp_text(now));
        let [edition, film, round, juror, is_automatic] = [edition, *film, round.id, *juror, 1].map(Datum::Integer);
        vec![edition, film, round, juror, is_automatic, now.clone(), now]
    };
    let rows: Vec<Vec<Datum>> = plan.added.iter().map(row).collect();
    let columns =
        ["edition_id", "film_submission_id", "round_id", "juror_id", "is_automatic", "created_at", "updated_at"];
    insert_rows(write, "selection_assignments", &columns, &rows).await?;
    Ok(plan)
}
