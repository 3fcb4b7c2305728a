//! The programme as programmers have it now: every row of an edition, read at once.

use std::collections::BTreeMap;

use festival_core::Result;
use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, FromRow, Row as _};

use crate::entities::JURY;

/// Length in minutes that is assumed if neither the screening nor its films have one.
pub(crate) const UNKNOWN_MINUTES: i64 = 120;

/// The rows of an edition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programme {
    pub(crate) halls: Vec<Hall>,
    /// Minutes on foot from one hall to another, in both directions.
    pub(crate) walks: BTreeMap<(i64, i64), i64>,
    pub(crate) films: BTreeMap<i64, Film>,
    pub(crate) prints: Vec<Print>,
    pub(crate) keys: Vec<Key>,
    pub(crate) stays: Vec<Stay>,
    /// The status of the certificate of each film that has one.
    pub(crate) certificates: BTreeMap<i64, String>,
    /// By beginning, then by hall.
    pub(crate) screenings: Vec<Screening>,
}

/// A hall.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Hall {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) venue: Option<String>,
    pub(crate) capacity: Option<i64>,
    pub(crate) wheelchair_seats: Option<i64>,
    pub(crate) changeover_minutes: i64,
    pub(crate) closing_time: Option<String>,
    pub(crate) map_link: Option<String>,
}

impl Hall {
    /// When the last screening of a day has to be over.
    pub(crate) fn closing_time(&self) -> Option<Time> {
        self.closing_time.as_deref()?.parse().ok()
    }
}

/// A published film of a published section.
#[derive(Clone, Debug, Default, FromRow)]
pub(crate) struct Film {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) original_title: Option<String>,
    pub(crate) director_name: Option<String>,
    pub(crate) country: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) year: Option<i64>,
    pub(crate) duration_minutes: Option<i64>,
    pub(crate) synopsis: Option<String>,
    pub(crate) poster: Option<String>,
    pub(crate) poster_alt: Option<String>,
    pub(crate) category_id: i64,
    pub(crate) category_name: String,
}

/// A print.
#[derive(Clone, Debug, Default)]
pub(crate) struct Print {
    pub(crate) film: i64,
    pub(crate) format: String,
    pub(crate) from: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
    pub(crate) transport_minutes: i64,
    /// Running time in seconds, from its file.
    pub(crate) seconds: Option<i64>,
    pub(crate) is_encrypted: bool,
    /// The languages of its subtitles: "English, French".
    pub(crate) subtitles: Option<String>,
    /// The id of its playlist, if it was read from a file.
    pub(crate) cpl_id: Option<String>,
}

/// A key of an encrypted print.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) film: i64,
    pub(crate) cpl_id: String,
    /// The hall that it counts for; `None` for every hall.
    pub(crate) hall: Option<i64>,
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

/// When a guest is at the festival.
#[derive(Clone, Debug)]
pub(crate) struct Stay {
    pub(crate) name: String,
    pub(crate) from: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
}

/// A screening.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screening {
    pub(crate) id: i64,
    pub(crate) code: Option<String>,
    pub(crate) kind: String,
    pub(crate) title: Option<String>,
    /// Its films, in the order in which they are shown.
    pub(crate) films: Vec<i64>,
    pub(crate) hall: i64,
    pub(crate) starts_at: Timestamp,
    /// Without the talk; `None` for the running time of the films.
    pub(crate) minutes: Option<i64>,
    pub(crate) talk_minutes: i64,
    pub(crate) guests: Vec<String>,
    pub(crate) with_guests: bool,
    pub(crate) language: Option<String>,
    pub(crate) subtitles: Option<String>,
    pub(crate) audience: String,
    pub(crate) is_cancelled: bool,
}

impl Screening {
    /// Whether visitors see it.
    pub(crate) fn is_public(&self) -> bool {
        self.audience != JURY
    }
}

impl Programme {
    /// Minutes of a screening without its talk; `None` if neither it nor its films have a length.
    pub(crate) fn minutes(&self, screening: &Screening) -> Option<i64> {
        let films = || screening.films.iter().filter_map(|id| self.films.get(id)?.duration_minutes).sum();
        screening.minutes.or_else(|| Some(films()).filter(|minutes| *minutes > 0))
    }

    /// When a screening is over, with its talk.
    pub(crate) fn ends_at(&self, screening: &Screening) -> Timestamp {
        let minutes = self.minutes(screening).unwrap_or(UNKNOWN_MINUTES) + screening.talk_minutes;
        screening.starts_at + SignedDuration::from_mins(minutes)
    }

    /// What a screening is called: its title, or those of its films.
    pub(crate) fn title(&self, screening: &Screening) -> String {
        let films = || screening.films.iter().filter_map(|id| Some(self.films.get(id)?.name.as_str()));
        match screening.title.as_deref() {
            Some(title) => title.to_owned(),
            None if films().next().is_some() => films().collect::<Vec<_>>().join(" + "),
            None => screening.code.clone().unwrap_or_else(|| format!("Screening {}", screening.id)),
        }
    }

    /// The hall with this id.
    pub(crate) fn hall(&self, id: i64) -> Option<&Hall> {
        self.halls.iter().find(|hall| hall.id == id)
    }
}

