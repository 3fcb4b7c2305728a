//! Exports of lists on the command line: all rows of an entity, as an import reads them back.

use clap::ArgMatches;
use festival_base::db;
use festival_base::error::Result;
use festival_files::export::Output;
use festival_records::entity::{Entity, table};
use festival_records::{edition, exporting};

use crate::app::App;
use crate::command::Outcome;

/// Writes all rows of an entity, those of `--edition`, to the file that the arguments name.
///
/// # Errors
/// If the database cannot be read or the file cannot be written; `BadRequest` if the arguments do not go together.
pub async fn export_list(app: &App, entity: &'static Entity, arguments: &ArgMatches) -> Result<Outcome> {
    let output = Output::read(arguments)?;
    let mut connection = app.db.read().await?;
    let mut snapshot = db::snapshot(&mut connection, app.db.backend()).await?;
    let edition = edition::of_rows(&mut snapshot, entity, arguments.get_one("edition").copied()).await?;
    let mut file = output.open(&exporting::columns(entity))?;
    let (select, order) = (table::select(entity, edition.map(|edition| edition.id)), table::order(entity, None));
    let count = exporting::write_rows(&app.records, &mut snapshot, entity, (&select, &order), &mut file).await?;
    snapshot.rollback().await?;
    let is_whole = output.finish(file, count, [entity.singular, entity.plural])?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Failed })
}
