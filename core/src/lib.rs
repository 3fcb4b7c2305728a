//! What every module stands on: registry, settings, data, errors, HTTP, pages.
//!
//! Core knows no module. A module depends on core and on no other module; the command line puts them together.

pub mod admin;
pub mod app;
pub mod card;
pub mod changes;
pub mod clock;
pub mod command;
pub mod compute;
pub mod db;
pub mod document;
pub mod downloads;
pub mod editing;
pub mod edition;
pub mod endpoint;
pub mod entity;
pub mod error;
pub mod export;
pub mod html;
pub mod http;
pub mod importing;
pub mod json_ld;
pub mod lang;
pub mod mail;
mod manifest;
pub mod media;
pub mod module;
pub mod openapi;
pub mod page;
pub mod pattern;
mod picture_words;
mod place;
pub mod post;
pub mod registry;
mod remembered;
mod robots;
pub mod seed;
pub mod settings;
pub mod sheet;
pub mod site;
pub mod sitemap;
pub mod task;
pub mod time_text;
pub mod types;
pub mod upload;
pub mod xml;

pub use app::App;
pub use card::Card;
pub use document::Document;
pub use endpoint::{Ask, Endpoint};
pub use error::{Error, FieldError, Result};
pub use module::Module;
pub use page::Page;
pub use place::Place;
pub use post::Post;
pub use registry::Registry;
