//! The pile of a reviewer: the entries that were assigned to the account, and nothing else. Every address below
//! `/admin/pile` reads its entry by [`find`], so an entry that is not in the pile does not exist for the account.

use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::admin::{AdminRequest, Reply, nothing_here};
use festival_core::{Result, edition, time_text};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use sqlx::{AnyConnection, FromRow};

use crate::outline::{by_name, is_entry, title};
use crate::round::Round;

pub(crate) const PILE: &str = "/admin/pile";

/// An entry of a pile, with what also blind rounds show.
#[derive(Clone, Debug, FromRow, Serialize)]
pub(crate) struct Item {
    /// Id of the assignment.
    pub(crate) id: i64,
    pub(crate) film: i64,
    pub(crate) round: i64,
    pub(crate) juror: i64,
    pub(crate) opened_at: Option<String>,
    pub(crate) reference: String,
    pub(crate) title: String,
    #[serde(serialize_with = "by_name")]
    award_category: String,
    film_type: String,
    film_language: String,
    country_of_origin: String,
    duration_minutes: Option<i64>,
    /// When it was reviewed.
    saved_at: Option<String>,
}

impl Item {
    pub(crate) fn path(&self) -> String {
        format!("{PILE}/{}", self.id)
    }
}

/// The entries of the account with this e-mail address in rounds of the current edition that have begun, in their order;
/// if `id` is not 0, only the one of this assignment. Entries with a conflict of interest are none of them.
async fn items(
    connection: &mut AnyConnection,
    email: &str,
    now: Timestamp,
    id: i64,
) -> Result<Vec<(Round, Vec<Item>)>> {
    const SQL: &str = concat!(
        "SELECT a.id, f.id AS film, a.round_id AS round, a.juror_id AS juror, a.opened_at, f.reference, ",
        title!(),
        " AS title, f.award_category, f.film_type, f.film_language, f.country_of_origin, f.duration_minutes, v.saved_at \
         FROM selection_assignments a JOIN selection_jurors j ON j.id = a.juror_id \
         JOIN film_submissions f ON f.id = a.film_submission_id \
         LEFT JOIN selection_reviews v ON v.round_id = a.round_id AND v.film_submission_id = a.film_submission_id \
         AND v.juror_id = a.juror_id \
         WHERE j.edition_id = $1 AND lower(j.email) = $2 AND j.has_left = 0 AND ($3 = 0 OR a.id = $3) AND ",
        is_entry!(),
        " AND NOT EXISTS (SELECT 1 FROM selection_conflicts c WHERE c.film_submission_id = f.id AND c.juror_id = j.id) \
         ORDER BY a.id"
    );
    let Some(edition) = edition::find_current(&mut *connection).await? else { return Ok(Vec::new()) };
    let items = sqlx::query_as(SQL).bind(edition.id).bind(email).bind(id);
    let items: Vec<Item> = items.fetch_all(&mut *connection).await?;
    let rounds = Round::all(connection, edition.id).await?.into_iter().filter(|round| round.has_begun(now));
    let of_round = |round: Round| {
        let items: Vec<Item> = items.iter().filter(|item| item.round == round.id).cloned().collect();
        (round, items)
    };
    Ok(rounds.map(of_round).filter(|(_, items)| !items.is_empty()).collect())
}

/// The entry of an assignment in the pile of the account.
///
/// # Errors
/// 404 if it is not in the pile.
pub(crate) async fn find(request: &AdminRequest, connection: &mut AnyConnection) -> Result<(Round, Item)> {
    let found = items(connection, &request.account()?.email, request.now(), request.id()?).await?.into_iter().next();
    found.and_then(|(round, items)| Some((round, items.into_iter().next()?))).ok_or_else(nothing_here)
}

/// The entries that the account with this e-mail address may review and has not.
async fn to_do(connection: &mut AnyConnection, email: &str, now: Timestamp) -> Result<Vec<Item>> {
    let rounds = items(connection, email, now, 0).await?;
    let open = rounds.into_iter().filter(|(round, _)| round.is_open(now)).flat_map(|(_, items)| items);
    Ok(open.filter(|item| item.saved_at.is_none()).collect())
}

/// The task of a reviewer on the dashboard.
pub(crate) async fn pending(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let to_do = to_do(&mut *context.read().await?, &context.email, context.site.clock.now()).await?;
    let count = i64::try_from(to_do.len()).unwrap_or(i64::MAX);
    Ok(PendingTask::counted(count, "entry to review", "entries to review", PILE).into_iter().collect())
}

/// The path of the next entry that is to be reviewed after this one; the pile itself if there is none.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn next(request: &AdminRequest, connection: &mut AnyConnection, after: &Item) -> Result<String> {
    let mut to_do = to_do(connection, &request.account()?.email, request.now()).await?;
    to_do.retain(|item| item.id != after.id);
    to_do.sort_by_key(|item| (item.round != after.round, item.id < after.id, item.id));
    Ok(to_do.first().map_or(PILE.to_owned(), Item::path))
}

/// Handles `GET` of the pile.
pub(crate) async fn show(request: AdminRequest) -> Result<Reply> {
    let rounds = items(&mut *request.read().await?, &request.account()?.email, request.now(), 0).await?;
    let shown: usize = rounds.iter().map(|(_, items)| items.len()).sum();
    let described = |(round, mut items): (Round, Vec<Item>)| {
        let zone = &request.site.time_zone;
        let first = items.iter().find(|item| item.saved_at.is_none()).map(Item::path);
        for item in &mut items {
            item.saved_at = item.saved_at.as_ref().map(|at| time_text::short(at, zone));
        }
        json!({
            "name": round.name,
            "is_blind": round.is_blind == 1,
            "is_open": round.is_open(request.now()),
            "ends_at": time_text::long(&round.ends_at, zone),
            "first": first,
            "reviewed": items.iter().filter(|item| item.saved_at.is_some()).count(),
            "items": items,
        })
    };
    Ok(Reply::page("pile", "My entries")
        .with("rounds", rounds.into_iter().map(described).collect::<Vec<_>>())
        .lists_people("film_submissions", shown, json!({ "pile": true }))
        .into())
}
