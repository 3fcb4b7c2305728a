//! What happens between a form's arrival and its answer.

mod award;
mod check;
mod contact;
mod delegate;
mod film;
mod hash;
mod intake;
mod new_submission;
pub(crate) mod staged;
mod starts;
mod store;
pub(crate) mod tables;

pub(crate) use contact::{ContactReply, ReceiveContact};
pub(crate) use delegate::ReceiveDelegate;
pub(crate) use film::ReceiveFilm;
pub(crate) use hash::hash;
pub(crate) use intake::{Intake, Receipt};
pub(crate) use new_submission::NewSubmission;
pub(crate) use store::StoredSubmission;
