//! The settings as they are in force: those of the file with the rows of the table `settings` over them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use sqlx::{AnyConnection, Row as _};

use super::{SectionInfo, Settings, problems};
use crate::db::Db;
use crate::error::Result;

/// What was changed in the browser: JSON by path ("product.name").
pub type Rows = BTreeMap<String, Value>;

/// The modules by name, each with what is known of its section, if it has one.
pub type Sections = Vec<(&'static str, Option<SectionInfo>)>;

/// The settings in force, remembered with the version of the data that they were read from.
pub struct InForce {
    file: Settings,
    paths: BTreeSet<&'static str>,
    sections: Sections,
    remembered: RwLock<Option<(i64, Arc<Settings>)>>,
}

impl InForce {
    /// The settings of the `file`, over which rows may lie that stand at these `paths`; `sections` hold the rules of
    /// what modules read.
    pub fn new(file: Settings, paths: BTreeSet<&'static str>, sections: Sections) -> Self {
        Self { file, paths, sections, remembered: RwLock::default() }
    }

    /// The same, which has not read anything yet: for another database.
    #[must_use]
    pub fn forgetful(&self) -> Self {
        Self::new(self.file.clone(), self.paths.clone(), self.sections.clone())
    }

    /// The settings of the file alone.
    pub fn file(&self) -> &Settings {
        &self.file
    }

    /// The settings in force, from memory while the data of `db` is as it was.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get(&self, db: &Db) -> Result<Arc<Settings>> {
        match self.remembered(db) {
            Some(settings) => Ok(settings),
            None => self.get_on(db, &mut *db.read().await?).await,
        }
    }

    /// The same for whoever holds a `connection` to `db`: nobody waits for a second one while holding the first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_on(&self, db: &Db, connection: &mut AnyConnection) -> Result<Arc<Settings>> {
        if let Some(settings) = self.remembered(db) {
            return Ok(settings);
        }
        let version = db.data_version();
        let settings = Arc::new(self.lenient(&rows(connection).await?));
        *self.remembered.write().unwrap_or_else(PoisonError::into_inner) = Some((version, settings.clone()));
        Ok(settings)
    }

    fn remembered(&self, db: &Db) -> Option<Arc<Settings>> {
        let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner).clone();
        remembered.filter(|(then, _)| *then == db.data_version()).map(|(_, settings)| settings)
    }

    /// The file's settings with `rows` over them.
    ///
    /// # Errors
    /// What is wrong with that, by the rules of the file: "key: what is wrong".
    pub fn over(&self, rows: &Rows) -> Result<Settings, Vec<String>> {
        let mut json = serde_json::to_value(&self.file).map_err(|error| vec![error.to_string()])?;
        for (path, value) in rows.iter().filter(|(path, _)| self.paths.contains(path.as_str())) {
            set(&mut json, path, value.clone());
        }
        self.checked(json)
    }

    /// The file's settings with the section `[settings]` of a seed over them.
    ///
    /// # Errors
    /// As [`InForce::over`].
    pub(super) fn over_section(&self, section: Value) -> Result<Settings, Vec<String>> {
        let mut json = serde_json::to_value(&self.file).map_err(|error| vec![error.to_string()])?;
        super::seeded::merge(&mut json, section);
        self.checked(json)
    }

    /// The value of `settings` at the path "modules.<name>.<key>", that of the default included.
    pub fn section_value(&self, settings: &Settings, path: &str) -> Option<Value> {
        let (module, rest) = path.strip_prefix("modules.")?.split_once('.')?;
        let (_, section) = self.sections.iter().find(|(name, _)| *name == module)?;
        let own = settings.modules.get(module).map(|module| module.own.clone()).unwrap_or_default();
        let values = Value::Object((section.as_ref()?.values)(&own).ok()?);
        rest.split('.').try_fold(&values, |value, name| value.get(name)).cloned()
    }

    /// Whether what stands at `path` may be changed in the browser.
    pub(super) fn may_change(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    fn checked(&self, json: Value) -> Result<Settings, Vec<String>> {
        let mut settings: Settings = serde_json::from_value(json).map_err(|error| vec![error.to_string()])?;
        // A secret is printed as stars.
        settings.mail.password = self.file.mail.password.clone();
        let mut wrong = problems(&settings);
        for (module, section) in &self.sections {
            let Some(section) = section else { continue };
            let own = settings.modules.get(*module).map(|module| &module.own);
            if let Some(Err(words)) = own.map(section.values) {
                wrong.extend(words.iter().map(|words| format!("modules.{module}.{words}")));
            }
        }
        if wrong.is_empty() { Ok(settings) } else { Err(wrong) }
    }

    /// The same, without the rows that cannot be used any more: the file may have changed since.
    pub fn lenient(&self, rows: &Rows) -> Settings {
        if let Ok(settings) = self.over(rows) {
            return settings;
        }
        let mut good = Rows::new();
        for (path, value) in rows {
            good.insert(path.clone(), value.clone());
            if let Err(wrong) = self.over(&good) {
                tracing::warn!(path, wrong = wrong.join("; "), "a setting of the browser is passed over");
                good.remove(path);
            }
        }
        self.over(&good).unwrap_or_else(|_| self.file.clone())
    }
}

/// What was changed in the browser: the rows of the table.
///
/// # Errors
/// If the database cannot be read, or a row holds no JSON.
pub async fn rows(connection: &mut AnyConnection) -> Result<Rows> {
    let rows = sqlx::query("SELECT path, value FROM settings ORDER BY path").fetch_all(connection).await?;
    let mut read = Rows::new();
    for row in rows {
        let value: String = row.try_get("value")?;
        read.insert(row.try_get("path")?, serde_json::from_str(&value)?);
    }
    Ok(read)
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
