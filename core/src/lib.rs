//! The crate that modules depend on: the registry, background tasks, commands, and re-exports of the crates below.
//!
//! Core knows no module. A module depends on core and on no other module; the program (`cli`) lists them. A
//! [`Program`] is the site, its back office, and what the modules contribute to both.

pub mod app;
pub mod backup;
pub mod command;
mod gauges;
pub mod list_export;
pub mod list_import;
pub mod module;
pub mod moving;
mod own;
pub mod program;
pub mod registry;
pub mod secrets;
pub mod stored_files;
pub mod types;

pub use app::App;
pub use festival_admin::{self as admin, browser_settings};
pub use festival_base::{
    Error, FieldError, Result, blocking, changes, clock, db, deadline, durable, error, lang, migration, money_text,
    network, print, println, settings, size_text, text, texts, time_text,
};
pub use festival_files::{bundle, checks, export, media, pdf_pages, scanner, sheet, transfer, upload};
pub use festival_mail as mail;
pub use festival_records::{
    Records, alphabet, editing, edition, entity, exporting, html, identity, importing, next_edition, pictures,
    search_key, seed,
};
pub use festival_web::card::SocialCard;
pub use festival_web::public_url::PublicUrl;
pub use festival_web::site::{Document, Endpoint, Page, Post, RequestContext};
pub use festival_web::{
    atom, downloads, freeze, http, icalendar, json_ld, metrics, page, pattern, post, site, sitemap, submissions, xml,
};
pub use module::Module;
pub use program::Program;
pub use registry::Registry;
