//! The deadline as one setting: the edition's last day for films and its countdown, and when each form closes, on one screen
//! that shows the effects of a change before it is saved. They are stored as the specification requires: in the edition
//! and in the settings of the forms.

mod effects;
mod form;
mod mentions;
mod stored;

use std::collections::BTreeMap;

use festival_core::admin::audit::Entry;
use festival_core::admin::role::SETTINGS;
use festival_core::admin::{Action, AdminRequest, Input, Page, Permission, Reply, Screen};
use festival_core::browser_settings::{change, preview};
use festival_core::editing::{self, Action as RevisionAction, Editor};
use festival_core::edition::{self, EDITION, Edition};
use festival_core::entity::Values;
use festival_core::{Error, Registry, Result, templates};
use serde_json::{Value, json};

use self::form::{DeadlineForm, Parsed};
use self::stored::Deadline;
use crate::browser_settings::CLOSING;
use crate::settings::FormsSettings;

/// The path of the screen: that of the group of settings.
const PATH: &str = "/admin/settings/closing";

/// Registers the screen and the settings.
pub(crate) fn register(registry: &mut Registry) {
    registry
        .settings_group_without_form(&CLOSING)
        .templates(templates!["deadlines", "deadlines-confirm"])
        .screen(Screen::get(PATH, Permission::To(&SETTINGS, Action::View), show))
        .screen(Screen::post(PATH, Permission::To(&SETTINGS, Action::Edit), save));
}

async fn show(request: AdminRequest) -> Result<Reply> {
    let (stored, version) = Deadline::read(&request, &mut *request.read().await?).await?;
    let form = DeadlineForm::stored(&stored, &request.site.time_zone);
    Ok(page(&request, &stored, &form, &version).into())
}

async fn save(request: AdminRequest) -> Result<Reply> {
    let form = DeadlineForm::sent(&request.form);
    let (stored, _) = Deadline::read(&request, &mut *request.read().await?).await?;
    let version = request.form.get("version").to_owned();
    if request.form.get("then") == "edit" {
        return Ok(page(&request, &stored, &form, &version).into());
    }
    let error = match form.parse(stored.edition.is_some(), &request.site.time_zone) {
        Ok(parsed) if request.form.get("sure") != "yes" => {
            match confirmation(&request, &stored, &form, &parsed).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            }
        }
        Ok(parsed) => match write(&request, &parsed).await {
            Ok(()) => return Ok(Reply::redirect(PATH).done("Deadline, countdown and closing saved.").into()),
            Err(error) => error,
        },
        Err(errors) => Error::Invalid(errors),
    };
    let (fresh, fresh_version) = Deadline::read(&request, &mut *request.read().await?).await?;
    // After a conflict the page shows the values that are stored now, and saving again overwrites them.
    let version = if matches!(error, Error::Conflict(_)) { fresh_version } else { version };
    Ok(page(&request, &fresh, &form, &version).refused(error)?.into())
}

/// The form, and the effects of the stored deadline.
fn page(request: &AdminRequest, stored: &Deadline, form: &DeadlineForm, version: &str) -> Page {
    let zone = &request.site.time_zone;
    let in_force = stored.sentences(request.now(), zone).into_iter();
    let in_force: Vec<Value> = in_force.map(|(label, text)| json!({ "label": label, "text": text })).collect();
    let edition = stored.edition.as_ref();
    let forms: Vec<Value> = form.forms().into_iter().map(|[when, at]| json!({ "when": when, "at": at })).collect();
    let [countdown, countdown_at, countdown_label] = form.countdown();
    Reply::page("deadlines", CLOSING.label)
        .crumb("Settings", "/admin/settings")
        .inputs([Input::hidden("version", version)])
        .with("action", PATH)
        .with("zone", zone.iana_name().unwrap_or("UTC"))
        .with("edition", edition.map(|edition| json!({ "name": edition.name, "id": edition.id })))
        .with("in_force", in_force)
        .with("deadline", form.deadline())
        .with("forms", forms)
        .with("grace", form.grace())
        .with("countdown", countdown)
        .with("countdown_at", countdown_at)
        .with("countdown_label", countdown_label)
        .with("may_edit", request.may(&SETTINGS, Action::Edit))
}

