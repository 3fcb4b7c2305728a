//! Trying the mail server before mails depend on it.

use festival_base::settings::{MailTls, Settings};
use jiff::Timestamp;

use super::compose::{compose, host};
use super::failure::random;
use super::outbox::ClaimedMail;
use super::smtp::Smtp;
use super::text;
use super::transport::Transport;

/// Returns what prevents mails from being sent with these settings: each a sentence for operators.
///
/// Connects to the mail server and logs in, but sends nothing. Without a mail server there is nothing to try.
pub async fn problems(settings: &Settings) -> Vec<String> {
    let mail = &settings.mail;
    let mut problems = Vec::new();
    if mail.host.is_empty() {
        return problems;
    }
    if mail.user.is_empty() && !mail.password.reveal().is_empty() {
        problems.push("mail.password is set, but mail.user is empty: nobody logs in".to_owned());
    }
    if !mail.user.is_empty() && mail.password.reveal().is_empty() {
        problems.push("mail.user is set, but mail.password is empty".to_owned());
    }
    let is_local = matches!(mail.host.as_str(), "localhost" | "::1") || mail.host.starts_with("127.");
    if mail.tls == MailTls::None && !is_local {
        problems.push(format!(
            "mail.tls is \"none\", but {} is another machine: mails and the password cross the network unencrypted",
            mail.host
        ));
    }
    let mut smtp = Smtp::new(settings);
    if let Err(failure) = smtp.try_connection().await {
        problems.push(format!("{}:{}: {}", mail.host, mail.port, text::failure(&failure.message)));
    }
    smtp.quit().await;
    problems
}

/// Sends a mail to `address` at once, past the outbox.
///
/// # Errors
/// A sentence for operators that says why it was not accepted.
pub async fn send_test(settings: &Settings, address: &str, now: Timestamp) -> Result<(), String> {
    let mail = ClaimedMail {
        id: 0,
        kind: "test".to_owned(),
        to_name: String::new(),
        to_address: address.to_owned(),
        reply_to_name: None,
        reply_to_address: None,
        subject: format!("Test mail of {}", settings.product.name),
        body_text: "This mail was sent by \"festival mail test\". The site can send mails.\n".to_owned(),
        message_id: format!("test.{:016x}@{}", random(), host(settings)),
        created_at: now.to_string(),
        attempts: 1,
        claim: String::new(),
    };
    let composed = compose(&mail, settings)?;
    let mut transport = Transport::new(settings);
    let delivered = transport.deliver(&mail, &composed).await;
    transport.disconnect().await;
    delivered.map_err(|failure| text::failure(&failure.message).to_string())
}
