//! An export as a command: what can go wrong with it, and Ctrl-C in the middle.

use crate::command::Outcome;
use crate::error::{Error, Result};

/// Does the `work` of a command. Stopped by somebody, it is dropped together with what it had begun; a file that
/// cannot be written where it was asked for is refused.
pub async fn run(work: impl Future<Output = Result<Outcome>>) -> Result<Outcome> {
    let done = tokio::select! {
        done = work => done,
        stopped = stopped() => {
            stopped?;
            eprintln!("Interrupted. Nothing was kept.");
            return Ok(Outcome::Failed);
        }
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
