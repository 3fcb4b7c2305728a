//! The section `[requests]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time limits for handling requests.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Requests {
    /// Seconds for handling a GET request. When it takes longer, it is aborted with a 503.
    pub get_seconds: u32,
    /// The same for all other requests, counted from the last byte of their body.
    pub other_seconds: u32,
}

impl Default for Requests {
    fn default() -> Self {
        Self { get_seconds: 10, other_seconds: 120 }
    }
}

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(requests: &Requests, problems: &mut Vec<String>) {
    let Requests { get_seconds, other_seconds } = *requests;
    for (name, seconds) in [("get_seconds", get_seconds), ("other_seconds", other_seconds)] {
        if !(1..=3600).contains(&seconds) {
            problems.push(format!("requests.{name}: {seconds} must be from 1 to 3600"));
        }
    }
}
