//! `festival config show`

use std::path::Path;

use clap::{ArgMatches, Command};
use festival_core::command::{Outcome, flag};
use festival_core::print;
use festival_core::{Error, Result, settings};

use crate::Setup;

pub(super) fn clap() -> Command {
    Command::new("config").about("The settings").subcommand_required(true).subcommand(
        Command::new("show")
            .about("Print every setting in force, with its meaning")
            .arg(flag("default", "Print the defaults instead"))
            .after_help("Example: festival config show | less"),
    )
}

pub(super) async fn run(setup: Setup, directory: &Path, arguments: &ArgMatches) -> Result<Outcome> {
    let sections = setup.registry.sections();
    if arguments.subcommand_matches("show").is_some_and(|show| show.get_flag("default")) {
        print!("{}", settings::manual(&settings::Settings::default(), &sections, &settings::Sources::new())?);
        return Ok(Outcome::Done);
    }
    let from = settings::sources(directory, &sections);
    let mut from = from.map_err(|error| Error::BadRequest(error.to_string()))?;
    if !has_database(&setup) {
        print!("{}", settings::manual(&setup.settings, &sections, &from)?);
        return Ok(Outcome::Done);
    }
    let app = setup.open_migrated().await?;
    for path in settings::load_overrides(&mut *app.db.read().await?).await?.into_keys() {
        from.insert(path, "the browser".to_owned());
    }
    print!("{}", settings::manual(&*app.in_force().await?, &sections, &from)?);
    app.db.close().await;
    Ok(Outcome::Done)
}

/// Whether there is a database to read. An SQLite file that does not exist must not be created just to show settings.
fn has_database(setup: &Setup) -> bool {
    let url: String = setup.figment.extract_inner("databases.festival.url").unwrap_or_default();
    let Some(file) = url.strip_prefix("sqlite:") else { return true };
    let file = file.strip_prefix("//").unwrap_or(file);
    Path::new(file.split('?').next().unwrap_or(file)).exists()
}
