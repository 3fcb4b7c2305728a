//! The page of an entry for the chair: reviews, conflicts, names in synopses, and the decision.

use festival_core::admin::audit::Entry;
use festival_core::admin::collections::{Collection as _, State, label_of};
use festival_core::admin::{Action, AdminRequest, Choice, Input, Page, Reply, nothing_here};
use festival_core::db::{Datum, Test};
use festival_core::edition::{self, Edition};
use festival_core::{Error, FieldError, Result, time_text};
use jiff::civil::Date;
use serde_json::{Value, json};
use sqlx::{AnyConnection, FromRow};

use crate::decision::{self, ANSWERS, OUTCOMES, Preparation};
use crate::letters::decided;
use crate::list::{EntryList, HOME};
use crate::names;
use crate::outline::{FILM_SUBMISSION, award_name};
use crate::pile_entry::described;
use crate::release::preview;
use crate::review::{self, clean};
use crate::role::SELECTION;
use crate::round::Round;

/// Longest message to a film-maker, in characters.
const MAX_MESSAGE: usize = 4_000;
/// The value of the outcome that takes a decision back.
pub(crate) const UNDECIDED: &str = "none";

/// What the page shows of an entry.
#[derive(FromRow)]
struct Film {
    id: i64,
    edition_id: i64,
    reference: String,
    title_english: String,
    title_original: String,
    award_category: String,
    film_language: String,
    country_of_origin: String,
    director_name: String,
    producer_name: String,
    cast_and_crew: String,
    synopsis_short: String,
    synopsis_long: String,
}

impl Film {
    /// The entry of the path.
    ///
    /// # Errors
    /// 404 if there is none, or the account may not see it.
    async fn find(request: &AdminRequest, connection: &mut AnyConnection) -> Result<Self> {
        let id = request.id()?;
        let list = EntryList { rounds: Vec::new(), round: 0 };
        let select = list.select(connection, &list.scope(request.viewer()?), None).await?;
        if select.filter("t.id", Test::Is, Datum::Integer(id)).count(connection).await? == 0 {
            return Err(nothing_here());
        }
        let found = sqlx::query_as(
            "SELECT id, edition_id, reference, title_english, title_original, award_category, film_language, \
             country_of_origin, director_name, producer_name, cast_and_crew, synopsis_short, synopsis_long \
             FROM film_submissions WHERE id = $1",
        );
        found.bind(id).fetch_optional(connection).await?.ok_or_else(nothing_here)
    }

    fn title(&self) -> &str {
        [&self.title_english, &self.title_original].into_iter().find(|it| !it.is_empty()).unwrap_or(&self.reference)
    }

    fn path(&self) -> String {
        format!("{HOME}/{}", self.id)
    }

    fn names_in_synopses(&self) -> Vec<String> {
        let text = format!("{}\n{}", self.synopsis_short, self.synopsis_long);
        names::in_text(&text, &[&self.director_name, &self.producer_name], &self.cast_and_crew)
    }
}

pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request).await?.into())
}

