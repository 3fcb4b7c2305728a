//! What commands have in common: groups of subcommands, the option for scripts.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use festival_core::command::flag;

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
