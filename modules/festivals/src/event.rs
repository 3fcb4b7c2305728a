//! Events around the festival.

use festival_core::admin::dashboard::{DashboardContext, PendingTask};
use festival_core::db::timestamp_text;
use festival_core::entity::{Entity, Field, Kind};
use festival_core::{Error, RequestContext, Result, time_text};
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// The fields of an event that organisers edit.
pub const UPCOMING_EVENT: Entity = Entity {
    table: "upcoming_events",
    singular: "event",
    plural: "upcoming events",
    fields: &[
        Field::text("event", "Event").required(),
        Field::new("event_datetime", "Date and time", Kind::DateTime).required(),
        Field::text("location", "Place").required(),
        Field::image("image", "Picture"),
        Field::alt("image_alt", "Picture: alternative text"),
        Field::position(),
        Field::published(),
    ],
    // Without the time: a rescheduled event stays the same event.
    key: &["event"],
    per_edition: true,
};

/// An event in the API.
#[derive(Serialize, FromRow, JsonSchema, TS)]
pub(crate) struct UpcomingEvent {
    id: i64,
    /// Title of the event.
    event: String,
    /// Time of the beginning, RFC 3339 with the offset of the festival's time zone.
    event_datetime: String,
    location: String,
    /// Address of the picture.
    image: Option<String>,
    /// Alternative text of the picture.
    image_alt: Option<String>,
    /// Time of the beginning as text: "Oct 24, 2025, 6:00 PM".
    #[sqlx(default)]
    event_datetime_text: String,
}

/// `GET /upcoming-events/`: those that have begun come after all others.
pub(crate) async fn list_events(request: RequestContext) -> Result<Vec<UpcomingEvent>> {
    let edition = request.edition_id().await?;
    let only_upcoming = match request.query.get("upcoming").map(String::as_str) {
        None | Some("0") => false,
        Some("1") => true,
        Some(_) => return Err(Error::BadRequest("upcoming must be 0 or 1.".into())),
    };
    let now = request.site.clock.now();
    let mut connection = request.read().await?;
    let events: Vec<UpcomingEvent> = sqlx::query_as(
        "SELECT id, event, event_datetime, location, image, image_alt FROM upcoming_events \
         WHERE edition_id = $1 AND is_published = 1 AND (event_datetime >= $2 OR $3 = 0) \
         ORDER BY event_datetime < $2, position, id",
    )
    .bind(edition)
    .bind(timestamp_text(now))
    .bind(i64::from(only_upcoming))
    .fetch_all(&mut *connection)
    .await?;
    // An event that begins at this very millisecond is still ahead.
    let starts = events.iter().filter_map(|event| event.event_datetime.parse::<Timestamp>().ok());
    starts.filter(|time| *time >= now).for_each(|time| request.expire_at(time + SignedDuration::from_millis(1)));
    let zone = request.time_zone();
    Ok(events
        .into_iter()
        .map(|event| UpcomingEvent {
            event_datetime_text: time_text::us(&event.event_datetime, zone),
            event_datetime: time_text::with_offset(&event.event_datetime, zone),
            image: request.media_url(event.image),
            ..event
        })
        .collect())
}

/// A pending task while the current edition is not over and has no events ahead.
pub(crate) async fn programme_is_empty(context: DashboardContext) -> Result<Vec<PendingTask>> {
    let now = context.site.clock.now();
    let today = now.to_zoned(context.site.time_zone.clone()).date().to_string();
    let Some(edition) = context.edition.as_ref().filter(|edition| edition.ends_on >= today) else {
        return Ok(Vec::new());
    };
    let mut connection = context.read().await?;
    let ahead: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM upcoming_events WHERE edition_id = $1 AND is_published = 1 AND event_datetime >= $2",
    )
    .bind(edition.id)
    .bind(timestamp_text(now))
    .fetch_one(&mut *connection)
    .await?;
    let words = "No event lies ahead: the programme on the site is empty.".to_owned();
    let task = PendingTask { text: words, href: "/admin/upcoming-events/new".to_owned(), is_urgent: false };
    Ok(if ahead == 0 { vec![task] } else { Vec::new() })
}
