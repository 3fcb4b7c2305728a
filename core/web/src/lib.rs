//! The public site: its routes, and how responses are computed, rendered, cached and sent.
//!
//! This crate does not know the back office or any module. A [`Site`](site::Site) is built from its
//! [contents](site::SiteContents), to which every module contributes.

pub mod atom;
pub mod cache;
pub mod card;
pub mod document;
pub mod downloads;
pub mod endpoint;
pub mod freeze;
mod frontend_files;
pub mod http;
pub mod icalendar;
pub mod json_ld;
pub mod metrics;
mod openapi;
pub mod page;
pub mod page_text;
pub mod pattern;
pub mod post;
pub mod public_url;
pub mod site;
pub mod sitemap;
pub mod submissions;
pub mod types;
pub mod xml;
