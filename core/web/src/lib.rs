//! The public site: what is served under which address, and how it is computed, rendered, remembered and sent.
//!
//! Nothing here knows of the back office or of modules. A [`Site`](site::Site) is put together from its
//! [contents](site::SiteContents), whoever contributes them.

pub mod card;
pub mod compute;
pub mod document;
pub mod downloads;
pub mod endpoint;
pub mod http;
pub mod json_ld;
mod manifest;
pub mod metrics;
mod openapi;
pub mod page;
pub mod page_picture;
pub mod page_text;
pub mod pattern;
pub mod post;
pub mod public_url;
mod robots;
mod security_txt;
pub mod site;
pub mod sitemap;
pub mod types;
pub mod xml;
