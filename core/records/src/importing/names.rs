//! The rows that references of a table name: by their key, or by what people call them.

use std::collections::HashMap;

use sqlx::AnyConnection;

use super::NewTarget;
use crate::entity::{Choice, Datum, Entity, Field, Kind, table};
use festival_base::error::Result;

/// The rows that each reference may name, read when the first is asked for.
#[derive(Default)]
pub(super) struct Names(HashMap<&'static str, Target>);

#[derive(Default)]
struct Target {
    by_key: HashMap<String, i64>,
    /// By title as it is written, then in small letters.
    by_name: HashMap<String, Vec<i64>>,
    name_of: HashMap<i64, String>,
    /// The names of rows that are new themselves, by key.
    new: HashMap<String, String>,
}

impl Names {
    /// Reads what the references of `entity` may name.
    pub(super) async fn load(
        connection: &mut AnyConnection,
        entity: &'static Entity,
        edition: Option<i64>,
    ) -> Result<Self> {
        let mut names = Self::default();
        for field in entity.columns() {
            let Kind::Reference(target) = field.kind else { continue };
            let mut known = Target::default();
            for Choice { id, key, name } in table::choices(connection, target, edition).await? {
                let small = name.to_lowercase();
                if small != name {
                    known.by_name.entry(small).or_default().push(id);
                }
                known.by_name.entry(name.clone()).or_default().push(id);
                known.by_key.insert(key, id);
                known.name_of.insert(id, name);
            }
            names.0.insert(field.name, known);
        }
        Ok(names)
    }

    /// Adds a row that is new itself: the fields of `entity` that refer to its kind may name it by its key.
    pub(super) fn add(&mut self, entity: &'static Entity, target: &NewTarget) {
        for field in entity.columns() {
            let refers = matches!(field.kind, Kind::Reference(to) if to.table == target.entity.table);
            if let Some(known) = self.0.get_mut(field.name).filter(|_| refers) {
                known.new.insert(target.key.clone(), target.title().to_owned());
            }
        }
    }

    /// The row that `text` names: its id, or the key of one that is new itself; or what is wrong with the name.
    pub(super) fn find(&self, field: &Field, text: &str) -> Result<Datum, String> {
        let what = match field.kind {
            Kind::Reference(target) => target.singular,
            _ => field.name,
        };
        let missing = || format!("another name: there is no {what} \"{text}\"");
        let known = self.0.get(field.name).ok_or_else(missing)?;
        if let Some(id) = known.by_key.get(text) {
            return Ok(Datum::Integer(*id));
        }
        if known.new.contains_key(text) {
            return Ok(Datum::Reference(text.to_owned()));
        }
        let named = known.by_name.get(text).or_else(|| known.by_name.get(&text.to_lowercase()));
        match named.map(Vec::as_slice) {
            Some([id]) => Ok(Datum::Integer(*id)),
            Some(_) => Err(format!("the name in addresses: more than one {what} is called \"{text}\"")),
            None => Err(missing()),
        }
    }

    /// What the row that a field refers to is called.
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
