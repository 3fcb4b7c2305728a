//! What types cannot say of `metrics_address` and `metrics_token`.

use std::net::SocketAddr;

use super::Settings;

/// The fewest characters of a token.
const SHORTEST_TOKEN: usize = 16;

pub(super) fn check(settings: &Settings, wrong: &mut Vec<String>) {
    let (address, token) = (&settings.metrics_address, settings.metrics_token.reveal());
    if !token.is_empty() && token.len() < SHORTEST_TOKEN {
        wrong.push(format!("metrics_token: must have {SHORTEST_TOKEN} characters or more"));
    }
    if address.is_empty() {
        return;
    }
    match address.parse::<SocketAddr>() {
        Err(_) => wrong
            .push(format!("metrics_address: \"{address}\" is no address with a port; write one like 127.0.0.1:9180")),
        Ok(address) if !address.ip().is_loopback() && token.is_empty() => {
            wrong.push(format!("metrics_address: others can reach {address}; set metrics_token too, or use 127.0.0.1"))
        }
        Ok(_) => {}
    }
}
