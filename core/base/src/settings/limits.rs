//! The sections `[uploads]`, `[connections]` and `[requests]`: limits of the server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// Uploads.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Uploads {
    /// Forms that are received at the same time, at most. Further ones wait five seconds, then they are refused (503).
    #[default = 512]
    pub at_once: u32,
    /// Forms that are received from one client at the same time, at most; fewer under load. Visitors of one mobile network often share an address.
    #[default = 32]
    pub at_once_per_client: u32,
    /// Disk space that uploads leave free, in MiB. With less, forms with files are refused until there is space again.
    #[default = 1024]
    pub keep_free_mib: u64,
    /// MiB that one client may send per hour; an IPv6 /64 network counts as one client. 0: no limit.
    #[default = 2048]
    pub mib_per_client_and_hour: u64,
    /// A virus scanner for every uploaded file: ClamAV's clamd.
    pub scanner: Scanner,
}

/// A virus scanner for every uploaded file: ClamAV's clamd.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scanner {
    /// The scanner's address: "unix:/run/clamav/clamd.ctl" or "127.0.0.1:3310". Empty: no scanner.
    pub address: String,
    /// How to treat a file that could not be scanned: "keep" (accept it, flagged for the organisers) or "refuse" (503, to be sent again).
    #[default(WhenDown::Keep)]
    pub when_down: WhenDown,
    /// Timeout in seconds for one file.
    #[default = 30]
    pub timeout_seconds: u32,
}

/// How to treat a file that could not be scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WhenDown {
    /// Accept it with a flag.
    Keep,
    /// Refuse it, to be sent again later.
    Refuse,
}

/// Adds a message to `problems` for each invalid value.
pub(super) fn check_scanner(scanner: &Scanner, problems: &mut Vec<String>) {
    let Scanner { address, timeout_seconds, .. } = scanner;
    let port = |address: &str| {
        address.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
    };
    if !address.is_empty() && !address.strip_prefix("unix:").map_or_else(|| port(address), |path| path.starts_with('/'))
    {
        problems.push(format!(
            "uploads.scanner.address: \"{address}\" is not an address; write one like unix:/run/clamav/clamd.ctl or 127.0.0.1:3310"
        ));
    }
    if !(1..=300).contains(timeout_seconds) {
        problems.push(format!("uploads.scanner.timeout_seconds: {timeout_seconds} must be from 1 to 300"));
    }
}

/// Connections to the program.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Connections {
    /// Connections that are open at the same time, at most; fewer if the system's limit of open files is lower (three for each). Beyond it, idle connections are closed first.
    #[default = 4096]
    pub at_once: u32,
    /// Connections of one client that are open at the same time, at most. Those of trusted_proxies are not counted.
    #[default = 256]
    pub at_once_per_client: u32,
}

/// Time limits for handling requests.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Requests {
    /// Seconds for handling a GET request. When it takes longer, it is aborted with a 503.
    #[default = 10]
    pub get_seconds: u32,
    /// The same for all other requests, counted from the last byte of their body.
    #[default = 120]
    pub other_seconds: u32,
}

/// Adds a message to `problems` for each invalid value.
pub(super) fn check_requests(requests: &Requests, problems: &mut Vec<String>) {
    let Requests { get_seconds, other_seconds } = *requests;
    for (name, seconds) in [("get_seconds", get_seconds), ("other_seconds", other_seconds)] {
        if !(1..=3600).contains(&seconds) {
            problems.push(format!("requests.{name}: {seconds} must be from 1 to 3600"));
        }
    }
}
