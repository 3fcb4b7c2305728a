//! The back office: who gets in, what each role may, where a change may come from, what is written down.

mod accounts;
pub(crate) mod browser;
mod commands;
mod dashboard;
mod desk;
mod entities;
mod guard;
pub(crate) mod imports;
mod inventory;
mod lists;
mod mails;
mod one_connection;
mod pages;
mod privacy;
mod scope;
mod second_factor;
mod secrets;
mod sessions;
mod settings;
mod sign_in;
mod switches;
mod views;
mod writing;
