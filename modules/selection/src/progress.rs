//! How far the selection is: days left, entries by award, progress by reviewer, conflicts; and the button that assigns.

use std::collections::BTreeMap;

use festival_core::admin::audit::Entry;
use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::admin::{Action, AdminRequest, Reply, nothing_here};
use festival_core::{Result, edition, time_text};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::{AnyConnection, FromRow};

use crate::assigning::{assign, entries};
use crate::list::HOME;
use crate::names;
use crate::outline::{FILM_SUBMISSION, award_name};
use crate::release::RELEASE;
use crate::role::SELECTION;
use crate::round::{Round, is_entry};

pub(crate) const PROGRESS: &str = "/admin/selection-progress";
pub(crate) const ASSIGN: &str = "/admin/selection-progress/assign";

/// The progress of a reviewer in a round.
#[derive(FromRow)]
struct Reviewer {
    name: String,
    has_left: i64,
    assigned: i64,
    reviewed: i64,
    conflicts: i64,
}

/// What is compared to find names in a synopsis.
#[derive(FromRow)]
struct Texts {
    id: i64,
    reference: String,
    award_category: String,
    director_name: String,
    producer_name: String,
    cast_and_crew: String,
    synopsis_short: String,
    synopsis_long: String,
}

/// Handles `GET`.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?.id;
    let mut rounds = Vec::new();
    let all = Round::all(&mut connection, edition).await?;
    for round in &all {
        rounds.push(described(&request, &mut connection, edition, round).await?);
    }
    let names = match all.iter().any(|round| round.is_blind == 1) {
        true => named(&mut connection, edition, &all).await?,
        false => Vec::new(),
    };
    drop(connection);
    Ok(Reply::page("selection-progress", "Progress of the selection")
        .crumb("Entries", HOME)
        .with("rounds", rounds)
        .with("names", &names)
        .with("assign", ASSIGN)
        .with("may_edit", request.may(&SELECTION, Action::Edit))
        .lists_people(FILM_SUBMISSION.table, names.len(), json!({ "names in synopses": true }))
        .into())
}

async fn described(
    request: &AdminRequest,
    connection: &mut AnyConnection,
    edition: i64,
    round: &Round,
) -> Result<Value> {
    let entries = entries(connection, edition, round).await?;
    let mut awards: BTreeMap<&str, usize> = BTreeMap::new();
    entries.iter().for_each(|(_, award, _)| *awards.entry(award_name(award)).or_default() += 1);
    let reviewers: Vec<Reviewer> = sqlx::query_as(
        "SELECT j.name, j.has_left, count(a.id) AS assigned, count(v.id) AS reviewed, \
         (SELECT count(*) FROM selection_conflicts c WHERE c.juror_id = j.id) AS conflicts \
         FROM selection_jurors j JOIN selection_assignments a ON a.juror_id = j.id AND a.round_id = $1 \
         LEFT JOIN selection_reviews v ON v.round_id = a.round_id AND v.juror_id = a.juror_id \
         AND v.film_submission_id = a.film_submission_id GROUP BY j.id, j.name, j.has_left ORDER BY j.name, j.id",
    )
    .bind(round.id)
    .fetch_all(&mut *connection)
    .await?;
    let complete: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM selection_results s JOIN film_submissions f ON f.id = s.film_submission_id \
         WHERE s.round_id = $1 AND s.reviews >= $2",
    )
    .bind(round.id)
    .bind(round.reviews_per_film)
    .fetch_one(connection)
    .await?;
    let rows = reviewers.iter().map(|it| {
        json!({
            "name": it.name, "has_left": it.has_left == 1, "assigned": it.assigned, "reviewed": it.reviewed,
            "conflicts": it.conflicts,
        })
    });
    Ok(json!({
        "id": round.id,
        "name": round.name,
        "days": days_text(round, request.now()),
        "ends_at": time_text::long(&round.ends_at, &request.site.time_zone),
        "entries": entries.len(),
        "complete": complete,
        "per_film": round.reviews_per_film,
        "awards": awards.into_iter().map(|(name, count)| json!({ "name": name, "count": count })).collect::<Vec<_>>(),
        "reviewers": rows.collect::<Vec<_>>(),
    }))
}

