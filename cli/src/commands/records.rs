//! `festival records list`, `festival records import` and `festival records export`: lists of any entity, in and out.

use clap::{Arg, ArgMatches, Command};
use festival_core::command::{Outcome, edition_option, positional, refused, until_stopped};
use festival_core::entity::{Entity, table};
use festival_core::export;
use festival_core::importing::{self, mapping::nearest};
use festival_core::list_export::export_list;
use festival_core::list_import;
use festival_core::{App, Error, Result, println};
use serde_json::json;

use super::arguments::{group, json_option, text};

pub(super) fn clap() -> Command {
    let import = Command::new("import")
        .about("Import a list (CSV, TSV, XLSX, ODS or JSON) as \"Import a list\" in the back office does")
        .arg(entity_argument())
        .args(list_import::arguments())
        .arg(list_import::default_argument())
        .after_help(
            "Examples:\n  festival records import team-members team.xlsx --dry-run\n  \
             festival records import halls halls.csv --map name=Saal --save-mapping \"Theatre office\"\n  \
             festival records import halls next.csv --mapping \"Theatre office\" --report changes.xlsx\n  \
             festival records import blogs posts.zip\n\n\
             A folder or ZIP archive may hold a list with the pictures and documents that it names; or blogs as Markdown or \
             HTML files, or issues of the magazine as PDF files.\n\
             A wrong --map names the fields. Films have more options: festival films import --help",
        );
    let export = Command::new("export")
        .about("Write all rows to a CSV, XLSX, ODS or JSON file, which \"records import\" reads back")
        .arg(entity_argument())
        .arg(export::file_argument())
        .args(export::arguments())
        .arg(edition_option())
        .after_help("Example: festival records export team-members team.xlsx");
    let list = Command::new("list")
        .about("List the entities: name, rows, what a row is")
        .arg(json_option())
        .after_help("Example: festival records list");
    group("records", "What organisers edit, all of it: lists in and out", [list, import, export])
}

pub(super) fn entity_argument() -> Arg {
    positional("entity", "ENTITY", "What the rows are, as \"festival records list\" names it: films, team-members")
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    match arguments.subcommand() {
        Some(("import", arguments)) => import(app, arguments).await,
        Some(("export", arguments)) => {
            until_stopped(async { export_list(app, entity(app, arguments)?, arguments).await }).await
        }
        Some((_, arguments)) => list(app, arguments.get_flag("json")).await,
        None => Ok(Outcome::Refused),
    }
}

/// The entity that the arguments name.
///
/// # Errors
/// [`Error::BadRequest`] if there is none, or if its module is switched off.
fn entity(app: &App, arguments: &ArgMatches) -> Result<&'static Entity> {
    let name = text(arguments, "entity");
    let is_named = |entity: &&Entity| [entity.slug().as_str(), entity.table].contains(&name);
    app.records.enabled().find(is_named).ok_or_else(|| {
        let slugs: Vec<String> = app.records.enabled().map(Entity::slug).collect();
        let nearest = nearest(name, slugs.iter().map(String::as_str));
        let nearest = nearest.map(|slug| format!(", did you mean {slug}?")).unwrap_or_default();
        Error::BadRequest(format!("there is no entity {name}{nearest}; festival records list names all"))
    })
}

async fn list(app: &App, as_json: bool) -> Result<Outcome> {
    let mut connection = app.db.read().await?;
    let mut entities = Vec::new();
    for entity in app.records.enabled() {
        let count = table::select(entity, None).count(&mut connection).await?;
        let fields: Vec<&str> = entity.columns().map(|field| field.name).collect();
        if as_json {
            entities.push(json!({
                "entity": entity.slug(), "rows": count, "singular": entity.singular, "plural": entity.plural,
                "per_edition": entity.per_edition, "fields": fields,
            }));
        } else {
            println!("{:<22} {:>6}  {}", entity.slug(), count, entity.singular);
        }
    }
    if as_json {
        println!("{}", serde_json::Value::from(entities));
    }
    Ok(Outcome::Done)
}

async fn import(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let entity = match entity(app, arguments) {
        Err(Error::BadRequest(sentence)) => return Ok(refused(&sentence)),
        entity => entity?,
    };
    let registered = app.admin.contents.reader_of(entity);
    list_import::import_list(app, entity, registered, arguments).await
}

/// Lists the saved mappings.
pub(super) async fn mappings(app: &App, as_json: bool) -> Result<Outcome> {
    let saved = importing::saved_mappings(&mut *app.db.read().await?, None).await?;
    if as_json {
        let rows: Vec<_> = saved
            .iter()
            .map(|it| json!({ "entity": it.table.replace('_', "-"), "name": it.name, "columns": it.columns }))
            .collect();
        println!("{}", serde_json::Value::from(rows));
        return Ok(Outcome::Done);
    }
    if saved.is_empty() {
        eprintln!("No mapping was saved yet. An import saves one with --save-mapping NAME.");
    }
    for mapping in saved {
        println!("{:<22} {}", mapping.table.replace('_', "-"), mapping.name);
        for (header, field) in mapping.columns.iter().filter(|(_, field)| !field.is_empty()) {
            println!("{:<22}   \"{header}\" is {}", "", field.replace('_', " "));
        }
    }
    Ok(Outcome::Done)
}

/// Deletes a saved mapping.
pub(super) async fn delete_mapping(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let name = text(arguments, "name");
    let entity = entity(app, arguments)?;
    let mut write = app.db.write_private().await?;
    let is_deleted = importing::delete_mapping(&mut write, entity, name).await?;
    write.commit().await?;
    if !is_deleted {
        return Ok(refused(&format!("there is no mapping \"{name}\" for {}", entity.plural)));
    }
    eprintln!("Mapping \"{name}\" deleted.");
    Ok(Outcome::Done)
}
