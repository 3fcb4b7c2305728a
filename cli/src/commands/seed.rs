//! `festival seed`

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, flag};
use festival_core::println;
use festival_core::seed::{self, Report, Seed};
use festival_core::settings::SEEDED;
use festival_core::{App, Error, Program, Result, edition};

use super::modules;
use crate::{Setup, embedded};

/// Maximum length of the description of an edition, in bytes: some devices never end.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

pub(super) fn clap() -> Command {
    Command::new("seed")
        .about("Fill an edition from a file; safe to repeat: adds nothing twice and keeps what organisers changed")
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required_unless_present("demo")
                .help("A seed file, with the pictures that it names in the same folder"),
        )
        .arg(
            flag(
                "demo",
                "Fill in the demonstration festival that is built into the program, and release its programme",
            )
            .conflicts_with("file"),
        )
        .arg(flag(
            "relative-dates",
            "Move all dates by whole weeks, so that the festival begins about eight weeks from now",
        ))
        .after_help("Example: festival seed config/editions/2025.toml --relative-dates")
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let source = arguments.get_one::<PathBuf>("file").map(from_disk).transpose()?;
    let relative_dates = arguments.get_flag("relative-dates");
    let app = setup.open_and_migrate().await?;
    let outcome = match source {
        Some(source) => fill(&app, &source, relative_dates).await,
        None => demonstrate(&app, relative_dates).await,
    };
    app.db.close().await;
    outcome
}

async fn fill(app: &App, source: &Seed, relative_dates: bool) -> Result<Outcome> {
    print_report(&seed::seed(&app.records, &app.in_force, source, relative_dates).await?);
    Ok(Outcome::Done)
}

/// The demonstration: what is seeded, and the commands of modules that follow, those that are switched on. The second seed
/// changes screenings, so that the programme has changes to show.
const DEMONSTRATION: [(&str, &[(&str, &[&str])]); 2] = [
    (
        embedded::DEMONSTRATION,
        &[("programme", &["release", "--first", "--note", "The programme"]), ("selection", &["demonstrate"])],
    ),
    ("2025-later.toml", &[("programme", &["release", "--note", "Changes of the first days"])]),
];

/// Fills the site with the demonstration, programme and entries to review included.
///
/// # Errors
/// [`Error::Conflict`] on a site of somebody's own, which would get the names and payment details of the demonstration.
async fn demonstrate(app: &Program, relative_dates: bool) -> Result<Outcome> {
    let own = edition::find_current(&mut *app.db.read().await?).await?;
    if let Some(own) = own.filter(|_| !app.settings.data_dir.join(SEEDED).exists()) {
        return Err(Error::Conflict(format!(
            "there is a site here already, {}, and the demonstration would put its own names and payment details on it. \
             Nothing was changed. Start the demonstration in a folder of its own",
            own.name
        )));
    }
    for (name, commands) in DEMONSTRATION {
        let source = embedded::edition(name)
            .ok_or_else(|| Error::NotFound("no demonstration edition is built into this program".into()))?;
        fill(app, &source, relative_dates).await?;
        for (module, arguments) in commands {
            let Some(command) = modules::command(app, module, arguments[0]) else { continue };
            let outcome = command.run(app.app.clone(), &command.clap().get_matches_from(*arguments)).await?;
            if outcome != Outcome::Done {
                return Ok(outcome);
            }
        }
    }
    Ok(Outcome::Done)
}

fn from_disk(path: &PathBuf) -> Result<Seed> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    read.map_err(|error| Error::NotFound(format!("{} cannot be read: {error}", path.display())))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Error::BadRequest(format!("{} is too large to describe an edition", path.display())));
    }
    let directory = path.parent().map(PathBuf::from).unwrap_or_default();
    Ok(Seed { text, read: Box::new(move |name| std::fs::read(directory.join(name)).ok()) })
}

fn print_report(report: &Report) {
    println!("{:<20} {:>8} {:>8} {:>10} {:>6} {:>8}", "edition", "new", "updated", "unchanged", "kept", "deleted");
    for (table, tally) in &report.tables {
        println!(
            "{table:<20} {:>8} {:>8} {:>10} {:>6} {:>8}",
            tally.inserted, tally.updated, tally.unchanged, tally.kept, tally.deleted
        );
    }
    if report.moved_days != 0 {
        eprintln!("Dates were moved by {} days.", report.moved_days);
    }
    if let Some(path) = &report.settings {
        eprintln!("The seed's settings are in {}; restart a running server to apply them.", path.display());
    }
    if !report.switched_off.is_empty() {
        eprintln!("Skipped, because their modules are switched off: {}", report.switched_off.join(", "));
    }
    if report.tables.iter().any(|(_, tally)| tally.kept + tally.deleted > 0) {
        eprintln!("Rows that were changed or deleted on the site were left as they are.");
    }
}
