//! The composition root: settings, modules, server and command line.

pub mod commands;
pub mod embedded;
mod front;
pub mod log;
mod metrics;
pub mod modules;
pub mod server;
mod setup;

pub use setup::Setup;
