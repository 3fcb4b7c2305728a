//! Who uses the back office: accounts, roles and what they may do, passwords, second factors, sessions, invitations.

pub mod account;
pub(crate) mod invitation;
pub(crate) mod password;
pub(crate) mod permission;
pub(crate) mod recovery;
pub mod role;
pub mod scope;
pub mod session;
pub(crate) mod throttle;
pub(crate) mod token;
pub(crate) mod totp;
