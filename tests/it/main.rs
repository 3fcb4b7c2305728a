//! The test suite: one binary, every database test on SQLite and on Postgres.
//!
//! `make test` runs it with a throw-away Postgres. Requests go through public addresses only, commands through
//! the real program.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on should stop")]

#[macro_use]
mod support;

mod added_module;
mod admin;
mod api_contract;
mod architecture;
mod content;
mod core;
mod dates;
mod demonstration;
mod festivals;
mod file_circles;
mod films;
mod forms;
mod frontend_features;
mod magazines;
mod programme;
mod selection;
mod specification;
mod switches;
mod types;
