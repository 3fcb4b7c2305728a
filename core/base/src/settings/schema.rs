//! The one typed struct of all settings, [`Settings`], with the sections that have no file of their own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use smart_default::SmartDefault;

use super::section::{self, OwnValues, module_path};
use super::{Admin, Connections, Link, Mail, Menu, Requests, S3, Secret, Section, Uploads};

/// All settings of the site.
// `config/festival.toml` is printed from their defaults.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Where the database, pictures, uploads and mails are kept.
    #[default = "data"]
    pub data_dir: PathBuf,
    /// The file with the keys that encrypt second factors and passwords of screeners in the database. Empty: secrets.key in data_dir.
    /// It is created at the first start and is in no backup: keep a copy of it apart from the backups.
    pub secret_key_file: PathBuf,
    /// The site's address as visitors type it, "https://festival.example". Empty: that of the request, if its host is allowed.
    /// With https://, HTTP requests are redirected, forms are accepted over HTTPS only, and browsers are told to use HTTPS only.
    pub public_url: String,
    /// Host names that the site answers to, without port. The addresses of this machine and the host of public_url are always allowed.
    pub allowed_hosts: Vec<String>,
    /// Trusted proxies in front of the site, as addresses or networks ("10.0.0.0/8"). Only their X-Forwarded-For and X-Forwarded-Proto headers are used.
    pub trusted_proxies: Vec<String>,
    /// Where people report a vulnerability of the site: "mailto:security@festival.example", or a page's https:// address. It is published in /.well-known/security.txt. Empty: there is no such file.
    pub security_contact: String,
    /// The festival's time zone (IANA name). Event times are shown in it.
    #[default = "Asia/Kolkata"]
    pub time_zone: String,
    /// The address and port that serve metrics for Prometheus at /metrics, "127.0.0.1:9180". Empty: none. An address that other machines can reach needs metrics_token.
    pub metrics_address: String,
    /// The token for reading the metrics ("Authorization: Bearer ..."), of 16 characters or more. Empty: no token is needed. Set it in the environment, FESTIVAL_METRICS_TOKEN, or in config/local.toml.
    pub metrics_token: Secret,
    /// Apply pending migrations when the server starts.
    #[default = true]
    pub migrate_on_start: bool,
    /// The log.
    pub log: Log,
    /// The festival's names.
    pub product: Product,
    /// The API.
    pub api: Api,
    /// The website.
    pub frontend: Frontend,
    /// Connections to the program.
    pub connections: Connections,
    /// Time limits for handling requests.
    pub requests: Requests,
    /// Uploads.
    pub uploads: Uploads,
    /// A bucket for pictures, documents and the files that people send, in an S3-compatible store, in place of the folder data_dir/media.
    pub s3: S3,
    /// The back office at /admin/.
    pub admin: Admin,
    /// Sending of mails.
    pub mail: Mail,
    /// How visitors reach the organisers.
    pub contact: Contact,
    /// Links to the festival elsewhere.
    pub social: Vec<Link>,
    /// The menus. Entries for pages of disabled modules are left out automatically.
    pub menu: Menu,
    /// The analytics page.
    pub analytics: Analytics,
    /// Modules and their settings. A disabled module keeps its tables and its data.
    pub modules: BTreeMap<String, ModuleSettings>,
    /// What is set in the sections beside these that modules own, by name.
    #[serde(skip)]
    pub sections: BTreeMap<String, OwnValues>,
}

/// The festival's names.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Product {
    /// The short name that titles, menus and forms use.
    #[default = "Festival"]
    pub name: String,
    /// The short name in addresses: small letters, digits and hyphens ("/twenty-<slug>").
    #[default = "festival"]
    pub slug: String,
    /// The name in full.
    #[default = "International Film Festival"]
    pub full_name: String,
    /// The short name in Malayalam script.
    pub native_name: String,
    /// The city.
    pub city: String,
    /// The state.
    #[default = "Kerala"]
    pub region: String,
    /// The country.
    #[default = "India"]
    pub country: String,
    /// One line under the name.
    pub tagline: String,
}

