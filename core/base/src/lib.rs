//! What the whole of core stands on: errors, the clock, the text of times and languages, settings, the database.
//!
//! Nothing here knows of requests, files or records.

mod blocking;
pub mod changes;
pub mod clock;
pub mod db;
pub mod deadline;
pub mod error;
pub mod lang;
pub mod network;
pub mod secrets;
pub mod settings;
pub mod time_text;
pub mod ttl_value;

pub use blocking::blocking;
pub use error::{Error, FieldError, Result};
