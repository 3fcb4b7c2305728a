//! The released decision about a film, as its sender sees and answers it. One that is not released is never read.

use festival_core::Result;
use festival_core::db::{Write, timestamp_text};
use festival_core::site::Site;
use jiff::Timestamp;
use jiff::civil::Date;
use sqlx::{AnyConnection, FromRow};

use super::links::{FILMS, Opened};

/// A released decision.
#[derive(Debug, FromRow)]
pub(super) struct Decision {
    /// `selected`, `waiting` or `not_selected`.
    pub(super) outcome: String,
    pub(super) message: String,
    confirm_by: Option<String>,
    /// `confirmed`, `declined`, `withdrawn`, or "".
    pub(super) answer: String,
}

impl Decision {
    /// Reads the released decision about what a link opened.
    pub(super) async fn find(connection: &mut AnyConnection, opened: &Opened) -> Result<Option<Self>> {
        if opened.kind != FILMS {
            return Ok(None);
        }
        Ok(sqlx::query_as(
            "SELECT outcome, message, confirm_by, answer FROM selection_decisions \
             WHERE film_submission_id = $1 AND released_at IS NOT NULL",
        )
        .bind(opened.submitted.id)
        .fetch_optional(connection)
        .await?)
    }

    /// The last day on which it can be confirmed.
    pub(super) fn confirm_by(&self) -> Option<Date> {
        self.confirm_by.as_deref()?.get(..10)?.parse().ok()
    }

    /// Whether the sender is asked to confirm, at `now`.
    pub(super) fn is_awaiting_answer(&self, site: &Site, now: Timestamp) -> bool {
        let today = now.to_zoned(site.time_zone.clone()).date();
        self.outcome == "selected" && self.answer.is_empty() && self.confirm_by().is_none_or(|day| today <= day)
    }

    /// What it says, as a sentence.
    pub(super) fn sentence(&self) -> &'static str {
        match (self.outcome.as_str(), self.answer.as_str()) {
            (_, "withdrawn") => "You have withdrawn the film.",
            ("selected", "confirmed") => "Your film is selected, and you have confirmed that it takes part.",
            ("selected", "declined") => "Your film was selected, and you have declined.",
            ("selected", _) => "Your film is selected.",
            ("waiting", _) => "Your film is on the waiting list. We write to you if a place becomes free.",
            _ => "Your film is not selected this year.",
        }
    }
}

/// Stores an answer to the released decision about a film that has none yet. Returns whether there was one.
pub(super) async fn answer(write: &mut Write, now: Timestamp, film: i64, answer: &str) -> Result<bool> {
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
