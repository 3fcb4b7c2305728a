//! The HTTP layer: routes, cached responses, files, host names, headers, error responses.

mod cache;
mod cached_response;
mod cards;
mod catcher;
mod client;
mod cors;
mod expiries;
mod files;
mod headers;
mod health;
mod hosts;
mod https_redirect;
mod multipart;
mod routes;
mod supervised;

pub use cache::Cache;
pub use cached_response::{CHUNK, CachedResponse};
pub use catcher::error_page;
pub use client::client_address;
pub use expiries::Expiries;
pub use files::assets_route;
pub use headers::{COMMON_HEADERS, FILE_POLICY, Headers, InFlightRequests, new_request_id, request_id};
pub use hosts::Hosts;
pub use multipart::{open_body, receive_multipart};
pub use routes::{decoded_path, log_cause, mount};
pub use supervised::supervised;
