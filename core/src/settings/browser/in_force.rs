//! The settings as they are in force: those of the file with the rows of the table `settings` over them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::tz::TimeZone;
use serde_json::Value;
use sqlx::{AnyConnection, Row as _};

use super::Group;
use super::value::{Settled, normal};
use crate::app::App;
use crate::error::Result;
use crate::registry::Registry;
use crate::settings::{Settings, problems};

/// What was changed in the browser: JSON by path.
pub(super) type Rows = BTreeMap<String, Value>;

/// The settings in force, remembered with the generation of the data that they were read from.
#[derive(Default)]
pub(crate) struct InForce(RwLock<Option<(u64, Arc<Settings>)>>);

impl App {
    /// The settings in force: those of the file with what was changed in the browser. From memory while the data is
    /// as it was.
    ///
    /// What cannot be changed in the browser is the same in [`App::settings`].
    pub async fn in_force(&self) -> Result<Arc<Settings>> {
        match self.remembered_in_force() {
            Some(settings) => Ok(settings),
            None => self.in_force_on(&mut *self.db.read().await?).await,
        }
    }

    /// The same for whoever holds a connection: nobody waits for a second one while holding the first.
    pub async fn in_force_on(&self, connection: &mut AnyConnection) -> Result<Arc<Settings>> {
        if let Some(settings) = self.remembered_in_force() {
            return Ok(settings);
        }
        let generation = self.db.generation();
        let rows = rows(connection).await?;
        let settings = Arc::new(lenient(&self.registry, &rows));
        *self.in_force.0.write().unwrap_or_else(PoisonError::into_inner) = Some((generation, settings.clone()));
        Ok(settings)
    }

    fn remembered_in_force(&self) -> Option<Arc<Settings>> {
        let remembered = self.in_force.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        remembered.filter(|(then, _)| *then == self.db.generation()).map(|(_, settings)| settings)
    }
}

/// The rows of the table.
pub(super) async fn rows(connection: &mut AnyConnection) -> Result<Rows> {
    let rows = sqlx::query("SELECT path, value FROM settings ORDER BY path").fetch_all(connection).await?;
    let mut read = Rows::new();
    for row in rows {
        let value: String = row.try_get("value")?;
        read.insert(row.try_get("path")?, serde_json::from_str(&value)?);
    }
    Ok(read)
}

/// The paths of the settings that were changed in the browser.
pub async fn changed_paths(connection: &mut AnyConnection) -> Result<Vec<String>> {
    Ok(rows(connection).await?.into_keys().collect())
}

/// The file's settings with `rows` over them, or what is wrong with that, by the rules of the file.
pub fn over(registry: &Registry, rows: &BTreeMap<String, Value>) -> Result<Settings, Vec<String>> {
    let file = registry.settings();
    let mut json = serde_json::to_value(file).map_err(|error| vec![error.to_string()])?;
    for (path, value) in rows.iter().filter(|(path, _)| registry.settings_item(path).is_some()) {
        set(&mut json, path, value.clone());
    }
    let mut settings: Settings = serde_json::from_value(json).map_err(|error| vec![error.to_string()])?;
    // A secret is printed as stars.
    settings.mail.password = file.mail.password.clone();
    let mut wrong = problems(&settings);
    for contribution in registry.contributions() {
        let Some(section) = contribution.section else { continue };
        let own = settings.modules.get(contribution.module).map(|module| &module.own);
        if let Some(Err(words)) = own.map(section.values) {
            wrong.extend(words.iter().map(|words| format!("modules.{}.{words}", contribution.module)));
        }
    }
    if wrong.is_empty() { Ok(settings) } else { Err(wrong) }
}

/// The same, without the rows that cannot be used any more: the file may have changed since.
pub(super) fn lenient(registry: &Registry, rows: &Rows) -> Settings {
    if let Ok(settings) = over(registry, rows) {
        return settings;
    }
    let mut good = Rows::new();
    for (path, value) in rows {
        good.insert(path.clone(), value.clone());
        if let Err(wrong) = over(registry, &good) {
            tracing::warn!(path, wrong = wrong.join("; "), "a setting of the browser is passed over");
            good.remove(path);
        }
    }
    over(registry, &good).unwrap_or_else(|_| registry.settings().clone())
}

/// The values of a group in `settings`.
pub(super) fn settled(registry: &Registry, group: &Group, settings: &Settings, zone: &TimeZone) -> Result<Settled> {
    let json = serde_json::to_value(settings)?;
    let value = |path: &str| match value_at(&json, path) {
        Some(value) => value.clone(),
        None => registry.section_value(settings, path).unwrap_or_default(),
    };
    Ok(group.items.iter().map(|item| (item.path(), normal(item, &value(item.path()), zone))).collect())
}

fn value_at<'a>(json: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(json, |value, name| value.get(name))
}

/// Puts a value where its path says; what is missing on the way is made.
fn set(json: &mut Value, path: &str, value: Value) {
    let mut place = json;
    for name in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(serde_json::Map::new());
        }
        let Some(object) = place.as_object_mut() else { return };
        place = object.entry(name).or_insert(Value::Null);
    }
    *place = value;
}