/// Reads the programme of an edition. Whether it is a consistent snapshot depends on the caller's transaction.
///
/// # Errors
/// If the database cannot be read.
pub(crate) async fn load(connection: &mut AnyConnection, edition: i64) -> Result<Programme> {
    let halls = sqlx::query_as(
        "SELECT id, name, venue, capacity, wheelchair_seats, changeover_minutes, closing_time, map_link \
         FROM halls WHERE edition_id = $1 ORDER BY position, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let ways: Vec<(i64, i64, i64)> =
        sqlx::query_as("SELECT hall_id, other_hall_id, minutes FROM hall_walks WHERE edition_id = $1 ORDER BY id")
            .bind(edition)
            .fetch_all(&mut *connection)
            .await?;
    let films: Vec<Film> = sqlx::query_as(
        "SELECT f.id, f.name, f.original_title, f.director_name, f.country, f.language, f.year, f.duration_minutes, \
         f.synopsis, f.poster, f.poster_alt, f.category_id, c.name AS category_name \
         FROM films f JOIN categories c ON c.id = f.category_id \
         WHERE f.edition_id = $1 AND f.is_published = 1 AND c.is_published = 1 ORDER BY c.position, f.position, f.id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let certificates: Vec<(i64, String)> =
        sqlx::query_as("SELECT film_id, status FROM certificates WHERE edition_id = $1 ORDER BY id")
            .bind(edition)
            .fetch_all(&mut *connection)
            .await?;
    Ok(Programme {
        halls,
        walks: ways
            .into_iter()
            .flat_map(|(from, to, minutes)| [((from, to), minutes), ((to, from), minutes)])
            .collect(),
        films: films.into_iter().map(|film| (film.id, film)).collect(),
        prints: load_prints(connection, edition).await?,
        keys: load_keys(connection, edition).await?,
        stays: load_stays(connection, edition).await?,
        certificates: certificates.into_iter().collect(),
        screenings: load_screenings(connection, edition).await?,
    })
}

async fn load_prints(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Print>> {
    let print = |row: AnyRow| -> sqlx::Result<_> {
        Ok(Print {
            film: row.try_get("film_id")?,
            format: row.try_get("format")?,
            from: timestamp(row.try_get("available_from")?),
            until: timestamp(row.try_get("available_until")?),
            transport_minutes: row.try_get("transport_minutes")?,
            seconds: row.try_get("running_seconds")?,
            is_encrypted: flag(&row, "is_encrypted")?,
            subtitles: row.try_get("subtitles")?,
            cpl_id: row.try_get("cpl_id")?,
        })
    };
    let prints = sqlx::query(
        "SELECT film_id, format, available_from, available_until, transport_minutes, running_seconds, is_encrypted, \
         subtitles, cpl_id FROM prints WHERE edition_id = $1 ORDER BY id",
    );
    Ok(prints.bind(edition).try_map(print).fetch_all(connection).await?)
}

async fn load_keys(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Key>> {
    type Row = (i64, String, Option<i64>, String, String);
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT film_id, cpl_id, hall_id, valid_from, valid_until FROM print_keys WHERE edition_id = $1 ORDER BY id",
    )
    .bind(edition)
    .fetch_all(connection)
    .await?;
    let key = |(film, cpl_id, hall, from, until): Row| {
        Some(Key { film, cpl_id, hall, from: from.parse().ok()?, until: until.parse().ok()? })
    };
    Ok(rows.into_iter().filter_map(key).collect())
}

async fn load_stays(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Stay>> {
    type Row = (String, Option<String>, Option<String>);
    let rows: Vec<Row> =
        sqlx::query_as("SELECT name, arrives_at, leaves_at FROM guest_stays WHERE edition_id = $1 ORDER BY id")
            .bind(edition)
            .fetch_all(connection)
            .await?;
    let stay = |(name, from, until): Row| Stay { name, from: timestamp(from), until: timestamp(until) };
    Ok(rows.into_iter().map(stay).collect())
}

async fn load_screenings(connection: &mut AnyConnection, edition: i64) -> Result<Vec<Screening>> {
    let further: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT screening_id, film_id FROM screening_films WHERE edition_id = $1 ORDER BY screening_id, position, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?;
    let mut films: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (screening, film) in further {
        films.entry(screening).or_default().push(film);
    }
    let screening = |row: AnyRow| -> sqlx::Result<_> {
        // A stored time is always valid; without one a row has no place in a programme.
        let Some(starts_at) = timestamp(row.try_get("starts_at")?) else { return Ok(None) };
        let (id, first) = (row.try_get("id")?, row.try_get::<Option<i64>, _>("film_id")?);
        let further = films.remove(&id).unwrap_or_default().into_iter().filter(|film| Some(*film) != first);
        Ok(Some(Screening {
            id,
            code: row.try_get("code")?,
            kind: row.try_get("kind")?,
            title: row.try_get("title")?,
            films: first.into_iter().chain(further).collect(),
            hall: row.try_get("hall_id")?,
            starts_at,
            minutes: row.try_get("minutes")?,
            talk_minutes: row.try_get("talk_minutes")?,
            guests: names(row.try_get::<Option<&str>, _>("guests")?.unwrap_or_default()),
            with_guests: flag(&row, "with_guests")?,
            language: row.try_get("language")?,
            subtitles: row.try_get("subtitles")?,
            audience: row.try_get("audience")?,
            is_cancelled: flag(&row, "is_cancelled")?,
        }))
    };
    let screenings = sqlx::query(
        "SELECT id, code, kind, film_id, title, hall_id, starts_at, minutes, talk_minutes, guests, with_guests, \
         language, subtitles, audience, is_cancelled FROM screenings WHERE edition_id = $1 ORDER BY starts_at, hall_id, id",
    );
    let screenings = screenings.bind(edition).try_map(screening).fetch_all(connection).await?;
    Ok(screenings.into_iter().flatten().collect())
}

fn flag(row: &AnyRow, column: &str) -> sqlx::Result<bool> {
    Ok(row.try_get::<i64, _>(column)? == 1)
}

/// The names in a text with one on each line.
fn names(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn timestamp(stored: Option<String>) -> Option<Timestamp> {
    stored?.parse().ok()
}
