//! The section `[mail]`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use smart_default::SmartDefault;

/// Sending of mails.
#[derive(Clone, Debug, SmartDefault, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// The mail server's name. Empty: mails are written as .eml files into the folder mails of the data directory.
    pub host: String,
    /// The mail server's port: usually 587 with starttls, 465 with tls, 25 with none.
    #[default = 587]
    pub port: u16,
    /// Encryption of the connection: "starttls" (required after a plain greeting), "tls" (from the start) or "none" (for a server on this machine).
    #[default(MailTls::Starttls)]
    pub tls: MailTls,
    /// A file with a certificate (PEM) to trust in addition to the public ones, for a mail server with a private certificate.
    pub ca_file: String,
    /// The name to log in with. Empty: no login.
    pub user: String,
    /// The password to log in with. Set it in the environment, FESTIVAL_MAIL__PASSWORD, or in config/local.toml.
    pub password: Secret,
    /// The sender of mails, "Film Festival <office@festival.example>". Empty: the festival's name and contact.email.
    pub from: String,
    /// Addresses of the organisers who are notified of new submissions. Empty: contact.email.
    pub organisers: Vec<String>,
    /// Timeout in seconds for connecting to the mail server, and again for each mail: from 1 to 120.
    #[default = 30]
    pub timeout_seconds: u64,
    /// Days for which sent mails are retained. 0: for ever.
    #[default = 90]
    pub keep_sent_days: u32,
    /// Changed texts of mails: [mail.texts.film-receipt] with subject and text. Organisers change them under Settings, Texts of mails.
    pub texts: BTreeMap<String, MailText>,
}

/// A changed subject and text of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MailText {
    /// The subject. Empty: the original one.
    pub subject: String,
    /// The text. Empty: the original one.
    pub text: String,
}

/// Encryption of the connection to the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// No encryption.
    None,
    /// STARTTLS, required before anything is sent.
    Starttls,
    /// TLS from the start.
    Tls,
}

/// A secret value, printed, logged and serialised as three asterisks.
#[derive(Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Returns the value itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn masked(&self) -> &'static str {
        if self.0.is_empty() { "" } else { "***" }
    }
}

impl From<&str> for Secret {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.masked())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.masked())
    }
}

/// Adds a message to `problems` for each invalid value. `contact` is the office's e-mail address.
pub(super) fn check(mail: &Mail, contact: &str, problems: &mut Vec<String>) {
    let mailbox = |text: &str| text.parse::<lettre::message::Mailbox>().is_ok();
    if !mail.from.is_empty() && !mailbox(&mail.from) {
        problems.push(format!("mail.from: \"{}\" is not a mailbox; write one like Name <name@example.org>", mail.from));
    }
    for address in mail.organisers.iter().filter(|address| address.parse::<lettre::Address>().is_err()) {
        problems.push(format!("mail.organisers: \"{address}\" is not an address; write one like name@example.org"));
    }
    if !mail.host.is_empty() && mail.from.is_empty() && !mailbox(contact) {
        problems.push("mail.from: set the sender of mails, here or in contact.email".to_owned());
    }
    if !(1..=120).contains(&mail.timeout_seconds) {
        problems.push(format!("mail.timeout_seconds: {} must be from 1 to 120", mail.timeout_seconds));
    }
}