/// The effects of a change; nothing is saved yet.
async fn confirmation(
    request: &AdminRequest,
    stored: &Deadline,
    form: &DeadlineForm,
    parsed: &Parsed,
) -> Result<Reply> {
    let mut connection = request.read().await?;
    let (differences, settings) = preview(&request.site, &mut connection, &CLOSING, &parsed.settings).await?;
    let edition = stored.edition.clone().map(|edition| edited(edition, &parsed.edition));
    if differences.is_empty() && edition_values(&stored.edition) == edition_values(&edition) {
        return Ok(Reply::redirect(PATH).done("No changes to save.").into());
    }
    let next = Deadline { settings: FormsSettings::of(&settings), edition };
    let (now, zone) = (request.now(), &request.site.time_zone);
    let before: BTreeMap<&str, String> = stored.sentences(now, zone).into_iter().collect();
    let line = |(label, text): (&str, String)| {
        let before = before.get(label).filter(|before| **before != text);
        json!({ "label": label, "text": text, "changed": before.is_some(), "before": before })
    };
    let lines: Vec<Value> = next.sentences(now, zone).into_iter().map(line).collect();
    let old_day = stored.last_day().filter(|day| Some(*day) != next.last_day());
    let mentions = match old_day.and_then(|day| day.parse().ok()) {
        Some(day) => {
            let edition = next.edition.as_ref().map(|edition| edition.id);
            mentions::of(request, &mut connection, edition, day).await?
        }
        None => Vec::new(),
    };
    let page = Reply::page("deadlines-confirm", "What this changes")
        .crumb("Settings", "/admin/settings")
        .crumb(CLOSING.label, PATH)
        .inputs([Input::hidden("version", request.form.get("version"))].into_iter().chain(form.hidden()))
        .with("action", PATH)
        .with("lines", lines)
        .with("warnings", next.warnings(now, zone))
        .with("old_day", old_day.map(edition::day_text))
        .with("mentions", mentions);
    Ok(page.into())
}

/// The fields of an edition that this screen changes.
fn edition_values(edition: &Option<Edition>) -> Option<[&str; 3]> {
    let Edition { submission_deadline, countdown_at, countdown_label, .. } = edition.as_ref()?;
    Some([submission_deadline, countdown_at, countdown_label].map(|value| value.as_deref().unwrap_or_default()))
}

fn edited(mut edition: Edition, values: &Values) -> Edition {
    let value = |name: &str| values.get(name).filter(|text| !text.is_empty()).cloned();
    edition.submission_deadline = value("submission_deadline");
    edition.countdown_at = value("countdown_at");
    edition.countdown_label = value("countdown_label");
    edition
}

/// Stores settings and edition in one transaction, if both still have the versions of the form.
async fn write(request: &AdminRequest, parsed: &Parsed) -> Result<()> {
    let zone = &request.site.time_zone;
    let (group, edition) = request.form.get("version").split_once(' ').unwrap_or_default();
    let mut write = request.write().await?;
    change(request, &mut write, &CLOSING, (Some(group), &parsed.settings), RevisionAction::Changed).await?;
    let current = edition::find_current(&mut write).await?.map(|edition| edition.id);
    let (id, version) = edition.split_once('.').unwrap_or_default();
    if current.map(|id| id.to_string()).unwrap_or_default() != id {
        return Err(Error::Conflict("Another edition is current by now. Nothing was saved.".into()));
    }
    if let Some(id) = current {
        let row = editing::get(&mut write, &EDITION, id).await?;
        let mut values = EDITION.print(&row.record, zone);
        values.extend(parsed.edition.clone());
        let account = request.account()?;
        let editor = Editor::new(Some(account.id), account.name.clone());
        let records = &request.site.records;
        let changed = editing::update(records, &mut write, &EDITION, (id, version), &values, &editor).await?;
        if let Some(changed) = changed {
            let entry = Entry::new("edit", EDITION.table).id(id).before(changed.before).after(changed.after);
            request.audit(&mut write, entry).await?;
        }
    }
    write.commit().await
}
