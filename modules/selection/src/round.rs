//! Rounds as they are stored, with their criteria, and the results of their reviews.

use std::collections::BTreeMap;

use festival_core::Result;
use jiff::Timestamp;
use serde::Serialize;
use sqlx::{AnyConnection, FromRow};

use crate::score::{Summary, weighted};

/// A round.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Round {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Key of the award; `None`: all.
    pub(crate) award: Option<String>,
    /// "all", or the status that entries must have.
    pub(crate) entries: String,
    pub(crate) starts_at: String,
    pub(crate) ends_at: String,
    pub(crate) is_blind: i64,
    pub(crate) reviews_per_film: i64,
}

/// A criterion of a round.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Criterion {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) hint: Option<String>,
    pub(crate) weight: i64,
}

impl Round {
    /// The rounds of an edition in the order of their beginning.
    pub(crate) async fn all(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Self>> {
        let all = sqlx::query_as(
            "SELECT id, name, award, entries, starts_at, ends_at, is_blind, reviews_per_film FROM selection_rounds \
             WHERE edition_id = $1 ORDER BY starts_at, id",
        );
        Ok(all.bind(edition).fetch_all(connection).await?)
    }

    /// The latest round that has begun, or else the first one.
    pub(crate) fn present(rounds: &[Self], now: Timestamp) -> Option<&Self> {
        rounds.iter().rfind(|round| round.has_begun(now)).or(rounds.first())
    }

    pub(crate) fn has_begun(&self, now: Timestamp) -> bool {
        self.starts_at.parse::<Timestamp>().is_ok_and(|start| start <= now)
    }

    pub(crate) fn is_open(&self, now: Timestamp) -> bool {
        self.has_begun(now) && self.ends_at.parse::<Timestamp>().is_ok_and(|end| now <= end)
    }

    /// Whole days until it ends.
    pub(crate) fn days_left(&self, now: Timestamp) -> i64 {
        self.ends_at.parse::<Timestamp>().map_or(0, |end| end.as_second() - now.as_second()) / 86_400
    }

    /// The criteria in their order.
    pub(crate) async fn criteria(connection: &mut AnyConnection, round: i64) -> Result<Vec<Criterion>> {
        let criteria = sqlx::query_as(
            "SELECT id, name, hint, weight FROM selection_criteria WHERE round_id = $1 ORDER BY position, id",
        );
        Ok(criteria.bind(round).fetch_all(connection).await?)
    }
}

/// The weights of criteria, as stored with results: "1:2 2:1".
fn weights_text(criteria: &[Criterion]) -> String {
    criteria.iter().map(|it| format!("{}:{}", it.id, it.weight)).collect::<Vec<_>>().join(" ")
}

/// Computes the results of a film in a round, or of all films (0), from the reviews without those of reviewers with a
/// conflict.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn compute_results(connection: &mut AnyConnection, round: i64, film: i64) -> Result<()> {
    let criteria = Round::criteria(&mut *connection, round).await?;
    let weights: BTreeMap<i64, i64> = criteria.iter().map(|criterion| (criterion.id, criterion.weight)).collect();
    let rows = sqlx::query_as(
        "SELECT v.film_submission_id, v.id, s.criterion_id, s.score FROM selection_reviews v \
         LEFT JOIN selection_scores s ON s.review_id = v.id \
         WHERE v.round_id = $1 AND ($2 = 0 OR v.film_submission_id = $2) AND NOT EXISTS \
         (SELECT 1 FROM selection_conflicts c WHERE c.film_submission_id = v.film_submission_id AND c.juror_id = v.juror_id)",
    );
    let rows: Vec<(i64, i64, Option<i64>, Option<i64>)> =
        rows.bind(round).bind(film).fetch_all(&mut *connection).await?;
    let mut films: BTreeMap<i64, BTreeMap<i64, Vec<(i64, Option<i64>)>>> = BTreeMap::new();
    for (film, review, criterion, score) in rows {
        let scores = films.entry(film).or_default().entry(review).or_default();
        scores.extend(criterion.and_then(|id| weights.get(&id)).map(|weight| (*weight, score)));
    }
    let delete =
        sqlx::query("DELETE FROM selection_results WHERE round_id = $1 AND ($2 = 0 OR film_submission_id = $2)");
    delete.bind(round).bind(film).execute(&mut *connection).await?;
    for (film, reviews) in films {
        let summary = Summary::of(&reviews.values().map(|scores| weighted(scores)).collect::<Vec<_>>());
        sqlx::query(
            "INSERT INTO selection_results (round_id, film_submission_id, reviews, weights, median, mean, spread, deviation) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(round)
        .bind(film)
        .bind(summary.reviews)
        .bind(weights_text(&criteria))
        .bind(summary.median)
        .bind(summary.mean)
        .bind(summary.spread)
        .bind(summary.deviation)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Whether weights or criteria of a round have changed since its results were computed.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn are_results_outdated(connection: &mut AnyConnection, round: i64) -> Result<bool> {
    let weights = weights_text(&Round::criteria(&mut *connection, round).await?);
    let outdated = sqlx::query_scalar("SELECT count(*) FROM selection_results WHERE round_id = $1 AND weights <> $2");
    let outdated: i64 = outdated.bind(round).bind(weights).fetch_one(connection).await?;
    Ok(outdated > 0)
}
