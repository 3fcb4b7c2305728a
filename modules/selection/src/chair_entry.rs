//! The page of an entry for the chair: reviews, conflicts, names in synopses, and the decision.

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{Collection as _, label_of};
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, nothing_here};
use festival_core::db::{Datum, Test};
use festival_core::edition;
use festival_core::entity::{Field, Kind};
use festival_core::{Error, FieldError, Result, time_text};
use jiff::civil::Date;
use serde::Serialize;
use serde_json::json;
use sqlx::{AnyConnection, FromRow};

use crate::decision::{self, ANSWERS, Decision, OUTCOMES, Preparation, UNDECIDED};
use crate::letters::{Letters, decided};
use crate::list::{EntryList, HOME};
use crate::outline::{FILM_SUBMISSION, Film};
use crate::review::{self, text_of};
use crate::role::SELECTION;
use crate::round::Round;

/// The outcomes to choose from, and none.
const OUTCOME: Field = Field::new(
    "outcome",
    "Outcome",
    Kind::Choice(&[
        ("selected", "Selected"),
        ("waiting", "Waiting list"),
        ("not_selected", "Not selected"),
        (UNDECIDED, "Undecided"),
    ]),
)
.required();
pub(crate) const CONFIRM_BY: Field =
    Field::new("confirm_by", "Last day to confirm", Kind::Date).hint("For selected films.");
const MESSAGE: Field =
    Field::new("message", "Words for the film-maker", Kind::Lines { max: 4_000 }).hint("They are in the letter.");

/// A conflict of interest.
#[derive(FromRow, Serialize)]
struct Conflict {
    name: String,
    reason: String,
    declared_at: String,
}

/// The entry of the path.
///
/// # Errors
/// 404 if there is none, or the account may not see it.
async fn find(request: &AdminRequest, connection: &mut AnyConnection) -> Result<Film> {
    let (list, id) = (EntryList::default(), request.id()?);
    let select = list.select(connection, &list.scope(request.viewer()?), None).await?;
    if select.filter("t.id", Test::Is, Datum::Integer(id)).count(connection).await? == 0 {
        return Err(nothing_here());
    }
    Film::read(connection, id, 0).await?.pop().ok_or_else(nothing_here)
}

pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let settings = request.site.in_force().await?;
    let mut connection = request.read().await?;
    let film = find(request, &mut connection).await?;
    let at = |stored: &str| time_text::short(stored, &request.site.time_zone);
    let (mut rounds, mut texts) = (Vec::new(), Vec::new());
    for round in Round::all(&mut connection, film.edition_id).await? {
        let reviews = review::of_film(&mut connection, round.id, film.id).await?;
        let missing = sqlx::query_scalar(
            "SELECT j.name FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
             WHERE a.round_id = $1 AND a.film_submission_id = $2 AND NOT EXISTS (SELECT 1 FROM selection_reviews v \
             WHERE v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id AND v.juror_id = a.juror_id) \
             ORDER BY j.name",
        );
        let missing: Vec<String> = missing.bind(round.id).bind(film.id).fetch_all(&mut *connection).await?;
        texts.extend(reviews.iter().map(|review| review.film_maker_text.clone()).filter(|text| !text.is_empty()));
        rounds.push(json!({ "name": round.name, "reviews": reviews, "missing": missing.join(", ") }));
    }
    let conflicts = sqlx::query_as(
        "SELECT j.name, c.reason, c.declared_at FROM selection_conflicts c JOIN selection_jurors j ON j.id = c.juror_id \
         WHERE c.film_submission_id = $1 ORDER BY c.id",
    );
    let mut conflicts: Vec<Conflict> = conflicts.bind(film.id).fetch_all(&mut *connection).await?;
    conflicts.iter_mut().for_each(|conflict| conflict.declared_at = at(&conflict.declared_at));
    let decision = Decision::find(&mut connection, film.id, false).await?;
    let all = edition::all(&mut connection).await?;
    let edition = all.iter().find(|edition| edition.id == film.edition_id).ok_or_else(nothing_here)?;
    let decided = decided(&mut connection, film.edition_id, film.id).await?;
    drop(connection);
    let letters = Letters { site: &request.site, settings: &settings, edition };
    let letter = decided.first().map(|decided| letters.preview(decided)).transpose()?;
    let is_released = decision.as_ref().is_some_and(|decision| decision.released_at.is_some());
    // What reviewers wrote for the film-maker is proposed until there is a decision.
    let stored = match &decision {
        Some(it) => [it.outcome.clone(), it.confirm_by.clone().unwrap_or_default(), it.message.clone()],
        None => [UNDECIDED.to_owned(), String::new(), texts.join("\n\n")],
    };
    let input = |(field, stored): (Field, String)| {
        let sent = request.form.has(OUTCOME.name).then(|| request.form.get(field.name).to_owned());
        let input = Input::of(&field, sent.unwrap_or(stored));
        if field.name == OUTCOME.name { Input { kind: "radio", ..input } } else { input }
    };
    let decision = decision.map(|it| Decision {
        outcome: label_of(OUTCOMES, &it.outcome),
        prepared_at: at(&it.prepared_at),
        released_at: it.released_at.as_deref().map(at),
        reminded_at: it.reminded_at.as_deref().map(at),
        answer: label_of(ANSWERS, &it.answer),
        ..it
    });
    Ok(Reply::page("selection-entry", &film.title)
        .crumb("Entries", request.address(HOME, &[]))
        .with("film", &film)
        .with("names", film.names_in_synopses())
        .with("rounds", rounds)
        .with("conflicts", conflicts)
        .with("decision", decision)
        .with("letter", letter)
        .with("action", request.address(&format!("{HOME}/{}", film.id), &[]))
        .with("may_decide", request.may(&SELECTION, Action::Edit) && !is_released)
        .inputs([OUTCOME, CONFIRM_BY, MESSAGE].into_iter().zip(stored).map(input))
        .shows_people(Entry::new("view", FILM_SUBMISSION.table).id(film.id)))
}

/// Reads the last day to confirm.
///
/// # Errors
/// An error at the input if it is no day.
pub(crate) fn parse_day(request: &AdminRequest) -> Result<Option<Date>, FieldError> {
    Ok(text_of(request, &CONFIRM_BY)?.parse().ok())
}

/// Handles `POST {id}`: prepares the decision, or takes it back.
pub(crate) async fn decide(request: AdminRequest) -> Result<Reply> {
    match prepare(&request).await {
        Ok((to, message)) => Ok(Reply::redirect(to).done(message).into()),
        Err(error) => Ok(page(&request).await?.refused(error)?.into()),
    }
}

async fn prepare(request: &AdminRequest) -> Result<(String, String)> {
    let (outcome, day, message) = (text_of(request, &OUTCOME), parse_day(request), text_of(request, &MESSAGE));
    let (Ok(outcome), Ok(confirm_by), Ok(message)) = (&outcome, &day, &message) else {
        let errors = [outcome.err(), day.err(), message.err()];
        return Err(Error::Invalid(errors.into_iter().flatten().collect()));
    };
    let mut write = request.write_private().await?;
    let film = find(request, &mut write).await?;
    let by = &request.account()?.name;
    let preparation = Preparation { outcome, message: Some(message), confirm_by: *confirm_by, by };
    if !decision::prepare(&mut write, film.id, &preparation, request.now()).await? && outcome != UNDECIDED {
        return Err(Error::Conflict("The decision was released in the meantime. Nothing was changed.".into()));
    }
    let entry = Entry::new("prepare decision", FILM_SUBMISSION.table).id(film.id).after(json!({ "outcome": outcome }));
    request.commit(write, entry).await?;
    let label = if outcome == UNDECIDED { "undecided".to_owned() } else { label_of(OUTCOMES, outcome) };
    Ok((request.address(&format!("{HOME}/{}", film.id), &[]), format!("{}: {label}, not released.", film.reference)))
}
