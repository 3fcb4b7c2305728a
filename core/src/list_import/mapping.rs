//! Saved mappings on the command line: `--mapping NAME` and `--save-mapping NAME`.

use festival_base::db;
use festival_base::error::Result;
use festival_records::entity::Entity;
use festival_records::importing::{self, Column};

use super::ListArguments;
use crate::app::App;

/// The field of each column as in the mapping that the arguments name; `None` if they name none.
///
/// # Errors
/// [`festival_base::error::Error::NotFound`] if there is no such mapping.
pub(super) async fn saved_fields(
    app: &App,
    entity: &Entity,
    arguments: &ListArguments,
    header: &[String],
) -> Result<Option<Vec<String>>> {
    let Some(name) = &arguments.mapping else { return Ok(None) };
    let mapping = importing::saved_mapping(&mut *app.db.read().await?, entity, name).await?;
    Ok(Some(mapping.fields(header)))
}

/// Prints on standard error which mapping was saved for a list with this header, if one was.
///
/// # Errors
/// If the database cannot be read.
pub(super) async fn propose_mapping(app: &App, entity: &Entity, header: &[String]) -> Result<()> {
    let saved = importing::saved_mappings(&mut *app.db.read().await?, Some(entity)).await?;
    if let Some(mapping) = saved.iter().find(|mapping| mapping.fits(header)) {
        eprintln!(
            "  note: the mapping \"{0}\" was saved for this header; --mapping \"{0}\" reads the list with it",
            mapping.name
        );
    }
    Ok(())
}

/// Saves the mapping of the columns, if the arguments give it a name.
///
/// # Errors
/// If the database cannot be written.
pub(super) async fn save_mapping(
    app: &App,
    entity: &Entity,
    arguments: &ListArguments,
    columns: &[Column],
) -> Result<()> {
    let Some(name) = &arguments.save_mapping else { return Ok(()) };
    let mut write = app.db.write_private().await?;
    let now = db::timestamp_text(app.clock.now());
    importing::save_mapping(&mut write, entity, name, columns, &now).await?;
    write.commit().await?;
    eprintln!("The mapping is saved. The next list with this header: --mapping \"{}\"", name.trim());
    Ok(())
}
