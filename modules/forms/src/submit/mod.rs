//! Receives forms and files: admission, validation, storage, response.

mod contact;
mod delegate;
mod file;
mod film;
mod intake;
mod new_submission;
mod receipt;
mod received;
pub(crate) mod staged;
mod starts;
pub(crate) mod store;
mod validate;

pub(crate) use contact::{ContactReceiver, ContactReply};
pub(crate) use delegate::DelegateReceiver;
pub(crate) use file::{FileReceiver, StagedReply};
pub(crate) use film::FilmReceiver;
pub(crate) use intake::Intake;
pub(crate) use receipt::Receipt;
