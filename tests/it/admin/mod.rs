//! The back office: accounts, sessions, permissions, CSRF protection, audit log and screens.

mod access_audit;
mod accounts;
pub(crate) mod browser;
mod commands;
mod csrf;
mod dashboard;
mod editions;
mod entities;
mod history;
mod import_preview;
pub(crate) mod imports;
mod lists;
mod merging;
mod one_connection;
mod outbox;
mod permissions;
mod privacy;
mod publishing;
mod scope;
mod search;
mod second_factor;
mod secrets;
mod sessions;
mod settings;
mod sign_in;
mod submissions;
mod switches;
