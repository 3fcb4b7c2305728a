//! Commands that modules add to the program: `festival <module> <name>`.

use std::sync::Arc;

use clap::ArgMatches;

use crate::app::App;
use festival_base::error::{Error, Result};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done: exit code 0.
    Done,
    /// It was not done, and the reasons stand on the terminal: exit code 1.
    Failed,
    /// What was given cannot be used at all, and why stands on the terminal: exit code 2.
    Refused,
}

/// One command of a module.
#[rocket::async_trait]
pub trait Command: Send + Sync + 'static {
    /// Its name, arguments and help, as clap wants them.
    fn clap(&self) -> clap::Command;

    /// Does it. Data goes to standard output, words to standard error.
    async fn run(&self, app: Arc<App>, arguments: &ArgMatches) -> Result<Outcome>;
}

/// Does the `work` of a command. Stopped by somebody, it is dropped together with what it had begun; a file that
/// cannot be written where it was asked for is refused.
///
/// # Errors
/// Those of `work`, but for [`Error::Conflict`] and [`Error::BadRequest`], which are [`Outcome::Refused`].
pub async fn until_stopped(work: impl Future<Output = Result<Outcome>>) -> Result<Outcome> {
    let done = tokio::select! {
        biased; // It listens before the work begins.
        stopped = stopped() => {
            stopped?;
            eprintln!("Interrupted. Nothing was kept.");
            return Ok(Outcome::Failed);
        }
        done = work => done,
    };
    match done {
        Err(error @ (Error::Conflict(_) | Error::BadRequest(_))) => Ok(refused(&error.to_string())),
        done => done,
    }
}

/// Says why what was asked for cannot be done.
pub fn refused(sentence: &str) -> Outcome {
    eprintln!("error: {sentence}");
    Outcome::Refused
}

#[cfg(unix)]
async fn stopped() -> std::io::Result<()> {
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

#[cfg(not(unix))]
async fn stopped() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
