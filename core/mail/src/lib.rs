//! Sending mails: an outbox in the database, and a background task that delivers what is due to the mail server.
//!
//! A mail is put into the outbox in the transaction of the change that it reports, so that either both are stored or
//! neither. The [`DeliveryWorker`] sends it afterwards; a mail server that is down delays mails and nothing else.
//!
//! A mail is sent once, except in one window: when the program dies, or the connection breaks, after the mail server
//! has accepted the mail and before the outbox says so. Then it is sent again, with the same Message-ID. The opposite
//! order would lose it.
//!
//! The texts are not here: each module declares its mails ([`Template`]), whose texts organisers may change.

mod actions;
mod compose;
mod delivery;
mod failure;
mod message;
mod outbox;
mod overview;
pub mod personal;
pub mod probe;
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
pub use message::{Mailbox, Message};
pub use outbox::{count_recent, enqueue, enqueue_all, enqueue_to_organisers};
pub use overview::{FILTERS, Health, Summary, counts, health, list, newest};
pub use sweep::delete_sent;
pub use template::{FESTIVAL, FESTIVAL_NAMES, Template, Values, Variable, festival_values};
pub use text::mask;
