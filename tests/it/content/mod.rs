//! The public pages and API of the module `content`.

mod api;
mod feed;
mod import;
mod pages;
