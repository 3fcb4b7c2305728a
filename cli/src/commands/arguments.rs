//! What commands have in common: groups of subcommands, the option for scripts, texts of arguments, confirmation.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use clap::builder::StyledStr;
use clap::{Arg, ArgMatches, Command};
use festival_core::command::flag;
use festival_core::{Error, Result};

/// The text of an argument; empty without one.
pub(super) fn text<'a>(arguments: &'a ArgMatches, name: &str) -> &'a str {
    arguments.get_one::<String>(name).map(String::as_str).unwrap_or_default()
}

/// Asks on the terminal whether to go on, and returns the answer in lower case.
///
/// # Errors
/// [`Error::BadRequest`] if there is no terminal; the command then needs `--yes`.
pub(super) fn ask(question: &str) -> Result<String> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::BadRequest("there is no terminal to ask for confirmation; use --yes".into()));
    }
    eprint!("{question} ");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_lowercase())
}

/// The option of lists that scripts read.
pub(super) fn json_option() -> Arg {
    flag("json", "Print JSON, for scripts")
}

/// A command that has only subcommands.
pub(super) fn group(
    name: &'static str,
    about: impl Into<StyledStr>,
    subcommands: impl IntoIterator<Item = Command>,
) -> Command {
    Command::new(name).about(about).subcommand_required(true).arg_required_else_help(true).subcommands(subcommands)
}
