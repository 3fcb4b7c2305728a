//! `festival media copy`

use std::path::Path;

use clap::{ArgMatches, Command};
use festival_core::command::{Outcome, option};
use festival_core::media::{CopyProgress, Media};
use festival_core::println;
use festival_core::{Error, Result};

use super::arguments::{group, text};
use super::privacy::create_private;
use crate::Setup;

/// The name that the command line uses for the bucket in the settings.
const BUCKET: &str = "s3";
/// Number of files between two progress messages.
const REPORT_EVERY: u64 = 500;
/// Maximum number of differing files that are listed by name.
const MAX_LISTED: usize = 20;

pub(super) fn clap() -> Command {
    let place = |name, help| option(name, "PLACE", help).required(true);
    let copy = Command::new("copy")
        .about("Copy all files of a site to another store, and compare them")
        .arg(place("from", "Where they are: a media folder, or \"s3\" for the bucket of the settings"))
        .arg(place("to", "Where to copy them: \"s3\", or a folder, which is created"))
        .after_help(
            "Pictures, documents, submitted files and the trash are copied; nothing is deleted or replaced. Files that are \
             there already are compared, so an interrupted copy continues when it is run again, and a second run copies \
             only what is new.\n\n\
             Example: festival media copy --from data/media --to s3",
        );
    group("media", "The store of pictures, documents and submitted files", [copy])
}

pub(super) async fn run(setup: Setup, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(("copy", arguments)) = arguments.subcommand() else { return Ok(Outcome::Refused) };
    let (from, to) = (text(arguments, "from"), text(arguments, "to"));
    if from != BUCKET && !Path::new(from).is_dir() {
        return Err(Error::BadRequest(format!("there is no folder {from}")));
    }
    if to != BUCKET && !Path::new(to).exists() {
        create_private(Path::new(to))?;
    }
    let (from, to) = (open(&setup, from)?, open(&setup, to)?);
    if from.location() == to.location() {
        return Err(Error::BadRequest(format!("source and target are both {}", from.location())));
    }
    let copied = from.copy_to(&to, report).await?;
    let CopyProgress { copied: count, bytes, present, gone } = copied.progress;
    println!("{count} files copied, {bytes} bytes; {present} were there already; {gone} disappeared meanwhile.");
    if copied.different.is_empty() {
        eprintln!("{} has all files of {}.", to.location(), from.location());
        return Ok(Outcome::Done);
    }
    for path in copied.different.iter().take(MAX_LISTED) {
        println!("{path} has different content in {} and was not replaced", to.location());
    }
    Err(Error::Conflict(format!("{} files differ; the copy is not complete", copied.different.len())))
}

/// Opens the store of that name; a bucket is not connected to yet.
fn open(setup: &Setup, place: &str) -> Result<Media> {
    if place != BUCKET {
        return Media::open(Path::new(place));
    }
    if !setup.settings.s3.is_enabled() {
        return Err(Error::BadRequest("s3.bucket is empty; set it in config/local.toml first".into()));
    }
    Media::open_configured(&setup.settings.data_dir.join("media"), &setup.settings.s3)
}

fn report(progress: CopyProgress) {
    let done = progress.copied + progress.present + progress.gone;
    if done.is_multiple_of(REPORT_EVERY) {
        eprintln!("{done} files, {} bytes copied", progress.bytes);
    }
}
