//! Resolves references: the rows that a table names by key or by title.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use sqlx::AnyConnection;

use super::NewTarget;
use crate::entity::{Choice, Datum, Entity, Field, Kind, table};
use festival_base::error::Result;

/// The rows that each reference of an entity may name, by field.
#[derive(Default)]
pub(super) struct Names(HashMap<&'static str, Target>);

#[derive(Default)]
struct Target {
    by_key: HashMap<String, i64>,
    /// Ids by title, in its own spelling and in lower case.
    by_name: HashMap<String, Vec<i64>>,
    name_of: HashMap<i64, String>,
    /// Titles of rows that the import creates, by key.
    new: HashMap<String, String>,
    /// What is wrong with rows that the import cannot create, by key.
    refused: HashMap<String, String>,
    /// Whether keys are numbers. Titles come first then: a film may be called "1917".
    has_numbers: bool,
    /// What the key is called in a sentence.
    key_label: String,
}

impl Names {
    /// Loads the rows that the references of `entity` may name.
    pub(super) async fn load(
        connection: &mut AnyConnection,
        entity: &'static Entity,
        edition: Option<i64>,
    ) -> Result<Self> {
        let mut names = Self::default();
        for field in entity.columns() {
            let Kind::Reference(target) = field.kind else { continue };
            let mut known = Target {
                has_numbers: table::has_numeric_key(target),
                key_label: table::key_label(target),
                ..Target::default()
            };
            for Choice { id, key, name } in table::choices(connection, target, edition).await? {
                let lower = name.to_lowercase();
                if lower != name {
                    known.by_name.entry(lower).or_default().push(id);
                }
                known.by_name.entry(name.clone()).or_default().push(id);
                known.by_key.insert(key, id);
                known.name_of.insert(id, name);
            }
            names.0.insert(field.name, known);
        }
        Ok(names)
    }

    /// Adds a row that the import creates, for the fields of `entity` that refer to rows of its kind.
    pub(super) fn add(&mut self, entity: &'static Entity, target: &NewTarget) {
        let wrong = target.values.iter().find_map(|(name, value)| {
            let field = target.entity.field(name)?;
            let message = field.parse(value, &TimeZone::UTC).err()?;
            Some(format!("another {}: its {} {message}", target.entity.singular, field.label.to_lowercase()))
        });
        for field in entity.columns() {
            let is_reference = matches!(field.kind, Kind::Reference(to) if to.table == target.entity.table);
            if let Some(known) = self.0.get_mut(field.name).filter(|_| is_reference) {
                known.new.insert(target.key.clone(), target.title().to_owned());
                known.refused.extend(wrong.clone().map(|wrong| (target.key.clone(), wrong)));
            }
        }
    }

    /// Finds the row with this key: its id, or the key of one that the import creates.
    ///
    /// # Errors
    /// As [`Names::find`], which also knows titles.
    pub(super) fn find_key(&self, field: &Field, key: &str) -> Result<Datum, String> {
        match self.0.get(field.name).and_then(|known| known.by_key.get(key)) {
            Some(id) => Ok(Datum::Integer(*id)),
            None => self.find(field, key),
        }
    }

    /// Finds the row that `text` names: its id, or the key of one that the import creates.
    ///
    /// # Errors
    /// What is expected instead, if there is no such row or more than one.
    pub(super) fn find(&self, field: &Field, text: &str) -> Result<Datum, String> {
        let singular = match field.kind {
            Kind::Reference(target) => target.singular,
            _ => field.name,
        };
        let missing = || format!("another name: there is no {singular} \"{text}\"");
        let known = self.0.get(field.name).ok_or_else(missing)?;
        let by_key = known.by_key.get(text).copied();
        if let Some(id) = by_key.filter(|_| !known.has_numbers) {
            return Ok(Datum::Integer(id));
        }
        if let Some(wrong) = known.refused.get(text) {
            return Err(wrong.clone());
        }
        if known.new.contains_key(text) {
            return Ok(Datum::Reference(text.to_owned()));
        }
        let ids = known.by_name.get(text).or_else(|| known.by_name.get(&text.to_lowercase()));
        match ids.map(Vec::as_slice) {
            Some([id]) => Ok(Datum::Integer(*id)),
            Some(_) => Err(format!("the {}: more than one {singular} is called \"{text}\"", known.key_label)),
            None => by_key.map(Datum::Integer).ok_or_else(missing),
        }
    }

    /// The title of the row that a field refers to.
    pub(super) fn name(&self, field: &Field, datum: &Datum) -> String {
        let known = self.0.get(field.name);
        match datum {
            Datum::Integer(id) => {
                known.and_then(|known| known.name_of.get(id)).cloned().unwrap_or_else(|| id.to_string())
            }
            Datum::Reference(key) => known.and_then(|known| known.new.get(key)).unwrap_or(key).clone(),
            _ => String::new(),
        }
    }
}
