//! The public pages and API of the module `magazines`.

mod api;
mod pages;