/// The log, on standard error.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// What is logged: "info" for one line per request, "warn" for problems only, or a filter like "festival=debug".
    #[default = "info"]
    pub filter: String,
    /// Write one JSON object per line instead of text.
    pub json: bool,
}

/// The API.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Api {
    /// The path prefix of the API. "/" together with frontend.enabled = false makes an API-only host.
    #[default = "/api"]
    pub mount: String,
    /// Origins of other sites whose scripts may read the API ("https://example.org"). Empty: none.
    pub cors_origins: Vec<String>,
    /// Seconds that browsers may cache lists.
    #[default = 10]
    pub max_age_seconds: u32,
    /// Cache responses in memory while the data has not changed. Off: compute each response anew, for measurements.
    #[default = true]
    pub remember_answers: bool,
}

/// The website.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Frontend {
    /// Serve the website. Off: only the API and media answer.
    #[default = true]
    pub enabled: bool,
    /// Hosts that may be embedded in a frame, on the analytics page ("https://dashboard.example").
    pub frame_hosts: Vec<String>,
    /// The colour of the browser's toolbar, "#rrggbb": the background at the top of the home page.
    #[default = "#0b0a0c"]
    pub theme_color: String,
}

/// How visitors reach the organisers.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Contact {
    /// The office's e-mail address.
    pub email: String,
    /// The office's telephone number.
    pub phone: String,
    /// The office's postal address, on one line.
    pub address: String,
}

/// The analytics page.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Analytics {
    /// The address of the dashboard to embed; its host must be listed in frontend.frame_hosts.
    pub frame: String,
    /// The address of the realtime dashboard.
    pub link: String,
}

/// A module's section.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct ModuleSettings {
    /// Whether the module is enabled.
    #[default = true]
    pub enabled: bool,
    /// The module's own settings.
    #[serde(flatten)]
    pub own: OwnValues,
}

impl Settings {
    /// Returns whether the module `name` is enabled. A module without a section is.
    pub fn module_enabled(&self, name: &str) -> bool {
        self.modules.get(name).is_none_or(|module| module.enabled)
    }

    /// Returns a module's own settings, from `[modules.<name>]`, or their defaults if they are invalid; the site does not
    /// start then.
    pub fn section<T: Section>(&self, module: &str) -> T {
        self.section_at(&module_path(module))
    }

    /// Returns the section at `path` ("fees"), which a module owns, or its defaults if it is invalid; the site does not
    /// start then.
    pub fn section_at<T: Section>(&self, path: &str) -> T {
        self.own_values(path).and_then(|own| section::read(own).ok()).unwrap_or_default()
    }

    /// The values that are set in the section at `path`.
    pub(super) fn own_values(&self, path: &str) -> Option<&OwnValues> {
        match path.strip_prefix(&module_path("")) {
            Some(module) => self.modules.get(module).map(|module| &module.own),
            None => self.sections.get(path),
        }
    }

    /// Returns all settings as in the settings file, including the sections of modules. Secrets are masked.
    ///
    /// # Errors
    /// If a path cannot be written as text.
    pub fn to_json(&self) -> serde_json::Result<Value> {
        let mut json = serde_json::to_value(self)?;
        for (name, own) in &self.sections {
            json[name.as_str()] = serde_json::to_value(own)?;
        }
        Ok(json)
    }

    /// Returns whether the site's public URL is https://.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// Returns the API's path prefix without a trailing slash: "" for "/".
    pub fn api_prefix(&self) -> &str {
        self.api.mount.trim_end_matches('/')
    }

    /// Returns the addresses of the organisers who are notified of new submissions; none if none is configured.
    pub fn organisers(&self) -> Vec<&str> {
        let set: Vec<&str> = self.mail.organisers.iter().map(String::as_str).collect();
        let fallback = Some(self.contact.email.as_str()).filter(|_| set.is_empty());
        set.into_iter().chain(fallback).filter(|address| !address.is_empty()).collect()
    }
}
