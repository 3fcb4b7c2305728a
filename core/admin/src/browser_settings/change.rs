//! Changing settings: what they are now, what would change, the change itself, and what was before.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, Row as _};

use super::group::GROUPS;
use super::value::{Settled, say, settled};
use super::{Group, Item, notice};
use crate::AdminRequest;
use crate::audit::Entry;
use festival_base::db::{Backend, Write, timestamp_text};
use festival_base::error::{Error, FieldError, Result};
use festival_base::settings::{Settings, load_overrides};
use festival_records::editing::{Action, Editor, add_json_revision};
use festival_web::site::Site;

/// Settings have no row of their own, and the history wants a number.
const ROW: i64 = 0;

/// A group as it is now.
pub struct Current {
    /// Its values, by path.
    pub values: BTreeMap<&'static str, Value>,
    /// What the file says, by path.
    pub file: BTreeMap<&'static str, Value>,
    /// What tells this state from any other: 32 hexadecimal digits.
    pub mark: String,
}

/// A setting that is to be another.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its path.
    pub path: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it was, in words for people.
    pub before: String,
    /// What it is to be.
    pub after: String,
}

/// The group as it is now, out of the database.
pub async fn current(site: &Site, connection: &mut AnyConnection, group: &Group) -> Result<Current> {
    let settings = site.in_force.apply_valid(&load_overrides(connection).await?);
    of(site, group, &settings)
}

fn of(site: &Site, group: &Group, settings: &Settings) -> Result<Current> {
    let values = settled(&site.in_force, group, settings, &site.time_zone)?;
    let file = settled(&site.in_force, group, site.in_force.file(), &site.time_zone)?;
    let hash = Sha256::digest(json!(values).to_string());
    let mark = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Current { values, file, mark })
}

/// What would be different with these values, and the settings as they would be; or what is wrong with them.
pub async fn preview(
    site: &Site,
    connection: &mut AnyConnection,
    group: &Group,
    values: &Settled,
) -> Result<(Vec<Difference>, Settings)> {
    let rows = load_overrides(connection).await?;
    let mut next = rows.clone();
    let current = of(site, group, &site.in_force.apply_valid(&rows))?;
    for (path, value) in values {
        if current.file.get(path) == Some(value) {
            next.remove(*path);
        } else {
            next.insert((*path).to_owned(), value.clone());
        }
    }
    let settings = match site.in_force.apply(&next) {
        Ok(settings) => settings,
        Err(wrong) => {
            // What was wrong before, elsewhere, is not for this page.
            let known = site.in_force.apply(&rows).err().unwrap_or_default();
            let wrong: Vec<String> = wrong.into_iter().filter(|words| !known.contains(words)).collect();
            if !wrong.is_empty() {
                return Err(Error::Invalid(wrong.iter().map(|words| placed(group, words)).collect()));
            }
            site.in_force.apply_valid(&next)
        }
    };
    Ok((differences(site, group, &current.values, values), settings))
}

/// What was said of a path of the file, at the input of its setting.
fn placed(group: &Group, words: &str) -> FieldError {
    let at = group.items.iter().find(|item| words.starts_with(&format!("{}: ", item.path())));
    match at {
        Some(item) => FieldError::new(item.path(), words[item.path().len() + 2..].to_owned()),
        None => FieldError::new("", words),
    }
}

/// In which settings two states differ.
pub(super) fn differences(site: &Site, group: &Group, before: &Settled, after: &Settled) -> Vec<Difference> {
    let zone = &site.time_zone;
    let said = |values: &Settled, item: &Item| values.get(item.path()).map(|v| say(item, v, zone)).unwrap_or_default();
    let differing = group.items.iter().filter(|item| before.get(item.path()) != after.get(item.path()));
    differing
        .map(|item| Difference {
            path: item.path(),
            label: item.field.label,
            before: said(before, item),
            after: said(after, item),
        })
        .collect()
}

