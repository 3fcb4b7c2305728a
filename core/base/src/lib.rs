//! The foundation of all other crates: errors, clock, formatting of times, language detection, settings, database.
//!
//! Nothing here knows about requests, files or records.

mod async_fn;
pub mod changes;
pub mod clock;
pub mod db;
pub mod deadline;
pub mod durable;
pub mod error;
pub mod lang;
mod macros;
pub mod money_text;
pub mod network;
pub mod secrets;
pub mod settings;
pub mod size_text;
pub mod text;
pub mod texts;
pub mod time_text;
pub mod ttl_value;

pub use async_fn::{AsyncFn, AsyncFunction, blocking};
pub use error::{Error, FieldError, Result};
