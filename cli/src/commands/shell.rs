//! `festival completions` and `festival man`: what a shell and `man` know of the commands.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, value_parser};
use clap_complete::Shell;
use festival_core::command::{Outcome, positional};
use festival_core::{Result, print};

pub(super) fn completions() -> Command {
    Command::new("completions")
        .about("Print the completions of a shell")
        .arg(positional("shell", "SHELL", "The shell").value_parser(value_parser!(Shell)))
        .after_help("Example: festival completions bash > /etc/bash_completion.d/festival")
}

pub(super) fn man() -> Command {
    Command::new("man")
        .about("Write the manual pages, one for each command")
        .arg(positional("folder", "FOLDER", "An existing folder").value_parser(value_parser!(PathBuf)))
        .after_help("Example: festival man /usr/local/share/man/man1")
}

/// Prints the completions of `program`.
pub(super) fn print_completions(mut program: Command, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(shell) = arguments.get_one::<Shell>("shell") else { return Ok(Outcome::Refused) };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut program, "festival", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(Outcome::Done)
}

/// Writes the manual pages of `program`.
pub(super) fn write_manual(program: Command, directory: &Path, arguments: &ArgMatches) -> Result<Outcome> {
    let Some(folder) = arguments.get_one::<PathBuf>("folder") else { return Ok(Outcome::Refused) };
    clap_mangen::generate_to(program.disable_help_subcommand(true), directory.join(folder))?;
    Ok(Outcome::Done)
}
