//! The released programme in the format of frab, as conference apps read it: `schedule.xml` and `schedule.json`.
//!
//! Apps take the day, the hour and the `day_change` as they are written, so all times are local, with the offset of the
//! festival's time zone, and a screening at 00:30 is under the day before.

use std::collections::BTreeSet;

use data_encoding::HEXLOWER;
use festival_core::xml::render;
use festival_core::{Error, RequestContext, Result};
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::api;
use crate::calendar::{description, hall_address};
use crate::day;
use crate::document::{Hall, Programme, Screening};

/// Content type of `schedule.xml`.
pub(crate) const XML: &str = "application/xml; charset=utf-8";
/// Content type of `schedule.json`.
pub(crate) const JSON: &str = "application/json";
/// The grid of the plan, HH:MM.
const TIMESLOT: &str = "00:05";
/// The longest duration that apps read as a time of day, in minutes.
const MAX_MINUTES: i64 = 24 * 60 - 1;

/// `GET /programme/schedule.json`
pub(crate) async fn json(request: RequestContext) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&document(&request, "/programme/schedule.json").await?)?)
}

/// `GET /programme/schedule.xml`: the same as XML. Text is in elements, numbers and ids are attributes.
pub(crate) async fn xml(request: RequestContext) -> Result<String> {
    let mut document = document(&request, "/programme/schedule.xml").await?;
    document["day_change"] = format!("{:02}:00", day::FIRST_HOUR).into();
    render(include_str!("schedule.hbs"), &document)
}

/// The released programme without cancelled screenings; `path` is the address of the document.
async fn document(request: &RequestContext, path: &str) -> Result<Value> {
    let programme = api::load(request).await?;
    let zone = TimeZone::get(&programme.time_zone).map_err(Error::internal)?;
    let shown: Vec<&Screening> = programme.screenings.iter().filter(|screening| !screening.cancelled).collect();
    let dates: Vec<&String> = programme.days.iter().filter(|day| shown.iter().any(|it| it.day == **day)).collect();
    let edition = request.site.edition(&mut *request.read().await?).await?;
    let edition = edition.ok_or_else(|| Error::NotFound("There is no festival yet.".into()))?;
    // Before the first release there are no days with screenings.
    let first = dates.first().map_or(&edition.starts_on, |day| *day);
    let last = dates.last().map_or(&edition.ends_on, |day| *day);
    let product = &request.site.settings.product;
    let year = first.get(..4).unwrap_or_default();
    let acronym = format!("{}{year}", product.slug.replace('-', "_"));
    let writer = Writer { request, programme: &programme, acronym: &acronym };
    let days = dates.iter().zip(1..).map(|(date, index)| writer.day(date, index, &shown, &zone));
    let days: Vec<Value> = days.collect::<Result<_>>()?;
    let shows = |id: &i64| shown.iter().any(|screening| screening.films.contains(id));
    let films = programme.films.iter().filter(|film| shows(&film.id));
    let tracks: BTreeSet<&str> = films.map(|film| film.section.name.as_str()).collect();
    let room = |hall: &Hall| json!({ "name": hall_address(hall), "guid": writer.guid("hall", hall.id), "capacity": hall.capacity });
    let schedule = json!({
        "url": format!("{}{path}", request.base_url),
        "version": programme.version.to_string(),
        "base_url": *request.base_url,
        "conference": {
            "acronym": acronym,
            "title": format!("{} {year}", product.full_name),
            "start": first,
            "end": last,
            "daysCount": days.len(),
            "timeslot_duration": TIMESLOT,
            "time_zone_name": programme.time_zone,
            "tracks": tracks.into_iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "rooms": programme.halls.iter().map(room).collect::<Vec<_>>(),
            "days": days,
        },
    });
    let generator = json!({ "name": "festival", "version": env!("CARGO_PKG_VERSION") });
    Ok(json!({ "generator": generator, "schedule": schedule }))
}

struct Writer<'a> {
    request: &'a RequestContext,
    programme: &'a Programme,
    acronym: &'a str,
}