async fn page(request: &AdminRequest) -> Result<Page> {
    let settings = request.site.in_force().await?;
    let mut connection = request.read().await?;
    let film = Film::find(request, &mut connection).await?;
    let zone = &request.site.time_zone;
    let (mut rounds, mut texts) = (Vec::new(), Vec::new());
    for round in Round::all(&mut connection, film.edition_id).await? {
        let criteria = Round::criteria(&mut connection, round.id).await?;
        let reviews = review::of_film(&mut connection, round.id, film.id).await?;
        let assigned: Vec<String> = sqlx::query_scalar(
            "SELECT j.name FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
             WHERE a.round_id = $1 AND a.film_submission_id = $2 AND NOT EXISTS (SELECT 1 FROM selection_reviews v \
             WHERE v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id AND v.juror_id = a.juror_id) \
             ORDER BY j.name",
        )
        .bind(round.id)
        .bind(film.id)
        .fetch_all(&mut *connection)
        .await?;
        texts.extend(reviews.iter().map(|review| review.film_maker_text.clone()).filter(|text| !text.is_empty()));
        let reviews: Vec<Value> = reviews.iter().map(|review| described(review, &criteria)).collect();
        rounds.push(json!({ "name": round.name, "reviews": reviews, "missing": assigned.join(", ") }));
    }
    let conflicts: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT j.name, c.reason, c.declared_at FROM selection_conflicts c JOIN selection_jurors j ON j.id = c.juror_id \
         WHERE c.film_submission_id = $1 ORDER BY c.id",
    )
    .bind(film.id)
    .fetch_all(&mut *connection)
    .await?;
    let conflicts = conflicts
        .into_iter()
        .map(|(name, reason, at)| json!({ "name": name, "reason": reason, "at": time_text::short(&at, zone) }));
    let decision = decision::find(&mut connection, film.id).await?;
    let stored = decision.as_ref();
    let is_released = stored.is_some_and(|decision| decision.released_at.is_some());
    let edition = edition_of(&mut connection, film.edition_id).await?;
    let letter = match decided(&mut connection, film.edition_id, film.id).await?.first() {
        Some(decided) => Some(preview(&decided.letter(&request.site, &settings, &edition)?)),
        None => None,
    };
    drop(connection);
    let state = stored.map(|decision| {
        json!({
            "outcome": label_of(OUTCOMES, &decision.outcome),
            "prepared": time_text::short(&decision.prepared_at, zone),
            "by": decision.prepared_by,
            "released": decision.released_at.as_ref().map(|at| time_text::short(at, zone)),
            "answer": label_of(ANSWERS, &decision.answer),
        })
    });
    let outcome = stored.map_or(UNDECIDED, |decision| &decision.outcome);
    let confirm_by = stored.and_then(|decision| decision.confirm_by.clone()).unwrap_or_default();
    let sent = |name: &str, stored: &str| match request.form.has("outcome") {
        true => request.form.get(name).to_owned(),
        false => stored.to_owned(),
    };
    let message = Input { max: MAX_MESSAGE, ..Input::new("lines", "message", "Words for the film-maker") };
    // What reviewers wrote for the film-maker is proposed until there is a decision.
    let message_value = stored.map_or_else(|| texts.join("\n\n"), |decision| decision.message.clone());
    let inputs = [
        Input::radio("outcome", "Outcome", outcome_choices(&sent("outcome", outcome))).required(),
        Input::new("date", "confirm_by", "Last day to confirm")
            .value(sent("confirm_by", &confirm_by))
            .hint("For selected films."),
        message.hint("They are in the letter.").value(sent("message", &message_value)),
    ];
    Ok(Reply::page("selection-entry", film.title())
        .crumb("Entries", request.address(HOME, &[]))
        .with("reference", &film.reference)
        .with("facts", [award_name(&film.award_category), &film.film_language, &film.country_of_origin].join(" · "))
        .with("director", &film.director_name)
        .with("submission", format!("/admin/film-submissions/{}", film.id))
        .with("names", film.names_in_synopses())
        .with("rounds", rounds)
        .with("conflicts", conflicts.collect::<Vec<_>>())
        .with("decision", state)
        .with("letter", letter)
        .with("action", request.address(&film.path(), &[]))
        .with("may_decide", request.may(&SELECTION, Action::Edit) && !is_released)
        .inputs(inputs)
        .shows_people(Entry::new("view", FILM_SUBMISSION.table).id(film.id)))
}

async fn edition_of(connection: &mut AnyConnection, id: i64) -> Result<Edition> {
    let all = edition::all(connection).await?;
    all.into_iter().find(|edition| edition.id == id).ok_or_else(nothing_here)
}

/// The outcomes to choose from, and none.
fn outcome_choices(present: &str) -> Vec<Choice> {
    let outcomes = OUTCOMES.iter().map(|State { key, label, .. }| Choice::new(*key, *label, present));
    outcomes.chain([Choice::new(UNDECIDED, "Undecided", present)]).collect()
}

/// Reads the last day to confirm.
///
/// # Errors
/// An error at the input if it is no day.
pub(crate) fn parse_day(request: &AdminRequest) -> Result<Option<Date>, FieldError> {
    match request.form.get("confirm_by") {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| FieldError::new("confirm_by", "Choose a day.")),
    }
}

/// Handles `POST {id}`: prepares the decision, or takes it back.
pub(crate) async fn decide(request: AdminRequest) -> Result<Reply> {
    match prepare(&request).await {
        Ok((to, message)) => Ok(Reply::redirect(to).done(message).into()),
        Err(error) => Ok(page(&request).await?.refused(error)?.into()),
    }
}

async fn prepare(request: &AdminRequest) -> Result<(String, String)> {
    let outcome = request.form.get("outcome").to_owned();
    let message = clean(request.form.get("message"));
    let mut errors = Vec::new();
    if outcome != UNDECIDED && !OUTCOMES.iter().any(|state| state.key == outcome) {
        errors.push(FieldError::new("outcome", "Choose an outcome."));
    }
    if message.chars().count() > MAX_MESSAGE {
        errors.push(FieldError::new("message", format!("Write at most {MAX_MESSAGE} characters.")));
    }
    let confirm_by = parse_day(request).unwrap_or_else(|error| {
        errors.push(error);
        None
    });
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let mut write = request.write_private().await?;
    let film = Film::find(request, &mut write).await?;
    let by = &request.account()?.name;
    let preparation = Preparation { outcome: &outcome, message: Some(&message), confirm_by, by };
    let is_done = match outcome.as_str() {
        UNDECIDED => decision::take_back(&mut write, film.id).await?,
        _ => decision::prepare(&mut write, film.id, &preparation, request.now()).await?,
    };
    if !is_done && outcome != UNDECIDED {
        return Err(Error::Conflict("The decision was released in the meantime. Nothing was changed.".into()));
    }
    let entry = Entry::new("prepare decision", FILM_SUBMISSION.table).id(film.id).after(json!({ "outcome": outcome }));
    request.commit(write, entry).await?;
    let label = if outcome == UNDECIDED { "undecided".to_owned() } else { label_of(OUTCOMES, &outcome) };
    Ok((request.address(&film.path(), &[]), format!("{}: {label}, not released.", film.reference)))
}
