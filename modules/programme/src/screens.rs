//! Screens of the back office: the plan of a day with what is wrong, and the release.

use std::collections::BTreeMap;

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Input, Page, Permission, Reply, Role, Screen};
use festival_core::entity::{Field, Kind};
use festival_core::{Error, Registry, Result, edition, time_text};
use jiff::civil::{Date, Time};
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde::Serialize;
use serde_json::{Value, json};

use crate::day;
use crate::feed;
use crate::release::{self, PastRelease, Preparation, Signature};
use crate::rules::{self, Conflict, ConflictKind};
use crate::working::{self, Hall, Programme, Screening};

const HOME: &str = "/admin/programme";
const RELEASE: &str = "/admin/programme/release";

/// Days of an edition that are linked to.
const MAX_DAYS: usize = 60;
/// Conflicts of a kind that are listed; of the others their number is told.
const MAX_LISTED: usize = 50;

const NOTE: Field = Field::text("note", "Note").hint("What the release is about. Visitors do not see it.");
const SIGN: Field =
    Field::new("sign", "I answer for showing the films without certificate that are listed above", Kind::Flag);

pub(crate) fn register(registry: &mut Registry) {
    let view = Permission::To(&CONTENT, Action::View);
    registry
        .screen(Screen::get(HOME, view, show_day).in_menu("Programme", "Plan of a day"))
        .screen(Screen::get(RELEASE, view, show_release).in_menu("Programme", "Release the programme"))
        .screen(Screen::post(RELEASE, Permission::To(&CONTENT, Action::Edit), store_release));
}

/// A hall on the plan of a day.
#[derive(Serialize)]
struct HallPlan {
    name: String,
    rows: Vec<PlannedRow>,
    /// The form for a screening after the last one.
    add: String,
}

/// A screening on the plan of a day.
#[derive(Serialize)]
struct PlannedRow {
    href: String,
    time: String,
    title: String,
    details: String,
    is_cancelled: bool,
    /// What is wrong with it.
    conflicts: Vec<String>,
}

async fn show_day(request: AdminRequest) -> Result<Reply> {
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
    let wanted = request.query.get("day").parse().ok().filter(|day| days.contains_key(day));
    let today = day::of(request.now(), zone);
    let chosen = wanted.or_else(|| days.contains_key(&today).then_some(today)).or_else(|| days.keys().next().copied());
    let Some(chosen) = chosen else { return Err(Error::NotFound("The edition has no days.".into())) };
    let conflicts = rules::check(&programme, zone);
    let plan =
        Plan { programme: &programme, request: &request, day: chosen, conflicts: &conflicts, year: edition.year };
    let halls: Vec<HallPlan> = programme.halls.iter().map(|hall| plan.hall(hall)).collect();
    let day_links: Vec<Value> = days
        .iter()
        .map(|(day, count)| {
            json!({
                "href": format!("{HOME}?day={day}"),
                "label": day.strftime("%a %-d %b").to_string(),
                "count": count,
                "is_chosen": *day == chosen,
            })
        })
        .collect();
    Ok(Reply::page("programme", "Plan of a day")
        .with("day", chosen.strftime("%A %-d %B").to_string())
        .with("days", day_links)
        .with("halls", halls)
        .with("groups", groups(&conflicts))
        .with("release", RELEASE)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .into())
}

/// What the plan of a day is made of.
struct Plan<'a> {
    programme: &'a Programme,
    request: &'a AdminRequest,
    day: Date,
    conflicts: &'a [Conflict],
    year: i64,
}

impl Plan<'_> {
    fn hall(&self, hall: &Hall) -> HallPlan {
        let zone = &self.request.site.time_zone;
        let is_here = |it: &&Screening| it.hall == hall.id && day::of(it.starts_at, zone) == self.day;
        let screenings: Vec<&Screening> = self.programme.screenings.iter().filter(is_here).collect();
        let held = screenings.iter().filter(|screening| !screening.is_cancelled);
        let free_at = held.map(|screening| self.programme.ends_at(screening)).max();
        let next = free_at.map(|end| next_start(end + SignedDuration::from_mins(hall.changeover_minutes)));
        let next =
            next.or_else(|| day::moment(self.day, Time::constant(10, 0, 0, 0), zone)).unwrap_or(Timestamp::UNIX_EPOCH);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("edition", &self.year.to_string());
        query.append_pair("hall", &hall.name);
        query.append_pair("starts_at", &next.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string());
        HallPlan {
            name: hall.name.clone(),
            rows: screenings.into_iter().map(|screening| self.row(screening)).collect(),
            add: format!("/admin/screenings/new?{}", query.finish()),
        }
    }

    fn row(&self, screening: &Screening) -> PlannedRow {
        let zone = &self.request.site.time_zone;
        let times = [screening.starts_at, self.programme.ends_at(screening)].map(|time| day::hour_text(time, zone));
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
        PlannedRow {
            href: format!("/admin/screenings/{}", screening.id),
            time: times.join("–"),
            title: self.programme.title(screening),
            details: details.into_iter().flatten().collect::<Vec<_>>().join(", "),
            is_cancelled: screening.is_cancelled,
            conflicts: self.conflicts.iter().filter(concerns).map(|conflict| conflict.text.clone()).collect(),
        }
    }
}