impl Writer<'_> {
    fn day(&self, date: &str, index: usize, shown: &[&Screening], zone: &TimeZone) -> Result<Value> {
        let begin = date.parse().ok().and_then(|day| day::moment(day, Time::constant(day::FIRST_HOUR, 0, 0, 0), zone));
        let begin = begin.ok_or_else(|| Error::internal(format!("{date} is not a day")))?.to_zoned(zone.clone());
        let end = begin.checked_add(1.day()).map_err(Error::internal)?;
        let mut rooms = Map::new();
        for hall in &self.programme.halls {
            let here = shown.iter().filter(|screening| screening.day == date && screening.hall == hall.id);
            let events: Vec<Value> = here.filter_map(|screening| self.event(screening, hall)).collect();
            if !events.is_empty() {
                rooms.insert(hall_address(hall), events.into());
            }
        }
        Ok(json!({
            "index": index,
            "date": date,
            "day_start": day::with_offset(begin.timestamp(), zone),
            "day_end": day::with_offset(end.timestamp(), zone),
            "rooms": rooms,
        }))
    }

    fn event(&self, screening: &Screening, hall: &Hall) -> Option<Value> {
        let (starts_at, ends_at): (Timestamp, Timestamp) =
            (screening.starts_at.parse().ok()?, screening.ends_at.parse().ok()?);
        let minutes = ends_at.duration_since(starts_at).as_mins().clamp(1, MAX_MINUTES);
        let films = || screening.films.iter().filter_map(|id| self.programme.films.iter().find(|it| it.id == *id));
        let first = films().next();
        let languages: BTreeSet<&str> = films().flat_map(|film| &film.languages).map(String::as_str).collect();
        let languages = languages.into_iter().collect::<Vec<_>>().join(", ");
        let mut people: Vec<&String> = Vec::new();
        for name in films().flat_map(|film| &film.directors).chain(&screening.guests) {
            if !people.contains(&name) {
                people.push(name);
            }
        }
        let page = format!("{}/programme?screening={}", self.request.base_url, screening.id);
        let link = |url: &str, title: &str| json!({ "url": url, "title": title });
        let map = hall.map_link.as_ref().map(|url| link(url, &hall_address(hall)));
        let links: Vec<Value> = [Some(link(&page, &screening.title)), map].into_iter().flatten().collect();
        Some(json!({
            "id": screening.id,
            "guid": self.guid("screening", screening.id),
            "url": page,
            "date": screening.starts_at,
            "start": screening.starts_at.get(11..16)?,
            "duration": format!("{:02}:{:02}", minutes / 60, minutes % 60),
            "room": hall_address(hall),
            "slug": format!("{}-screening-{}", self.acronym, screening.id),
            "title": screening.title,
            "subtitle": films().filter_map(|film| film.original_title.as_deref()).collect::<Vec<_>>().join(" + "),
            "track": first.map(|film| &film.section.name),
            "type": screening.kind,
            "language": screening.language.clone().unwrap_or(languages),
            "abstract": description(self.programme, screening),
            "description": films().filter_map(|film| film.synopsis.as_deref()).collect::<Vec<_>>().join("\n"),
            "logo": first.and_then(|film| film.poster.as_ref()),
            "persons": people.iter().map(|name| json!({ "id": number(name), "name": name })).collect::<Vec<_>>(),
            "links": links,
        }))
    }

    /// A UUID (version 8) that is the same in all releases and on all hosts of the site.
    fn guid(&self, kind: &str, id: i64) -> String {
        let hash = Sha256::digest(format!("{kind}-{id}@{}", self.request.site.settings.product.slug));
        let mut bytes: [u8; 16] = std::array::from_fn(|index| hash[index]);
        bytes[6] = bytes[6] & 0x0F | 0x80;
        bytes[8] = bytes[8] & 0x3F | 0x80;
        let hex = HEXLOWER.encode(&bytes);
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    }
}

/// The number of a person, who has none here: the same for the same name, as apps count people by it.
fn number(name: &str) -> u32 {
    let hash = Sha256::digest(name);
    u32::from_be_bytes(std::array::from_fn(|index| hash[index])) >> 1 | 1
}
