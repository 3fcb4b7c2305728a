//! Actions on the plan of a day: moving a screening, adding one, copying a day. Each edits rows like any other form,
//! with history.

use std::collections::BTreeSet;

use festival_core::admin::audit::Entry;
use festival_core::admin::role::CONTENT;
use festival_core::admin::{Action, AdminRequest, Input, Page, Reply, nothing_here};
use festival_core::db::timestamp_text;
use festival_core::editing::{self, Current, Editor};
use festival_core::entity::{Values, table};
use festival_core::error::FieldError;
use festival_core::importing::likeness::{fold_title, is_alike};
use festival_core::{Error, Result, edition, importing};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::paths::{COPY, HOME};
use super::plan;
use crate::day;
use crate::entities::{SCREENING, SCREENING_FILM};
use crate::rules;
use crate::working::{self, Film, Programme};

/// Share of letters in common from which a title is proposed.
const SIMILAR: f64 = 0.6;
/// Maximum number of titles that are proposed.
const MAX_PROPOSALS: usize = 3;
/// Where the seconds of "2025-12-12T18:30:00" begin.
const SECONDS: usize = 16;
/// The fields that place a screening: hall, time and length.
const PLACE: [&str; 3] = ["hall", "starts_at", "minutes"];

pub(super) async fn move_screening(request: AdminRequest) -> Result<Reply> {
    let moved = move_now(&request).await;
    answer(&request, moved).await
}

pub(super) async fn add_screening(request: AdminRequest) -> Result<Reply> {
    let added = add_now(&request).await;
    answer(&request, added).await
}

/// Copies a day, once the user has seen what that would do.
pub(super) async fn copy_day(request: AdminRequest) -> Result<Reply> {
    let copied = match copy_now(&request).await {
        Ok(copied) if request.form.get("sure") != "yes" => return Ok(copied.question(&request)),
        copied => copied,
    };
    answer(&request, copied.map(Copied::done)).await
}

/// The copy of a day.
struct Copied {
    from: Date,
    to: Date,
    /// The import that it is recorded as: it can be undone like one.
    import: i64,
    /// The screenings that are copied: address, time, title and hall.
    screenings: Vec<Value>,
    /// What the copies conflict with, in sentences.
    conflicts: Vec<String>,
}

impl Copied {
    fn done(self) -> Done {
        let screenings = match self.screenings.len() {
            1 => "1 screening is".to_owned(),
            count => format!("{count} screenings are"),
        };
        let message = format!("{screenings} copied from {}.", day_text(self.from));
        let undo = format!("/admin/screenings/imports/{}/undo", self.import);
        Done { day: self.to, message, next: None, undo: Some(undo) }
    }

    /// Asks whether the day is to be copied.
    fn question(self, request: &AdminRequest) -> Reply {
        let screenings = match self.screenings.len() {
            1 => "1 screening".to_owned(),
            count => format!("{count} screenings"),
        };
        let [from, to] = [self.from, self.to].map(day_text);
        let conflicts = match self.conflicts.as_slice() {
            [] => "No conflict arises.".to_owned(),
            [one] => format!("A conflict arises: {one}"),
            several => format!("{} conflicts arise, for example: {}", several.len(), several[0]),
        };
        let day = |name: &'static str| Input::hidden(name, request.form.get(name));
        let rows: Vec<Value> = self.screenings.into_iter().map(|screening| json!({ "heading": screening })).collect();
        Reply::page("selected", format!("Copy {screenings} from {from} to {to}?"))
            .crumb("Plan", HOME)
            .with("counts", Vec::<Value>::new())
            .with("rows", rows)
            .with("more", 0)
            .with("preview", Value::Null)
            .with("may_preview", false)
            .with("danger", false)
            .with("message", format!("They keep their times and halls. {conflicts}"))
            .inputs([day("visible_day"), day("to"), Input::hidden("sure", "yes")])
            .with("action", COPY)
            .with("button", "Copy the day")
            .with("back", format!("{HOME}?day={}", self.from))
            .into()
    }
}

/// Outcome of an action, and the day to show.
struct Done {
    day: Date,
    message: String,
    /// What the form for a new screening proposes next: the hall and the time.
    next: Option<(String, String)>,
    /// Where the action can be undone.
    undo: Option<String>,
}

