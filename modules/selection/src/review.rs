//! Reviews: how one is read from its form, stored and shown to others.

use festival_core::admin::{AdminRequest, Choice, Input};
use festival_core::db::{Write, timestamp_text};
use festival_core::entity::{Datum, Field, Kind};
use festival_core::{Error, FieldError, Result};
use serde::{Serialize, Serializer};
use sqlx::{AnyConnection, FromRow};

use crate::round::{Criterion, Round, compute_results};
use crate::score::{self, weighted};

/// What a reviewer recommends: key and label.
const RECOMMENDATIONS: &[(&str, &str)] = &[("yes", "Select it"), ("maybe", "Discuss it"), ("no", "Do not select it")];

/// The texts of a review.
const COMMITTEE_TEXT: Field =
    Field::new("committee_text", "For the committee", Kind::Lines { max: 4_000 }).hint("Only the committee reads it.");
const FILM_MAKER_TEXT: Field = Field::new("film_maker_text", "For the film-maker", Kind::Lines { max: 4_000 })
    .hint("The chair may use it in the letter.");

/// Highest score.
const BEST: i64 = 5;
/// The value of an abstention in the form.
const ABSTAIN: &str = "abstain";

/// A review.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Review {
    id: i64,
    pub(crate) juror_id: i64,
    /// The reviewer's name.
    name: String,
    #[serde(serialize_with = "as_label")]
    recommendation: String,
    committee_text: String,
    pub(crate) film_maker_text: String,
    pub(crate) saved_at: String,
    /// 1 if the reviewer has a conflict of interest: then it does not count.
    pub(crate) has_conflict: i64,
    /// The scores, in the order of the criteria.
    #[sqlx(skip)]
    scores: Vec<Score>,
    /// The weighted score for people: "3.50", or "".
    #[sqlx(skip)]
    pub(crate) score: String,
}

/// The score of a review for a criterion.
#[derive(Clone, Debug, FromRow, Serialize)]
struct Score {
    review_id: i64,
    criterion_id: i64,
    name: String,
    weight: i64,
    score: Option<i64>,
    /// "4", [`ABSTAIN`], or "–" if the criterion was added later.
    text: String,
}

fn as_label<S: Serializer>(key: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let label = RECOMMENDATIONS.iter().find(|(known, _)| *known == key).map(|(_, label)| *label);
    serializer.serialize_str(label.unwrap_or_default())
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
    let scores: Vec<Score> = sqlx::query_as(
        "SELECT v.id AS review_id, c.id AS criterion_id, c.name, c.weight, s.score, CASE WHEN s.id IS NULL THEN '–' \
         ELSE coalesce(CAST(s.score AS TEXT), 'abstain') END AS text FROM selection_reviews v \
         JOIN selection_criteria c ON c.round_id = v.round_id \
         LEFT JOIN selection_scores s ON s.review_id = v.id AND s.criterion_id = c.id \
         WHERE v.round_id = $1 AND v.film_submission_id = $2 ORDER BY c.position, c.id",
    )
    .bind(round)
    .bind(film)
    .fetch_all(connection)
    .await?;
    for review in &mut reviews {
        review.scores = scores.iter().filter(|score| score.review_id == review.id).cloned().collect();
        let given: Vec<_> = review.scores.iter().map(|score| (score.weight, score.score)).collect();
        review.score = score::text(weighted(&given));
    }
    Ok(reviews)
}

/// The name of the input of a criterion.
fn input_name(criterion: &Criterion) -> String {
    format!("score-{}", criterion.id)
}

