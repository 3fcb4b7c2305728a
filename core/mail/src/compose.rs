//! Composes a mail from its row in the outbox. Every header goes through lettre's types.

use std::time::SystemTime;

use jiff::Timestamp;
use lettre::address::Envelope;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::{Address, Message};

use super::REPLY;
use super::outbox::ClaimedMail;
use festival_base::settings::Settings;

/// Composes `mail`, sent from the address in `settings`.
///
/// # Errors
/// A sentence that says why the mail cannot be sent as it is.
pub(super) fn compose(mail: &ClaimedMail, settings: &Settings) -> Result<Message, String> {
    let sender = sender(settings)?;
    let recipient = mailbox(&mail.to_name, &mail.to_address)?;
    let created_at = mail.created_at.parse::<Timestamp>().map_err(|error| error.to_string())?;
    let envelope =
        Envelope::new(Some(sender.email.clone()), vec![recipient.email.clone()]).map_err(|error| error.to_string())?;
    let mut message = Message::builder()
        .envelope(envelope)
        .from(sender)
        .to(recipient)
        .subject(header_text(&mail.subject))
        .date(SystemTime::from(created_at))
        .message_id(Some(format!("<{}>", mail.message_id)))
        .header(MIME_VERSION_1_0)
        .header(ContentType::TEXT_PLAIN);
    if mail.kind != REPLY {
        // No holiday notice is sent back to what nobody wrote by hand (RFC 3834).
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        message = message.raw_header(HeaderValue::new(name, "auto-generated".to_owned()));
    }
    if let Some(address) = &mail.reply_to_address
        // An invalid address for replies is no reason to hold the mail back.
        && let Ok(mailbox) = mailbox(mail.reply_to_name.as_deref().unwrap_or_default(), address)
    {
        message = message.reply_to(mailbox);
    }
    message.body(mail.body_text.clone()).map_err(|error| error.to_string())
}

/// The host name for Message-IDs and for the greeting to the mail server.
pub(super) fn host(settings: &Settings) -> String {
    let url_host = settings.public_url.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next());
    let sender = sender(settings).ok();
    let host = url_host.or(sender.as_ref().map(|mailbox| mailbox.email.domain())).unwrap_or("localhost");
    host.to_lowercase()
}

/// The mailbox that mails are sent from: `mail.from`, or else the product's name with the contact address.
fn sender(settings: &Settings) -> Result<Mailbox, String> {
    if settings.mail.from.is_empty() {
        let office = match settings.contact.email.as_str() {
            "" => "office@localhost",
            email => email,
        };
        return mailbox(&settings.product.name, office);
    }
    settings.mail.from.parse().map_err(|_| "mail.from in the settings is not a mailbox".to_owned())
}

fn mailbox(name: &str, address: &str) -> Result<Mailbox, String> {
    let invalid = || "mail cannot be sent to this address".to_owned();
    // Stricter than lettre: these are valid in quoted local parts, but no mail program gives out such addresses.
    if address.chars().any(|c| c.is_whitespace() || c.is_control() || "\"<>(),;:\\".contains(c)) {
        return Err(invalid());
    }
    let email = address.parse::<Address>().map_err(|_| invalid())?;
    Ok(Mailbox::new((!name.is_empty()).then(|| header_text(name)), email))
}

/// Text for a header. An invisible word joiner splits "=?", so that no mail program takes the text for an encoded word
/// and decodes it.
fn header_text(text: &str) -> String {
    text.replace("=?", "=\u{2060}?")
}
