//! `festival backup`

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, value_parser};
use festival_core::backup::{self, Manifest};
use festival_core::command::{Outcome, flag, option, positional};
use festival_core::println;
use festival_core::settings::SEEDED;
use festival_core::{Error, Result};

use crate::Setup;

pub(super) fn clap() -> Command {
    Command::new("backup")
        .about("Copy the database, all files and the settings into a new folder, while the site runs")
        .arg(
            positional("folder", "FOLDER", "Where backups are kept, best on another disk; with --check, one of them")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            option("keep", "COUNT", "Then delete all backups of this site in FOLDER but the latest COUNT")
                .value_parser(value_parser!(u16).range(1..)),
        )
        .arg(flag("check", "Do not make a backup; compare the one in FOLDER with its manifest").conflicts_with("keep"))
        .after_help("Example, every night: festival backup /var/backups/festival --keep 14")
}

pub(super) async fn run(setup: Setup, directory: &Path, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(folder) = arguments.get_one::<PathBuf>("folder") else { return Ok(Outcome::Refused) };
    if arguments.get_flag("check") {
        return check(folder);
    }
    let settings = [
        directory.join("config/festival.toml"),
        directory.join("config/local.toml"),
        directory.join("Rocket.toml"),
        setup.settings.data_dir.join(SEEDED),
    ];
    let app = setup.open_migrated().await?;
    let backup = backup::create(&app, folder, &settings).await;
    app.db.close().await;
    let backup = backup?;
    println!("{}", backup.display());
    eprintln!(
        "The key file {} is not in it: keep one copy of it elsewhere. Without it, second factors and passwords of screeners \
         cannot be read.",
        app.secrets.file().display()
    );
    if let Some(keep) = arguments.get_one::<u16>("keep") {
        let site_id = Manifest::read(&backup)?.site_id;
        for path in backup::delete_old(folder, &site_id, usize::from(*keep))? {
            eprintln!("Deleted {}", path.display());
        }
    }
    Ok(Outcome::Done)
}

fn check(folder: &Path) -> Result<Outcome> {
    let manifest = Manifest::read(folder)?;
    let problems = manifest.check(folder)?;
    for line in &problems {
        println!("{line}");
    }
    if !problems.is_empty() {
        return Err(Error::BadRequest(format!(
            "{} of {} files differ from the manifest",
            problems.len(),
            manifest.files.len()
        )));
    }
    eprintln!("All {} files match the manifest of {}.", manifest.files.len(), manifest.made_at);
    Ok(Outcome::Done)
}
