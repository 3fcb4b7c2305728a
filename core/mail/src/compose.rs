//! Makes the mail itself out of a row: RFC 5322 text and the envelope. Every header goes through lettre's types.

use std::time::SystemTime;

use jiff::Timestamp;
use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Mailbox, Message as Mail};

use super::outbox::Letter;
use festival_base::settings::Settings;

/// A mail ready to travel.
pub(super) struct Composed {
    /// From whom to whom, for the mail server.
    pub(super) envelope: Envelope,
    /// Headers and text.
    pub(super) bytes: Vec<u8>,
}

/// Says that a program wrote the mail, so that holiday notices are not sent back (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// Composes the mail of `letter`; the error says in words what about it cannot be sent.
pub(super) fn compose(letter: &Letter, settings: &Settings) -> Result<Composed, String> {
    let from = from(settings)?;
    let to = mailbox(&letter.to_name, &letter.to_address)?;
    let envelope =
        Envelope::new(Some(from.email.clone()), vec![to.email.clone()]).map_err(|error| error.to_string())?;
    let written_at = letter.created_at.parse::<Timestamp>().map_err(|error| error.to_string())?;
    let mut mail = Mail::builder()
        .from(from)
        .to(to)
        .subject(plain(&letter.subject))
        .date(SystemTime::from(written_at))
        .message_id(Some(format!("<{}>", letter.message_id)))
        .header(AutoSubmitted)
        .header(MIME_VERSION_1_0)
        .header(ContentType::TEXT_PLAIN);
    if let Some(address) = &letter.reply_to_address
        // Answers that cannot be addressed are no reason to keep the mail back.
        && let Ok(mailbox) = mailbox(letter.reply_to_name.as_deref().unwrap_or_default(), address)
    {
        mail = mail.reply_to(mailbox);
    }
    let mail = mail.body(letter.body_text.clone()).map_err(|error| error.to_string())?;
    Ok(Composed { envelope, bytes: mail.formatted() })
}

/// The host that Message-IDs and the greeting to the mail server name.
pub(super) fn host(settings: &Settings) -> String {
    let url_host = settings.public_url.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next());
    let sender = from(settings).ok();
    let host = url_host.or(sender.as_ref().map(|mailbox| mailbox.email.domain())).unwrap_or("localhost");
    host.to_lowercase()
}

/// Whom mails come from.
fn from(settings: &Settings) -> Result<Mailbox, String> {
    if settings.mail.from.is_empty() {
        let office = match settings.contact.email.as_str() {
            "" => "office@localhost",
            email => email,
        };
        return mailbox(&settings.product.name, office);
    }
    settings.mail.from.parse().map_err(|_| "mail.from in the settings is no mailbox".to_owned())
}

fn mailbox(name: &str, address: &str) -> Result<Mailbox, String> {
    let unusable = || "this is no address that mail can be sent to".to_owned();
    // Stricter than the types: quoted local parts may hold these, and no mail program gives out such addresses.
    if address.chars().any(|c| c.is_whitespace() || c.is_control() || "\"<>(),;:\\".contains(c)) {
        return Err(unusable());
    }
    let email = address.parse::<Address>().map_err(|_| unusable())?;
    Ok(Mailbox::new((!name.is_empty()).then(|| plain(name)), email))
}

/// Text for a header. What looks like an encoded word is no such thing: an invisible joiner between its first two
/// characters keeps mail programs from decoding it.
fn plain(text: &str) -> String {
    text.replace("=?", "=\u{2060}?")
}
