//! Reads, previews and changes the settings of a group, with their history.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use super::group::HISTORY_PREFIX;
use super::value::{Difference, differences};
use super::value::{GroupValues, group_values};
use super::{Group, notice};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use festival_base::db::{Backend, Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::{Settings, load_overrides};
use festival_records::editing::{Action, Editor, JsonRecord, Revision, add_json_revision, json_history, json_revision};
use festival_web::site::Site;

/// Row id of all settings in the history, which requires one.
const ROW_ID: i64 = 0;

/// The current state of a group.
pub struct GroupState {
    /// The values in force, by path.
    pub values: BTreeMap<&'static str, Value>,
    /// The values of the settings file, by path.
    pub file: BTreeMap<&'static str, Value>,
    /// Version of this state: 32 hexadecimal digits, derived from the values.
    pub version: String,
}

/// Reads the current state of a group from the database.
pub async fn current(site: &Site, connection: &mut AnyConnection, group: &Group) -> Result<GroupState> {
    let settings = site.in_force.apply_valid(&load_overrides(connection).await?);
    state_of(site, group, &settings)
}

fn state_of(site: &Site, group: &Group, settings: &Settings) -> Result<GroupState> {
    let values = group_values(&site.in_force, group, settings, &site.time_zone)?;
    let file = group_values(&site.in_force, group, site.in_force.file(), &site.time_zone)?;
    let version = version_of(&values);
    Ok(GroupState { values, file, version })
}

/// Returns the version of these values.
pub fn version_of(values: &GroupValues) -> String {
    let hash = Sha256::digest(json!(values).to_string());
    HEXLOWER.encode(&hash[..16])
}

/// Returns the changes that `values` would make, and the resulting settings.
///
/// # Errors
/// [`Error::Invalid`] if the resulting settings violate a rule of the settings file.
pub async fn preview(
    site: &Site,
    connection: &mut AnyConnection,
    group: &Group,
    values: &GroupValues,
) -> Result<(Vec<Difference>, Settings)> {
    let rows = load_overrides(connection).await?;
    let mut next = rows.clone();
    let current = state_of(site, group, &site.in_force.apply_valid(&rows))?;
    for (path, value) in values {
        if current.file.get(path) == Some(value) {
            next.remove(*path);
        } else {
            next.insert((*path).to_owned(), value.clone());
        }
    }
    let settings = match site.in_force.apply(&next) {
        Ok(settings) => settings,
        Err(messages) => {
            // Errors of other settings that existed before do not belong to this page.
            let earlier = site.in_force.apply(&rows).err().unwrap_or_default();
            let new: Vec<String> = messages.into_iter().filter(|message| !earlier.contains(message)).collect();
            if !new.is_empty() {
                return Err(Error::Invalid(new.iter().map(|message| field_error(group, message)).collect()));
            }
            site.in_force.apply_valid(&next)
        }
    };
    Ok((differences(site, group, &current.values, values), settings))
}

/// Assigns a message that begins with the path of a setting ("fees.x: ...") to its input.
fn field_error(group: &Group, message: &str) -> FieldError {
    let item = group.items.iter().find(|item| message.starts_with(&format!("{}: ", item.path())));
    match item {
        Some(item) => FieldError::new(item.path(), message[item.path().len() + 2..].to_owned()),
        None => FieldError::new("", message),
    }
}

/// Stores `values` if the version of the group still is `seen_version` (`None` skips this check), with a revision and
/// an audit entry. Returns the changes.
///
/// # Errors
/// [`Error::Conflict`] if the group has changed since, [`Error::Invalid`] for values that violate a rule. Nothing is
/// written then.
pub async fn change(
    request: &AdminRequest,
    write: &mut Write,
    group: &Group,
    (seen_version, values): (Option<&str>, &GroupValues),
    action: Action,
) -> Result<Vec<Difference>> {
    let site = &request.site;
    if site.db.backend() == Backend::Postgres {
        // Serializes concurrent changes; SQLite's write lock does so by itself.
        sqlx::query("LOCK TABLE settings IN SHARE ROW EXCLUSIVE MODE").execute(&mut **write).await?;
    }
    let before = current(site, write, group).await?;
    if seen_version.is_some_and(|seen| seen != before.version) {
        let message = "Somebody else changed these settings in the meantime. Your changes have not been saved.";
        return Err(Error::Conflict(message.into()));
    }
    // An old revision lacks settings that were added later: these keep their values.
    let mut after = before.values.clone();
    after.extend(values.iter().map(|(path, value)| (*path, value.clone())));
    let (differences, _) = preview(site, write, group, &after).await?;
    if differences.is_empty() {
        return Ok(differences);
    }
    let now = timestamp_text(request.now());
    for difference in &differences {
        let Some(value) = after.get(difference.path) else { continue };
        store(write, difference.path, value, before.file.get(difference.path) == Some(value), &now).await?;
    }
    let key = group.history_key();
    let revisions: i64 = sqlx::query_scalar("SELECT count(*) FROM revisions WHERE entity = $1 AND row_id = $2")
        .bind(&key)
        .bind(ROW_ID)
        .fetch_one(&mut **write)
        .await?;
    let row = (key.as_str(), ROW_ID, None);
    if revisions == 0 {
        let nobody = Editor::new(None, "");
        add_json_revision(write, row, group.label, &json!(before.values), (Action::Baseline, &nobody), &now).await?;
    }
    add_json_revision(write, row, group.label, &json!(after), (action, &request.editor()?), &now).await?;
    let side = |values: &GroupValues| -> Value {
        let changed = differences.iter().filter_map(|d| Some((d.path.to_owned(), values.get(d.path)?.clone())));
        Value::Object(changed.collect::<Map<_, _>>())
    };
    let audit_action = if action == Action::Restored { "restore" } else { "change" };
    request.audit(write, Entry::new(audit_action, "settings").before(side(&before.values)).after(side(&after))).await?;
    if let Some(confirmation) = group.confirmation {
        notice::notify_owners(request, write, (group, confirmation.mail), &differences).await?;
    }
    Ok(differences)
}

async fn store(
    connection: &mut AnyConnection,
    path: &'static str,
    value: &Value,
    equals_file: bool,
    now: &str,
) -> Result<()> {
    if equals_file {
        sqlx::query("DELETE FROM settings WHERE path = $1").bind(path).execute(connection).await?;
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO settings (path, value, updated_at) VALUES ($1, $2, $3) \
         ON CONFLICT (path) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
    )
    .bind(path)
    .bind(value.to_string())
    .bind(now.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

/// A revision of a group in its history, with the values afterwards.
pub type SettingsRevision = Revision<GroupValues>;

/// Lists the revisions of a group before the revision with the id `before` (0 for all), newest first.
pub async fn history(connection: &mut AnyConnection, group: &Group, page: (i64, i64)) -> Result<Vec<SettingsRevision>> {
    let revisions = json_history(connection, (&group.history_key(), ROW_ID), page).await?;
    Ok(revisions.into_iter().map(|revision| revision.map(|record| values_of(group, record))).collect())
}

/// Returns the last change of every group: key of the group, name of the editor, time as stored.
pub async fn latest(connection: &mut AnyConnection) -> Result<Vec<(String, String, String)>> {
    let rows: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT r.entity, r.editor, r.at FROM revisions r \
         JOIN (SELECT max(id) AS id FROM revisions WHERE entity LIKE 'settings/%' GROUP BY entity) last \
         ON last.id = r.id",
    )
    .fetch_all(connection)
    .await?;
    let of_group = |key: &str| key.strip_prefix(HISTORY_PREFIX).unwrap_or(key).to_owned();
    Ok(rows.into_iter().map(|(key, editor, at)| (of_group(&key), editor, at)).collect())
}

/// Reads the revision with this id.
///
/// # Errors
/// [`Error::NotFound`] if the group has no such revision.
pub async fn revision(connection: &mut AnyConnection, group: &Group, id: i64) -> Result<SettingsRevision> {
    Ok(json_revision(connection, &group.history_key(), id).await?.map(|record| values_of(group, record)))
}

fn values_of(group: &Group, mut record: JsonRecord) -> GroupValues {
    group.items.iter().filter_map(|item| Some((item.path(), record.remove(item.path())?))).collect()
}
