//! Mappings that people saved under a name: which field each column of a list fills, for the next list with that
//! header.

use std::collections::HashMap;

use sqlx::AnyConnection;

use super::Column;
use super::mapping::fold_header;
use crate::entity::Entity;
use festival_base::error::{Error, Result};

/// A mapping that was saved.
#[derive(Clone, Debug)]
pub struct SavedMapping {
    /// Its name, unique within the entity.
    pub name: String,
    /// The table of the entity.
    pub table: String,
    /// The header and the field of each column, in the order of the list; "" for a column that is left out.
    pub columns: Vec<(String, String)>,
}

impl SavedMapping {
    /// Whether a list has the header that this mapping was saved for: the same columns, in any order.
    pub fn fits(&self, header: &[String]) -> bool {
        let sorted = |headers: &mut dyn Iterator<Item = &String>| {
            let mut folded: Vec<String> = headers.map(|header| fold_header(header)).collect();
            folded.sort_unstable();
            folded
        };
        sorted(&mut self.columns.iter().map(|(header, _)| header)) == sorted(&mut header.iter())
    }

    /// Returns the field of each column of a list, "" for a column that the mapping leaves out or does not know.
    pub fn fields(&self, header: &[String]) -> Vec<String> {
        // Columns with the same header are distinguished by their order.
        let mut known: HashMap<String, std::vec::IntoIter<&String>> = HashMap::new();
        for (name, _) in &self.columns {
            known.entry(fold_header(name)).or_insert_with_key(|folded| {
                let same = self.columns.iter().filter(|(other, _)| fold_header(other) == *folded);
                same.map(|(_, field)| field).collect::<Vec<_>>().into_iter()
            });
        }
        let mut field = |name: &String| known.get_mut(&fold_header(name))?.next().cloned();
        header.iter().map(|name| field(name).unwrap_or_default()).collect()
    }
}

/// The mappings that were saved for lists of `entity`, or of all, the latest first.
///
/// # Errors
/// If the database cannot be read.
pub async fn saved_mappings(connection: &mut AnyConnection, entity: Option<&Entity>) -> Result<Vec<SavedMapping>> {
    let rows: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT entity, name, columns FROM import_mappings WHERE ($1 = '' OR entity = $1) \
         ORDER BY updated_at DESC, id DESC",
    )
    .bind(entity.map_or("", |entity| entity.table))
    .fetch_all(connection)
    .await?;
    let mapping = |(table, name, columns): (String, String, String)| {
        Ok(SavedMapping { name, table, columns: serde_json::from_str(&columns).map_err(Error::internal)? })
    };
    rows.into_iter().map(mapping).collect()
}

/// The mapping with this name.
///
/// # Errors
/// [`Error::NotFound`] with the names that there are, if there is none.
pub async fn saved_mapping(connection: &mut AnyConnection, entity: &Entity, name: &str) -> Result<SavedMapping> {
    let saved = saved_mappings(connection, Some(entity)).await?;
    let names: Vec<String> = saved.iter().map(|mapping| mapping.name.clone()).collect();
    saved.into_iter().find(|mapping| mapping.name == name.trim()).ok_or_else(|| {
        let known = if names.is_empty() { "none was saved yet".to_owned() } else { names.join(", ") };
        Error::NotFound(format!("there is no mapping \"{name}\" for {}; saved: {known}", entity.plural))
    })
}

/// Saves which field each column fills, replacing a mapping of this name. Does nothing if the name is empty.
///
/// # Errors
/// If the database cannot be written.
pub async fn save_mapping(
    connection: &mut AnyConnection,
    entity: &Entity,
    name: &str,
    columns: &[Column],
    now: &str,
) -> Result<()> {
    if name.trim().is_empty() {
        return Ok(());
    }
    let columns: Vec<(&str, &str)> =
        columns.iter().map(|column| (&*column.header, column.field.unwrap_or_default())).collect();
    sqlx::query(
        "INSERT INTO import_mappings (entity, name, columns, updated_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (entity, name) DO UPDATE SET columns = excluded.columns, updated_at = excluded.updated_at",
    )
    .bind(entity.table)
    .bind(name.trim().to_owned())
    .bind(serde_json::to_string(&columns)?)
    .bind(now.to_owned())
    .execute(connection)
    .await?;
    Ok(())
}

/// Renames the mapping with this name, and returns whether there was one.
///
/// # Errors
/// [`Error::Conflict`] if another mapping has that name; [`Error::BadRequest`] if it is empty.
pub async fn rename_mapping(
    connection: &mut AnyConnection,
    entity: &Entity,
    name: &str,
    new_name: &str,
) -> Result<bool> {
    let (name, new_name) = (name.trim(), new_name.trim());
    if new_name.is_empty() {
        return Err(Error::BadRequest("A name is needed.".into()));
    }
    let saved = saved_mappings(&mut *connection, Some(entity)).await?;
    if name != new_name && saved.iter().any(|mapping| mapping.name == new_name) {
        return Err(Error::Conflict(format!("“{new_name}” exists already. Choose another name, or delete it first.")));
    }
    let renamed = sqlx::query("UPDATE import_mappings SET name = $1 WHERE entity = $2 AND name = $3")
        .bind(new_name.to_owned())
        .bind(entity.table)
        .bind(name.to_owned())
        .execute(connection)
        .await?;
    Ok(renamed.rows_affected() > 0)
}

/// Deletes the mapping with this name, and returns whether there was one.
///
/// # Errors
/// If the database cannot be written.
pub async fn delete_mapping(connection: &mut AnyConnection, entity: &Entity, name: &str) -> Result<bool> {
    let deleted = sqlx::query("DELETE FROM import_mappings WHERE entity = $1 AND name = $2")
        .bind(entity.table)
        .bind(name.trim().to_owned())
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn saved_mapping_fits_the_same_header_in_any_order_and_spelling() {
        let columns = [("Work", "name"), ("Person", "director"), ("Person", "producer"), ("Fee", "")];
        let mapping = SavedMapping {
            name: "Labs".into(),
            table: "films".into(),
            columns: columns.map(|(header, field)| (header.to_owned(), field.to_owned())).into(),
        };
        let header = texts(&["FEE", "person", "Person ", "work"]);
        assert!(mapping.fits(&header));
        assert_eq!(mapping.fields(&header), texts(&["", "director", "producer", "name"]));
        let longer = texts(&["Fee", "Person", "Person", "Work", "Year"]);
        assert!(!mapping.fits(&longer));
        assert_eq!(mapping.fields(&longer), texts(&["", "director", "producer", "name", ""]));
        assert!(!mapping.fits(&texts(&["Fee", "Person", "Work"])));
    }
}