/// The next time on five minutes.
fn next_start(time: Timestamp) -> Timestamp {
    let rest = time.as_second().rem_euclid(300);
    if rest == 0 { time } else { time + SignedDuration::from_secs(300 - rest) }
}

/// The conflicts by kind, for the template.
fn groups(conflicts: &[Conflict]) -> Vec<Value> {
    let groups = conflicts.chunk_by(|left, right| left.kind == right.kind);
    groups
        .map(|group| {
            let texts: Vec<&str> = group.iter().take(MAX_LISTED).map(|conflict| conflict.text.as_str()).collect();
            json!({
                "label": group[0].kind.label(),
                "count": group.len(),
                "is_refused": group[0].kind == ConflictKind::HallOverlap,
                "texts": texts,
                "more": group.len().saturating_sub(MAX_LISTED),
            })
        })
        .collect()
}

async fn show_release(request: AdminRequest) -> Result<Reply> {
    Ok(release_page(&request).await?.into())
}

async fn release_page(request: &AdminRequest) -> Result<Page> {
    let mut connection = request.read().await?;
    let edition = edition::current(&mut connection).await?.id;
    let zone = &request.site.time_zone;
    let preparation = release::prepare(&mut connection, edition, request.now(), zone).await?;
    let past = release::past(&mut connection, edition).await?;
    drop(connection);
    let changes: Vec<Value> = preparation
        .changes
        .iter()
        .map(|change| {
            let sentence = feed::sentence(&preparation.next, change);
            json!({ "href": format!("/admin/screenings/{}", change.screening), "title": change.title, "text": sentence })
        })
        .collect();
    let release = |release: PastRelease| {
        json!({
            "number": release.number,
            "at": time_text::short(&release.released_at, zone),
            "by": release.released_by,
            "note": release.note,
            "signed_for": release.signed_for.as_ref().map(|films| films.replace('\n', ", ")),
        })
    };
    let past: Vec<Value> = past.into_iter().map(release).collect();
    Ok(page(request, &preparation).with("changes", changes).with("past", past))
}

fn page(request: &AdminRequest, preparation: &Preparation) -> Page {
    let is_owner = request.account().is_ok_and(|account| account.role() == Role::Owner);
    let needs_signature = preparation.uncertified().next().is_some();
    let mut inputs = vec![Input::hidden("fingerprint", &preparation.fingerprint)];
    inputs.push(Input::of(&NOTE, request.form.get(NOTE.name)));
    if needs_signature {
        inputs.push(Input::of(&SIGN, request.form.get(SIGN.name)));
    }
    Reply::page("programme-release", "Release the programme")
        .crumb("Plan of a day", HOME)
        .with("number", preparation.next.version)
        .with("is_first", preparation.previous.is_none())
        .with("is_different", preparation.is_different)
        .with("screenings", preparation.next.screenings.len())
        .with("groups", groups(&preparation.conflicts))
        .with("is_refused", preparation.refusals().next().is_some())
        .with("is_unsigned", needs_signature && !is_owner)
        .with("action", RELEASE)
        .with("may_edit", request.may(&CONTENT, Action::Edit))
        .inputs(inputs)
}

async fn store_release(request: AdminRequest) -> Result<Reply> {
    match release_now(&request).await {
        Ok(number) => {
            let message = format!("Release {number} is on the site.");
            Ok(Reply::redirect(RELEASE).done(message).into())
        }
        Err(error) => Ok(release_page(&request).await?.refused(error)?.into()),
    }
}

async fn release_now(request: &AdminRequest) -> Result<i64> {
    let account = request.account()?;
    let mut write = request.write().await?;
    let edition = edition::current(&mut write).await?.id;
    release::lock(&mut write, edition).await?;
    let now = request.now();
    let preparation = release::prepare(&mut write, edition, now, &request.site.time_zone).await?;
    if request.form.get("fingerprint") != preparation.fingerprint {
        let message = "The programme changed since you opened this page. Look at the differences again.";
        return Err(Error::Conflict(message.into()));
    }
    let signature = Signature {
        by: &account.name,
        // The tick of somebody else is not offered, and does not count.
        signs: request.form.get(SIGN.name) == "yes" && account.role() == Role::Owner,
        note: request.form.get(NOTE.name),
    };
    let number = release::store(&mut write, edition, &preparation, &signature, now).await?;
    let entry = Entry::new("release", "programme").id(number).after(json!({
        "changes": preparation.changes.len(),
        "signed": signature.signs && preparation.uncertified().next().is_some(),
    }));
    request.audit(&mut write, entry).await?;
    write.commit().await?;
    Ok(number)
}
