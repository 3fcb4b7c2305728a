//! A mail as a module composes it.

use jiff::Timestamp;
use serde_json::{Value, json};

/// A mailbox with the name of its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The owner's name; empty if it is not known.
    pub name: String,
    /// The address, `name@example.org`.
    pub address: String,
}

impl Mailbox {
    /// The mailbox at `address` of a person called `name`.
    pub fn new(name: impl Into<String>, address: impl Into<String>) -> Self {
        Self { name: name.into(), address: address.into() }
    }
}

/// A mail to one mailbox, as a module composes it.
#[derive(Clone, Debug)]
pub struct Message {
    /// What it is about, for the outbox and the log: lower-case letters and hyphens, `film-receipt`.
    pub kind: &'static str,
    /// The recipient.
    pub to: Mailbox,
    /// Who gets replies; `None`: the sender.
    pub reply_to: Option<Mailbox>,
    /// The subject. Line breaks become spaces, and it is cut to 200 characters.
    pub subject: String,
    /// The text, plain, in any script.
    pub body: String,
    /// The current time of the clock.
    pub created_at: Timestamp,
}

impl Message {
    /// What a page shows of a mail that would be sent.
    pub fn preview(&self) -> Value {
        let mailbox = |mailbox: &Mailbox| match mailbox.name.as_str() {
            "" => mailbox.address.clone(),
            name => format!("{name} <{}>", mailbox.address),
        };
        json!({
            "to": mailbox(&self.to),
            "reply_to": self.reply_to.as_ref().map(mailbox),
            "subject": self.subject,
            "body": self.body,
        })
    }
}
