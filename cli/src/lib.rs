//! The server and the command line, for any list of modules. `festival/` next to this crate has the list and makes the
//! program.

pub mod commands;
pub mod embedded;
mod front;
pub mod log;
mod metrics;
pub mod server;
mod setup;

use std::path::Path;
use std::process::ExitCode;

use festival_core::Module;

pub use setup::Setup;

/// Runs the program with these modules and the arguments of the process.
pub fn run(modules: fn() -> Vec<Box<dyn Module>>) -> ExitCode {
    // This program draws PDFs in a process of its own, which has no use for the rest.
    festival_core::pdf_pages::run_if_requested(std::env::args_os()).unwrap_or_else(|| run_commands(&modules()))
}

#[tokio::main]
async fn run_commands(modules: &[Box<dyn Module>]) -> ExitCode {
    // Files are readable by the program's own account only.
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    commands::run_in(Path::new("."), modules, std::env::args_os()).await
}
