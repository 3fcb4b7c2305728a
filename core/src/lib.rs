//! What every module stands on: registry, settings, data, errors, HTTP, pages.
//!
//! Core knows no module. A module depends on core and on no other module; the command line puts them together.

pub mod admin;
pub mod app;
mod background;
pub mod backup;
pub mod browser_settings;
pub mod card;
pub mod command;
pub mod compute;
pub mod document;
pub mod downloads;
pub mod endpoint;
pub mod http;
pub mod json_ld;
mod manifest;
pub mod module;
pub mod openapi;
mod own;
pub mod page;
mod page_picture;
mod page_text;
pub mod pattern;
mod place;
pub mod post;
pub mod registry;
mod robots;
pub mod site;
pub mod sitemap;
pub mod task;
pub mod types;
pub mod xml;

pub use app::App;
pub use card::Card;
pub use document::Document;
pub use endpoint::{Ask, Endpoint};
pub use festival_base::{
    Error, FieldError, Result, blocking, changes, clock, db, error, lang, migration, network, settings, time_text,
};
pub use festival_files::{checks, export, media, sheet, upload};
pub use festival_mail as mail;
pub use festival_records::{Records, editing, edition, entity, html, identity, importing, seed, text};
pub use module::Module;
pub use page::Page;
pub use place::Place;
pub use post::Post;
pub use registry::Registry;
