//! The public API: everything is answered from the newest release, so that nobody sees a mixture of two.

use festival_core::{Error, RequestContext, Result};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::changes::LoggedChange;
use crate::day;
use crate::document::{Film, Programme, Screening};
use crate::release;

/// The released programme of the requested edition; an empty one before the first release.
///
/// # Errors
/// [`Error::NotFound`] if there is no such edition.
pub(crate) async fn load(request: &RequestContext) -> Result<Programme> {
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    let programme = release::newest(&mut connection, edition).await?.unwrap_or_else(|| Programme {
        time_zone: request.time_zone().iana_name().unwrap_or("UTC").to_owned(),
        ..Programme::default()
    });
    let film = |film: Film| Film { poster: request.media_url(film.poster), ..film };
    Ok(Programme { films: programme.films.into_iter().map(film).collect(), ..programme })
}

/// `GET /programme/`
pub(crate) async fn show_programme(request: RequestContext) -> Result<Programme> {
    let programme = load(&request).await?;
    Ok(match film(&request)? {
        None => programme,
        Some(film) => programme.with_film(film),
    })
}

/// The id of the film that the query asks for.
fn film(request: &RequestContext) -> Result<Option<i64>> {
    let id = |film: &String| film.parse().map_err(|_| Error::BadRequest("film must be the id of a film.".into()));
    request.query.get("film").map(id).transpose()
}

/// Where today stands in the festival, by the server's clock.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct ProgrammeToday {
    /// The festival day that it is; null on all other days.
    day: Option<String>,
    /// The latest beginning or end of a screening that has passed, RFC 3339: since then the same ones run. Null before
    /// the first one.
    since: Option<String>,
}

/// `GET /programme/today/`
pub(crate) async fn show_today(request: RequestContext) -> Result<ProgrammeToday> {
    let programme = load(&request).await?;
    let zone = request.time_zone();
    let now = request.site.clock.now();
    let today = day::of(now, zone);
    let tomorrow = today.tomorrow().map_err(Error::internal)?;
    let (past, coming): (Vec<Timestamp>, Vec<Timestamp>) = programme
        .screenings
        .iter()
        .flat_map(|screening| [&screening.starts_at, &screening.ends_at])
        .filter_map(|time| time.parse().ok())
        .chain(day::moment(tomorrow, Time::constant(day::FIRST_HOUR, 0, 0, 0), zone))
        .partition(|time| *time <= now);
    if let Some(next) = coming.into_iter().min() {
        request.expire_at(next);
    }
    Ok(ProgrammeToday {
        day: programme.days.into_iter().find(|day| *day == today.to_string()),
        since: past.into_iter().max().map(|time| day::with_offset(time, zone)),
    })
}

/// `GET /screenings/`
pub(crate) async fn list_screenings(request: RequestContext) -> Result<Vec<Screening>> {
    let mut screenings = load(&request).await?.screenings;
    if let Some(film) = film(&request)? {
        screenings.retain(|screening| screening.films.contains(&film));
    }
    if let Some(day) = request.query.get("day") {
        let day: Date = day.parse().map_err(|_| Error::BadRequest("day must be a date, as in 2025-10-24.".into()))?;
        screenings.retain(|screening| screening.day == day.to_string());
    }
    Ok(screenings)
}

/// What changed since a release.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct ProgrammeChanges {
    /// Number of the latest release; 0 before the first one.
    version: i64,
    /// The latest release first.
    changes: Vec<LoggedChange>,
}

/// `GET /programme/changes/`
pub(crate) async fn list_changes(request: RequestContext) -> Result<ProgrammeChanges> {
    let since = match request.query.get("since") {
        None => 1,
        Some(text) => text
            .parse::<i64>()
            .ok()
            .filter(|since| *since >= 0)
            .ok_or_else(|| Error::BadRequest("since must be the number of a release.".into()))?,
    };
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    let (version, changes) = release::changes_since(&mut connection, edition, since).await?;
    Ok(ProgrammeChanges { version, changes })
}
