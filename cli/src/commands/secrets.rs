//! `festival secrets`: replaces the key that encrypts second factors and passwords of screeners.

use clap::{ArgMatches, Command};
use festival_core::command::Outcome;
use festival_core::println;
use festival_core::{App, Error, Result, secrets};

use super::arguments::group;

pub(super) fn clap() -> Command {
    let rotate = Command::new("rotate").about("Make a new key, and encrypt everything again with it").after_help(
        "Stop the server first. The former keys stay in the file, below the new one, because older backups need them; delete \
         their lines when the last of these backups is gone. If the command is interrupted, run it again or start the server, \
         which completes it.\n\n\
         Example: systemctl stop festival && festival secrets rotate && systemctl start festival",
    );
    group("secrets", "The key that encrypts second factors and passwords of screeners in the database", [rotate])
}

pub(super) async fn run(app: &App, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(("rotate", _)) = arguments.subcommand() else { return Ok(Outcome::Refused) };
    // A running server does not read new keys.
    if !app.media.lock(false).await? {
        return Err(Error::Conflict("the server is running; stop it first".into()));
    }
    let secrets = app.secrets.with_new_key()?;
    let found = secrets::encrypt_all(app, &secrets).await?;
    for (column, found) in &found {
        println!("encrypted {} {}", found.plaintext + found.old_key, column.what);
    }
    eprintln!("The new key is the first in {}. Replace your copy of the file.", secrets.file().display());
    let closed = secrets::undecryptable(&secrets, &found);
    closed.iter().for_each(|message| eprintln!("{message}"));
    Ok(if closed.is_empty() { Outcome::Done } else { Outcome::Failed })
}
