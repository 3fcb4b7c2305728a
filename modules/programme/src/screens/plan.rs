//! The plan of a day: its halls with their screenings, the films next to it, and the conflicts.

use std::collections::BTreeMap;

use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Page, Reply};
use festival_core::{Error, Result, edition};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde_json::{Value, json};

use super::conflicts::groups;
use super::paths::{ADD, COPY, HOME, MOVE, RELEASE};
use crate::day;
use crate::rules::{self, Conflict, ConflictKind};
use crate::working::{self, Film, Hall, Programme, Screening};

/// Maximum number of days of an edition that are linked to.
const MAX_DAYS: usize = 60;

pub(super) async fn show(request: AdminRequest) -> Result<Reply> {
    Ok(page(&request, request.query.get("day")).await?.into())
}

/// The plan of a day; of today, or else of the first day, if `day` is not in the programme.
pub(super) async fn page(request: &AdminRequest, day: &str) -> Result<Page> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?;
    let programme = working::load(&mut connection, edition.id).await?;
    drop(connection);
    let zone = &request.site.time_zone;
    let mut days: BTreeMap<Date, usize> = BTreeMap::new();
    if let (Ok(first), Ok(last)) = (edition.starts_on.parse::<Date>(), edition.ends_on.parse::<Date>()) {
        days.extend(first.series(1.day()).take_while(|day| *day <= last).take(MAX_DAYS).map(|day| (day, 0)));
    }
    for screening in &programme.screenings {
        *days.entry(day::of(screening.starts_at, zone)).or_default() += 1;
    }
    let wanted = day.parse().ok().filter(|day| days.contains_key(day));
    let today = day::of(request.now(), zone);
    let chosen = wanted.or_else(|| days.contains_key(&today).then_some(today)).or_else(|| days.keys().next().copied());
    let Some(chosen) = chosen else { return Err(Error::NotFound("The edition has no days.".into())) };
    let conflicts = rules::check(&programme, zone);
    let plan = Plan { programme: &programme, zone, day: chosen, conflicts: &conflicts, year: edition.year };
    let halls: Vec<Value> = programme.halls.iter().map(|hall| plan.hall(hall, parameter(request, "hall"))).collect();
    let proposed = halls.iter().find(|hall| hall["is_chosen"] == true).or(halls.first());
    let free_at = proposed.and_then(|hall| hall["free_at"].as_str());
    // Input is kept; after a screening was added, its hall is proposed with the time after it.
    let has_time = request.form.has("time") || request.query.has("time");
    let time = if has_time { parameter(request, "time") } else { free_at.unwrap_or_default() }.to_owned();
    let day_links: Vec<Value> = days
        .iter()
        .map(|(day, count)| {
            json!({
                "key": day.to_string(),
                "href": format!("{HOME}?day={day}"),
                "label": day.strftime("%a %-d %b").to_string(),
                "count": count,
                "is_chosen": *day == chosen,
            })
        })
        .collect();
    Ok(Reply::page("programme", "Plan of a day")
        .with("day", chosen.strftime("%A %-d %B").to_string())
        .with("day_key", chosen.to_string())
        .with("days", day_links)
        .with("halls", halls)
        .with("films", films(&programme))
        .with("film", request.form.get("film"))
        .with("time", time)
        .with("groups", groups(&conflicts))
        .with("move", MOVE)
        .with("add", ADD)
        .with("copy", COPY)
        .with("release", RELEASE)
        .with("problems", Vec::<Value>::new())
        .with("may_edit", request.may(&CONTENT, Action::Edit)))
}

/// A field of the submitted form, or else of the query.
fn parameter<'a>(request: &'a AdminRequest, name: &str) -> &'a str {
    if request.form.has(name) { request.form.get(name) } else { request.query.get(name) }
}

/// Source data of the plan of a day.
struct Plan<'a> {
    programme: &'a Programme,
    zone: &'a TimeZone,
    day: Date,
    conflicts: &'a [Conflict],
    year: i64,
}

