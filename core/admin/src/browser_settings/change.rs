//! Reads, previews and changes the settings of a group, with their history.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, Row as _};

use super::difference::{Difference, differences};
use super::group::HISTORY_PREFIX;
use super::value::{GroupValues, group_values};
use super::{Group, notice};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use festival_base::db::{Backend, Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::{Settings, load_overrides};
use festival_records::editing::{Action, Editor, add_json_revision};
use festival_web::site::Site;

/// Row id of all settings in the history, which requires one.
const ROW_ID: i64 = 0;
/// Maximum number of revisions that others may save while a form is open; after more, its changes cannot be merged.
const MAX_REVISIONS_BACK: i64 = 50;

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
fn version_of(values: &GroupValues) -> String {
    let hash = Sha256::digest(json!(values).to_string());
    HEXLOWER.encode(&hash[..16])
}

/// Returns the values of the version `seen_version` and the revision that is in force now, from the history; `None` if
/// the history does not go back so far.
pub async fn seen_and_latest(
    connection: &mut AnyConnection,
    group: &Group,
    seen_version: &str,
) -> Result<Option<(GroupValues, Revision)>> {
    let rows = sqlx::query(
        "SELECT id, action, editor, at, record FROM revisions WHERE entity = $1 AND row_id = $2 ORDER BY id DESC LIMIT $3",
    )
    .bind(group.history_key())
    .bind(ROW_ID)
    .bind(MAX_REVISIONS_BACK)
    .fetch_all(connection)
    .await?;
    let revisions = rows.iter().map(|row| read(group, row)).collect::<Result<Vec<_>>>()?;
    let is_seen = |revision: &&Revision| version_of(&revision.values) == seen_version;
    let seen = revisions.iter().find(is_seen).map(|revision| revision.values.clone());
    Ok(seen.zip(revisions.into_iter().next()))
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

/// A revision of a group in its history.
pub struct Revision {
    /// Id of the row.
    pub id: i64,
    /// What was done.
    pub action: Action,
    /// Name of the editor; "" for the values of the settings file.
    pub who: String,
    /// Time, as stored.
    pub at: String,
    /// The values of the group afterwards.
    pub values: BTreeMap<&'static str, Value>,
}

/// A revision with its changes.
pub struct HistoryEntry {
    /// The revision.
    pub revision: Revision,
    /// The differences to the revision before it.
    pub differences: Vec<Difference>,
}

/// Lists the revisions of a group before the revision with the id `before` (0 for all), newest first.
pub async fn history(
    site: &Site,
    connection: &mut AnyConnection,
    group: &Group,
    (before, limit): (i64, i64),
) -> Result<Vec<HistoryEntry>> {
    let rows = sqlx::query(
        "SELECT id, action, editor, at, record FROM revisions WHERE entity = $1 AND row_id = $2 \
         AND ($3 = 0 OR id < $3) ORDER BY id DESC LIMIT $4",
    )
    .bind(group.history_key())
    .bind(ROW_ID)
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let revisions = rows.iter().map(|row| read(group, row)).collect::<Result<Vec<_>>>()?;
    let mut history = Vec::with_capacity(revisions.len());
    let mut remaining = revisions.into_iter().peekable();
    while let Some(revision) = remaining.next() {
        let differences = match remaining.peek() {
            Some(before) => differences(site, group, &before.values, &revision.values),
            None => Vec::new(),
        };
        history.push(HistoryEntry { revision, differences });
    }
    Ok(history)
}

/// Returns the last change of every group: key of the group, name of the editor, time as stored.
pub async fn latest(connection: &mut AnyConnection) -> Result<Vec<(String, String, String)>> {
    let rows = sqlx::query(
        "SELECT r.entity, r.editor, r.at FROM revisions r \
         JOIN (SELECT max(id) AS id FROM revisions WHERE entity LIKE 'settings/%' GROUP BY entity) last \
         ON last.id = r.id",
    )
    .fetch_all(connection)
    .await?;
    let read = |row: &sqlx::any::AnyRow| -> Result<(String, String, String)> {
        let history_key: String = row.try_get("entity")?;
        let key = history_key.strip_prefix(HISTORY_PREFIX).unwrap_or(&history_key).to_owned();
        Ok((key, row.try_get("editor")?, row.try_get("at")?))
    };
    rows.iter().map(read).collect()
}

/// Reads the revision with this id.
///
/// # Errors
/// [`Error::NotFound`] if the group has no such revision.
pub async fn revision(connection: &mut AnyConnection, group: &Group, id: i64) -> Result<Revision> {
    let row = sqlx::query("SELECT id, action, editor, at, record FROM revisions WHERE entity = $1 AND id = $2")
        .bind(group.history_key())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    let row = row.ok_or_else(|| Error::NotFound("There is no such version in the history.".into()))?;
    read(group, &row)
}

fn read(group: &Group, row: &sqlx::any::AnyRow) -> Result<Revision> {
    let (action, record): (String, String) = (row.try_get("action")?, row.try_get("record")?);
    let mut record: Map<String, Value> = serde_json::from_str(&record)?;
    Ok(Revision {
        id: row.try_get("id")?,
        action: Action::from_name(&action),
        who: row.try_get("editor")?,
        at: row.try_get("at")?,
        values: group.items.iter().filter_map(|item| Some((item.path(), record.remove(item.path())?))).collect(),
    })
}
