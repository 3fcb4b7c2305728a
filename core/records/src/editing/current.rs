//! A row as it is now, and what tells whether it still is as somebody saw it.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use super::alternative_texts::{self, AlternativeTexts};
use super::publication::{SHOWN, planned, plans};
use crate::entity::{Datum, Entity, Record, table};
use festival_base::error::{Error, Result};

/// A row as it is now: all that its form shows.
#[derive(Clone, Debug)]
pub struct Current {
    /// Its id.
    pub id: i64,
    /// The edition that it belongs to.
    pub edition: Option<i64>,
    /// What it holds; references are ids.
    pub record: Record,
    /// The moment at which it is published by itself, as stored.
    pub plan: Option<String>,
    /// What is said of its pictures.
    pub alternative_texts: AlternativeTexts,
    /// What tells this state from any other: 32 hexadecimal digits.
    pub mark: String,
}

/// The row with this id as it is now.
pub async fn find(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    let Some(record) = table::fetch(connection, entity, id).await? else { return Ok(None) };
    let edition = table::edition_of(connection, entity, id).await?;
    let plan = match entity.field(SHOWN) {
        Some(_) => planned(connection, entity, id).await?,
        None => None,
    };
    let texts = alternative_texts::of(connection, entity, &record).await?;
    let mark = mark_of(&record, plan.as_deref(), &texts);
    Ok(Some(Current { id, edition, record, plan, alternative_texts: texts, mark }))
}

/// The rows with these ids as they are now, by id.
pub(crate) async fn find_many(
    connection: &mut AnyConnection,
    entity: &Entity,
    ids: &[i64],
) -> Result<HashMap<i64, Current>> {
    let rows = table::fetch_many(connection, entity, ids).await?;
    let mut plans = match entity.field(SHOWN) {
        Some(_) if !rows.is_empty() => plans(connection, entity).await?,
        _ => BTreeMap::new(),
    };
    let mut found = HashMap::with_capacity(rows.len());
    for (id, (record, edition)) in rows {
        let plan = plans.remove(&id);
        let texts = alternative_texts::of(connection, entity, &record).await?;
        let mark = mark_of(&record, plan.as_deref(), &texts);
        found.insert(id, Current { id, edition, record, plan, alternative_texts: texts, mark });
    }
    Ok(found)
}

/// The row with this id as it is now; where there is none, an error that says so.
pub async fn get(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    let found = find(connection, entity, id).await?;
    found.ok_or_else(|| Error::NotFound(format!("There is no such {}. Somebody may have deleted it.", entity.singular)))
}

/// The row with this id as it is now, for whoever will write it: nobody else does before the end of the transaction.
pub async fn find_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Option<Current>> {
    table::lock(connection, entity, id).await?;
    find(connection, entity, id).await
}

pub(super) async fn get_to_write(connection: &mut AnyConnection, entity: &Entity, id: i64) -> Result<Current> {
    table::lock(connection, entity, id).await?;
    get(connection, entity, id).await
}

/// The row with this id for whoever will write it, if it still is as `mark` says it was seen.
///
/// [`Error::Conflict`]: it is another by now.
pub async fn as_seen(connection: &mut AnyConnection, entity: &Entity, id: i64, mark: &str) -> Result<Current> {
    let current = get_to_write(connection, entity, id).await?;
    if current.mark == mark {
        return Ok(current);
    }
    Err(Error::Conflict(format!(
        "Somebody else changed this {} while you were working on it. Nothing of yours was written yet.",
        entity.singular
    )))
}

fn mark_of(record: &Record, plan: Option<&str>, texts: &AlternativeTexts) -> String {
    let beside = plan.into_iter().chain(texts.values().map(String::as_str)).map(|text| Datum::Text(text.to_owned()));
    let mut hash = Sha256::new();
    for datum in record.iter().cloned().chain(beside) {
        match datum {
            Datum::Null => hash.update([0]),
            Datum::Text(text) | Datum::Reference(text) => {
                hash.update([1]);
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
            Datum::Integer(number) => {
                hash.update([2]);
                hash.update(number.to_le_bytes());
            }
        }
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}