impl Plan<'_> {
    fn hall(&self, hall: &Hall, chosen: &str) -> Value {
        let is_here = |it: &&Screening| it.hall == hall.id && day::of(it.starts_at, self.zone) == self.day;
        let screenings: Vec<&Screening> = self.programme.screenings.iter().filter(is_here).collect();
        let held = screenings.iter().filter(|screening| !screening.is_cancelled);
        let free_at = held.map(|screening| self.programme.ends_at(screening)).max();
        let next = free_at.map(|end| next_start(end + SignedDuration::from_mins(hall.changeover_minutes)));
        let next = next
            .or_else(|| day::moment(self.day, Time::constant(10, 0, 0, 0), self.zone))
            .unwrap_or(Timestamp::UNIX_EPOCH);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("edition", &self.year.to_string());
        query.append_pair("hall", &hall.name);
        query.append_pair("starts_at", &next.to_zoned(self.zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string());
        json!({
            "name": hall.name,
            "rows": screenings.into_iter().map(|screening| self.row(screening)).collect::<Vec<_>>(),
            // The form for a screening after the last one.
            "form": format!("/admin/screenings/new?{}", query.finish()),
            // When the next screening of the day can begin: "18:30"; "" if the day is over by then.
            "free_at": time_within(self.day, next, self.zone),
            "is_chosen": chosen == hall.name,
        })
    }

    fn row(&self, screening: &Screening) -> Value {
        let ends_at = self.programme.ends_at(screening);
        let audience = match &*screening.audience {
            "delegates" => Some("for delegates".to_owned()),
            "jury" => Some("for the jury only".to_owned()),
            _ => None,
        };
        let talk = (screening.talk_minutes > 0).then(|| format!("with a talk of {} minutes", screening.talk_minutes));
        let guests = (!screening.guests.is_empty()).then(|| format!("with {}", screening.guests.join(", ")));
        let details = [screening.code.clone(), audience, talk, guests];
        let concerns = |conflict: &&Conflict| {
            conflict.kind != ConflictKind::Uncertified && conflict.screenings.contains(&screening.id)
        };
        let day_begins = day::moment(self.day, Time::constant(day::FIRST_HOUR, 0, 0, 0), self.zone);
        let offset = day_begins.map_or(0, |begin| screening.starts_at.duration_since(begin).as_mins());
        json!({
            "id": screening.id,
            "href": format!("/admin/screenings/{}", screening.id),
            "title": self.programme.title(screening),
            "details": details.into_iter().flatten().collect::<Vec<_>>().join(", "),
            "is_cancelled": screening.is_cancelled,
            "conflicts": self.conflicts.iter().filter(concerns).map(|conflict| &conflict.text).collect::<Vec<_>>(),
            "begin": day::hour_text(screening.starts_at, self.zone),
            "end": day::hour_text(ends_at, self.zone),
            // As they are entered: "" for the running time of the films.
            "minutes": screening.minutes.map(|minutes| minutes.to_string()).unwrap_or_default(),
            // Minutes since the beginning of the festival day, and until the end of the talk.
            "offset": offset,
            "length": ends_at.duration_since(screening.starts_at).as_mins(),
            "talk": screening.talk_minutes,
        })
    }
}

/// The films that can be placed, those with the fewest screenings first.
fn films(programme: &Programme) -> Vec<Value> {
    let shown = |film: &Film| {
        let shows = |screening: &&Screening| !screening.is_cancelled && screening.films.contains(&film.id);
        programme.screenings.iter().filter(shows).count()
    };
    let mut films: Vec<(usize, &Film)> = programme.films.values().map(|film| (shown(film), film)).collect();
    films.sort_by_key(|(count, film)| (*count, &film.name));
    let film = |(count, film): (usize, &Film)| {
        json!({
            "id": film.id,
            "title": film.name,
            "details": details(film),
            "minutes": film.duration_minutes,
            "count": count,
        })
    };
    films.into_iter().map(film).collect()
}

/// A film in a sentence: “River” (Uma Rao, World Cinema, 102 min).
pub(super) fn named(film: &Film) -> String {
    format!("“{}” ({})", film.name, details(film))
}

/// Distinguishes a film from others with the same title: "Uma Rao, World Cinema, 102 min".
fn details(film: &Film) -> String {
    let minutes = film.duration_minutes.map(|minutes| format!("{minutes} min"));
    let parts = [film.director_name.clone(), Some(film.category_name.clone()), minutes];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// When a hall is free again after a film that begins there: "18:30", or "" if the day is over by then.
pub(super) fn time_after(film: &Film, starts_at: Timestamp, hall: &Hall, (day, zone): (Date, &TimeZone)) -> String {
    let minutes = film.duration_minutes.unwrap_or(working::UNKNOWN_MINUTES) + hall.changeover_minutes;
    time_within(day, next_start(starts_at + SignedDuration::from_mins(minutes)), zone)
}

fn time_within(day: Date, time: Timestamp, zone: &TimeZone) -> String {
    if day::of(time, zone) == day { day::hour_text(time, zone) } else { String::new() }
}

/// Rounds up to a multiple of five minutes.
fn next_start(time: Timestamp) -> Timestamp {
    let rest = time.as_second().rem_euclid(300);
    if rest == 0 { time } else { time + SignedDuration::from_secs(300 - rest) }
}
