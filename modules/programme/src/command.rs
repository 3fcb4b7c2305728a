//! `festival programme check`, `festival programme release` and `festival programme prints import`

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgMatches, value_parser};
use festival_core::admin::audit::COMMAND_LINE;
use festival_core::bundle::Bundle;
use festival_core::command::{Command, Outcome, edition_option, flag, option, refused};
use festival_core::editing::Editor;
use festival_core::{App, Error, Result, edition, println};
use sqlx::AnyConnection;

use crate::cinema::{self, Import, MAX_ARCHIVE_BYTES};
use crate::feed;
use crate::release::{self, Preparation, Signature};

/// Lists what is wrong with the working programme, and what a release would change.
pub(crate) struct CheckProgramme;

#[rocket::async_trait]
impl Command for CheckProgramme {
    fn clap(&self) -> clap::Command {
        clap::Command::new("check")
            .about("List conflicts of the working programme, and what its release would change")
            .arg(edition_option())
            .after_help("Example: festival programme check")
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let mut connection = app.db.read().await?;
        let edition = edition_id(&mut connection, arguments).await?;
        let preparation = release::prepare(&mut connection, edition, app.clock.now(), &app.time_zone).await?;
        for conflict in &preparation.conflicts {
            println!("{}: {}", conflict.kind.label(), conflict.text);
        }
        if preparation.conflicts.is_empty() {
            println!("No conflicts.");
        }
        print_changes(&preparation);
        Ok(if preparation.conflicts.is_empty() { Outcome::Done } else { Outcome::Failed })
    }
}

/// Releases the working programme.
pub(crate) struct ReleaseProgramme;

#[rocket::async_trait]
impl Command for ReleaseProgramme {
    fn clap(&self) -> clap::Command {
        clap::Command::new("release")
            .about("Release the programme: from then on visitors see it")
            .arg(edition_option())
            .arg(option("note", "TEXT", "What the release is about, for organisers"))
            .arg(flag("sign", "Answer for films that have neither certificate nor exemption"))
            .arg(flag("first", "Do nothing if there is a release already"))
            .after_help("Example: festival programme release --note \"Two screenings moved\"")
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let mut write = app.db.write().await?;
        let edition = edition_id(&mut write, arguments).await?;
        release::lock(&mut write, edition).await?;
        let now = app.clock.now();
        let preparation = release::prepare(&mut write, edition, now, &app.time_zone).await?;
        if !preparation.is_different || (arguments.get_flag("first") && preparation.previous.is_some()) {
            eprintln!("Nothing was released: visitors see release {} already.", preparation.next.version - 1);
            return Ok(Outcome::Done);
        }
        let signature = Signature {
            by: COMMAND_LINE,
            signs: arguments.get_flag("sign"),
            note: arguments.get_one::<String>("note").map_or("", String::as_str),
        };
        let number = match release::store(&mut write, edition, &preparation, &signature, now).await {
            Err(Error::Conflict(sentence)) => return Ok(refused(&sentence)),
            number => number?,
        };
        write.commit().await?;
        print_changes(&preparation);
        println!("Release {number}: {} screenings.", preparation.next.screenings.len());
        Ok(Outcome::Done)
    }
}

/// Imports prints and their keys from files of digital cinema.
pub(crate) struct ImportPrints;

#[rocket::async_trait]
impl Command for ImportPrints {
    fn clap(&self) -> clap::Command {
        let files = Arg::new("files").value_name("FILE").num_args(1..).required(true);
        let import = clap::Command::new("import")
            .about("Import playlists (CPL) as prints and key delivery messages (KDM) as their keys, from XML and ZIP files")
            .arg(files.value_parser(value_parser!(PathBuf)).help("XML files, or ZIP archives of them"))
            .arg(edition_option())
            .arg(option("film", "TITLE", "Title or number of the film, if the files do not tell it"))
            .arg(flag("dry-run", "Only say what would be imported"))
            .after_help("Example: festival programme prints import CPL_*.xml keys.zip --dry-run");
        clap::Command::new("prints").about("Prints of films").subcommand_required(true).subcommand(import)
    }

    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome> {
        let Some((_, arguments)) = arguments.subcommand() else { return Ok(refused("use: prints import FILE")) };
        let mut files = Vec::new();
        for path in arguments.get_many::<PathBuf>("files").into_iter().flatten() {
            match read_file(path) {
                Ok(bytes) => files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes)),
                Err(error) => return Ok(refused(&format!("{} cannot be read: {error}", path.display()))),
            }
        }
        let read = |asker: &_| cinema::read_files(files, |bytes| Bundle::of_bytes(bytes, asker));
        let files = app.records.media.work_on_file(&app.settings.uploads, read).await?;
        let mut write = app.db.write_private().await?;
        let import = Import {
            records: &app.records,
            edition: edition_id(&mut write, arguments).await?,
            connection: &mut write,
            editor: Editor::new(None, COMMAND_LINE),
            film: arguments.get_one::<String>("film").map_or("", String::as_str),
        };
        let imported = import.store(files.unwrap_or_default()).await?;
        for line in &imported.lines {
            println!("{:9} {}: {}", line.outcome.label(), line.file, line.text);
        }
        if arguments.get_flag("dry-run") {
            eprintln!("Nothing was imported: this was a dry run.");
        } else if imported.is_changed() {
            write.commit().await?;
            eprintln!("This is import {0}. To undo it: festival imports undo {0}", imported.id);
        }
        Ok(if imported.count(cinema::Outcome::Refused) > 0 { Outcome::Failed } else { Outcome::Done })
    }
}

/// Reads a file, at most one byte more than the largest archive may have.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_ARCHIVE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_ARCHIVE_BYTES {
        return Err(std::io::Error::other(format!("it is larger than {} MB", MAX_ARCHIVE_BYTES >> 20)));
    }
    Ok(bytes)
}

fn print_changes(preparation: &Preparation) {
    for change in &preparation.changes {
        println!("{}: {}", change.title, feed::sentence(&preparation.next, change));
    }
}

/// The id of the edition that the arguments name.
///
/// # Errors
/// [`Error::NotFound`] if there is no such edition.
pub(crate) async fn edition_id(connection: &mut AnyConnection, arguments: &ArgMatches) -> Result<i64> {
    Ok(edition::chosen(connection, arguments.get_one::<i64>("edition").copied()).await?.id)
}
