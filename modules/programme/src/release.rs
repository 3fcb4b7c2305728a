//! Releases: how the working programme becomes what visitors see.

use std::collections::BTreeSet;

use data_encoding::HEXLOWER;
use festival_core::db::timestamp_text;
use festival_core::edition::EDITION;
use festival_core::entity::table;
use festival_core::{Error, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, FromRow};

use crate::changes::{self, LoggedChange};
use crate::document::{Programme, Release};
use crate::rules::{self, Conflict, ConflictKind};
use crate::working;

/// What the next release would bring.
pub(crate) struct Preparation {
    /// The latest release, if there is one.
    pub(crate) previous: Option<Programme>,
    /// The document of the next release.
    pub(crate) next: Programme,
    pub(crate) changes: Vec<LoggedChange>,
    pub(crate) conflicts: Vec<Conflict>,
    /// Whether a release would change what visitors see.
    pub(crate) is_different: bool,
    /// Identifies what was shown: a release is refused if the programme has changed since.
    pub(crate) fingerprint: String,
}

/// Who makes a release, and what they state about it.
pub(crate) struct Signature<'a> {
    /// Their name.
    pub(crate) by: &'a str,
    /// Whether they take responsibility for films without a certificate.
    pub(crate) signs: bool,
    pub(crate) note: &'a str,
}

/// Reads the working programme and compares it with the latest release.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn prepare(
    connection: &mut AnyConnection,
    edition: i64,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Preparation> {
    let working = working::load(connection, edition).await?;
    let previous = newest(connection, edition).await?;
    let version = previous.as_ref().map_or(0, |previous| previous.version) + 1;
    let release = Release { version, at: now, zone, previous: previous.as_ref() };
    let mut next = Programme::released(&working, &release);
    changes::mark(&mut next.screenings, &release);
    let changes = match &previous {
        Some(previous) => changes::between(previous, &next),
        None => Vec::new(),
    };
    let contents = contents(&next)?;
    let is_different = match &previous {
        Some(previous) => self::contents(previous)? != contents,
        None => !next.screenings.is_empty(),
    };
    let conflicts = rules::check(&working, zone);
    let hash = Sha256::digest(format!("{version} {contents}"));
    let fingerprint = HEXLOWER.encode(&hash[..16]);
    Ok(Preparation { previous, next, changes, conflicts, is_different, fingerprint })
}

/// A release without the values that differ in every release.
fn contents(programme: &Programme) -> Result<String> {
    let mut programme = Programme { version: 0, released_at: None, ..programme.clone() };
    for screening in &mut programme.screenings {
        (screening.change, screening.version) = (None, 0);
    }
    Ok(serde_json::to_string(&programme)?)
}

impl Preparation {
    /// Conflicts that no release may have: two screenings in a hall at once.
    pub(crate) fn refusals(&self) -> impl Iterator<Item = &Conflict> {
        self.conflicts.iter().filter(|conflict| conflict.kind == ConflictKind::HallOverlap)
    }

    /// Films without a certificate, for which an owner has to take responsibility.
    pub(crate) fn uncertified(&self) -> impl Iterator<Item = &Conflict> {
        self.conflicts.iter().filter(|conflict| conflict.kind == ConflictKind::Uncertified)
    }
}

/// Keeps others from releasing until the end of the transaction. On SQLite its lock does that anyway.
///
/// # Errors
/// If the database cannot be written.
pub(crate) async fn lock(connection: &mut AnyConnection, edition: i64) -> Result<()> {
    table::lock(connection, &EDITION, &[edition]).await
}

