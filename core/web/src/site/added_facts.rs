//! Facts that modules add to `GET /site/`.

use std::sync::Arc;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::types::Declarations;
use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

type FactsOf = dyn Fn(&Settings) -> serde_json::Result<Value> + Send + Sync;

/// Facts that a module adds to `GET /site/`: the fields of a struct.
#[derive(Clone)]
pub struct AddedFacts {
    values: Arc<FactsOf>,
    schema: fn(&mut SchemaGenerator) -> Value,
    /// Adds the TypeScript types of the facts.
    pub types: fn(&mut Declarations),
}

impl AddedFacts {
    /// Adds the fields of the struct that `facts` computes from the settings in force.
    pub fn new<T: Serialize + JsonSchema + TS + 'static>(facts: fn(&Settings) -> T) -> Self {
        Self {
            values: Arc::new(move |settings| serde_json::to_value(facts(settings))),
            schema: |generator| T::json_schema(generator).to_value(),
            types: Declarations::add::<T>,
        }
    }

    /// Returns the facts by name.
    ///
    /// # Errors
    /// If they are not the fields of a struct.
    pub(super) fn values(&self, settings: &Settings) -> Result<Map<String, Value>> {
        match (self.values)(settings)? {
            Value::Object(facts) => Ok(facts),
            other => Err(Error::internal(format!("facts of the site without names: {other}"))),
        }
    }

    /// The names of the facts.
    pub fn names(&self) -> Vec<String> {
        names(&(self.schema)(&mut SchemaGenerator::default()))
    }

    /// Adds the facts to the JSON schema of `/site/`, and their types to `generator`.
    pub(crate) fn describe(&self, generator: &mut SchemaGenerator, site: &mut Value) {
        let added = (self.schema)(generator);
        if let (Some(all), Some(added)) = (site["properties"].as_object_mut(), added["properties"].as_object()) {
            all.extend(added.clone());
        }
        if let (Some(all), Some(added)) = (site["required"].as_array_mut(), added["required"].as_array()) {
            all.extend(added.clone());
        }
    }
}

/// The names of the fields that a schema describes.
pub(super) fn names(schema: &Value) -> Vec<String> {
    schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect()
}
