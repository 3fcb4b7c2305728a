//! What runs now or begins soon: events of the festival and sessions of the sister festivals.

use festival_core::db::timestamp_text;
use festival_core::{RequestContext, Result, time_text};
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;
use ts_rs::TS;

/// How long before its beginning an item appears on the home page.
const LEAD_TIME: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Maximum number of items in the response.
const MAX_ITEMS: i64 = 3;

/// Something that runs now or begins within two weeks.
#[derive(Serialize, JsonSchema, TS)]
pub(crate) struct NextItem {
    title: String,
    place: Option<String>,
    /// Time of the beginning, RFC 3339 with the offset of the festival's time zone.
    starts_at: String,
    /// Time as text: "Now, until 5:00 PM", "Today, 6:30 PM", "Tomorrow, 6:30 PM", "Friday 24 October, 6:30 PM".
    when_text: String,
    /// The page with more about it; null if there is none.
    href: Option<String>,
}

#[derive(FromRow)]
struct NextRow {
    title: String,
    place: Option<String>,
    starts_at: String,
    ends_at: Option<String>,
    /// Slug of the sister festival's page; `None` for an event of the festival itself.
    festival: Option<String>,
}

/// `GET /next/`
pub(crate) async fn list_next(request: RequestContext) -> Result<Vec<NextItem>> {
    let edition = request.edition_id().await?;
    let now = request.site.clock.now();
    let mut connection = request.read().await?;
    // An event has no end: it is left out once it has begun. A session stays until it ends.
    let rows: Vec<NextRow> = sqlx::query_as(
        "SELECT event AS title, location AS place, event_datetime AS starts_at, NULL AS ends_at, NULL AS festival \
         FROM upcoming_events WHERE edition_id = $1 AND is_published = 1 AND event_datetime > $2 \
         UNION ALL \
         SELECT title, place, starts_at, ends_at, festival \
         FROM sessions WHERE edition_id = $1 AND is_published = 1 AND coalesce(ends_at, starts_at) > $2 \
         ORDER BY 3, 1 LIMIT $3",
    )
    .bind(edition)
    .bind(timestamp_text(now))
    .bind(MAX_ITEMS)
    .fetch_all(&mut *connection)
    .await?;
    drop(connection);
    let mut items = Vec::new();
    for row in rows {
        let Ok(starts) = row.starts_at.parse::<Timestamp>() else { continue };
        if starts - LEAD_TIME > now {
            request.expire_at(starts - LEAD_TIME);
            break;
        }
        items.push(item(&request, row, starts, now));
    }
    Ok(items)
}

fn item(request: &RequestContext, row: NextRow, starts: Timestamp, now: Timestamp) -> NextItem {
    let zone = request.time_zone();
    let ends = row.ends_at.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
    request.expire_at(if starts > now { starts } else { ends.unwrap_or(starts) });
    let href = match &row.festival {
        None => Some("/#upcoming-events".to_owned()),
        Some(slug) => {
            let path = format!("/{slug}");
            request.site.contents.page_at(&path).is_some().then_some(path)
        }
    };
    NextItem {
        when_text: when_text(
            request,
            &starts.to_zoned(zone.clone()),
            row.ends_at.as_deref(),
            &now.to_zoned(zone.clone()),
        ),
        starts_at: time_text::with_offset(&row.starts_at, zone),
        title: row.title,
        place: row.place,
        href,
    }
}

/// The time of an item relative to now. The response is cached until midnight at the latest.
fn when_text(request: &RequestContext, starts: &Zoned, ends_at: Option<&str>, now: &Zoned) -> String {
    if starts <= now {
        return ends_at.map_or_else(
            || "Now".to_owned(),
            |time| format!("Now, until {}", time_text::hour(time, request.time_zone())),
        );
    }
    let today = now.date();
    if let Ok(midnight) = now.tomorrow().and_then(|day| day.start_of_day()) {
        request.expire_at(midnight.timestamp());
    }
    let day = if starts.date() == today {
        "Today".to_owned()
    } else if today.checked_add(1.day()).is_ok_and(|tomorrow| starts.date() == tomorrow) {
        "Tomorrow".to_owned()
    } else {
        starts.strftime("%A %-d %B").to_string()
    };
    format!("{day}, {}", starts.strftime("%-I:%M %p"))
}
