//! Events as iCalendar files and as JSON-LD.

use festival_core::icalendar::Calendar;
use festival_core::json_ld::{About, festival_id, organisation_id, place};
use festival_core::{Error, RequestContext, Result, time_text};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::FromRow;

/// How long events take in calendars. Organisers give only their beginning, and one without a length is hardly seen there.
const DURATION: &str = "PT2H";

#[derive(FromRow)]
struct Event {
    id: i64,
    event: String,
    event_datetime: String,
    location: String,
    image: Option<String>,
    updated_at: String,
}

impl Event {
    fn starts_at(&self) -> Option<Timestamp> {
        self.event_datetime.parse().ok()
    }
}

async fn load_events(request: &RequestContext) -> Result<Vec<Event>> {
    let edition = request.edition_id().await?;
    let mut connection = request.read().await?;
    Ok(sqlx::query_as(
        "SELECT id, event, event_datetime, location, image, updated_at FROM upcoming_events \
         WHERE edition_id = $1 AND is_published = 1 ORDER BY event_datetime, id",
    )
    .bind(edition)
    .fetch_all(&mut *connection)
    .await?)
}

/// `GET /upcoming-events.ics`: all events of the edition, for subscriptions.
pub(crate) async fn list_events(request: RequestContext) -> Result<String> {
    let events = load_events(&request).await?;
    Ok(calendar(&request, &events))
}

/// `GET /upcoming-events/{id}.ics`
pub(crate) async fn show_event(request: RequestContext) -> Result<String> {
    let id = request.id()?;
    let events: Vec<Event> = load_events(&request).await?.into_iter().filter(|event| event.id == id).collect();
    if events.is_empty() {
        return Err(Error::NotFound("There is no such event.".into()));
    }
    Ok(calendar(&request, &events))
}

fn calendar(request: &RequestContext, events: &[Event]) -> String {
    let product = &request.site.settings.product;
    let mut calendar = Calendar::new(&product.full_name);
    calendar.text("X-WR-CALNAME", &format!("{}: upcoming events", product.name));
    calendar.line("REFRESH-INTERVAL;VALUE=DURATION", "PT6H");
    calendar.line("X-PUBLISHED-TTL", "PT6H");
    for event in events {
        // An event whose time cannot be parsed is left out of the calendar.
        let Some(starts_at) = event.starts_at() else { continue };
        let changed_at = event.updated_at.parse().unwrap_or(starts_at);
        calendar.line("BEGIN", "VEVENT");
        // Stable across all hosts of the site, so that calendars update the event instead of adding another.
        calendar.text("UID", &format!("event-{}@{}", event.id, product.slug));
        calendar.time("DTSTAMP", changed_at);
        calendar.time("LAST-MODIFIED", changed_at);
        calendar.time("DTSTART", starts_at);
        calendar.line("DURATION", DURATION);
        calendar.text("SUMMARY", &event.event);
        calendar.text("LOCATION", &event.location);
        calendar.line("URL", &format!("{}/#upcoming-events", request.base_url));
        calendar.line("STATUS", "CONFIRMED");
        calendar.line("END", "VEVENT");
    }
    calendar.finish()
}

/// JSON-LD of the events on the home page.
pub(crate) async fn events_about(request: RequestContext) -> Result<About> {
    let events: Vec<Value> =
        load_events(&request).await?.into_iter().map(|event| event_json(&request, event)).collect();
    let festival = json!({ "@type": "Festival", "@id": festival_id(&request), "subEvent": events });
    Ok(About { things: vec![festival], ..About::default() })
}

fn event_json(request: &RequestContext, event: Event) -> Value {
    json!({
        "@type": "Event",
        "url": format!("{}/#upcoming-events", request.base_url),
        "name": event.event,
        "startDate": time_text::with_offset(&event.event_datetime, request.time_zone()),
        "duration": DURATION,
        "image": request.media_url(event.image),
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": place(&request.site.settings, Some(&event.location)),
        "organizer": { "@id": organisation_id(request) },
    })
}
