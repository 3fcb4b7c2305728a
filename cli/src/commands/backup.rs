//! `festival backup`

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::Outcome;
use festival_core::{Result, backup};

use super::open;
use crate::Setup;

pub(super) fn clap() -> Command {
    Command::new("backup")
        .about("Copy the database and all files into a new folder, while the site runs")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("Where backups are kept; best on another disk"),
        )
        .after_help("Example, every night: festival backup /var/backups/festival")
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(folder) = arguments.get_one::<PathBuf>("folder") else { return Ok(Outcome::Refused) };
    let app = open(setup).await?;
    let kept = backup::make(&app, folder).await;
    app.db.close().await;
    println!("{}", kept?.display());
    Ok(Outcome::Done)
}
