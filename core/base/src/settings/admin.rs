//! The section `[admin]`.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

use crate::network::parse_network;

/// The back office at /admin/.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Admin {
    /// Serve the back office. Off: /admin/ is not found; the command line still works.
    #[default = true]
    pub enabled: bool,
    /// Addresses or networks ("192.0.2.0/24") that may use the back office; for all others it is not found. Empty: every network.
    pub networks: Vec<String>,
    /// Require a second factor for every account. Accounts without one have to set it up after the next sign-in.
    pub require_second_factor: bool,
}

impl Admin {
    /// Returns whether this client may use the back office.
    pub fn is_open_to(&self, client: IpAddr) -> bool {
        self.networks.is_empty()
            || self.networks.iter().filter_map(|text| parse_network(text)).any(|network| network.contains(&client))
    }
}

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(admin: &Admin, problems: &mut Vec<String>) {
    for network in admin.networks.iter().filter(|network| parse_network(network).is_none()) {
        problems.push(format!("admin.networks: \"{network}\" is not a network; write one like 192.0.2.0/24"));
    }
}
