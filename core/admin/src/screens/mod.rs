//! The built-in screens: sign-in, own account, accounts, mails, pictures, personal data, audit log.

mod accounts;
mod audit_log;
mod confirm;
mod editions;
mod forgotten;
mod handbook;
mod invited;
pub(crate) mod mail_texts;
mod mails;
mod own_account;
mod pictures;
mod privacy;
mod routes;
mod second_factor;
pub(crate) mod settings;
mod sign_in;

pub use routes::own;
