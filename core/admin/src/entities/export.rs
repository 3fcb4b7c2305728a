//! Export of a filtered list as CSV, XLSX, ODS or JSON, which the import reads back.
//!
//! A POST request, because the audit log records every export.

use rocket::http::ContentType;
use serde_json::json;

use super::list;
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::reply::Reply;
use festival_base::db;
use festival_base::error::{Error, Result};
use festival_files::export::{Format, TableWriter};
use festival_records::entity::Entity;
use festival_records::exporting;

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
    let query = list::list_query(&request, &mut snapshot, entity).await?;
    let folder = request.site.data_dir("tmp");
    let mut file = TableWriter::new(format, request.site.scratch()?, &exporting::columns(entity), true, &folder)?;
    let year = query.year().to_owned();
    let count = exporting::write_rows(&request.site.records, &mut snapshot, entity, query.listing, &mut file).await?;
    snapshot.rollback().await?;
    drop(connection);
    let file = file.finish()?;
    let write = request.write_private().await?;
    let details = json!({ "rows": count, "format": extension });
    request.commit(write, Entry::new("export", entity.table).after(details)).await?;
    let year = if year.is_empty() { year } else { format!("-{year}") };
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
