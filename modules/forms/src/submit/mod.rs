//! What happens between a form's arrival and its answer.

mod award;
mod check;
mod contact;
mod delegate;
mod desk;
mod draft;
mod film;
mod hash;
pub(crate) mod staged;
mod starts;
mod store;
pub(crate) mod tables;

pub(crate) use contact::{ContactReply, ReceiveContact};
pub(crate) use delegate::ReceiveDelegate;
pub(crate) use desk::{Desk, Receipt};
pub(crate) use draft::Draft;
pub(crate) use film::ReceiveFilm;
pub(crate) use hash::hash;
pub(crate) use store::Kept;
