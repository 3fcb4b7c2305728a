//! The section `[admin]`.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Settings;
use crate::network::parse_network;

/// The back office at /admin/.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Admin {
    /// Serve the back office. Off: /admin/ does not exist; the command line still works.
    pub enabled: bool,
    /// Networks that the back office answers, as addresses or networks ("192.0.2.0/24"); to all others it does not exist. Empty: every network.
    pub networks: Vec<String>,
    /// Ask every account for a second factor. Who has none sets one up after the next sign-in, before anything else.
    pub require_second_factor: bool,
}

impl Default for Admin {
    fn default() -> Self {
        Self { enabled: true, networks: Vec::new(), require_second_factor: false }
    }
}

impl Admin {
    /// Whether the back office answers this client.
    pub fn is_open_to(&self, client: IpAddr) -> bool {
        self.networks.is_empty()
            || self.networks.iter().filter_map(|text| parse_network(text)).any(|network| network.contains(&client))
    }
}

/// What types cannot say.
pub(super) fn check(settings: &Settings, wrong: &mut Vec<String>) {
    for network in settings.admin.networks.iter().filter(|network| parse_network(network).is_none()) {
        wrong.push(format!("admin.networks: \"{network}\" is no network; write one like 192.0.2.0/24"));
    }
}
