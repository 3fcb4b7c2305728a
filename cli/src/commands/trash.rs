//! `festival trash list` and `festival trash restore`

use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, positional};
use festival_core::media::TRASH_DAYS;
use festival_core::println;
use festival_core::{App, Result, time_text};
use serde_json::json;

use super::arguments::{group, json_option, text};

pub(super) fn clap() -> Command {
    let restore = Command::new("restore")
        .about("Copy a file out of the trash")
        .arg(positional("key", "KEY", "The file's key in the list"))
        .arg(
            positional("folder", "FOLDER", "The folder to copy it to").value_parser(value_parser!(PathBuf)),
        )
        .after_help(
            "A file returns to its submission by itself as soon as the database refers to it again: restore the database, then \
             start the server.\n\n\
             Example: festival trash restore private/film/0f3a….pdf /tmp/files",
        );
    let list = Command::new("list")
        .about("List the files: key, size in bytes, time of deletion")
        .arg(json_option())
        .after_help("Example: festival trash list");
    group(
        "trash",
        format!("Files that no submission refers to any more; they are kept for {TRASH_DAYS} days"),
        [list, restore],
    )
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    match arguments.subcommand() {
        Some(("restore", arguments)) => restore(app, arguments).await,
        Some((_, arguments)) => list(app, arguments.get_flag("json")).await,
        None => Ok(Outcome::Refused),
    }
}

async fn list(app: &App, as_json: bool) -> Result<Outcome> {
    let files = app.media.trash().await?;
    if as_json {
        let rows = files.iter().map(|it| json!({ "key": it.key, "size": it.size, "deleted_at": it.since.to_string() }));
        println!("{}", serde_json::Value::from(rows.collect::<Vec<_>>()));
        return Ok(Outcome::Done);
    }
    if files.is_empty() {
        eprintln!("The trash is empty.");
    }
    for file in files {
        let since = time_text::with_offset(&file.since.to_string(), &app.time_zone);
        println!("{:<60} {:>10}  {since}", file.key, file.size);
    }
    Ok(Outcome::Done)
}

async fn restore(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    println!("{}", app.media.copy_from_trash(text(arguments, "key"), &folder).await?.display());
    Ok(Outcome::Done)
}