/// Shows the day with a message about the action, or the plan as it is with the error.
async fn answer(request: &AdminRequest, result: Result<Done>) -> Result<Reply> {
    match result {
        Ok(Done { day, message, next, undo }) => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("day", &day.to_string());
            if let Some((hall, time)) = next {
                query.append_pair("hall", &hall).append_pair("time", &time);
            }
            let reply = Reply::redirect(format!("{HOME}?{}", query.finish())).done(message);
            Ok(match undo.filter(|_| request.may(&CONTENT, Action::Delete)) {
                Some(undo) => reply.link(undo, "Undo the copy").into(),
                None => reply.into(),
            })
        }
        Err(error) => {
            let page: Page = plan::page(request, request.form.get("visible_day")).await?;
            Ok(page.refused(error)?.into())
        }
    }
}

/// Moves a screening if it is still where the sender saw it; other changes made to it meanwhile are kept.
async fn move_now(request: &AdminRequest) -> Result<Done> {
    let zone = &request.site.time_zone;
    let form = &request.form;
    let (day, starts_at) = moment(form.get("day"), form.get("time"), zone)?;
    let id: i64 = form.get("screening").parse().map_err(|_| nothing_here())?;
    let mut write = request.write_private().await?;
    let current = editing::find_to_write(&mut write, &SCREENING, id).await?.ok_or_else(nothing_here)?;
    let mut values = entered(&mut write, &current, zone).await?;
    let (_, seen_at) = moment(form.get("visible_day"), form.get("was_time"), zone)?;
    let seen = [form.get("was_hall"), &local_text(seen_at, zone), form.get("was_minutes")];
    if PLACE.iter().zip(seen).any(|(name, seen)| values.get(*name).map(String::as_str) != Some(seen)) {
        return Err(moved_by_another(&mut write, &current, &values).await?);
    }
    let wanted = [form.get("hall"), &local_text(starts_at, zone), form.get("minutes")];
    for (name, value) in PLACE.iter().zip(wanted) {
        values.insert((*name).to_owned(), value.to_owned());
    }
    let editor = editor(request)?;
    let records = &request.site.records;
    let change = editing::update(records, &mut write, &SCREENING, (id, &current.version()), &values, &editor)
        .await
        .map_err(with_field_labels)?;
    if let Some(change) = change {
        let entry = Entry::new("edit", SCREENING.table).id(id).before(change.before).after(change.after);
        request.audit(&mut write, entry).await?;
    }
    let title = title(&mut write, &current, id).await?;
    write.commit().await?;
    let message = format!("“{title}”: {}, {}.", form.get("hall"), day::text(starts_at, zone));
    Ok(Done { day, message, next: None, undo: None })
}

/// The error for a screening that somebody else has moved meanwhile; says where it is now.
async fn moved_by_another(connection: &mut AnyConnection, current: &Current, values: &Values) -> Result<Error> {
    let title = title(connection, current, current.id).await?;
    let last = editing::history(connection, &SCREENING, current.id, (0, 1)).await?;
    let by = last.first().map_or_else(|| "Somebody else".to_owned(), |revision| revision.editor.name.clone());
    let hall = values.get("hall").map_or("", String::as_str);
    let starts_at = values.get("starts_at").and_then(|text| text.parse::<jiff::civil::DateTime>().ok());
    let time = starts_at.map(|time| time.strftime("%A %-d %B, %H:%M").to_string()).unwrap_or_default();
    Ok(Error::Conflict(format!(
        "“{title}” is not moved: {by} has changed its place meanwhile. It is in {hall} now, {time}. \
         Move it again if it should still go elsewhere."
    )))
}

