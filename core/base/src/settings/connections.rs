//! The section `[connections]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Connections to the program.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Connections {
    /// Connections that are open at the same time, at most; fewer if the system's limit of open files is lower (three for each). Beyond it, idle connections are closed first.
    pub at_once: u32,
    /// Connections of one client that are open at the same time, at most. Those of trusted_proxies are not counted.
    pub at_once_per_client: u32,
}

impl Default for Connections {
    fn default() -> Self {
        Self { at_once: 4096, at_once_per_client: 256 }
    }
}
