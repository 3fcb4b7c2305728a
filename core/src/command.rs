//! Commands that modules add to the program: `festival <module> <name>`.

use std::sync::Arc;

use clap::ArgMatches;

use crate::app::App;
use crate::error::Result;

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