/// Adds the screening of a film.
async fn add_now(request: &AdminRequest) -> Result<Done> {
    let zone = &request.site.time_zone;
    let form = &request.form;
    let (day, starts_at) = moment(form.get("visible_day"), form.get("time"), zone)?;
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    let programme = working::load(&mut write, edition).await?;
    // The button next to a film takes precedence over the text of the field.
    let chosen = form.get("film_id").parse().ok().and_then(|id| programme.films.get(&id));
    let film = match chosen {
        Some(film) => film,
        None => film_called(&programme, form.get("film"))?,
    };
    let defaults = SCREENING.columns().map(|field| (field.name.to_owned(), field.default.to_owned()));
    let entered = [
        ("film", film.id.to_string()),
        ("hall", form.get("hall").to_owned()),
        ("starts_at", local_text(starts_at, zone)),
    ];
    let values: Values = defaults.chain(entered.map(|(name, value)| (name.to_owned(), value))).collect();
    let records = &request.site.records;
    let editor = editor(request)?;
    let id = editing::create(records, &mut write, &SCREENING, Some(edition), &values, &editor)
        .await
        .map_err(with_field_labels)?;
    request.commit(write, Entry::new("add", SCREENING.table).id(id)).await?;
    let message = format!("“{}”: {}, {}.", film.name, form.get("hall"), day::text(starts_at, zone));
    let hall = programme.halls.iter().find(|hall| hall.name == form.get("hall"));
    let next = hall.map(|hall| (hall.name.clone(), plan::time_after(film, starts_at, hall, (day, zone))));
    Ok(Done { day, message, next, undo: None })
}

/// Copies the screenings of a day that are not cancelled to another day, at the same times in the same halls. Nothing is
/// stored unless the user is sure.
async fn copy_now(request: &AdminRequest) -> Result<Copied> {
    let zone = &request.site.time_zone;
    let (from, to) = (date(request.form.get("visible_day"))?, date(request.form.get("to"))?);
    if from == to {
        return Err(Error::BadRequest("Choose another day to copy to.".into()));
    }
    let distance = from.until(to).map_err(|_| nothing_here())?;
    let mut write = request.write_private().await?;
    let edition = edition::current(&mut write).await?.id;
    let programme = working::load(&mut write, edition).await?;
    let records = &request.site.records;
    let mut editor = editor(request)?;
    let source = format!("copy of {} to {}", day_text(from), day_text(to));
    let now = timestamp_text(request.now());
    let import = importing::record_import(&mut write, &SCREENING, Some(edition), &source, &editor, &now).await?;
    editor.import = Some(import);
    let is_copied =
        |screening: &&working::Screening| !screening.is_cancelled && day::of(screening.starts_at, zone) == from;
    let mut screenings = Vec::new();
    let known: BTreeSet<String> = rules::check(&programme, zone).into_iter().map(|conflict| conflict.text).collect();
    for screening in programme.screenings.iter().filter(is_copied) {
        let current = editing::get(&mut write, &SCREENING, screening.id).await?;
        let mut values = entered(&mut write, &current, zone).await?;
        let local = screening.starts_at.to_zoned(zone.clone());
        let copied = local.checked_add(distance).map_err(|_| nothing_here())?;
        // A code belongs to one screening.
        values.insert("code".to_owned(), String::new());
        values.insert("starts_at".to_owned(), local_text(copied.timestamp(), zone));
        let id = editing::create(records, &mut write, &SCREENING, Some(edition), &values, &editor).await?;
        let first = values.get("film").cloned().unwrap_or_default();
        let further = screening.films.iter().map(i64::to_string).filter(|film| *film != first);
        for (index, film) in further.enumerate() {
            let values = [("screening", id.to_string()), ("film", film), ("position", ((index + 1) * 10).to_string())];
            let values = values.map(|(name, value)| (name.to_owned(), value)).into();
            editing::create(records, &mut write, &SCREENING_FILM, Some(edition), &values, &editor).await?;
        }
        request.audit(&mut write, Entry::new("add", SCREENING.table).id(id)).await?;
        let hall = values.get("hall").map_or("", String::as_str);
        screenings.push(json!({
            "href": format!("/admin/screenings/{}", screening.id),
            "reference": day::hour_text(screening.starts_at, zone),
            "title": format!("{}, {hall}", programme.title(screening)),
        }));
    }
    importing::count_rows(&mut write, import, (screenings.len(), 0)).await?;
    if screenings.is_empty() {
        return Err(Error::BadRequest("There is nothing to copy on this day.".into()));
    }
    let conflicts = rules::check(&working::load(&mut write, edition).await?, zone).into_iter();
    let conflicts = conflicts.map(|conflict| conflict.text).filter(|text| !known.contains(text)).collect();
    if request.form.get("sure") == "yes" {
        write.commit().await?;
    } else {
        write.rollback().await?;
    }
    Ok(Copied { from, to, import, screenings, conflicts })
}

