//! Validation of `metrics_address` and `metrics_token`.

use std::net::SocketAddr;

use super::Secret;

/// Minimum length of a token, in characters.
const MIN_TOKEN_LENGTH: usize = 16;

/// Adds a message to `problems` for each invalid value.
pub(super) fn check(address: &str, token: &Secret, problems: &mut Vec<String>) {
    let token = token.reveal();
    if !token.is_empty() && token.len() < MIN_TOKEN_LENGTH {
        problems.push(format!("metrics_token: must have {MIN_TOKEN_LENGTH} characters or more"));
    }
    if address.is_empty() {
        return;
    }
    match address.parse::<SocketAddr>() {
        Err(_) => problems.push(format!(
            "metrics_address: \"{address}\" is not an address with a port; write one like 127.0.0.1:9180"
        )),
        Ok(address) if !address.ip().is_loopback() && token.is_empty() => problems
            .push(format!("metrics_address: others can reach {address}; set metrics_token too, or use 127.0.0.1")),
        Ok(_) => {}
    }
}
