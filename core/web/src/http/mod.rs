//! The HTTP layer: routes, files, host names, headers, error responses.

mod archive;
mod cards;
mod catcher;
mod client;
mod cors;
mod files;
mod headers;
mod health;
mod hosts;
mod https_redirect;
mod multipart;
mod origin;
mod replay;
mod request;
mod request_id;
mod response;
mod routes;
mod supervised;

pub use catcher::error_page;
pub use client::client_address;
pub use files::assets_route;
pub use headers::{COMMON_HEADERS, FILE_POLICY, Headers};
pub use hosts::Hosts;
pub use multipart::{open_body, receive_multipart};
pub use origin::is_from_own_page;
pub use replay::replay;
pub use request::decoded_path;
pub use request_id::{InFlightRequests, new_request_id, request_id};
pub use response::{log_cause, uncached};
pub use routes::mount;
pub use supervised::supervised;
