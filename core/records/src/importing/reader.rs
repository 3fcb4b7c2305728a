//! Readers interpret the cells of a table: core's, or that of a module for its entity.

use std::sync::Arc;

use sqlx::AnyConnection;

use super::headers::{ListHeaders, Meaning};
use super::import::{Import, ImportOptions};
use super::list_field::{ListField, exported_field, is_export};
use super::matches::Matches;
use super::parsed::{ParsedSheet, Refusal};
use super::row::Row;
use super::rows::read_list;
use crate::Records;
use crate::entity::{Entity, Field, Kind};
use festival_base::error::Result;
use festival_files::bundle::Bundle;
use festival_files::sheet::Sheet;

/// Names files in the rows of a table when it is read.
pub type NameFiles = Box<dyn FnOnce(&mut ParsedSheet) + Send>;

/// How the lines of a table without a [`Reader`] are matched.
pub const MATCHED_BY_KEY: &str = "In a list without the column Id, a line is about the row that it would repeat, such as the \
    one of the same name, or adds one. Where it nearly repeats one, you are asked.";

/// Interprets the cells of a table. The default methods read what an entity's list exports, and similar tables.
#[async_trait::async_trait]
pub trait Reader: Send + Sync {
    /// The names of columns, and the fields that they fill.
    fn headers(&self, entity: &'static Entity) -> Arc<ListHeaders> {
        ListHeaders::of(entity)
    }

    /// How the lines of a table are matched with the stored rows, in a few sentences for people.
    fn matching(&self) -> &'static str {
        MATCHED_BY_KEY
    }

    /// Parses a table. Rows with a cell that cannot be read are reported as errors.
    ///
    /// # Errors
    /// If the whole table is refused.
    fn read(
        &self,
        records: &Records,
        entity: &'static Entity,
        sheet: Sheet,
        options: &ImportOptions,
    ) -> Result<ParsedSheet, Refusal> {
        read_list(entity, sheet, options, records.this_year())
    }

    /// Makes a table from the documents among files without a list; `None`: there are none that it can read. Cells of
    /// fields that are files, and pictures in texts, name other files by their paths.
    fn read_documents(&self, _entity: &'static Entity, _files: &Bundle) -> Option<Result<Sheet, String>> {
        None
    }

    /// Finds out which files belong to which rows of a table, besides those that cells name; `None`: no others do.
    fn name_files(&self, _files: &Bundle, _sheet: &Sheet) -> Option<NameFiles> {
        None
    }

    /// Finds the stored rows that the rows of the table describe; `None`: [`Row::id`] decides, or the entity's key if
    /// the table has no ids. In an exported list the ids decide, and this is asked only if they are those of another
    /// edition or site.
    async fn match_rows(
        &self,
        _import: &Import<'_>,
        _connection: &mut AnyConnection,
        _rows: &[Row],
    ) -> Result<Option<Matches>> {
        Ok(None)
    }
}

/// Reads what an entity's list exports, and similar tables.
struct ExportedLists;

#[async_trait::async_trait]
impl Reader for ExportedLists {
    fn headers(&self, entity: &'static Entity) -> Arc<ListHeaders> {
        ListHeaders::new(entity, ListField::exported(entity)).into()
    }
}

/// Returns the reader for a table with this header: core's for an exported list, else that of the module, if it has
/// one.
pub fn reader<'a>(registered: Option<&'a dyn Reader>, entity: &Entity, header: &[String]) -> &'a dyn Reader {
    match registered {
        Some(reader) if !is_export(entity, header) => reader,
        _ => &ExportedLists,
    }
}

/// Finds the field that a header of a table of this entity means.
pub fn field_of(registered: Option<&dyn Reader>, entity: &'static Entity, header: &str) -> Option<&'static str> {
    let in_lists_of_people = || {
        let headers = registered.map_or_else(|| ListHeaders::of(entity), |reader| reader.headers(entity));
        match headers.meaning(header) {
            Meaning::Field { field, .. } | Meaning::ByCells { field, .. } => Some(field),
            Meaning::Personal | Meaning::Unknown => None,
        }
    };
    exported_field(entity, header).or_else(in_lists_of_people)
}

/// Whether a text is a header of a table of this entity.
pub fn knows(registered: Option<&dyn Reader>, entity: &'static Entity, header: &str) -> bool {
    field_of(registered, entity, header).is_some()
}

/// The fields that may be given for all rows at once: required references to another row.
pub fn for_all(entity: &'static Entity) -> impl Iterator<Item = &'static Field> {
    entity.columns().filter(|field| field.required && matches!(field.kind, Kind::Reference(_)))
}
