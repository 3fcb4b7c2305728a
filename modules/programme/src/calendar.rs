//! The released programme as iCalendar files: all of it, a day, a screening.

use std::collections::BTreeMap;

use festival_core::icalendar::Calendar;
use festival_core::{Error, RequestContext, Result};
use jiff::Timestamp;

use crate::api;
use crate::document::{Programme, Screening};

/// Content type of iCalendar files.
pub(crate) const CONTENT_TYPE: &str = "text/calendar; charset=utf-8";

/// `GET /programme.ics`: all screenings, for subscriptions.
pub(crate) async fn list_screenings(request: RequestContext) -> Result<String> {
    let programme = api::load(&request).await?;
    Ok(calendar(&request, &programme, |_| true))
}

/// `GET /programme/{day}.ics`
pub(crate) async fn show_day(request: RequestContext) -> Result<String> {
    let programme = api::load(&request).await?;
    let day: String = request.param("day")?;
    if !programme.days.contains(&day) {
        return Err(Error::NotFound("There are no screenings on this day.".into()));
    }
    Ok(calendar(&request, &programme, |screening| screening.day == day))
}

/// `GET /programme/screenings/{id}.ics`
pub(crate) async fn show_screening(request: RequestContext) -> Result<String> {
    let id = request.id()?;
    let programme = api::load(&request).await?;
    if !programme.screenings.iter().any(|screening| screening.id == id) {
        return Err(Error::NotFound("There is no such screening.".into()));
    }
    Ok(calendar(&request, &programme, |screening| screening.id == id))
}

fn calendar(request: &RequestContext, programme: &Programme, is_wanted: impl Fn(&Screening) -> bool) -> String {
    let product = &request.site.settings.product;
    let mut calendar = Calendar::new(&product.full_name);
    calendar.text("X-WR-CALNAME", &format!("{}: programme", product.name));
    calendar.line("REFRESH-INTERVAL;VALUE=DURATION", "PT1H");
    calendar.line("X-PUBLISHED-TTL", "PT1H");
    let halls: BTreeMap<i64, String> = programme.halls.iter().map(|hall| (hall.id, hall_address(hall))).collect();
    let released_at = programme.released_at.as_deref().and_then(timestamp).unwrap_or(Timestamp::UNIX_EPOCH);
    for screening in programme.screenings.iter().filter(|screening| is_wanted(screening)) {
        let (Some(starts_at), Some(ends_at)) = (timestamp(&screening.starts_at), timestamp(&screening.ends_at)) else {
            continue;
        };
        let changed_at = screening.change.as_ref().and_then(|change| timestamp(&change.at)).unwrap_or(released_at);
        calendar.line("BEGIN", "VEVENT");
        // Stable across all releases and hosts of the site, so that calendars update the event.
        calendar.text("UID", &format!("screening-{}@{}", screening.id, product.slug));
        calendar.line("SEQUENCE", &screening.version.to_string());
        calendar.time("DTSTAMP", released_at);
        calendar.time("LAST-MODIFIED", changed_at);
        calendar.time("DTSTART", starts_at);
        calendar.time("DTEND", ends_at);
        // Many calendars do not show the status.
        let cancelled = if screening.cancelled { "Cancelled: " } else { "" };
        calendar.text("SUMMARY", &format!("{cancelled}{}", screening.title));
        if let Some(hall) = halls.get(&screening.hall) {
            calendar.text("LOCATION", hall);
        }
        let description = description(programme, screening);
        if !description.is_empty() {
            calendar.text("DESCRIPTION", &description);
        }
        calendar.line("URL", &format!("{}/programme?screening={}", request.base_url, screening.id));
        calendar.line("STATUS", if screening.cancelled { "CANCELLED" } else { "CONFIRMED" });
        calendar.line("END", "VEVENT");
    }
    calendar.finish()
}

/// "Hall 1, Kairali". A hall that is called as its house stands once.
pub(crate) fn hall_address(hall: &crate::document::Hall) -> String {
    let venue = hall.venue.as_deref().unwrap_or_default();
    match venue.strip_prefix(&hall.name) {
        Some(rest) if rest.is_empty() || rest.starts_with(',') => venue.to_owned(),
        _ if venue.is_empty() => hall.name.clone(),
        _ => format!("{}, {venue}", hall.name),
    }
}

/// Its films with their directors and lengths, its guests, its languages: a line each.
pub(crate) fn description(programme: &Programme, screening: &Screening) -> String {
    let films = screening.films.iter().filter_map(|id| programme.films.iter().find(|film| film.id == *id));
    let film = |film: &crate::document::Film| {
        let length = film.minutes.map(|minutes| format!("{minutes} min"));
        let details = [Some(film.directors.join(", ")), film.year.map(|year| year.to_string()), length];
        let details: Vec<String> = details.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        if details.is_empty() { film.title.clone() } else { format!("{} ({})", film.title, details.join(", ")) }
    };
    let mut lines: Vec<String> = films.map(film).collect();
    if !screening.guests.is_empty() {
        lines.push(format!("With {}", screening.guests.join(", ")));
    }
    lines.extend(screening.subtitles.as_ref().map(|subtitles| format!("Subtitles: {subtitles}")));
    lines.join("\n")
}

fn timestamp(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
