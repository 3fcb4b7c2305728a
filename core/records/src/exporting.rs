//! Lists of the rows of an entity, as [`crate::importing`] reads them back: a column with the ids, then one for each
//! field.

use std::io::Write;

use sqlx::AnyConnection;

use crate::Records;
use crate::editing::{IS_PUBLISHED, PUBLISH_AT};
use crate::entity::{Datum, Entity, Field, Kind, ListedRow, table};
use crate::importing::ID;
use festival_base::db::{Order, Select};
use festival_base::error::Result;
use festival_files::export::{Cell, Column, TableWriter};

/// The columns of a list of `entity`.
pub fn columns(entity: &Entity) -> Vec<Column> {
    let fields = entity.columns().map(|field| Column::new(field.name, field.label).width(width(field)));
    std::iter::once(Column::new(ID, "Id").width(8)).chain(fields).collect()
}

/// Writes the rows of `select`, a narrowed [`table::select`], in an order, and returns how many there are. Read from a
/// snapshot: concurrent writes would move rows between batches.
///
/// # Errors
/// If the rows cannot be read, or the table cannot be written.
pub async fn write_rows<W: Write + Send>(
    records: &Records,
    snapshot: &mut AnyConnection,
    entity: &'static Entity,
    (select, order): (&Select, &Order),
    file: &mut TableWriter<W>,
) -> Result<u64> {
    let write = |row: &ListedRow| file.row(&cells(records, entity, row));
    Ok(table::for_each(snapshot, entity, select, order, write).await?.unsigned_abs())
}

/// Returns the width of a field's column in a workbook, in characters.
fn width(field: &Field) -> u16 {
    match field.kind {
        Kind::Lines { .. } | Kind::Html => 50,
        Kind::Integer { .. } | Kind::Year | Kind::Flag => 10,
        _ => 24,
    }
}

fn cells(records: &Records, entity: &Entity, row: &ListedRow) -> Vec<Cell> {
    let zone = &records.time_zone;
    let cell = |(field, datum): (&'static Field, &Datum)| match (field.kind, datum) {
        // Of rows that are no records, such as submissions, many have the same title.
        (Kind::Reference(target), _) => match records.entities().any(|known| known.table == target.table) {
            true => row.names.get(field.name).cloned().into(),
            false => row.keys.get(field.name).cloned().into(),
        },
        (Kind::Integer { .. } | Kind::Year, Datum::Integer(number)) => Some(*number).into(),
        (_, Datum::Null) => Cell::Empty,
        (Kind::Flag, _) if field.name == IS_PUBLISHED && row.publish_at.is_some() => {
            row.publish_at.clone().map(|stored| PUBLISH_AT.print(&Datum::Text(stored), zone)).into()
        }
        _ => Some(field.print(datum, zone)).into(),
    };
    std::iter::once(Cell::Number(row.id)).chain(entity.columns().zip(&row.record).map(cell)).collect()
}
