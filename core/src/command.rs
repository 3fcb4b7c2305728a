//! Commands that modules add to the program: `festival <module> <name>`.

use std::sync::Arc;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, ArgMatches, value_parser};

use crate::app::App;
use festival_base::error::{Error, Result};

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success: exit code 0.
    Done,
    /// Failure, with the reasons on standard error: exit code 1.
    Failed,
    /// Unusable arguments or input, with the reason on standard error: exit code 2.
    Refused,
}

/// A command of a module.
#[rocket::async_trait]
pub trait Command: Send + Sync + 'static {
    /// Its name, arguments and help.
    fn clap(&self) -> clap::Command;

    /// Whether it is a group of commands beside that of its module, `festival <name>`, and not a command of it.
    fn is_group(&self) -> bool {
        false
    }

    /// Runs the command. Data goes to standard output, messages to standard error.
    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome>;
}

/// A required argument in its position: `VALUE`.
pub fn positional(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).value_name(value).required(true).help(help)
}

/// An option with a value: `--name VALUE`.
pub fn option(name: &'static str, value: &'static str, help: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// An option without a value: `--name`.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The option `--edition YEAR` of commands that work with the rows of an edition.
pub fn edition_option() -> Arg {
    option("edition", "YEAR", "Year of the edition; by default the current one").value_parser(value_parser!(i64))
}

/// Runs the `work` of a command until it is done or the process is asked to stop; then `work` is dropped, with its
/// transactions and unfinished files.
///
/// # Errors
/// Those of `work`, except [`Error::Conflict`] and [`Error::BadRequest`], which become [`Outcome::Refused`].
pub async fn until_stopped(work: impl Future<Output = Result<Outcome>>) -> Result<Outcome> {
    let result = tokio::select! {
        biased; // Listens for signals before the work begins.
        signal = stop_signal() => {
            signal?;
            eprintln!("Interrupted. Nothing was kept.");
            return Ok(Outcome::Failed);
        }
        result = work => result,
    };
    match result {
        Err(error @ (Error::Conflict(_) | Error::BadRequest(_))) => Ok(refused(&error.to_string())),
        result => result,
    }
}

/// Prints why a command cannot be run, and returns [`Outcome::Refused`].
pub fn refused(reason: &str) -> Outcome {
    eprintln!("error: {reason}");
    Outcome::Refused
}

async fn stop_signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let [mut interrupt, mut terminate, mut hang_up] =
        [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?];
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
    Ok(())
}
