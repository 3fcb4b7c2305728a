//! `festival restore`

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::Outcome;
use festival_core::{Result, backup};

use crate::{Setup, server};

pub(super) fn clap() -> Command {
    Command::new("restore")
        .about("Put a backup into an empty data folder and an empty database")
        .arg(
            Arg::new("backup")
                .value_name("BACKUP")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The folder of one backup"),
        )
        .after_help(
            "It goes where data_dir and databases.festival.url of this folder's settings say. Mails that were waiting are held \
             back until \"festival mail release\". The settings of the site are in BACKUP/settings, for you to compare.\n\n\
             Example: festival restore /var/backups/festival/festival-2025-10-26T02-00-00-000Z",
        )
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(folder) = arguments.get_one::<PathBuf>("backup") else { return Ok(Outcome::Refused) };
    let data = setup.settings.data_dir.clone();
    let database = server::database_url(&setup.figment)?;
    let migrations = setup.registry.all_migrations();
    let (manifest, held) = backup::restore(folder, &data, &database, &migrations, || setup.open()).await?;
    println!(
        "Restored the site of {}: {} files, {} rows.",
        manifest.made_at,
        manifest.files.len(),
        manifest.rows.values().sum::<i64>()
    );
    if held > 0 {
        let mails = if held == 1 { "1 mail is".to_owned() } else { format!("{held} mails are") };
        println!("{mails} held back: the site may have sent them since. Look at them, then \"festival mail release\".");
    }
    Ok(Outcome::Done)
}
