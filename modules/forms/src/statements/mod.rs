//! Bank statements: read as banks offer them for download, matched with submissions, and undone as a whole.
//!
//! [`read`] makes lines of a file, [`settle`] decides which submissions they belong to, [`store`] keeps both, and people
//! decide about the rest in a [`list`].

mod action;
mod camt;
mod claims;
mod clues;
mod command;
mod decide;
pub(crate) mod erasing;
mod grid;
mod html;
mod layout;
mod list;
mod mt940;
mod ofx;
mod queue;
mod read;
mod report;
mod screens;
mod settle;
mod statement;
mod store;
mod stored;
mod table;
mod vocabulary;

use festival_core::Registry;

/// Registers the screens and the commands.
pub(crate) fn register(registry: &mut Registry) {
    screens::register(registry);
    registry.command(command::Payments);
}
