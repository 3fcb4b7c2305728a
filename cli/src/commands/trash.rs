//! `festival trash list` and `festival trash restore`

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::Outcome;
use festival_core::media::TRASH_DAYS;
use festival_core::{App, Result, time_text};

use super::open;
use crate::Setup;

pub(super) fn clap() -> Command {
    let restore = Command::new("restore")
        .about("Copy a file out of the trash")
        .arg(Arg::new("key").value_name("KEY").required(true).help("The file's key in the list"))
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Where the copy goes"),
        )
        .after_help(
            "A file goes back to its submission by itself as soon as the database names it again: restore the database, \
             start the site.",
        );
    Command::new("trash")
        .about(format!("Files that no submission names any more; they are kept for {TRASH_DAYS} days"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([Command::new("list").about("List them: key, bytes, since when"), restore])
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let app = open(setup).await?;
    let outcome = match arguments.subcommand() {
        Some(("restore", arguments)) => restore(&app, arguments).await,
        _ => list(&app).await,
    };
    app.db.close().await;
    outcome
}

async fn list(app: &App) -> Result<Outcome> {
    let files = app.media.trash().await?;
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
    let key = arguments.get_one::<String>("key").map(String::as_str).unwrap_or_default();
    let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    println!("{}", app.media.copy_from_trash(key, &folder).await?.display());
    Ok(Outcome::Done)
}
