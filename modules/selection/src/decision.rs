//! Decisions about entries: prepared, changed and taken back as long as they are not released.

use festival_core::Result;
use festival_core::admin::collections::State;
use festival_core::db::{Write, timestamp_text};
use jiff::Timestamp;
use jiff::civil::Date;
use sqlx::{AnyConnection, FromRow};

/// The outcomes, in the order of letters and lists.
pub(crate) const OUTCOMES: &[State] = &[
    State { key: "selected", label: "Selected", tone: "good" },
    State { key: "waiting", label: "Waiting list", tone: "" },
    State { key: "not_selected", label: "Not selected", tone: "bad" },
];

/// What film-makers answer.
pub(crate) const ANSWERS: &[State] = &[
    State { key: "confirmed", label: "Confirmed", tone: "good" },
    State { key: "declined", label: "Declined", tone: "bad" },
    State { key: "withdrawn", label: "Withdrawn", tone: "bad" },
];

/// The decision about an entry.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Decision {
    pub(crate) outcome: String,
    /// Words for the film-maker.
    pub(crate) message: String,
    pub(crate) prepared_at: String,
    pub(crate) prepared_by: String,
    pub(crate) released_at: Option<String>,
    pub(crate) confirm_by: Option<String>,
    pub(crate) answer: String,
}

/// The decision about an entry, if there is one.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn find(connection: &mut AnyConnection, film: i64) -> Result<Option<Decision>> {
    Ok(sqlx::query_as(
        "SELECT outcome, message, prepared_at, prepared_by, released_at, confirm_by, answer FROM selection_decisions \
         WHERE film_submission_id = $1",
    )
    .bind(film)
    .fetch_optional(connection)
    .await?)
}

/// What is prepared.
pub(crate) struct Preparation<'p> {
    pub(crate) outcome: &'p str,
    /// Words for the film-maker; `None`: as they are.
    pub(crate) message: Option<&'p str>,
    /// The last day to confirm a selected film.
    pub(crate) confirm_by: Option<Date>,
    /// Who prepares it.
    pub(crate) by: &'p str,
}

/// Prepares the decision about an entry, in place of an earlier one. Returns whether it was possible: a released decision
/// stays.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn prepare(
    write: &mut Write,
    film: i64,
    preparation: &Preparation<'_>,
    now: Timestamp,
) -> Result<bool> {
    let confirm_by = preparation.confirm_by.filter(|_| preparation.outcome == "selected").map(|day| day.to_string());
    let done = sqlx::query(
        "INSERT INTO selection_decisions (edition_id, film_submission_id, outcome, award, message, prepared_at, \
         prepared_by, confirm_by) SELECT edition_id, id, $1, award_category, $2, $3, $4, $5 FROM film_submissions \
         WHERE id = $6 \
         ON CONFLICT (film_submission_id) DO UPDATE SET outcome = excluded.outcome, award = excluded.award, \
         message = CASE WHEN $7 = 1 THEN excluded.message ELSE selection_decisions.message END, \
         prepared_at = excluded.prepared_at, prepared_by = excluded.prepared_by, confirm_by = excluded.confirm_by \
         WHERE selection_decisions.released_at IS NULL",
    )
    .bind(preparation.outcome.to_owned())
    .bind(preparation.message.unwrap_or_default().to_owned())
    .bind(timestamp_text(now))
    .bind(preparation.by.to_owned())
    .bind(confirm_by)
    .bind(film)
    .bind(i64::from(preparation.message.is_some()))
    .execute(&mut **write)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Takes a decision back that is not released. Returns whether there was one.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn take_back(write: &mut Write, film: i64) -> Result<bool> {
    let done = sqlx::query("DELETE FROM selection_decisions WHERE film_submission_id = $1 AND released_at IS NULL")
        .bind(film)
        .execute(&mut **write)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Selects an entry that was released as one of the waiting list; its letter is sent by the release that follows in the
/// same transaction. Returns whether it was one.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn move_up(
    write: &mut Write,
    film: i64,
    preparation: &Preparation<'_>,
    now: Timestamp,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE selection_decisions SET outcome = 'selected', prepared_at = $1, prepared_by = $2, confirm_by = $3, \
         released_at = NULL, letter_id = NULL, answer = '', answered_at = NULL \
         WHERE film_submission_id = $4 AND outcome = 'waiting' AND released_at IS NOT NULL \
         AND answer NOT IN ('declined', 'withdrawn')",
    )
    .bind(timestamp_text(now))
    .bind(preparation.by.to_owned())
    .bind(preparation.confirm_by.map(|day| day.to_string()))
    .bind(film)
    .execute(&mut **write)
    .await?;
    Ok(done.rows_affected() > 0)
}
