//! Reviews: how one is read from its form, stored and shown to others.

use std::collections::BTreeMap;

use festival_core::admin::{AdminRequest, Choice, Input};
use festival_core::db::{Write, timestamp_text};
use festival_core::{Error, FieldError, Result};
use jiff::Timestamp;
use sqlx::{AnyConnection, FromRow};

use crate::round::{Criterion, Round, compute_results};
use crate::score::weighted;

/// What a reviewer recommends: key and label.
pub(crate) const RECOMMENDATIONS: &[(&str, &str)] =
    &[("yes", "Select it"), ("maybe", "Discuss it"), ("no", "Do not select it")];

/// Highest score.
const BEST: i64 = 5;
/// The value of an abstention in the form.
const ABSTAIN: &str = "abstain";
/// Longest text, in characters.
const MAX_TEXT: usize = 4_000;

/// A review without its scores.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Review {
    pub(crate) id: i64,
    pub(crate) juror_id: i64,
    /// The reviewer's name.
    pub(crate) name: String,
    pub(crate) recommendation: String,
    pub(crate) committee_text: String,
    pub(crate) film_maker_text: String,
    pub(crate) saved_at: String,
    /// 1 if the reviewer has a conflict of interest: then it does not count.
    pub(crate) has_conflict: i64,
    /// The scores by criterion; `None`: abstained.
    #[sqlx(skip)]
    pub(crate) scores: BTreeMap<i64, Option<i64>>,
}

impl Review {
    /// The weighted score, in hundredths.
    pub(crate) fn score(&self, criteria: &[Criterion]) -> Option<i64> {
        let scores = criteria.iter().filter_map(|criterion| Some((criterion.weight, *self.scores.get(&criterion.id)?)));
        weighted(&scores.collect::<Vec<_>>())
    }

    /// The label of the recommendation.
    pub(crate) fn recommends(&self) -> &'static str {
        RECOMMENDATIONS.iter().find(|(key, _)| *key == self.recommendation).map_or("", |(_, label)| label)
    }
}

/// The reviews of a film in a round, the earliest first.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn of_film(connection: &mut AnyConnection, round: i64, film: i64) -> Result<Vec<Review>> {
    let mut reviews: Vec<Review> = sqlx::query_as(
        "SELECT v.id, v.juror_id, j.name, v.recommendation, v.committee_text, v.film_maker_text, v.saved_at, \
         CASE WHEN c.id IS NULL THEN 0 ELSE 1 END AS has_conflict \
         FROM selection_reviews v JOIN selection_jurors j ON j.id = v.juror_id LEFT JOIN selection_conflicts c \
         ON c.film_submission_id = v.film_submission_id AND c.juror_id = v.juror_id \
         WHERE v.round_id = $1 AND v.film_submission_id = $2 ORDER BY v.id",
    )
    .bind(round)
    .bind(film)
    .fetch_all(&mut *connection)
    .await?;
    let scores: Vec<(i64, i64, Option<i64>)> = sqlx::query_as(
        "SELECT s.review_id, s.criterion_id, s.score FROM selection_scores s \
         JOIN selection_reviews v ON v.id = s.review_id WHERE v.round_id = $1 AND v.film_submission_id = $2",
    )
    .bind(round)
    .bind(film)
    .fetch_all(connection)
    .await?;
    for review in &mut reviews {
        let own = scores.iter().filter(|(id, ..)| *id == review.id);
        review.scores = own.map(|(_, criterion, score)| (*criterion, *score)).collect();
    }
    Ok(reviews)
}

/// A review as its form has it.
pub(crate) struct Submitted {
    scores: Vec<(i64, Option<i64>)>,
    recommendation: String,
    committee_text: String,
    film_maker_text: String,
}

/// The name of the input of a criterion.
fn input_name(criterion: &Criterion) -> String {
    format!("score-{}", criterion.id)
}

