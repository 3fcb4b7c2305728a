//! The page `/programme` for search engines: its address and its screenings as structured data.

use festival_core::json_ld::{About, festival_id, organisation_id, organisers_and_festival, place};
use festival_core::sitemap::Address;
use festival_core::{RequestContext, Result};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api;
use crate::calendar;
use crate::document::{ChangeKind, Programme, Screening};
use crate::release;

/// Number of screenings in the structured data of a page without a day: the next ones, and the others of the day of the last
/// one. The calendar has all of them.
const EVENTS: usize = 60;

/// The sitemap entry of `/programme`, once there is a release.
pub(crate) async fn address(request: RequestContext) -> Result<Vec<Address>> {
    let edition = request.edition_id().await?;
    let released_at = release::newest_time(&mut *request.read().await?, edition).await?;
    let address = |changed_at| Address { path: "/programme".into(), changed_at: Some(changed_at) };
    Ok(released_at.map(address).into_iter().collect())
}

/// JSON-LD of the screenings that everybody may visit: those of the day that is shown, otherwise the next ones.
pub(crate) async fn about(request: RequestContext) -> Result<About> {
    let programme = api::load(&request).await?;
    let now = request.site.clock.now();
    let is_next = |screening: &&Screening| {
        screening.audience == "all" && screening.ends_at.parse::<Timestamp>().is_ok_and(|ends_at| ends_at > now)
    };
    let mut next: Vec<&Screening> = programme.screenings.iter().filter(is_next).collect();
    if let Some(ends_at) = next.first().and_then(|screening| screening.ends_at.parse().ok()) {
        request.expire_at(ends_at);
    }
    match request.query.get("day").filter(|day| programme.days.contains(day)) {
        Some(day) => next.retain(|screening| screening.day == *day),
        None => {
            let last_day = next.get(EVENTS).map(|_| next[EVENTS - 1].day.clone());
            let end = last_day.and_then(|day| next.iter().rposition(|screening| screening.day == day));
            next.truncate(end.map_or(next.len(), |last| last + 1));
        }
    }
    let mut things = organisers_and_festival(&request).await?;
    things.extend(next.into_iter().map(|screening| event(&request, &programme, screening)));
    Ok(About { things, ..About::default() })
}

fn event(request: &RequestContext, programme: &Programme, screening: &Screening) -> Value {
    let hall = programme.halls.iter().find(|hall| hall.id == screening.hall).map(calendar::hall_address);
    let films: Vec<Value> = screening
        .films
        .iter()
        .filter_map(|id| programme.films.iter().find(|film| film.id == *id))
        .map(|film| {
            let directors = film.directors.iter().map(|name| json!({ "@type": "Person", "name": name }));
            json!({
                "@type": "Movie",
                "name": film.title,
                "alternateName": film.original_title,
                "director": directors.collect::<Vec<_>>(),
                "image": film.poster,
                "duration": film.minutes.map(|minutes| format!("PT{minutes}M")),
            })
        })
        .collect();
    // schema.org means another time; another hall alone changes the location.
    let moved_from = screening.change.as_ref().filter(|change| change.kind == ChangeKind::Moved);
    let moved_from = moved_from.and_then(|change| change.was.as_ref()).map(|was| &was.starts_at);
    let moved_from = moved_from.filter(|was| **was != screening.starts_at);
    let status = match (screening.cancelled, moved_from) {
        (true, _) => "EventCancelled",
        (false, Some(_)) => "EventRescheduled",
        (false, None) => "EventScheduled",
    };
    json!({
        "@type": if films.is_empty() { "Event" } else { "ScreeningEvent" },
        "url": format!("{}/programme?screening={}", request.base_url, screening.id),
        "name": screening.title,
        "startDate": screening.starts_at,
        "endDate": screening.ends_at,
        "previousStartDate": moved_from,
        "eventStatus": format!("https://schema.org/{status}"),
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": place(&request.site.settings, hall.as_deref()),
        "inLanguage": screening.language,
        "subtitleLanguage": screening.subtitles,
        "workPresented": films,
        "superEvent": { "@id": festival_id(request) },
        "organizer": { "@id": organisation_id(request) },
    })
}
