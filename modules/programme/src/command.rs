//! `festival programme check` and `festival programme release`

use std::sync::Arc;

use clap::{Arg, ArgMatches, value_parser};
use festival_core::admin::audit::COMMAND_LINE;
use festival_core::command::{Command, Outcome, flag, option, refused};
use festival_core::{App, Error, Result, edition, println};
use sqlx::AnyConnection;

use crate::feed;
use crate::release::{self, Preparation, Signature};

/// Lists what is wrong with the working programme, and what a release would change.
pub(crate) struct CheckProgramme;

#[rocket::async_trait]
impl Command for CheckProgramme {
    fn clap(&self) -> clap::Command {
        clap::Command::new("check")
            .about("List conflicts of the working programme, and what its release would change")
            .arg(edition_argument())
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
            .arg(edition_argument())
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

fn print_changes(preparation: &Preparation) {
    for change in &preparation.changes {
        println!("{}: {}", change.title, feed::sentence(&preparation.next, change));
    }
}

pub(crate) fn edition_argument() -> Arg {
    option("edition", "YEAR", "Year of the edition; by default the current one").value_parser(value_parser!(i64))
}

/// The id of the edition that the arguments name.
///
/// # Errors
/// [`Error::NotFound`] if there is no such edition.
pub(crate) async fn edition_id(connection: &mut AnyConnection, arguments: &ArgMatches) -> Result<i64> {
    Ok(edition::chosen(connection, arguments.get_one::<i64>("edition").copied()).await?.id)
}
