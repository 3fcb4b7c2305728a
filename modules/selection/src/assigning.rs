//! Assigning the entries of a round to its reviewers: what is read, and what is written.

use std::collections::{BTreeSet, HashMap, HashSet};

use festival_core::Result;
use festival_core::db::{Datum, Write, insert_rows, timestamp_text};
use jiff::Timestamp;
use sqlx::AnyConnection;

use crate::assign::{self, Plan, Task, suits};
use crate::round::{Round, is_entry};

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
    Ok(sqlx::query_as(SQL)
        .bind(edition)
        .bind(round.award.clone().unwrap_or_default())
        .bind(round.entries.clone())
        .fetch_all(connection)
        .await?)
}

/// A reviewer: id, round, award, languages.
type Reviewer = (i64, Option<i64>, Option<String>, Option<String>);

/// An assignment: film, reviewer, whether it may move.
type Assigned = (i64, i64, i64);

/// Reads what the assignments of a round depend on.
async fn task(connection: &mut AnyConnection, edition: i64, round: &Round) -> Result<Task> {
    let reviewers: Vec<Reviewer> = sqlx::query_as(
        "SELECT id, round_id, award, languages FROM selection_jurors WHERE edition_id = $1 AND has_left = 0 ORDER BY id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let conflicts: HashSet<(i64, i64)> = sqlx::query_as("SELECT film_submission_id, juror_id FROM selection_conflicts")
        .fetch_all(&mut *connection)
        .await?
        .into_iter()
        .collect();
    // Conflicts and reviewers who left are out; what they reviewed stays.
    let assigned: Vec<Assigned> = sqlx::query_as(
        "SELECT a.film_submission_id, a.juror_id, \
         CASE WHEN v.id IS NULL AND (a.is_automatic = 1 AND a.opened_at IS NULL OR j.has_left = 1) THEN 1 ELSE 0 END \
         FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
         LEFT JOIN selection_reviews v ON v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id \
         AND v.juror_id = a.juror_id WHERE a.round_id = $1",
    )
    .bind(round.id)
    .fetch_all(&mut *connection)
    .await?;
    let mut task = Task { per_film: usize::try_from(round.reviews_per_film).unwrap_or(1), ..Task::default() };
    let of_round = reviewers.iter().filter(|(_, only, _, _)| only.is_none_or(|only| only == round.id));
    let of_round: Vec<&Reviewer> = of_round.collect();
    task.reviewers = of_round.iter().map(|(id, ..)| *id).collect();
    for (film, award, language) in entries(connection, edition, round).await? {
        let eligible = of_round.iter().filter(|(id, _, only, languages)| {
            only.as_ref().is_none_or(|only| *only == award)
                && suits(languages.as_deref(), &language)
                && !conflicts.contains(&(film, *id))
        });
        let eligible: BTreeSet<i64> = eligible.map(|(id, ..)| *id).collect();
        task.films.insert(film, eligible);
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
    let ids: Vec<(i64, i64, i64)> =
        sqlx::query_as("SELECT id, film_submission_id, juror_id FROM selection_assignments WHERE round_id = $1")
            .bind(round.id)
            .fetch_all(&mut **write)
            .await?;
    let ids: HashMap<(i64, i64), i64> = ids.into_iter().map(|(id, film, juror)| ((film, juror), id)).collect();
    for pair in &plan.removed {
        sqlx::query("DELETE FROM selection_assignments WHERE id = $1")
            .bind(ids.get(pair).copied())
            .execute(&mut **write)
            .await?;
    }
    let now = timestamp_text(now);
    let row = |(film, juror): &(i64, i64)| {
        let number = Datum::Integer;
        let times = [Datum::Text(now.clone()), Datum::Text(now.clone())];
        let mut row = vec![number(edition), number(*film), number(round.id), number(*juror), number(1)];
        row.extend(times);
        row
    };
    let rows: Vec<Vec<Datum>> = plan.added.iter().map(row).collect();
    let columns =
        ["edition_id", "film_submission_id", "round_id", "juror_id", "is_automatic", "created_at", "updated_at"];
    insert_rows(write, "selection_assignments", &columns, &rows).await?;
    Ok(plan)
}
