//! How far the selection is: days left, entries by award, progress by reviewer, conflicts; and the button that assigns.

use std::collections::{BTreeMap, HashSet};

use festival_core::admin::audit::Entry;
use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::admin::{Action, AdminRequest, Reply, nothing_here};
use festival_core::{Result, edition, time_text};
use serde::Serialize;
use serde_json::json;
use sqlx::FromRow;

use crate::assigning::{assign, entries};
use crate::list::HOME;
use crate::outline::{FILM_SUBMISSION, Film, award_name};
use crate::release::RELEASE;
use crate::role::SELECTION;
use crate::round::Round;

pub(crate) const PROGRESS: &str = "/admin/selection-progress";
pub(crate) const ASSIGN: &str = "/admin/selection-progress/assign";

/// Query parameter that asks for the names in synopses.
const NAMES: &str = "names";
/// Submissions of an edition whose synopses are read unasked: those of 20,000 take seconds.
const MAX_READ_UNASKED: i64 = 2_000;

/// The progress of a reviewer in a round.
#[derive(FromRow, Serialize)]
struct Reviewer {
    name: String,
    has_left: i64,
    assigned: i64,
    reviewed: i64,
    conflicts: i64,
}

/// Handles `GET`.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?.id;
    let (mut rounds, mut blind) = (Vec::new(), HashSet::new());
    for round in Round::all(&mut connection, edition).await? {
        let entries = entries(&mut connection, edition, &round).await?;
        let mut awards: BTreeMap<&str, usize> = BTreeMap::new();
        entries.iter().for_each(|(_, award, _)| *awards.entry(award_name(award)).or_default() += 1);
        let reviewers = sqlx::query_as(
            "SELECT j.name, j.has_left, \
             (SELECT count(*) FROM selection_assignments a WHERE a.juror_id = j.id AND a.round_id = $1) AS assigned, \
             (SELECT count(*) FROM selection_reviews v WHERE v.juror_id = j.id AND v.round_id = $1) AS reviewed, \
             (SELECT count(*) FROM selection_conflicts c WHERE c.juror_id = j.id) AS conflicts \
             FROM selection_jurors j WHERE EXISTS \
             (SELECT 1 FROM selection_assignments a WHERE a.juror_id = j.id AND a.round_id = $1) ORDER BY j.name, j.id",
        );
        let reviewers: Vec<Reviewer> = reviewers.bind(round.id).fetch_all(&mut *connection).await?;
        let complete =
            sqlx::query_scalar("SELECT count(*) FROM selection_results WHERE round_id = $1 AND reviews >= $2");
        let complete: i64 = complete.bind(round.id).bind(round.reviews_per_film).fetch_one(&mut *connection).await?;
        rounds.push(json!({
            "round": round,
            "is_open": round.is_open(request.now()),
            "has_begun": round.has_begun(request.now()),
            "days": round.days_left(request.now()),
            "ends_at": time_text::long(&round.ends_at, &request.site.time_zone),
            "entries": entries.len(),
            "complete": complete,
            "awards": awards,
            "reviewers": reviewers,
        }));
        blind.extend(entries.into_iter().filter(|_| round.is_blind == 1).map(|(id, ..)| id));
    }
    let all = sqlx::query_scalar("SELECT count(*) FROM film_submissions WHERE edition_id = $1");
    let all: i64 = all.bind(edition).fetch_one(&mut *connection).await?;
    let is_asked = request.query.has(NAMES);
    let films = match !blind.is_empty() && (all <= MAX_READ_UNASKED || is_asked) {
        true => Film::read(&mut connection, 0, edition).await?,
        false => Vec::new(),
    };
    let unread = if films.is_empty() { blind.len() } else { 0 };
    drop(connection);
    let named = |film: &Film| {
        let names = film.names_in_synopses();
        (!names.is_empty()).then(|| json!({ "id": film.id, "reference": film.reference, "names": names }))
    };
    let names: Vec<_> = films.iter().filter(|film| blind.contains(&film.id)).filter_map(named).collect();
    Ok(Reply::page("selection-progress", "Progress of the selection")
        .crumb("Entries", HOME)
        .with("rounds", rounds)
        .with("names", &names)
        .with("unread", unread)
        .with("is_asked", is_asked)
        .with("may_edit", request.may(&SELECTION, Action::Edit))
        .lists_people(FILM_SUBMISSION.table, names.len(), json!({ "names in synopses": true }))
        .into())
}

/// Handles `POST`: assigns the entries of a round, or balances them again.
pub(crate) async fn submit(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    let rounds = Round::all(&mut write, edition).await?;
    let round = rounds.iter().find(|round| round.id.to_string() == request.form.get("round"));
    let round = round.ok_or_else(nothing_here)?;
    let plan = assign(&mut write, edition, round, request.now()).await?;
    let (added, removed) = (plan.added.len(), plan.removed.len());
    let entry = Entry::new("assign", "selection_rounds").id(round.id);
    request.commit(write, entry.after(json!({ "added": added, "removed": removed, "short": plan.short }))).await?;
    let short = match plan.short {
        0 => String::new(),
        count => format!(
            " Entries with fewer than {} reviewers, because nobody else may get them: {count}.",
            round.reviews_per_film
        ),
    };
    let message = format!("{}: {added} assignments added, {removed} removed.{short}", round.name);
    Ok(Reply::redirect(PROGRESS).done(message).into())
}

/// Tasks of the chair on the dashboard.
pub(crate) async fn pending(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let mut connection = context.read().await?;
    let edition = context.edition.as_ref().map_or(0, |edition| edition.id);
    let mut tasks = Vec::new();
    for (sql, singular, plural, href) in [
        (
            "SELECT count(*) FROM selection_decisions WHERE edition_id = $1 AND released_at IS NULL",
            "decision is prepared and not released",
            "decisions are prepared and not released",
            RELEASE,
        ),
        (
            "SELECT count(*) FROM selection_decisions WHERE edition_id = $1 AND outcome = 'selected' \
             AND released_at IS NOT NULL AND coalesce(answer, '') = ''",
            "selected film is not confirmed",
            "selected films are not confirmed",
            "/admin/selection?decision=selected&answer=none",
        ),
        (
            "SELECT count(*) FROM selection_assignments a WHERE a.juror_id IN \
             (SELECT id FROM selection_jurors WHERE edition_id = $1 AND has_left = 1) \
             AND NOT EXISTS (SELECT 1 FROM selection_reviews v WHERE v.round_id = a.round_id \
             AND v.film_submission_id = a.film_submission_id AND v.juror_id = a.juror_id)",
            "entry is assigned to a reviewer who left",
            "entries are assigned to reviewers who left",
            PROGRESS,
        ),
    ] {
        let count = sqlx::query_scalar(sql).bind(edition).fetch_one(&mut *connection).await?;
        tasks.extend(PendingTask::counted(count, singular, plural, href));
    }
    Ok(tasks)
}