/// The inputs of the form, with what was sent, or else what is stored.
pub(crate) fn inputs(request: &AdminRequest, criteria: &[Criterion], stored: Option<&Review>) -> Vec<Input> {
    let is_sent = request.form.has(COMMITTEE_TEXT.name) || request.form.has("recommendation");
    let value = |name: &str, stored: &str| if is_sent { request.form.get(name) } else { stored }.to_owned();
    let score = |criterion: &Criterion| {
        let name = input_name(criterion);
        let known = stored.and_then(|review| review.scores.iter().find(|score| score.criterion_id == criterion.id));
        let present = value(&name, known.map_or("", |score| &score.text));
        let numbers = (1..=BEST).map(|score| Choice::new(score.to_string(), score.to_string(), &present));
        let choices = numbers.chain([Choice::new(ABSTAIN, "Abstain", &present)]).collect();
        Input::radio(name, &criterion.name, choices).required().hint(criterion.hint.clone().unwrap_or_default())
    };
    let present = value("recommendation", stored.map_or("", |review| &review.recommendation));
    let choices = RECOMMENDATIONS.iter().map(|(key, label)| Choice::new(*key, *label, &present)).collect();
    let committee_text = value(COMMITTEE_TEXT.name, stored.map_or("", |review| &review.committee_text));
    let film_maker_text = value(FILM_MAKER_TEXT.name, stored.map_or("", |review| &review.film_maker_text));
    let others = [
        Input::radio("recommendation", "Recommendation", choices).required(),
        Input::of(&COMMITTEE_TEXT, committee_text),
        Input::of(&FILM_MAKER_TEXT, film_maker_text),
    ];
    criteria.iter().map(score).chain(others).collect()
}

/// The text of a field in the form; "" without one.
///
/// # Errors
/// An error at the input.
pub(crate) fn text_of(request: &AdminRequest, field: &Field) -> Result<String, FieldError> {
    match field.parse(request.form.get(field.name), &request.site.time_zone) {
        Ok(Datum::Text(text)) => Ok(text),
        Ok(_) => Ok(String::new()),
        Err(message) => Err(FieldError::new(field.name, message)),
    }
}

/// Stores the review in the form in place of an earlier one, and computes the results of the film again.
///
/// # Errors
/// [`Error::Invalid`] at the inputs.
pub(crate) async fn store(
    write: &mut Write,
    request: &AdminRequest,
    round: &Round,
    (film, juror): (i64, i64),
) -> Result<()> {
    let (mut errors, mut scores) = (Vec::new(), Vec::new());
    for criterion in Round::criteria(write, round.id).await? {
        let name = input_name(&criterion);
        match (request.form.get(&name), request.form.get(&name).parse::<i64>()) {
            (ABSTAIN, _) => scores.push((criterion.id, None)),
            (_, Ok(score)) if (1..=BEST).contains(&score) => scores.push((criterion.id, Some(score))),
            _ => errors.push(FieldError::new(name, format!("{}: choose 1 to 5, or abstain.", criterion.name))),
        }
    }
    let recommendation = request.form.get("recommendation");
    if !RECOMMENDATIONS.iter().any(|(key, _)| *key == recommendation) {
        errors.push(FieldError::new("recommendation", "Choose what you recommend."));
    }
    let texts = [COMMITTEE_TEXT, FILM_MAKER_TEXT].map(|field| text_of(request, &field));
    let [Ok(committee_text), Ok(film_maker_text)] = &texts else {
        errors.extend(texts.into_iter().filter_map(Result::err));
        return Err(Error::Invalid(errors));
    };
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    // Others may be saving reviews of this film.
    let lock = sqlx::query("UPDATE film_submissions SET updated_at = updated_at WHERE id = $1");
    lock.bind(film).execute(&mut **write).await?;
    let store = sqlx::query_scalar(
        "INSERT INTO selection_reviews (round_id, film_submission_id, juror_id, recommendation, committee_text, \
         film_maker_text, saved_at) VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (round_id, film_submission_id, juror_id) DO UPDATE SET recommendation = excluded.recommendation, \
         committee_text = excluded.committee_text, film_maker_text = excluded.film_maker_text, \
         saved_at = excluded.saved_at RETURNING id",
    );
    let store = store.bind(round.id).bind(film).bind(juror).bind(recommendation).bind(committee_text);
    let store = store.bind(film_maker_text).bind(timestamp_text(request.now()));
    let id: i64 = store.fetch_one(&mut **write).await?;
    sqlx::query("DELETE FROM selection_scores WHERE review_id = $1").bind(id).execute(&mut **write).await?;
    for (criterion, score) in scores {
        let insert = sqlx::query("INSERT INTO selection_scores (review_id, criterion_id, score) VALUES ($1, $2, $3)");
        insert.bind(id).bind(criterion).bind(score).execute(&mut **write).await?;
    }
    compute_results(write, round.id, film).await
}
