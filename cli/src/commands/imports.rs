//! `festival imports list`, `festival imports undo`, and the saved mappings

use clap::{ArgMatches, Command, value_parser};
use festival_core::admin::audit::COMMAND_LINE;
use festival_core::command::{Outcome, flag, positional, refused};
use festival_core::editing::Editor;
use festival_core::importing::{self, Undo};
use festival_core::println;
use festival_core::{App, Error, Result, time_text};
use serde_json::json;

use super::arguments::{ask, group, json_option};
use super::records;

/// Maximum number of imports that are listed.
const LISTED: i64 = 50;

pub(super) fn clap() -> Command {
    let undo = Command::new("undo")
        .about("Undo an import: rows that it changed get their earlier values, rows that it added are deleted")
        .arg(positional("id", "ID", "Its id in the list").value_parser(value_parser!(i64)))
        .arg(flag("yes", "Do not ask"))
        .arg(flag("dry-run", "Only report what would happen"))
        .after_help(
            "Rows that somebody changed since stay as they are and are listed. Deleted rows can be restored in the back \
             office.\n\nExample: festival imports undo 17 --dry-run",
        );
    let list = Command::new("list")
        .about("List the last imports: id, time, who, what, how many")
        .arg(json_option())
        .after_help("Example: festival imports list");
    let mappings = Command::new("mappings")
        .about("List the saved mappings from columns to fields")
        .arg(json_option())
        .after_help("Example: festival imports mappings");
    let delete_mapping = Command::new("delete-mapping")
        .about("Delete a saved mapping")
        .arg(records::entity_argument())
        .arg(positional("name", "NAME", "Its name"))
        .after_help("Example: festival imports delete-mapping halls \"Theatre office\"");
    group("imports", "The lists that were imported, and the way back", [list, undo, mappings, delete_mapping])
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let outcome = match arguments.subcommand() {
        Some(("undo", arguments)) => undo(app, arguments).await,
        Some(("mappings", arguments)) => records::mappings(app, arguments.get_flag("json")).await,
        Some(("delete-mapping", arguments)) => records::delete_mapping(app, arguments).await,
        Some((_, arguments)) => list(app, arguments.get_flag("json")).await,
        None => Ok(Outcome::Refused),
    };
    match outcome {
        Err(error @ (Error::BadRequest(_) | Error::Conflict(_) | Error::NotFound(_))) => {
            Ok(refused(&error.to_string()))
        }
        outcome => outcome,
    }
}

async fn list(app: &App, as_json: bool) -> Result<Outcome> {
    let imports = importing::past_imports(&mut *app.db.read().await?, None, (0, LISTED)).await?;
    if as_json {
        let rows: Vec<_> = imports
            .iter()
            .map(|it| {
                json!({
                    "id": it.id, "at": it.at, "editor": it.editor, "table": it.table, "source": it.source,
                    "new": it.created, "changed": it.changed, "undone_by": it.undone_by,
                })
            })
            .collect();
        println!("{}", serde_json::Value::from(rows));
        return Ok(Outcome::Done);
    }
    if imports.is_empty() {
        eprintln!("Nothing was imported yet.");
    }
    for it in imports {
        let at = time_text::with_offset(&it.at, &app.time_zone);
        let undone = it.undone_by.map_or_else(String::new, |by| format!("  (undone by {by})"));
        let (table, created, changed) = (&it.table, it.created, it.changed);
        println!(
            "{:>6}  {at}  {:<20}  {table}: {created} new, {changed} changed  {}{undone}",
            it.id, it.editor, it.source
        );
    }
    Ok(Outcome::Done)
}

async fn undo(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let id = arguments.get_one::<i64>("id").copied().unwrap_or_default();
    let editor = Editor::new(None, COMMAND_LINE);
    let mut write = app.db.write().await?;
    let rehearsal = importing::undo(&app.records, &mut write, id, &editor).await?;
    write.rollback().await?;
    print(&rehearsal);
    if arguments.get_flag("dry-run") {
        eprintln!("Dry run: nothing was undone.");
        return Ok(Outcome::Done);
    }
    if !arguments.get_flag("yes") && !matches!(ask("Undo it? [y/N]")?.as_str(), "y" | "yes") {
        eprintln!("Nothing was undone.");
        return Ok(Outcome::Failed);
    }
    let mut write = app.db.write().await?;
    let done = importing::undo(&app.records, &mut write, id, &editor).await?;
    write.commit().await?;
    eprintln!(
        "Import {id} undone: {} restored, {} deleted, {} left.",
        done.restored.len(),
        done.deleted.len(),
        done.left.len()
    );
    Ok(if done.left.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// Prints what undoing does: counts, then the rows.
fn print(undo: &Undo) {
    let it = &undo.import;
    println!("Import {} of {} ({}) by {}", it.id, it.table, it.source, it.editor);
    println!("{} to restore, {} to delete, {} left", undo.restored.len(), undo.deleted.len(), undo.left.len());
    undo.restored.iter().for_each(|title| println!("  restore  {title}"));
    undo.deleted.iter().for_each(|title| println!("  delete   {title}"));
    undo.left.iter().for_each(|(title, reason)| println!("  leave    {title}: {reason}"));
}