/// Writes these values, if the group still is as `mark` says it was seen; `None` does not ask. Answers what changed.
///
/// [`Error::Conflict`]: it is another by now, and nothing was written.
pub async fn change(
    request: &AdminRequest,
    write: &mut Write,
    group: &Group,
    (mark, values): (Option<&str>, &Settled),
    action: Action,
) -> Result<Vec<Difference>> {
    let site = &request.site;
    if site.db.backend() == Backend::Postgres {
        // Two who save at once take turns; on SQLite the write lock already does it.
        sqlx::query("LOCK TABLE settings IN SHARE ROW EXCLUSIVE MODE").execute(&mut **write).await?;
    }
    let before = current(site, write, group).await?;
    if mark.is_some_and(|mark| mark != before.mark) {
        let words =
            "Somebody else changed these settings while you were working on them. Nothing of yours was written yet.";
        return Err(Error::Conflict(words.into()));
    }
    // An old step of the history does not know a setting that came later: that stays.
    let mut after = before.values.clone();
    after.extend(values.iter().map(|(path, value)| (*path, value.clone())));
    let (differences, _) = preview(site, write, group, &after).await?;
    if differences.is_empty() {
        return Ok(differences);
    }
    let now = timestamp_text(request.now());
    for difference in &differences {
        let Some(value) = after.get(difference.path) else { continue };
        put(write, difference.path, value, before.file.get(difference.path) == Some(value), &now).await?;
    }
    let what = group.history_key();
    let known: i64 = sqlx::query_scalar("SELECT count(*) FROM revisions WHERE entity = $1 AND row_id = $2")
        .bind(&what)
        .bind(ROW)
        .fetch_one(&mut **write)
        .await?;
    let what = (what.as_str(), ROW, None);
    if known == 0 {
        let nobody = Editor { account: None, name: String::new() };
        add_json_revision(write, what, group.label, &json!(before.values), (Action::Baseline, &nobody), &now).await?;
    }
    let account = request.account()?;
    let editor = Editor { account: Some(account.id), name: account.name.clone() };
    add_json_revision(write, what, group.label, &json!(after), (action, &editor), &now).await?;
    let side = |values: &Settled| -> Value {
        let changed = differences.iter().filter_map(|d| Some((d.path.to_owned(), values.get(d.path)?.clone())));
        Value::Object(changed.collect::<Map<_, _>>())
    };
    let word = if action == Action::Restored { "restore" } else { "change" };
    request.audit(write, Entry::new(word, "settings").before(side(&before.values)).after(side(&after))).await?;
    if group.is_payment {
        notice::tell_owners(request, write, group, &differences).await?;
    }
    Ok(differences)
}

async fn put(
    connection: &mut AnyConnection,
    path: &'static str,
    value: &Value,
    is_as_in_the_file: bool,
    now: &str,
) -> Result<()> {
    if is_as_in_the_file {
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

/// One step of a group's history.
pub struct Step {
    /// Its id.
    pub id: i64,
    /// What was done.
    pub action: Action,
    /// Who did it; "" for what the file said.
    pub who: String,
    /// When, as stored.
    pub at: String,
    /// What the group held afterwards.
    pub values: BTreeMap<&'static str, Value>,
}

/// A step with what it changed.
pub struct History {
    /// The step.
    pub step: Step,
    /// What differs from the step before it.
    pub differences: Vec<Difference>,
}

/// The steps of a group's history before the one with the id `before`, the latest first; 0: from the last step on.
pub async fn history(
    site: &Site,
    connection: &mut AnyConnection,
    group: &Group,
    (before, limit): (i64, i64),
) -> Result<Vec<History>> {
    let rows = sqlx::query(
        "SELECT id, action, editor, at, record FROM revisions WHERE entity = $1 AND row_id = $2 \
         AND ($3 = 0 OR id < $3) ORDER BY id DESC LIMIT $4",
    )
    .bind(group.history_key())
    .bind(ROW)
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let steps = rows.iter().map(|row| read(group, row)).collect::<Result<Vec<_>>>()?;
    let mut history = Vec::with_capacity(steps.len());
    let mut later = steps.into_iter().peekable();
    while let Some(step) = later.next() {
        let differences = match later.peek() {
            Some(before) => differences(site, group, &before.values, &step.values),
            None => Vec::new(),
        };
        history.push(History { step, differences });
    }
    Ok(history)
}

/// Who changed which group last, and when: the group's key, a name, the moment as stored.
pub async fn latest(connection: &mut AnyConnection) -> Result<Vec<(String, String, String)>> {
    let rows = sqlx::query(
        "SELECT r.entity, r.editor, r.at FROM revisions r \
         JOIN (SELECT max(id) AS id FROM revisions WHERE entity LIKE 'settings/%' GROUP BY entity) last \
         ON last.id = r.id",
    )
    .fetch_all(connection)
    .await?;
    let read = |row: &sqlx::any::AnyRow| -> Result<(String, String, String)> {
        let what: String = row.try_get("entity")?;
        let key = what.strip_prefix(GROUPS).unwrap_or(&what).to_owned();
        Ok((key, row.try_get("editor")?, row.try_get("at")?))
    };
    rows.iter().map(read).collect()
}

/// One step.
pub async fn step(connection: &mut AnyConnection, group: &Group, id: i64) -> Result<Step> {
    let row = sqlx::query("SELECT id, action, editor, at, record FROM revisions WHERE entity = $1 AND id = $2")
        .bind(group.history_key())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    let row = row.ok_or_else(|| Error::NotFound("There is no such step in the history.".into()))?;
    read(group, &row)
}

fn read(group: &Group, row: &sqlx::any::AnyRow) -> Result<Step> {
    let (action, record): (String, String) = (row.try_get("action")?, row.try_get("record")?);
    let mut record: Map<String, Value> = serde_json::from_str(&record)?;
    Ok(Step {
        id: row.try_get("id")?,
        action: Action::from_name(&action),
        who: row.try_get("editor")?,
        at: row.try_get("at")?,
        values: group.items.iter().filter_map(|item| Some((item.path(), record.remove(item.path())?))).collect(),
    })
}
