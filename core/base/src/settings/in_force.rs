//! The settings in force: those loaded at the start, overridden by the rows of the table `settings`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::section::{self, OwnValues};
use super::{Secret, Sections, Settings, check};
use crate::db::Db;
use crate::error::Result;

/// Settings that were changed in the browser: JSON values by path ("product.name").
pub type Overrides = BTreeMap<String, Value>;

/// All secret settings.
const SECRETS: [fn(&mut Settings) -> &mut Secret; 3] =
    [|all| &mut all.metrics_token, |all| &mut all.mail.password, |all| &mut all.s3.secret_key];

/// The settings in force, cached together with the data version that they were read at.
pub struct InForce {
    file: Settings,
    paths: BTreeSet<&'static str>,
    sections: Sections,
    cached: RwLock<Option<(i64, Arc<Settings>)>>,
}

impl InForce {
    /// `file` holds the settings loaded at the start, `paths` those that may be overridden, `sections` the modules'
    /// sections, for validation.
    pub fn new(file: Settings, paths: BTreeSet<&'static str>, sections: Sections) -> Self {
        Self { file, paths, sections, cached: RwLock::default() }
    }

    /// Returns a copy with an empty cache, for use with another database.
    #[must_use]
    pub fn with_empty_cache(&self) -> Self {
        Self::new(self.file.clone(), self.paths.clone(), self.sections.clone())
    }

    /// Returns the settings without overrides.
    pub fn file(&self) -> &Settings {
        &self.file
    }

    /// Returns the settings in force, from the cache while the data version of `db` is unchanged.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get(&self, db: &Db) -> Result<Arc<Settings>> {
        match self.cached(db) {
            Some(settings) => Ok(settings),
            None => self.get_on(db, &mut *db.read().await?).await,
        }
    }

    /// Like [`InForce::get`], on a `connection` to `db` that the caller holds already: taking a second one could
    /// deadlock.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_on(&self, db: &Db, connection: &mut AnyConnection) -> Result<Arc<Settings>> {
        if let Some(settings) = self.cached(db) {
            return Ok(settings);
        }
        let version = db.data_version();
        let settings = Arc::new(self.apply_valid(&load_overrides(connection).await?));
        *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some((version, settings.clone()));
        Ok(settings)
    }

    fn cached(&self, db: &Db) -> Option<Arc<Settings>> {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner).clone();
        cached.filter(|(version, _)| *version == db.data_version()).map(|(_, settings)| settings)
    }

    /// Returns the settings with `overrides` applied.
    ///
    /// # Errors
    /// All problems of the result: "key: what is wrong".
    pub fn apply(&self, overrides: &Overrides) -> Result<Settings, Vec<String>> {
        let mut section = json!({});
        for (path, value) in overrides.iter().filter(|(path, _)| self.paths.contains(path.as_str())) {
            merge(&mut section, path.rsplit('.').fold(value.clone(), |value, name| json!({ name: value })));
        }
        self.apply_section(section)
    }

    /// Returns the settings with the section `[settings]` of a seed applied.
    ///
    /// # Errors
    /// Those of [`InForce::apply`].
    pub(super) fn apply_section(&self, section: Value) -> Result<Settings, Vec<String>> {
        let mut json = self.file.to_json().map_err(|error| vec![error.to_string()])?;
        merge(&mut json, section);
        let mut sections = BTreeMap::new();
        for name in self.top_level_sections() {
            let Some(value) = json.as_object_mut().and_then(|all| all.remove(name)) else { continue };
            let own: OwnValues = serde_json::from_value(value).map_err(|error| vec![format!("{name}: {error}")])?;
            sections.insert(name.to_owned(), own);
        }
        let mut settings: Settings = serde_json::from_value(json).map_err(|error| vec![error.to_string()])?;
        settings.sections = sections;
        // Secrets are masked in the serialised settings.
        for secret in SECRETS {
            *secret(&mut settings) = secret(&mut self.file.clone()).clone();
        }
        let mut problems = check::problems(&settings);
        problems.extend(check::section_problems(&settings, &self.sections));
        if problems.is_empty() { Ok(settings) } else { Err(problems) }
    }

    /// Returns the value of `settings` at a path in a section of a module ("modules.<name>.<key>", "fees.<key>"), or its
    /// default.
    pub fn section_value(&self, settings: &Settings, path: &str) -> Option<Value> {
        let key_in = |section: &str| path.strip_prefix(section)?.strip_prefix('.');
        let (section, key) = self.sections.iter().find_map(|section| Some((section, key_in(&section.path)?)))?;
        let own = settings.own_values(&section.path).cloned().unwrap_or_default();
        let values = Value::Object((section.values)(&own).ok()?);
        key.split('.').try_fold(&values, |value, name| value.get(name)).cloned()
    }

    /// Returns whether the setting at `path` can be changed in the browser.
    pub(super) fn is_overridable(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The names of the sections of modules at the top level, next to those of core.
    pub(super) fn top_level_sections(&self) -> impl Iterator<Item = &str> {
        section::top_level(&self.sections).map(|section| section.path.as_str())
    }

    /// Returns the settings with all valid `overrides` applied, and logs the others: they may have become invalid
    /// because the files changed.
    pub fn apply_valid(&self, overrides: &Overrides) -> Settings {
        if let Ok(settings) = self.apply(overrides) {
            return settings;
        }
        let mut valid = Overrides::new();
        for (path, value) in overrides {
            valid.insert(path.clone(), value.clone());
            if let Err(problems) = self.apply(&valid) {
                tracing::warn!(path, problems = problems.join("; "), "ignoring an invalid setting from the browser");
                valid.remove(path);
            }
        }
        self.apply(&valid).unwrap_or_else(|_| self.file.clone())
    }
}

/// Loads the settings that were changed in the browser.
///
/// # Errors
/// If the database cannot be read, or a row is not valid JSON.
pub async fn load_overrides(connection: &mut AnyConnection) -> Result<Overrides> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT path, value FROM settings ORDER BY path").fetch_all(connection).await?;
    rows.into_iter().map(|(path, value)| Ok((path, serde_json::from_str(&value)?))).collect()
}

/// Merges `overrides` into `base` recursively; lists are replaced as a whole.
fn merge(base: &mut Value, overrides: Value) {
    match (base, overrides) {
        (Value::Object(base), Value::Object(overrides)) => {
            for (key, value) in overrides {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, value) => *base = value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_the_browser_keep_every_secret() {
        let schema = serde_json::to_string(&schemars::schema_for!(Settings)).unwrap();
        assert_eq!(schema.matches("#/$defs/Secret\"").count(), SECRETS.len(), "a secret setting is not listed");
        let mut file = Settings::default();
        for secret in SECRETS {
            *secret(&mut file) = "sixteen characters".into();
        }
        let in_force = InForce::new(file, BTreeSet::from(["product.name"]), Vec::new());
        let changes = Overrides::from([("product.name".to_owned(), "Lamp".into())]);
        let mut settings = in_force.apply_valid(&changes);
        assert_eq!(settings.product.name, "Lamp");
        for secret in SECRETS {
            assert_eq!(secret(&mut settings).reveal(), "sixteen characters");
        }
    }
}
