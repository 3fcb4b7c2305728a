//! Sending mails: an outbox in the database, and a background task that delivers what is due to the mail server.
//!
//! A mail is put into the outbox in the transaction of what it tells about, so that either both are stored or neither.
//! The [`DeliveryWorker`] sends it afterwards; a mail server that is down delays mails and nothing else.
//!
//! A mail is sent once, except in one window: when the program dies, or the connection breaks, after the mail server
//! has accepted the mail and before the outbox says so. Then it is sent again, with the same Message-ID. The opposite
//! order would lose it.
//!
//! The texts are not here: each module declares its mails ([`Template`]), whose texts organisers may change.

mod actions;
mod backoff;
mod compose;
mod delivery;
mod health;
mod mail_folder;
mod outbox;
mod overview;
pub mod personal;
mod smtp;
mod sweep;
pub mod template;
mod text;
mod transport;

pub use actions::{
    ACCOUNT_LINK, ActionOutcome, Correction, OWNER_NOTICE, REPLY, StoredMail, correct, find, hold, hold_all,
    make_all_due, make_due, release_all,
};
pub use delivery::DeliveryWorker;
pub use health::{Health, health, oldest_unsent};
pub use outbox::enqueue;
pub use overview::{FILTERS, Summary, counts, list, newest};
pub use sweep::{delete_sent, sweep};
pub use template::{Template, Values, Variable};
pub use text::mask;

use jiff::Timestamp;

use festival_base::db::Write;
use festival_base::error::Result;
use festival_base::settings::Settings;

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

/// Puts a copy of `message` into the outbox for each address of the organisers, and returns the ids.
///
/// `message.to` is replaced. Nothing is enqueued if the settings have no such address.
///
/// # Errors
/// If the database cannot be written.
pub async fn enqueue_to_organisers(write: &mut Write, settings: &Settings, message: &Message) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for address in settings.organisers() {
        let to = Mailbox::new(&settings.product.name, address);
        ids.push(enqueue(write, &Message { to, ..message.clone() }).await?);
    }
    Ok(ids)
}