/// "12 days left", "not begun", "ended".
fn days_text(round: &Round, now: Timestamp) -> String {
    if !round.is_open(now) {
        return if round.has_begun(now) { "ended" } else { "not begun" }.to_owned();
    }
    let left = round.ends_at.parse::<Timestamp>().map_or(0, |end| end.as_second() - now.as_second()) / 86_400;
    match left {
        0 => "less than a day left".to_owned(),
        1 => "1 day left".to_owned(),
        days => format!("{days} days left"),
    }
}

/// Entries of blind rounds whose synopses name people.
async fn named(connection: &mut AnyConnection, edition: i64, rounds: &[Round]) -> Result<Vec<Value>> {
    const SQL: &str = concat!(
        "SELECT f.id, f.reference, f.award_category, f.director_name, f.producer_name, f.cast_and_crew, f.synopsis_short, \
         f.synopsis_long FROM film_submissions f WHERE f.edition_id = $1 AND ",
        is_entry!(),
        " ORDER BY f.id"
    );
    let films: Vec<Texts> = sqlx::query_as(SQL).bind(edition).fetch_all(connection).await?;
    let is_blind = |film: &&Texts| {
        let hides = |round: &Round| round.award.as_ref().is_none_or(|award| *award == film.award_category);
        rounds.iter().any(|round| round.is_blind == 1 && hides(round))
    };
    let row = |film: &Texts| {
        let text = format!("{}\n{}", film.synopsis_short, film.synopsis_long);
        let names = names::in_text(&text, &[&film.director_name, &film.producer_name], &film.cast_and_crew);
        let href = format!("{HOME}/{}", film.id);
        (!names.is_empty()).then(|| json!({ "href": href, "reference": film.reference, "names": names.join(", ") }))
    };
    Ok(films.iter().filter(is_blind).filter_map(row).collect())
}

/// Handles `POST`: assigns the entries of a round, or balances them again.
pub(crate) async fn submit(request: AdminRequest) -> Result<Reply> {
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    let rounds = Round::all(&mut write, edition).await?;
    let round =
        rounds.iter().find(|round| round.id.to_string() == request.form.get("round")).ok_or_else(nothing_here)?;
    let plan = assign(&mut write, edition, round, request.now()).await?;
    let (added, removed) = (plan.added.len(), plan.removed.len());
    let entry = Entry::new("assign", "selection_rounds").id(round.id);
    request.commit(write, entry.after(json!({ "added": added, "removed": removed, "short": plan.short }))).await?;
    let short = match plan.short {
        0 => String::new(),
        1 => format!(" 1 entry has fewer than {} reviewers: nobody else may get it.", round.reviews_per_film),
        count => {
            format!(" {count} entries have fewer than {} reviewers: nobody else may get them.", round.reviews_per_film)
        }
    };
    let message = format!("{}: {added} assignments added, {removed} removed.{short}", round.name);
    Ok(Reply::redirect(PROGRESS).done(message).into())
}

/// Tasks of the chair on the dashboard.
pub(crate) async fn pending(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let mut connection = context.read().await?;
    let edition = context.edition.as_ref().map_or(0, |edition| edition.id);
    let prepared: i64 =
        sqlx::query_scalar("SELECT count(*) FROM selection_decisions WHERE edition_id = $1 AND released_at IS NULL")
            .bind(edition)
            .fetch_one(&mut *connection)
            .await?;
    let stranded: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
         WHERE a.edition_id = $1 AND j.has_left = 1 AND NOT EXISTS (SELECT 1 FROM selection_reviews v \
         WHERE v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id AND v.juror_id = a.juror_id)",
    )
    .bind(edition)
    .fetch_one(&mut *connection)
    .await?;
    let tasks = [
        PendingTask::counted(
            prepared,
            "decision is prepared and not released",
            "decisions are prepared and not released",
            RELEASE,
        ),
        PendingTask::counted(
            stranded,
            "entry is assigned to a reviewer who left",
            "entries are assigned to reviewers who left",
            PROGRESS,
        ),
    ];
    Ok(tasks.into_iter().flatten().collect())
}