/// The inputs of the form, with what was sent, or else what is stored.
pub(crate) fn inputs(request: &AdminRequest, criteria: &[Criterion], stored: Option<&Review>) -> Vec<Input> {
    let is_sent = request.form.has("recommendation") || request.form.has("committee_text");
    let value = |name: &str, stored: String| if is_sent { request.form.get(name).to_owned() } else { stored };
    let mut inputs = Vec::new();
    for criterion in criteria {
        let name = input_name(criterion);
        let known = stored.and_then(|review| review.scores.get(&criterion.id));
        let known = known.map_or(String::new(), |score| score.map_or(ABSTAIN.to_owned(), |score| score.to_string()));
        let present = value(&name, known);
        let numbers = (1..=BEST).map(|score| Choice::new(score.to_string(), score.to_string(), &present));
        let choices = numbers.chain([Choice::new(ABSTAIN, "Abstain", &present)]).collect();
        let hint = criterion.hint.clone().unwrap_or_default();
        inputs.push(Input::radio(name, &criterion.name, choices).required().hint(hint));
    }
    let present = value("recommendation", stored.map_or(String::new(), |review| review.recommendation.clone()));
    let choices = RECOMMENDATIONS.iter().map(|(key, label)| Choice::new(*key, *label, &present)).collect();
    inputs.push(Input::radio("recommendation", "Recommendation", choices).required());
    for (name, label, hint, stored) in [
        (
            "committee_text",
            "For the committee",
            "Only the committee reads it.",
            stored.map(|review| review.committee_text.clone()),
        ),
        (
            "film_maker_text",
            "For the film-maker",
            "The chair may use it in the letter.",
            stored.map(|review| review.film_maker_text.clone()),
        ),
    ] {
        let input = Input { max: MAX_TEXT, ..Input::new("lines", name, label) };
        inputs.push(input.hint(hint).value(value(name, stored.unwrap_or_default())));
    }
    inputs
}

/// Reads the form.
///
/// # Errors
/// [`Error::Invalid`] at the inputs.
pub(crate) fn parse(request: &AdminRequest, criteria: &[Criterion]) -> Result<Submitted> {
    let mut errors = Vec::new();
    let mut scores = Vec::new();
    for criterion in criteria {
        let name = input_name(criterion);
        match request.form.get(&name) {
            ABSTAIN => scores.push((criterion.id, None)),
            text => match text.parse::<i64>() {
                Ok(score) if (1..=BEST).contains(&score) => scores.push((criterion.id, Some(score))),
                _ => errors.push(FieldError::new(name, format!("{}: choose 1 to 5, or abstain.", criterion.name))),
            },
        }
    }
    let recommendation = request.form.get("recommendation").to_owned();
    if !RECOMMENDATIONS.iter().any(|(key, _)| *key == recommendation) {
        errors.push(FieldError::new("recommendation", "Choose what you recommend."));
    }
    let mut text = |name: &str| {
        let text = clean(request.form.get(name));
        if text.chars().count() > MAX_TEXT {
            errors.push(FieldError::new(name, format!("Write at most {MAX_TEXT} characters.")));
        }
        text
    };
    let (committee_text, film_maker_text) = (text("committee_text"), text("film_maker_text"));
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    Ok(Submitted { scores, recommendation, committee_text, film_maker_text })
}

/// A text of several lines without control characters and blanks around it.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    text.trim().to_owned()
}

/// Stores the review of a film by a reviewer in place of an earlier one, and computes the results of the film again.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn store(
    write: &mut Write,
    round: &Round,
    (film, juror): (i64, i64),
    review: &Submitted,
    now: Timestamp,
) -> Result<()> {
    // Others may be saving reviews of this film.
    sqlx::query("UPDATE film_submissions SET updated_at = updated_at WHERE id = $1")
        .bind(film)
        .execute(&mut **write)
        .await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO selection_reviews (round_id, film_submission_id, juror_id, recommendation, committee_text, \
         film_maker_text, saved_at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (round_id, film_submission_id, juror_id) DO UPDATE SET recommendation = excluded.recommendation, \
         committee_text = excluded.committee_text, film_maker_text = excluded.film_maker_text, \
         saved_at = excluded.saved_at RETURNING id",
    )
    .bind(round.id)
    .bind(film)
    .bind(juror)
    .bind(review.recommendation.clone())
    .bind(review.committee_text.clone())
    .bind(review.film_maker_text.clone())
    .bind(timestamp_text(now))
    .fetch_one(&mut **write)
    .await?;
    sqlx::query("DELETE FROM selection_scores WHERE review_id = $1").bind(id).execute(&mut **write).await?;
    for (criterion, score) in &review.scores {
        sqlx::query("INSERT INTO selection_scores (review_id, criterion_id, score) VALUES ($1, $2, $3)")
            .bind(id)
            .bind(*criterion)
            .bind(*score)
            .execute(&mut **write)
            .await?;
    }
    compute_results(write, round.id, film).await
}
