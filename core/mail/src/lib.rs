//! Mails: an outbox in the database, and the postman who carries what waits there to the mail server.
//!
//! A mail is put into the outbox in the transaction of what it tells about: either both last or neither. Sending
//! is the [`Postman`]'s work, in its own time; a mail server that is down delays mails and nothing else.
//!
//! A mail is sent once, except in one window: when the program dies, or the connection breaks, after the mail
//! server took the mail and before the outbox says so. It is sent again then, with the same Message-ID. The other
//! order would lose it.
//!
//! The texts are not here: each module keeps its own templates and fills them with [`render`].

mod carrier;
mod compose;
mod correct;
mod files;
mod health;
mod outbox;
mod overview;
mod pause;
pub mod personal;
mod postman;
mod smtp;
mod sweep;
mod text;

pub use correct::{Correction, WATCHING, Whole, correct, find, hold, hold_all, release_all};
pub use health::{Health, health, oldest_unsent};
pub use outbox::enqueue;
pub use overview::{Part, Retried, State, Summary, counts, list, make_all_due, make_due, newest, retry, retry_all};
pub use postman::Postman;
pub use sweep::{forget_sent, sweep};
pub use text::{mask, render};

use jiff::Timestamp;

use festival_base::db::Write;
use festival_base::error::Result;
use festival_base::settings::Settings;

/// A mailbox with the name of its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The owner's name; empty where it is not known.
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

/// A mail to one mailbox, as a module writes it.
#[derive(Clone, Debug)]
pub struct Message {
    /// What it is about, for the outbox and the log: small letters and hyphens, `film-receipt`.
    pub kind: &'static str,
    /// Who gets it.
    pub to: Mailbox,
    /// Who gets the answers; `None` is whom the mail comes from.
    pub reply_to: Option<Mailbox>,
    /// The subject. Line breaks become spaces, what is longer than 200 characters is cut.
    pub subject: String,
    /// The text, plain, in any script.
    pub body: String,
    /// When it is written: the clock's present moment.
    pub created_at: Timestamp,
}

/// Puts `message` into the outbox once for each of the organisers' addresses, and answers the ids.
///
/// `message.to` is replaced. Without an address in the settings nobody gets it.
pub async fn enqueue_to_organisers(write: &mut Write, settings: &Settings, message: &Message) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for address in settings.organisers() {
        let to = Mailbox::new(&settings.product.name, address);
        ids.push(enqueue(write, &Message { to, ..message.clone() }).await?);
    }
    Ok(ids)
}
