//! Host names that requests may use, and the base URL of links.

use std::sync::Arc;

use rocket::Request;

use festival_base::error::{Error, Result};
use festival_base::settings::Settings;

/// The host names of the site.
pub struct Hosts {
    /// The configured address, without a trailing slash.
    public_url: Option<Arc<str>>,
    allowed: Vec<String>,
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
        Self { public_url: (!public_url.is_empty()).then(|| public_url.into()), allowed }
    }

    /// Returns the base URL, without a trailing slash: the configured address, or that of the request.
    ///
    /// # Errors
    /// [`Error::BadRequest`] if the request names several hosts, or one that is not allowed: links built from it would
    /// lead to another site.
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
        match &self.public_url {
            Some(url) => Ok(url.clone()),
            None => Ok(format!("http://{}", host.to_lowercase()).into()),
        }
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