pub(super) fn editor(request: &AdminRequest) -> Result<Editor> {
    let account = request.account()?;
    Ok(Editor::new(Some(account.id), account.name.clone()))
}

/// The values of a row as a form has them.
async fn entered(connection: &mut AnyConnection, current: &Current, zone: &TimeZone) -> Result<Values> {
    let mut record = current.record.clone();
    table::unresolve(connection, &SCREENING, &mut record).await?;
    let mut values = SCREENING.print(&record, zone);
    // The plan works in minutes; an imported time with seconds is cut to the minute.
    if let Some(time) = values.get_mut("starts_at").filter(|time| time.len() > SECONDS) {
        time.replace_range(SECONDS.., ":00");
    }
    Ok(values)
}

/// What the screening is called on the plan.
async fn title(connection: &mut AnyConnection, current: &Current, id: i64) -> Result<String> {
    let edition = current.edition.ok_or_else(nothing_here)?;
    let programme = working::load(connection, edition).await?;
    let screening = programme.screenings.iter().find(|screening| screening.id == id);
    Ok(screening.map(|screening| programme.title(screening)).unwrap_or_default())
}

/// The film with this title, or the only one whose title begins so.
fn film_called<'a>(programme: &'a Programme, text: &str) -> Result<&'a Film> {
    let refused = |message: String| Error::Invalid(vec![FieldError::new("film", message)]);
    let wanted = fold_title(text);
    if wanted.is_empty() {
        return Err(refused("Enter the title of a film, or choose one from the list beside the plan.".into()));
    }
    let titles =
        |film: &Film| [Some(&film.name), film.original_title.as_ref()].map(|title| title.map(|it| fold_title(it)));
    let with = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&'a Film> {
        let films = programme.films.values();
        films.filter(|film| titles(film).iter().flatten().any(|title| is_meant(title))).collect()
    };
    let mut found = with(&|title| title == wanted);
    if found.is_empty() {
        found = with(&|title| title.starts_with(&wanted));
    }
    let is_exact = !found.is_empty();
    if !is_exact {
        found = with(&|title| is_alike(&wanted, title, SIMILAR));
    }
    if let [only] = found[..]
        && is_exact
    {
        return Ok(only);
    }
    let names: Vec<String> = found.iter().take(MAX_PROPOSALS).map(|film| plan::named(film)).collect();
    Err(refused(match (is_exact, &*names) {
        (true, _) => format!("{} films begin so: choose one from the list beside the plan.", found.len()),
        (false, []) => format!("No film is called “{}”.", text.trim()),
        (false, names) => format!("No film is called “{}”. Is it {}?", text.trim(), names.join(", or ")),
    }))
}

/// A day in a sentence: "Friday 24 October".
fn day_text(day: Date) -> String {
    day.strftime("%A %-d %B").to_string()
}

fn date(text: &str) -> Result<Date> {
    text.parse().map_err(|_| Error::BadRequest("Choose a day of the festival.".into()))
}

/// A festival day with a time on it: 00:30 is after midnight.
fn moment(day: &str, time: &str, zone: &TimeZone) -> Result<(Date, Timestamp)> {
    let day = date(day)?;
    let time: Option<Time> = time.parse().ok();
    let moment = time.and_then(|time| day::moment(day, time, zone));
    Ok((day, moment.ok_or_else(|| Error::BadRequest("Enter a time of day, such as 18:30.".into()))?))
}

/// A time as a form has it: "2025-12-12T18:30:00".
fn local_text(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Joins the errors of fields into one message: the plan has no form of a screening to show them in.
fn with_field_labels(error: Error) -> Error {
    match error {
        Error::Invalid(fields) => {
            let sentences = fields.iter().map(|field| {
                let label = SCREENING.field(&field.field).map_or("", |field| field.label);
                format!("{label}: {}.", field.message.trim_end_matches('.'))
            });
            Error::BadRequest(sentences.collect::<Vec<_>>().join(" "))
        }
        other => other,
    }
}
