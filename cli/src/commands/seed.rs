//! `festival seed`

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use festival_core::command::{Outcome, flag};
use festival_core::println;
use festival_core::seed::{self, Report, Seed};
use festival_core::{Error, Result};

use super::open_site::open_and_migrate;
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
        .arg(flag("demo", "Use the demonstration edition that is built into the program").conflicts_with("file"))
        .arg(flag(
            "relative-dates",
            "Move all dates by whole weeks, so that the festival begins about eight weeks from now",
        ))
        .after_help("Example: festival seed config/editions/2025.toml --relative-dates")
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let source = match arguments.get_one::<PathBuf>("file") {
        Some(path) => from_disk(path)?,
        None => embedded::demonstration()
            .ok_or_else(|| Error::NotFound("no demonstration edition is built into this program".into()))?,
    };
    let app = open_and_migrate(setup).await?;
    let report = seed::seed(&app.records, &app.in_force, &source, arguments.get_flag("relative-dates")).await;
    app.db.close().await;
    print_report(&report?);
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
