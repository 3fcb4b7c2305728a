//! What was kept of the forms, read back: for files, and for the screens of the back office.

mod kind;
mod secret;
mod state;
mod submission;

pub(crate) use kind::{KINDS, Kind};
pub(crate) use secret::{SCREENER_PASSWORDS, encrypt};
pub(crate) use state::{PAYMENTS, State, label_of};
pub(crate) use submission::{SentFile, Submission, page};
