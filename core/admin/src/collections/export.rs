//! Export of a filtered list as CSV, XLSX, ODS or JSON.
//!
//! A POST request, because the audit log records every export. The file has no name while it is written, so that nothing
//! is left of it after a fault or a power cut.

use rocket::http::ContentType;
use serde_json::json;

use super::{Collection, ListQuery};
use crate::audit::Entry;
use crate::back_office::AdminRequest;
use crate::serving::reply::Reply;
use festival_base::blocking;
use festival_base::db;
use festival_base::error::{Error, Result};
use festival_files::export::{Format, TableWriter};

/// The format that the form names, CSV by default.
///
/// # Errors
/// [`Error::BadRequest`] if there is none of this name.
pub fn chosen_format(request: &AdminRequest) -> Result<Format> {
    match request.form.get("format") {
        "" => Ok(Format::Csv),
        name => Format::of_name(name)
            .ok_or_else(|| Error::BadRequest("Choose CSV, XLSX, ODS or JSON as the format.".into())),
    }
}

/// The type of files of a format.
pub fn content_type(format: Format) -> ContentType {
    match format {
        Format::Csv => ContentType::CSV,
        Format::Xlsx => ContentType::new("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        Format::Ods => ContentType::new("application", "vnd.oasis.opendocument.spreadsheet"),
        Format::Json => ContentType::JSON,
    }
}

/// Handles the form that exports a list.
///
/// # Errors
/// [`Error::NoSpace`] if the disk is full; [`Error::BadRequest`] if the format would cut texts.
pub async fn download(request: AdminRequest, collection: &impl Collection) -> Result<Reply> {
    let (format, viewer, entity) = (chosen_format(&request)?, request.viewer()?, collection.entity());
    request.site.has_room(0).await?;
    let mut connection = request.read().await?;
    // In a snapshot, concurrent writes cannot move rows between batches.
    let mut snapshot = db::snapshot(&mut connection, request.site.db.backend()).await?;
    let query = ListQuery::read(&request, &mut snapshot, collection).await?;
    let columns = collection.exported(viewer, format);
    let folder = request.site.data_dir("tmp");
    let mut table = TableWriter::new(format, request.site.scratch()?, &columns, true, &folder)?;
    let count = collection.write(viewer, &mut snapshot, (&query.select, &query.order), format, &mut table).await?;
    snapshot.rollback().await?;
    drop(connection);
    if table.truncated() > 0 {
        return Err(Error::BadRequest(
            "Some texts are too long for cells of Excel, and would lose their ends. Choose CSV, ODS or JSON.".into(),
        ));
    }
    let file = blocking(move || table.finish()).await?;
    let details = json!({ "rows": count, "format": format.name(), "query": query.for_audit() });
    let year = if query.year().is_empty() { String::new() } else { format!("-{}", query.year()) };
    let name = format!("{}{year}.{}", entity.slug(), format.name());
    let entry = Entry::new("export", entity.table).after(details);
    Ok(Reply::written(name, content_type(format), file)?.shows_people(entry))
}
