//! Host names that requests may use, and the base URL of links.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use rocket::Request;

use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// Maximum number of hosts with ports that a site without a configured address answers for: links are built from them,
/// so every response is cached once for each.
const MAX_BASE_URLS: usize = 16;

/// The host names of the site.
pub struct Hosts {
    /// The configured address, without a trailing slash.
    public_url: Option<Arc<str>>,
    allowed: Vec<String>,
    /// Without a configured address: those that requests have named.
    base_urls: Mutex<BTreeSet<Arc<str>>>,
}

impl Hosts {
    /// Allows the hosts of the settings, the host of `public_url`, and the names of the loopback interface.
    pub fn new(settings: &Settings) -> Self {
        let public_url = settings.public_url.trim_end_matches('/');
        let mut allowed: Vec<String> = settings.allowed_hosts.iter().map(|host| host.to_lowercase()).collect();
        allowed.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        if let Some(host) = public_url.split("://").nth(1) {
            allowed.push(without_port(host.split('/').next().unwrap_or_default()).to_lowercase());
        }
        let public_url = (!public_url.is_empty()).then(|| public_url.into());
        Self { public_url, allowed, base_urls: Mutex::default() }
    }

    /// Returns the base URL, without a trailing slash: the configured address, or that of the request.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the request names several hosts, or one that is not allowed: links built from it would
    /// lead to another site. The same if requests have named the site by too many ports.
    pub fn base_url(&self, request: &Request<'_>) -> Result<Arc<str>> {
        let mut hosts = request.headers().get("Host");
        let host = hosts.next().unwrap_or_default();
        if hosts.next().is_some() {
            return Err(Error::BadRequest("The request names more than one host.".into()));
        }
        let name = without_port(host);
        if !self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name)) {
            return Err(Error::BadRequest(format!(
                "This site does not answer for the host \"{}\". Its operator can add it to allowed_hosts.",
                name.chars().filter(|c| c.is_ascii_graphic()).take(100).collect::<String>()
            )));
        }
        if let Some(url) = &self.public_url {
            return Ok(url.clone());
        }
        let url: Arc<str> = format!("http://{}", host.to_lowercase()).into();
        let mut known = self.base_urls.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_BASE_URLS && !known.contains(&url) {
            return Err(Error::BadRequest(
                "This site has no address of its own and was asked for at too many ports. Its operator can set public_url."
                    .into(),
            ));
        }
        known.insert(url.clone());
        Ok(url)
    }

    /// Returns the configured address, for links made outside of a request.
    pub fn public_url(&self) -> Option<&Arc<str>> {
        self.public_url.as_ref()
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}
