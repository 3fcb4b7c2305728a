//! Export of a filtered list as CSV, XLSX, ODS or JSON, which the import reads back.
//!
//! A POST request, because the audit log records every export.

use jiff::tz::TimeZone;
use rocket::http::ContentType;
use serde_json::json;

use super::list;
use crate::audit::Entry;
use crate::reply::Reply;
use crate::request::AdminRequest;
use festival_base::db;
use festival_base::deadline;
use festival_base::error::{Error, Result};
use festival_files::export::{Cell, Column, Format, TableWriter};
use festival_records::editing::{self, IS_PUBLISHED};
use festival_records::entity::{Datum, Entity, Field, Kind, ListedRow, table};
use festival_records::importing::ID;

/// Rows that are read at a time.
const BATCH_SIZE: i64 = 2_000;

pub(super) async fn download(request: AdminRequest, entity: &'static Entity) -> Result<Reply> {
    let format = match request.form.get("format") {
        "" => Some(Format::Csv),
        name => Format::of_name(name),
    };
    let format = format.ok_or_else(|| Error::BadRequest("Choose CSV, XLSX, ODS or JSON as the format.".into()))?;
    let (extension, content_type) = (format.name(), content_type(format));
    let mut connection = request.read().await?;
    // In a snapshot, concurrent writes cannot move rows between batches.
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let mut query = list::list_query(&request, &mut snapshot, entity).await?;
    query.listing.limit = BATCH_SIZE;
    query.listing.offset = 0;
    let fields = entity.columns().map(|field| Column::new(field.name, field.label).width(width(field)));
    let columns: Vec<Column> = std::iter::once(Column::new(ID, "Id").width(8)).chain(fields).collect();
    let folder = request.site.data_dir("tmp");
    let mut file = TableWriter::new(format, request.site.scratch()?, &columns, true, &folder)?;
    let scheduled = editing::all_scheduled(&mut snapshot, entity).await?;
    let mut count: i64 = 0;
    loop {
        let page = table::list(&mut snapshot, request.site.db.backend(), entity, &query.listing).await?;
        for row in &page.rows {
            let publish_at = scheduled.get(&row.id).map(String::as_str);
            file.row(&cells(entity, row, publish_at, &request.site.time_zone))?;
        }
        count += page.rows.len() as i64;
        deadline::progress();
        query.listing.offset += BATCH_SIZE;
        if page.rows.is_empty() || query.listing.offset >= page.total {
            break;
        }
    }
    snapshot.rollback().await?;
    drop(connection);
    let file = file.finish()?;
    let mut write = request.write_private().await?;
    let details = json!({ "rows": count, "format": extension });
    request.audit(&mut write, Entry::new("export", entity.table).after(details)).await?;
    write.commit().await?;
    let year = if query.year.is_empty() { String::new() } else { format!("-{}", query.year) };
    let name = format!("{}{year}.{extension}", entity.slug());
    Reply::written(name, content_type, file)
}

fn content_type(format: Format) -> ContentType {
    match format {
        Format::Csv => ContentType::CSV,
        Format::Xlsx => ContentType::new("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        Format::Ods => ContentType::new("application", "vnd.oasis.opendocument.spreadsheet"),
        Format::Json => ContentType::JSON,
    }
}

/// Returns the width of a field's column in a workbook, in characters.
fn width(field: &Field) -> u16 {
    match field.kind {
        Kind::Lines { .. } | Kind::Html => 50,
        Kind::Integer { .. } | Kind::Year | Kind::Flag => 10,
        _ => 24,
    }
}

fn cells(entity: &Entity, row: &ListedRow, publish_at: Option<&str>, zone: &TimeZone) -> Vec<Cell> {
    let cell = |(field, datum): (&'static Field, &Datum)| match (field.kind, datum) {
        (Kind::Reference(_), _) => row.names.get(field.name).cloned().into(),
        (Kind::Integer { .. } | Kind::Year, Datum::Integer(number)) => Some(*number).into(),
        (_, Datum::Null) => Cell::Empty,
        (Kind::Flag, _) if field.name == IS_PUBLISHED && publish_at.is_some() => {
            publish_at.map(|stored| editing::publication_text(stored, zone)).into()
        }
        _ => Some(field.print(datum, zone)).into(),
    };
    std::iter::once(Cell::Number(row.id)).chain(entity.columns().zip(&row.record).map(cell)).collect()
}
