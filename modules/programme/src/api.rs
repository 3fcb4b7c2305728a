//! The public API: everything is answered from the newest release, so that nobody sees a mixture of two.

use festival_core::{Error, RequestContext, Result};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::changes::LoggedChange;
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
    load(&request).await
}

/// `GET /screenings/`
pub(crate) async fn list_screenings(request: RequestContext) -> Result<Vec<Screening>> {
    let mut screenings = load(&request).await?.screenings;
    if let Some(film) = request.query.get("film") {
        let film: i64 = film.parse().map_err(|_| Error::BadRequest("film must be the id of a film.".into()))?;
        screenings.retain(|screening| screening.films.contains(&film));
    }
    if let Some(day) = request.query.get("day") {
        screenings.retain(|screening| screening.day == *day);
    }
    Ok(screenings)
}

/// What changed since a release.
#[derive(Serialize, JsonSchema, TS)]
#[ts(export_to = "programme.ts")]
pub(crate) struct ProgrammeChanges {
    /// Number of the latest release; 0 before the first one.
    #[ts(type = "number")]
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