/// Stores the next release and returns its number.
///
/// # Errors
/// [`Error::Conflict`] with what to do if two screenings are in a hall at once, a film has no certificate and nobody
/// takes responsibility for it, or nothing changed.
pub(crate) async fn store(
    connection: &mut AnyConnection,
    edition: i64,
    preparation: &Preparation,
    signature: &Signature<'_>,
    now: Timestamp,
) -> Result<i64> {
    if !preparation.is_different {
        return Err(Error::Conflict("Nothing changed since the latest release.".into()));
    }
    let refusals: Vec<&str> = preparation.refusals().map(|conflict| conflict.text.as_str()).collect();
    if !refusals.is_empty() {
        return Err(Error::Conflict(format!("The programme cannot be released. {}", refusals.join(" "))));
    }
    let films: BTreeSet<&str> = preparation.uncertified().filter_map(|it| it.film.as_deref()).collect();
    if !films.is_empty() && !signature.signs {
        let films = films.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Error::Conflict(format!(
            "These films have no certificate and no exemption: {films}. Enter them under \"Certificates\", or have an \
             owner sign for them."
        )));
    }
    let signed_for = (!films.is_empty()).then(|| films.into_iter().collect::<Vec<_>>().join("\n"));
    let next = &preparation.next;
    sqlx::query(
        "INSERT INTO programme_releases (edition_id, number, released_at, released_by, signed_for, note, document) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(edition)
    .bind(next.version)
    .bind(timestamp_text(now))
    .bind(signature.by.to_owned())
    .bind(signed_for)
    .bind(Some(signature.note.trim().to_owned()).filter(|note| !note.is_empty()))
    .bind(serde_json::to_string(next)?)
    .execute(connection)
    .await?;
    Ok(next.version)
}

/// When the latest release of an edition was made, as stored.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn newest_time(connection: &mut AnyConnection, edition: i64) -> Result<Option<String>> {
    Ok(sqlx::query_scalar("SELECT max(released_at) FROM programme_releases WHERE edition_id = $1")
        .bind(edition)
        .fetch_one(connection)
        .await?)
}

/// The latest release of an edition, if there is one.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn newest(connection: &mut AnyConnection, edition: i64) -> Result<Option<Programme>> {
    let document: Option<String> = sqlx::query_scalar(
        "SELECT document FROM programme_releases WHERE edition_id = $1 ORDER BY number DESC LIMIT 1",
    )
    .bind(edition)
    .fetch_optional(connection)
    .await?;
    Ok(document.map(|document| serde_json::from_str(&document)).transpose()?)
}

/// The number of the latest release, 0 before the first, and the changes of all releases after `since`, the latest
/// release first.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn changes_since(
    connection: &mut AnyConnection,
    edition: i64,
    since: i64,
) -> Result<(i64, Vec<LoggedChange>)> {
    // One statement, so that the result is consistent: the releases from `since` on, and the newest one.
    let documents: Vec<String> = sqlx::query_scalar(
        "SELECT document FROM programme_releases WHERE edition_id = $1 AND (number >= $2 OR number = \
         (SELECT max(number) FROM programme_releases WHERE edition_id = $1)) ORDER BY number",
    )
    .bind(edition)
    .bind(since)
    .fetch_all(connection)
    .await?;
    let releases =
        documents.iter().map(|document| serde_json::from_str(document)).collect::<Result<Vec<Programme>, _>>()?;
    let version = releases.last().map_or(0, |newest| newest.version);
    let pairs = releases.windows(2).rev();
    Ok((version, pairs.flat_map(|pair| changes::between(&pair[0], &pair[1])).collect()))
}

/// A release in the list of releases.
#[derive(FromRow)]
pub(crate) struct PastRelease {
    pub(crate) number: i64,
    pub(crate) released_at: String,
    pub(crate) released_by: String,
    pub(crate) signed_for: Option<String>,
    pub(crate) note: Option<String>,
}

/// All releases, the latest first.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn past(connection: &mut AnyConnection, edition: i64) -> Result<Vec<PastRelease>> {
    Ok(sqlx::query_as(
        "SELECT number, released_at, released_by, signed_for, note FROM programme_releases \
         WHERE edition_id = $1 ORDER BY number DESC",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?)
}
