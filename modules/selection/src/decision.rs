//! Decisions about entries: prepared, changed and taken back as long as they are not released, then answered.

use festival_core::Result;
use festival_core::admin::collections::State;
use festival_core::db::{Write, timestamp_text};
use festival_core::site::Site;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};

/// The outcomes, in the order of letters and lists.
pub(crate) const OUTCOMES: &[State] = &[
    State { key: "selected", label: "Selected", tone: "good" },
    State { key: "waiting", label: "Waiting list", tone: "" },
    State { key: "not_selected", label: "Not selected", tone: "bad" },
];

/// The key of no decision: preparing it takes a decision back.
pub(crate) const UNDECIDED: &str = "none";
/// The key of no answer, among the filters.
pub(crate) const UNANSWERED: &str = "none";
/// The key of selecting an entry that was released as one of the waiting list; its letter is sent by the release that
/// follows in the same transaction.
pub(crate) const MOVE_UP: &str = "move-up";

/// What film-makers answer.
pub(crate) const ANSWERS: &[State] = &[
    State { key: "confirmed", label: "Confirmed", tone: "good" },
    State { key: "declined", label: "Declined", tone: "bad" },
    State { key: "withdrawn", label: "Withdrawn", tone: "bad" },
];

/// The decision about an entry.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Decision {
    /// Key of one of [`OUTCOMES`].
    pub(crate) outcome: String,
    /// Words for the film-maker.
    pub(crate) message: String,
    pub(crate) prepared_at: String,
    pub(crate) prepared_by: String,
    pub(crate) released_at: Option<String>,
    pub(crate) confirm_by: Option<String>,
    pub(crate) reminded_at: Option<String>,
    /// Key of one of [`ANSWERS`]; "" without an answer.
    pub(crate) answer: String,
}

impl Decision {
    /// The decision about an entry. Its sender sees it once it is `released`: any other is not read then.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn find(connection: &mut AnyConnection, film: i64, released: bool) -> Result<Option<Self>> {
        Ok(sqlx::query_as(
            "SELECT outcome, message, prepared_at, prepared_by, released_at, confirm_by, reminded_at, answer \
             FROM selection_decisions WHERE film_submission_id = $1 AND ($2 = 0 OR released_at IS NOT NULL)",
        )
        .bind(film)
        .bind(i64::from(released))
        .fetch_optional(connection)
        .await?)
    }

    /// Whether the sender is asked to confirm, at `now`.
    pub(crate) fn is_awaiting_answer(&self, site: &Site, now: Timestamp) -> bool {
        let today = now.to_zoned(site.time_zone.clone()).date();
        let last: Option<Date> = self.confirm_by.as_deref().and_then(|day| day.parse().ok());
        self.outcome == "selected" && self.answer.is_empty() && last.is_none_or(|day| today <= day)
    }
}

/// What is prepared.
pub(crate) struct Preparation<'p> {
    /// Key of an outcome, [`UNDECIDED`] or [`MOVE_UP`].
    pub(crate) outcome: &'p str,
    /// Words for the film-maker; `None`: as they are.
    pub(crate) message: Option<&'p str>,
    /// The last day to confirm a selected film.
    pub(crate) confirm_by: Option<Date>,
    /// Who prepares it.
    pub(crate) by: &'p str,
}

/// Prepares the decision about an entry, in place of an earlier one. Returns whether anything changed: a released decision
/// stays, unless it moves up.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn prepare(write: &mut Write, film: i64, it: &Preparation<'_>, now: Timestamp) -> Result<bool> {
    let statement = match it.outcome {
        UNDECIDED => "DELETE FROM selection_decisions WHERE film_submission_id = $1 AND released_at IS NULL",
        MOVE_UP => {
            "UPDATE selection_decisions SET outcome = 'selected', prepared_at = $2, prepared_by = $3, confirm_by = $4, \
             released_at = NULL, letter_id = NULL, answer = '', answered_at = NULL WHERE film_submission_id = $1 \
             AND outcome = 'waiting' AND released_at IS NOT NULL AND answer NOT IN ('declined', 'withdrawn')"
        }
        _ => {
            "INSERT INTO selection_decisions (edition_id, film_submission_id, outcome, award, message, prepared_at, \
             prepared_by, confirm_by) SELECT edition_id, id, $5, award_category, coalesce($6, ''), $2, $3, $4 \
             FROM film_submissions WHERE id = $1 \
             ON CONFLICT (film_submission_id) DO UPDATE SET outcome = excluded.outcome, award = excluded.award, \
             message = coalesce($6, selection_decisions.message), prepared_at = excluded.prepared_at, \
             prepared_by = excluded.prepared_by, confirm_by = excluded.confirm_by \
             WHERE selection_decisions.released_at IS NULL"
        }
    };
    let confirm_by = it.confirm_by.filter(|_| ["selected", MOVE_UP].contains(&it.outcome));
    let mut query = sqlx::query(statement).bind(film);
    if it.outcome != UNDECIDED {
        query = query.bind(timestamp_text(now)).bind(it.by).bind(confirm_by.map(|day| day.to_string()));
    }
    if OUTCOMES.iter().any(|state| state.key == it.outcome) {
        query = query.bind(it.outcome).bind(it.message);
    }
    Ok(query.execute(&mut **write).await?.rows_affected() > 0)
}

/// Stores an answer to the released decision about a film that has none yet. Returns whether there was one.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn answer(write: &mut Write, now: Timestamp, film: i64, answer: &str) -> Result<bool> {
    let updated = sqlx::query(
        "UPDATE selection_decisions SET answer = $1, answered_at = $2 WHERE film_submission_id = $3 \
         AND released_at IS NOT NULL AND (answer = '' OR $1 = 'withdrawn')",
    )
    .bind(answer)
    .bind(timestamp_text(now))
    .bind(film)
    .execute(&mut **write)
    .await?;
    Ok(updated.rows_affected() > 0)
}
