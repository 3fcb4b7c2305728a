//! Sessions: the programme of the sister festivals.

use festival_core::entity::{Entity, Field, Kind};
use festival_core::{RequestContext, Result, time_text};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The kinds of sessions: the stored value and the label.
const KINDS: &[(&str, &str)] = &[
    ("films", "Films"),
    ("lecture", "Lecture"),
    ("conversation", "Conversation"),
    ("workshop", "Workshop"),
    ("ceremony", "Ceremony"),
    ("gathering", "Gathering"),
];

/// The fields of a session that organisers edit.
pub const SESSION: Entity = Entity {
    table: "sessions",
    singular: "session",
    plural: "sessions",
    fields: &[
        Field::new("festival", "Page of the festival", Kind::Slug).required().placeholder("isff-2025"),
        Field::new("starts_at", "Begins", Kind::DateTime).required(),
        Field::new("ends_at", "Ends", Kind::DateTime).until(),
        Field::new("kind", "Kind", Kind::Choice(KINDS)).required(),
        Field::text("title", "Title").required(),
        Field::text("person", "Who"),
        Field::text("place", "Where"),
        Field::lines("description", "Description"),
        Field::published(),
    ],
    key: &["festival", "starts_at", "title"],
    per_edition: true,
};

/// A day of a sister festival.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct SessionDay {
    /// "2025-08-08".
    day: String,
    /// "Friday 8 August 2025".
    day_text: String,
    sessions: Vec<Session>,
}

/// A session in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct Session {
    id: i64,
    /// Time of the beginning, RFC 3339 with the offset of the festival's time zone.
    starts_at: String,
    /// Hour of the beginning as text: "4:00 PM".
    #[sqlx(default)]
    starts_at_text: String,
    /// Time of the end.
    ends_at: Option<String>,
    #[sqlx(default)]
    ends_at_text: Option<String>,
    /// The kind: "lecture".
    kind: String,
    /// Label of the kind: "Lecture".
    #[sqlx(default)]
    kind_text: String,
    title: String,
    /// The people who lecture, talk or teach.
    person: Option<String>,
    place: Option<String>,
    description: Option<String>,
}

/// `GET /sessions/{slug}/`
pub(crate) async fn list_days(request: RequestContext) -> Result<Vec<SessionDay>> {
    let edition = request.edition_id().await?;
    let festival: String = request.param("slug")?;
    let mut connection = request.read().await?;
    let sessions: Vec<Session> = sqlx::query_as(
        "SELECT id, starts_at, ends_at, kind, title, person, place, description FROM sessions \
         WHERE edition_id = $1 AND festival = $2 AND is_published = 1 ORDER BY starts_at, id",
    )
    .bind(edition)
    .bind(festival)
    .fetch_all(&mut *connection)
    .await?;
    let zone = request.time_zone();
    let mut days: Vec<SessionDay> = Vec::new();
    for session in sessions {
        let day = time_text::day(&session.starts_at, zone);
        if days.last().is_none_or(|last| last.day != day) {
            days.push(SessionDay {
                day,
                day_text: time_text::long_day_with_weekday(&session.starts_at, zone),
                sessions: Vec::new(),
            });
        }
        if let Some(last) = days.last_mut() {
            last.sessions.push(Session {
                starts_at_text: time_text::hour(&session.starts_at, zone),
                starts_at: time_text::with_offset(&session.starts_at, zone),
                ends_at_text: session.ends_at.as_deref().map(|time| time_text::hour(time, zone)),
                ends_at: session.ends_at.as_deref().map(|time| time_text::with_offset(time, zone)),
                kind_text: KINDS
                    .iter()
                    .find(|(kind, _)| *kind == session.kind)
                    .map_or_else(|| session.kind.clone(), |(_, label)| (*label).to_owned()),
                ..session
            });
        }
    }
    Ok(days)
}
