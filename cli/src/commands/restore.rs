//! `festival restore`

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Command, value_parser};
use festival_core::Result;
use festival_core::backup::{self, RestoreReport};
use festival_core::command::{Outcome, option, positional};
use festival_core::media::Media;
use festival_core::println;

use crate::{Setup, server};

pub(super) fn clap() -> Command {
    Command::new("restore")
        .about("Put a backup into an empty data folder and an empty database")
        .arg(
            positional("backup", "BACKUP", "The folder of one backup").value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option(
                "erasures",
                "FILE",
                "The file \"erasures\" of the site's last data_dir; people in it are not restored",
            )
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf)),
        )
        .after_help(
            "The backup is restored to data_dir, databases.festival.url and, if it is set, s3.bucket, as set in this folder. Mails that were \
             waiting are held back until \"festival mail release\". The settings of the site are in BACKUP/settings, \
             for you to compare. People who were erased since the backup are erased again if they are listed in \
             --erasures, in a file \"erasures\" in data_dir or in the other backups beside this one.\n\n\
             Example: festival restore /var/backups/festival/festival-2025-10-26T02-00-00-000Z",
        )
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(folder) = arguments.get_one::<PathBuf>("backup") else { return Ok(Outcome::Refused) };
    let data = setup.settings.data_dir.clone();
    let media = Media::open_configured(&data.join("media"), &setup.settings.s3)?;
    let database = server::database_url(&setup.figment)?;
    let migrations = setup.registry.all_migrations();
    let erasures: Vec<PathBuf> = arguments.get_many("erasures").into_iter().flatten().cloned().collect();
    let restored = backup::restore(folder, &data, &media, &database, &migrations, &erasures, || setup.open()).await?;
    let RestoreReport { manifest, held_mails: held, erased_people: erased, undecryptable: closed } = restored;
    println!(
        "Restored the site of {}: {} files, {} rows.",
        manifest.made_at,
        manifest.files.len(),
        manifest.rows.values().sum::<i64>()
    );
    if erased > 0 {
        let people = if erased == 1 { "1 person who was" } else { "people who were" };
        let count = if erased == 1 { String::new() } else { format!("{erased} ") };
        println!("{count}{people} erased since the backup: erased again.");
    }
    if held > 0 {
        let mails = if held == 1 { "1 mail is".to_owned() } else { format!("{held} mails are") };
        println!("{mails} held back: the site may have sent them since. Look at them, then \"festival mail release\".");
    }
    closed.iter().for_each(|message| println!("{message}"));
    Ok(Outcome::Done)
}
